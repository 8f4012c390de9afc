import type { DestDraft } from '../model/effect.ts';
import type { Outcome } from '../model/program.ts';
import { concat, known, render, textOf, type Value } from '../model/value.ts';
import { draft, drafts, effect, word } from './drafts.ts';
import { changedInPlace } from './in-place.ts';
import { installs } from './installs.ts';
import { type Call, cwdOf, HEAD, program, runScript } from './npm-call.ts';
import { runsPackage } from './npm-packages.ts';
import { parseOptions } from './options.ts';
import { packageScripts } from './package-scripts.ts';
import { below, homeOf } from './paths.ts';
import { merge } from './subcommands.ts';
import { joinWords } from './words.ts';

const HOOKS_OF_INSTALL = ['install', 'prepublish', 'prepare'];

export function install(call: Call, packages: readonly Value[]): Outcome {
  if (call.args.has('dry-run')) return {};
  const isGlobal = call.args.has('g') || textOf(call.args.value('L') ?? []) === 'global';
  const registry = call.args.values('registry');
  const effects = installs({
    packages: packages.map(addressed),
    global: isGlobal,
    index: registry,
  });
  const files = call.directory ? drafts('write', [concat(call.directory, ['/node_modules'])], { recursive: true }) : [];
  const hooks =
    packages.length > 0 || isGlobal || call.args.has('ignore-scripts')
      ? {}
      : packageScripts(call.inv, { via: call.tool, directory: call.directory, names: HOOKS_OF_INSTALL });
  return merge({ effects, files }, hooks, ...packages.map((name) => localHooks(call, name)));
}

