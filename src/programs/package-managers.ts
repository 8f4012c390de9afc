import type { Invocation, Outcome } from '../model/program.ts';
import { known, render, textOf } from '../model/value.ts';
import { bun } from './bun.ts';
import { define, type Program, words } from './define.ts';
import { drafts, effect, word } from './drafts.ts';
import { installs } from './installs.ts';
import { type Call, callOf, HEAD, runScript, workspaceDirectory } from './npm-call.ts';
import { runsPackage } from './npm-packages.ts';
import { install, managed } from './npm-verbs.ts';
import { type Grammar, grammar, parseOptions } from './options.ts';
import { hasScript } from './package-scripts.ts';
import { merge } from './subcommands.ts';
import { withToolCode } from './tool-code.ts';

/** Words that are no script names even where a bare word runs a script. */
export const QUIET = new Set(
  words(
    'help list ls ll la view info show search outdated fund doctor ping whoami root prefix bin why explain docs repo home bugs issues issue get prune dedupe ddp rebuild rb cache completion query sbom star stars store licenses approve-builds import fetch patch patch-commit pm self-update env server setup workspaces workspace foreach plugin constraints npm dedupe check node policies cat-file unplug outdated link build upgrade completions discord repl',
  ),
);

function npm(inv: Invocation): Outcome {
  const call = callOf(inv);
  return { subcommand: call.verb, flags: call.args.flags, operands: call.args.operands, ...(managed(call) ?? {}) };
}

/** yarn and pnpm: a bare word is a script, else a program of the project. */
function scriptOrProgram(inv: Invocation): Outcome {
  const call = callOf(inv);
  const seen = { subcommand: call.verb, flags: call.args.flags, operands: call.args.operands };
  if (call.verb === '')
    return {
      ...seen,
      ...(inv.name === 'yarn' && !call.args.has('h') && inv.argv.every((w) => !/^-(?:v|-version)$/.test(render(w)))
        ? install(call, [])
        : {}),
    };
  if (call.verb === 'workspace' || call.verb === 'workspaces') return { ...seen, ...workspaces(call) };
  if (call.verb === 'npm' && inv.name === 'yarn')
    return { ...seen, nested: [{ kind: 'argv', via: 'yarn', argv: [known('npm'), ...call.words] }] };
  if (call.verb === 'deploy' && inv.name === 'pnpm')
    return { ...seen, files: drafts('write', call.args.operands.slice(1, 2), { recursive: true }) };
  const known1 = managed(call);
  if (known1) return { ...seen, ...known1 };
  if (hasScript(inv, workspaceDirectory(call), call.verb)) {
    return { ...seen, ...runScript(call, call.verb, call.words) };
  }
  if (QUIET.has(call.verb)) return seen;
  return { ...seen, ...runsPackage(inv, inv.name, [known(call.verb), ...call.words]) };
}

function workspaces(call: Call): Outcome {
  const list =
    call.verb === 'workspace' ? call.words.slice(1) : call.words.slice(word(call.words[0]) === 'foreach' ? 1 : 0);
  const rest = parseOptions([[''], ...list], HEAD).operands;
  return rest.length > 0
    ? { nested: [{ kind: 'argv', via: `${call.tool} ${call.verb}`, argv: [known(call.tool), ...rest] }] }
    : {};
}

function npx(inv: Invocation): Outcome {
  const args = parseOptions(inv.argv, NPX);
  const via = inv.name;
  const text = args.value('c');
  const packages = args.values('p');
  const seen = {
    flags: args.flags,
    operands: args.operands,
    effects: installs({ packages: [], index: args.values('registry') }).filter(({ kind }) => kind === 'install-remote'),
  };
  if (text) return merge(seen, runsPackage(inv, via, [], packages), { nested: [{ kind: 'script', via, text }] });
  const list = textOf(args.operands[0] ?? []) === '--' ? args.operands.slice(1) : args.operands;
  return merge(seen, runsPackage(inv, via, list, packages));
}

const NPX: Grammar = grammar(
  'c call:, p package:, y yes, no, q quiet, no-install, ignore-existing, userconfig:, prefix:, w workspace:, registry:, b bun, silent, shell:, n node-options:, h help, v version',
  { stopAtOperand: true },
);

/** npm, pnpm, yarn, bun and their `exec` forms. */
export const packageManagers: readonly Program[] = withToolCode([
  define({ names: ['npm'], manual: 'npm(1)', summary: 'manages JavaScript packages', run: (_, inv) => npm(inv) }),
  define({
    names: ['pnpm', 'yarn', 'yarnpkg', 'ni', 'nr'],
    manual: 'pnpm(1), yarn(1)',
    summary: 'manages JavaScript packages',
    run: (_, inv) => scriptOrProgram(inv),
  }),
  define({
    names: ['bun'],
    manual: 'bun --help',
    summary: 'runs JavaScript and manages packages',
    run: (_, inv) => bun(inv),
  }),
  define({
    names: ['npx', 'bunx', 'pnpx', 'pnx'],
    manual: 'npx(1)',
    summary: 'runs the program of a package',
    run: (_, inv) => npx(inv),
  }),
  define({
    names: ['corepack'],
    manual: 'corepack help',
    summary: 'fetches package managers',
    style: { stopAtOperand: true },
    run: (args) => {
      const verb = word(args.operands[0]).replace(/@.*$/, '');
      if (/^(?:npm|npx|pnpm|pnpx|yarn|yarnpkg)$/.test(verb))
        return { nested: [{ kind: 'argv', via: 'corepack', argv: [known(verb), ...args.operands.slice(1)] }] };
      return {
        subcommand: verb,
        effects: /^(?:enable|disable|prepare|install|use|up)$/.test(verb) ? [effect('install', 'package manager')] : [],
      };
    },
  }),
]);
