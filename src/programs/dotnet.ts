import type { Invocation, Outcome } from '../model/program.ts';
import { render, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { draft, drafts, effect, word } from './drafts.ts';
import { installs } from './installs.ts';
import { type Grammar, grammar, type Parsed, parseOptions } from './options.ts';
import { withToolCode } from './tool-code.ts';

const OPTIONS: Grammar = grammar(
  'o output:, c configuration:, f framework force:, r runtime:, p project:, s source startup-project:, k api-key:, n name:, g global, tool-path:, version:, add-source:, v verbosity:, no-restore, no-build, artifacts-path:, results-directory:, logger:, filter:, l:, context:, i idempotent, dry-run, verify-no-changes, nologo, interactive, prerelease, d:, t:, m:, settings:, configfile:, json, id:',
);

function dotnet(inv: Invocation): Outcome {
  const all = inv.argv.slice(1);
  const dashes = all.findIndex((w) => textOf(w) === '--');
  const args = parseOptions([[''], ...(dashes < 0 ? all : all.slice(0, dashes))], OPTIONS);
  const [verb, second, third, ...rest] = args.operands;
  const name = word(verb);
  const pair = `${name} ${word(second)}`;
  const seen = {
    subcommand: /^(?:ef|nuget|tool|workload|add|user-secrets|dev-certs|sln)$/.test(name)
      ? [pair, word(third)].join(' ').trim()
      : name,
    flags: args.flags,
    operands: args.operands,
  };
  return {
    ...seen,
    ...dotnetVerb(
      name,
      word(second),
      word(third),
      [second, third, ...rest].filter((v): v is Value => v !== undefined),
      args,
      inv,
    ),
  };
}

function dotnetVerb(
  name: string,
  second: string,
  third: string,
  names: readonly Value[],
  args: Parsed,
  inv: Invocation,
): Outcome {
  const out = drafts(
    'write',
    [...args.values('o'), ...args.values('artifacts-path'), ...args.values('results-directory')],
    { recursive: true },
  );
  switch (name) {
    case 'nuget':
      if (second === 'push')
        return {
          effects: [effect('publish', third || 'package')],
          dests: [{ address: args.value('s') ?? ['https://api.nuget.org'], sends: 'file' }],
        };
      if (second === 'delete') return { effects: [effect('unpublish', third)] };
      return /^(?:add|update|remove|enable|disable)$/.test(second)
        ? { files: [draft('write', args.value('configfile') ?? [`${inv.world.home}/.nuget/NuGet/NuGet.Config`])] }
        : {};
    case 'tool': {
      if (second === 'run')
        return { nested: names.length > 1 ? [{ kind: 'argv', via: 'dotnet tool run', argv: names.slice(1) }] : [] };
      if (!/^(?:install|update|uninstall)$/.test(second))
        return { effects: second === 'restore' ? installs({ packages: [] }) : [] };
      return {
        effects: installs({ packages: names.slice(1, 2), global: args.has('g'), index: args.values('add-source') }),
        files: drafts('write', args.values('tool-path')),
      };
    }
    case 'workload':
      return {
        effects: /^(?:install|update|uninstall|restore)$/.test(second)
          ? [effect('install-global', `workload ${third}`)]
          : [],
      };
    case 'add':
      return {
        effects: names.map(render).includes('package')
          ? installs({ packages: names.slice(names.map(render).indexOf('package') + 1), index: args.values('s') })
          : [],
      };
    case 'ef':
      if (second === 'database' && third === 'drop')
        return { effects: args.has('dry-run') ? [] : [effect('db-drop', 'database', 'dotnet ef database drop')] };
      if (second === 'database' && third === 'update')
        return {
          effects: [
            names[2] && textOf(names[2]) === '0'
              ? effect('db-drop', 'database', 'takes all migrations back')
              : effect('db-write', 'database', 'applies migrations'),
          ],
        };
      return { files: out };
    case 'user-secrets':
      return second === 'list'
        ? { effects: [effect('secret-read', 'user secrets')], stdout: { value: null, taints: ['secret'] } }
        : {};
    case 'new':
      return { files: drafts('create', args.values('o'), { recursive: true }) };
    case 'restore':
      return { effects: installs({ packages: [], index: args.values('s').filter((s) => /^http:/.test(render(s))) }) };
    case 'clean':
      return { files: [...out, ...drafts('delete', [['bin'], ['obj']], { recursive: true, partial: true })] };
    case 'script':
    case 'fsi':
    case 'exec': {
      const [file] = names;
      return { files: file ? [draft('exec', file)] : [], opaque: true };
    }
    case 'format':
      return {
        files: args.has('verify-no-changes')
          ? []
          : drafts('write', names.length > 0 ? names : [['.']], { recursive: true, partial: true }),
      };
    default:
      if (/\.(?:dll|exe|cs)$/.test(name)) return { files: [draft('exec', [name])], opaque: true };
      return { files: out };
  }
}

/** .NET's tools. */
export const dotnetPrograms: readonly Program[] = withToolCode([
  define({
    names: ['dotnet'],
    manual: 'dotnet(1)',
    summary: 'builds and runs .NET projects',
    run: (_, inv) => dotnet(inv),
  }),
  define({
    names: ['nuget'],
    manual: 'nuget help',
    summary: 'manages .NET packages',
    options: 'Source:, ApiKey:, OutputDirectory:, Version:, ConfigFile:, NonInteractive, Verbosity:',
    style: { singleDashLong: true },
    run: (args, inv) => {
      const verb = word(args.operands[0]);
      const names = args.operands.slice(1);
      if (verb === 'push')
        return {
          subcommand: verb,
          effects: [effect('publish', render(names[0] ?? []))],
          dests: [{ address: args.value('Source') ?? ['https://api.nuget.org'], sends: 'file' }],
        };
      if (verb === 'delete') return { subcommand: verb, effects: [effect('unpublish', render(names[0] ?? []))] };
      if (verb === 'install' || verb === 'restore' || verb === 'update')
        return {
          subcommand: verb,
          effects: installs({ packages: verb === 'install' ? names : [] }),
          files: drafts('write', args.values('OutputDirectory'), { recursive: true }),
        };
      if (verb === 'setapikey' || verb === 'config' || verb === 'sources')
        return { subcommand: verb, files: [draft('write', [`${inv.world.home}/.nuget/NuGet/NuGet.Config`])] };
      return { subcommand: verb };
    },
  }),
  define({
    names: ['msbuild', 'xbuild', 'csc', 'mcs', 'fsc', 'vbc', 'csi', 'fsi', 'mono'],
    manual: 'msbuild, csc, mono(1)',
    summary: 'builds or runs .NET code',
    options: 'o:, t target:, p property:, m, v verbosity:, r restore, out?',
    style: { singleDashLong: true },
    run: (args, inv) => ({
      files: [
        ...drafts('write', [...args.values('o'), ...args.values('out')]),
        ...(/^(?:mono|csi|fsi)$/.test(inv.name) ? drafts('exec', args.operands.slice(0, 1)) : []),
      ],
      opaque: /^(?:mono|csi|fsi)$/.test(inv.name),
    }),
  }),
]);