/** `owner/name` is a repository at GitHub; npm-install(1). */
function addressed(name: Value): Value {
  return /^[\w-]+\/[\w.-]+(?:#.*)?$/.test(render(name)) ? concat(['github:'], name) : name;
}

/** A package that is a directory outside the project: what its scripts of installing say, or that nobody has seen them. */
function localHooks(call: Call, name: Value): Outcome {
  const text = render(name).replace(/^file:/, '');
  if (!/^(?:\.{0,2}\/|~|\.\.?$)/.test(text) || /\.t(?:ar\.)?gz$/.test(text) || call.args.has('ignore-scripts'))
    return {};
  const directory: Value = /^file:/.test(render(name)) ? known(text) : name;
  const { real, zone } = call.inv.world.resolve(call.inv.cwd, directory, true);
  if (
    zone === 'workspace' ||
    (real !== null && call.inv.world.kind(real) === 'none' && call.inv.world.partial !== true)
  )
    return {};
  const made = packageScripts(call.inv, { via: call.tool, directory, names: HOOKS_OF_INSTALL });
  return { effects: made.effects ?? [], nested: made.nested ?? [] };
}

function exec(call: Call): Outcome {
  // npm takes its options wherever they stand, the others up to the program.
  const args = call.tool === 'npm' ? call.args : parseOptions([[''], ...call.words], HEAD);
  const text = args.value('c');
  const via = `${call.tool} ${call.verb}`.trim();
  const packages = args.values('p');
  if (text && text.length > 0)
    return merge(runsPackage(call.inv, via, [], packages), { nested: [{ kind: 'script', via, text, ...cwdOf(call) }] });
  const list = program(call);
  // pnpm's and yarn's exec with `-c` take the rest as shell text.
  if (args.has('shell-mode') && list.length > 0)
    return { nested: [{ kind: 'script', via, text: joinWords(list), ...cwdOf(call) }] };
  const made = runsPackage(call.inv, via, list, packages);
  return call.directory ? { ...made, nested: (made.nested ?? []).map((n) => ({ ...n, ...cwdOf(call) })) } : made;
}

function publish(call: Call): Outcome {
  const hooks = call.args.has('ignore-scripts')
    ? {}
    : packageScripts(call.inv, {
        via: call.tool,
        directory: call.directory,
        names: ['prepublishOnly', 'pack', 'prepare', 'publish'],
      });
  if (call.args.has('dry-run')) return hooks;
  const to: DestDraft = {
    address: call.args.value('registry') ?? ['https://registry.npmjs.org'],
    sends: 'file',
    method: 'PUT',
  };
  const target = render(call.args.operands[0] ?? ['package']);
  return merge(hooks, { effects: [effect('publish', target, `${call.tool} publish`)], dests: [to] });
}

function config(call: Call, list: readonly Value[]): Outcome {
  const verb = word(list[0]);
  if (/^(?:get|list|ls)$/.test(verb)) {
    const name = render(list[1] ?? []);
    return /_authToken|_auth|_password/i.test(name)
      ? { effects: [effect('secret-read', name)], stdout: { value: null, taints: ['secret'] } }
      : {};
  }
  if (!/^(?:set|delete|rm|edit|unset|fix)$/.test(verb)) return {};
  const isProject = textOf(call.args.value('L') ?? []) === 'project' || call.args.has('project');
  // Yarn 2 and later: names in camel case, kept in the project unless --home says otherwise.
  if (call.tool === 'yarn' && /^[a-z]+[A-Z]\w*/.test(word(list[1])) && !list.some((w) => /^(-H|--home)$/.test(word(w))))
    return { files: [draft('write', ['.yarnrc.yml'], { content: concat(list[1] ?? [], [': '], list[2] ?? []) })] };
  const path: Value = isProject
    ? ['.npmrc']
    : call.args.has('g')
      ? ['/etc/npmrc']
      : (call.args.value('userconfig') ?? below(homeOf(call.inv), [call.tool === 'yarn' ? '.yarnrc' : '.npmrc']));
  const line = list.length > 2 ? concat(list[1] ?? [], ['='], list[2] ?? []) : (list[1] ?? []);
  return { files: [draft('write', path, verb === 'set' ? { content: line } : {})] };
}

/** Yarn itself, or a plug-in of it, from an address or a file; https://yarnpkg.com/cli. */
function yarnCode(call: Call, list: readonly Value[]): Outcome {
  const given = [...list, ...call.args.values('repository'), ...call.words].filter((w) =>
    /^(?:https?:|\.{0,2}\/|~)/.test(render(w)),
  );
  return {
    files: [draft('write', ['.yarn/releases'], { partial: true })],
    effects: [...given.map((w) => effect('install-remote', render(w))), effect('install', 'yarn')],
  };
}

/** `pkg set --json scripts={…}`. */
function scriptsOf(json: string): readonly (readonly [string, string])[] {
  try {
    return Object.entries(JSON.parse(json) as Record<string, unknown>).map(([name, text]) => [name, String(text)]);
  } catch {
    return [];
  }
}

/** The part of a manifest that `pkg set scripts.NAME=TEXT` makes. */
function scriptsSet(entries: readonly Value[]): string {
  const scripts = entries.flatMap((entry) => {
    const text = render(entry);
    const match = /^scripts(?:\.|\[["']?)([\w:-]+)(?:["']?\])?=(.*)$/s.exec(text);
    if (match) return [[match[1] as string, match[2] as string] as const];
    return text.startsWith('scripts=') ? scriptsOf(text.slice(8)) : [];
  });
  return JSON.stringify({ scripts: Object.fromEntries(scripts) });
}

/** Verbs that npm, pnpm, yarn and bun share (npm(1), pnpm(1), yarn(1), bun(1)). */
export function managed(call: Call): Outcome | null {
  const [first, ...rest] = call.words;
  const named = call.args.operands;
  switch (call.verb) {
    case 'run':
    case 'run-script':
    case 'rum': {
      const list = program(call);
      return list[0] ? runScript(call, word(list[0]), list.slice(1)) : {};
    }
    case 'test':
    case 't':
    case 'tst':
      return call.tool === 'bun' ? { opaque: true } : runScript(call, 'test', call.words);
    case 'start':
    case 'stop':
    case 'restart':
      return runScript(call, call.verb, call.words);
    case 'install-test':
    case 'it':
      return merge(install(call, named), runScript(call, 'test', []));
    case 'install':
    case 'i':
    case 'in':
    case 'add':
    case 'ci':
    case 'clean-install':
    case 'install-clean':
    case 'up':
    case 'update':
    case 'upgrade':
    case 'isntall':
      return install(call, named);
    case 'exec':
    case 'x':
    case 'dlx':
      return exec(call);
    case 'create':
    case 'init':
    case 'innit': {
      const list = program(call);
      const name = word(list[0]);
      if (name === '' || (call.tool === 'yarn' && call.verb === 'init'))
        return { files: drafts('create', [['package.json']]) };
      const starter = name.startsWith('@')
        ? name.replace(
            /^(@[^/@]+)(?:\/([^@]*))?.*$/,
            (_, scope: string, rest?: string) => `${scope}/create${rest ? `-${rest}` : ''}`,
          )
        : `create-${name}`;
      return merge(
        { effects: installs({ packages: [known(starter)] }) },
        runsPackage(call.inv, `${call.tool} ${call.verb}`, [known(starter), ...list.slice(1)]),
      );
    }
    case 'publish':
      return publish(call);
    case 'pack':
      return merge(
        packageScripts(call.inv, { via: call.tool, names: call.args.has('ignore-scripts') ? [] : ['pack', 'prepare'] }),
        {
          files: call.args.has('dry-run')
            ? []
            : drafts('write', [call.args.value('pack-destination') ?? ['.']], { partial: true }),
        },
      );
    case 'unpublish':
      return {
        effects: call.args.has('dry-run')
          ? []
          : [
              {
                ...effect('unpublish', render(named[0] ?? ['package'])),
                ...(call.args.has('f') ? { force: true } : {}),
              },
            ],
      };
    case 'deprecate':
    case 'undeprecate':
      return { effects: [effect('unpublish', render(named[0] ?? []), 'marks a published version')] };
    case 'dist-tag':
    case 'dist-tags':
    case 'tag':
      return /^(?:add|set|rm|remove)$/.test(word(first))
        ? { effects: [effect('publish', render(rest[0] ?? []), 'moves a tag of a published package')] }
        : {};
    case 'owner':
    case 'access':
    case 'team':
    case 'org':
    case 'hook':
    case 'profile':
      return /^(?:ls|list|get|ls-packages|ls-collaborators|enable-2fa)$/.test(word(first)) || !first
        ? {}
        : { effects: [effect('account', render(named.at(-1) ?? []), `npm ${call.verb} ${word(first)}`)] };
    case 'token':
      return /^(?:create|revoke|delete|rm)$/.test(word(first))
        ? {
            effects: [
              effect('account', 'registry token', `npm token ${word(first)}`),
              ...(word(first) === 'create' ? [effect('secret-read', 'registry token')] : []),
            ],
          }
        : {};
    case 'login':
    case 'adduser':
    case 'logout':
      return {
        files: [draft('write', [`${call.inv.world.home}/.npmrc`])],
        effects: [effect('account', 'registry', `npm ${call.verb}`)],
      };
    case 'config':
    case 'c':
      return config(call, program(call));
    case 'plugin':
      return call.tool === 'yarn' && word(first) === 'import' ? yarnCode(call, rest) : null;
    case 'set':
      if (call.tool === 'yarn') return word(first) === 'version' ? yarnCode(call, rest) : null;
      return config(call, [known('set'), ...program(call)]);
    case 'pkg':
      return /^(?:set|delete|fix)$/.test(word(first))
        ? { files: [draft('write', [manifest(call)], { content: known(scriptsSet(rest)) })] }
        : {};
    case 'set-script':
      return {
        files: [draft('write', [manifest(call)], { content: known(scriptsSet([known(`scripts.${word(first)}=x`)])) })],
      };
    case 'version':
      return versions(call);
    case 'link':
    case 'ln':
      return { effects: [effect('install-global', named.map(render).join(' ') || 'a link to the package')] };
    case 'audit':
      return word(first) === 'fix' ? install(call, []) : {};
    case 'uninstall':
    case 'remove':
    case 'rm':
    case 'un':
    case 'unlink':
      return call.args.has('g')
        ? { effects: [effect('install-global', `removes ${named.map(render).join(' ')}`)] }
        : {};
    case 'explore': {
      const list = call.words.slice(1);
      const text = joinWords(textOf(list[0] ?? []) === '--' ? list.slice(1) : list);
      return text.length > 0
        ? { nested: [{ kind: 'script', via: 'npm explore', text, cwd: concat(['node_modules/'], first ?? []) }] }
        : {};
    }
    case 'global':
      return /^(?:add|upgrade|remove)$/.test(word(first))
        ? { effects: [effect('install-global', rest.map(render).join(' '))] }
        : {};
    default:
      return null;
  }
}

function manifest(call: Call): string {
  return call.directory && textOf(call.directory) ? `${textOf(call.directory)}/package.json` : 'package.json';
}

function versions(call: Call): Outcome {
  if (!call.args.operands[0] || call.tool === 'bun') return {};
  const hooks = call.args.has('ignore-scripts')
    ? {}
    : packageScripts(call.inv, { via: call.tool, directory: call.directory, names: ['version'] });
  const commits =
    !call.args.has('no-git-tag-version') &&
    textOf(call.args.value('git-tag-version') ?? []) !== 'false' &&
    call.tool === 'npm';
  return merge(hooks, {
    // The number changes, the scripts stay.
    files: changedInPlace(call.inv, [[manifest(call)]], (text) => text),
    effects: commits ? [effect('vcs-commit', 'version')] : [],
  });
}
