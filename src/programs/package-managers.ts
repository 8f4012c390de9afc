import type { DestDraft } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { concat, known, render, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, effect, word } from './drafts.ts';
import { installs, isRemoteSource } from './installs.ts';
import { type Grammar, grammar, type Parsed, parseOptions } from './options.ts';
import { hasScript, packageScripts } from './package-scripts.ts';
import { merge } from './subcommands.ts';
import { atDashes, joinWords } from './words.ts';

const OPTIONS =
  'g global, D save-dev dev, E save-exact exact, O save-optional, P save-prod save-peer, prefix:, C dir cwd:, w workspace filter F:, ws workspaces r recursive, W ignore-workspace-root-check, c call shell-mode:, p package:, y yes, registry:, userconfig:, L location:, omit:, include:, tag:, access:, otp:, ignore-scripts, dry-run, json, silent s, loglevel:, f force, legacy-peer-deps, no-audit, no-fund, frozen-lockfile, immutable, depth:, m message:, no-git-tag-version, git-tag-version?, cache:, cache-folder:, script-shell:, no-install, workspace-root, if-present, parallel, stream, prefer-offline, offline, store-dir:, modules-folder:, mutex:, otp:, pack-destination:, q quiet, h help, no-save, save, verbose';

const HEAD: Grammar = grammar(OPTIONS, { stopAtOperand: true });
const WHOLE: Grammar = grammar(OPTIONS);

/** One call of a package manager, its options before and after the verb put together. */
interface Call {
  readonly inv: Invocation;
  readonly tool: string;
  readonly verb: string;
  /** Words after the verb, as written. */
  readonly words: readonly Value[];
  readonly args: Parsed;
  readonly directory: Value | null;
}

function callOf(inv: Invocation): Call {
  const head = parseOptions(inv.argv, HEAD);
  const [verb, ...rest] = head.operands;
  const atDashes = rest.findIndex((w) => textOf(w) === '--');
  const own = atDashes < 0 ? rest : rest.slice(0, atDashes);
  const options = inv.argv.slice(1, inv.argv.length - head.operands.length);
  const args = parseOptions([[''], ...options, ...own], WHOLE);
  const directory = args.value('prefix') ?? args.value('C') ?? null;
  return { inv, tool: inv.name, verb: word(verb), words: rest, args, directory };
}

/** Words after the verb without the manager's own options at their start. */
function program(call: Call): readonly Value[] {
  const list = parseOptions([[''], ...call.words], HEAD);
  const rest = list.operands;
  return textOf(rest[0] ?? []) === '--' ? rest.slice(1) : rest;
}

const HOOKS_OF_INSTALL = ['install', 'prepublish', 'prepare'];

/** Directory of a workspace member named with `-w`, if it is a path. */
function workspaceDirectory(call: Call): Value | null {
  if (call.directory) return call.directory;
  const member = call.args.value('w');
  const text = member ? textOf(member) : null;
  return text !== null && /^(?:\.\/|[\w-]+\/)/.test(text) && !text.startsWith('@') ? member : null;
}

/** What a script is given: npm keeps options for itself up to `--`, others pass all on. */
function scriptArgs(call: Call, args: readonly Value[]): readonly Value[] {
  if (call.tool !== 'npm') return textOf(args[0] ?? []) === '--' ? args.slice(1) : args;
  const { before, after } = atDashes(args);
  return [...before.filter((word) => call.args.operands.includes(word)), ...(after ?? [])];
}

function runScript(call: Call, name: string, args: readonly Value[]): Outcome {
  return packageScripts(call.inv, {
    via: `${call.tool} run`,
    directory: workspaceDirectory(call),
    names: [name],
    args: scriptArgs(call, args),
    ignoreScripts: call.args.has('ignore-scripts'),
  });
}

function install(call: Call, packages: readonly Value[]): Outcome {
  if (call.args.has('dry-run')) return {};
  const isGlobal = call.args.has('g') || textOf(call.args.value('L') ?? []) === 'global';
  const registry = call.args.values('registry');
  const effects = installs({
    packages,
    global: isGlobal,
    index: registry.filter((r) => !/^https:\/\/registry\.(?:npmjs\.org|yarnpkg\.com)\/?$/.test(render(r))),
  });
  const files = call.directory ? drafts('write', [concat(call.directory, ['/node_modules'])], { recursive: true }) : [];
  const hooks =
    packages.length > 0 || isGlobal || call.args.has('ignore-scripts')
      ? {}
      : packageScripts(call.inv, { via: call.tool, directory: call.directory, names: HOOKS_OF_INSTALL });
  return merge({ effects, files }, hooks);
}

/** Runs a package's program: from node_modules, or fetched from the registry. */
export function runsPackage(
  inv: Invocation,
  via: string,
  list: readonly Value[],
  packages: readonly Value[] = [],
): Outcome {
  const [first, ...rest] = list;
  const remote = [...packages, ...(first ? [first] : [])].filter(isRemoteSource);
  const effects = remote.map((p) => effect('exec-remote', render(p), `${via} runs a package from an address`));
  if (!first || isRemoteSource(first)) return { effects };
  return {
    effects,
    nested: [{ kind: 'argv', via, argv: [known(binaryOf(render(first))), ...rest], stdin: inv.stdin }],
  };
}

const BINARIES = new Map([
  ['typescript', 'tsc'],
  ['@angular/cli', 'ng'],
  ['@nestjs/cli', 'nest'],
  ['@vue/cli', 'vue'],
  ['@babel/node', 'babel-node'],
  ['@dotenvx/dotenvx', 'dotenvx'],
  ['dotenv-cli', 'dotenv'],
  ['npm-run-all', 'npm-run-all'],
  ['del-cli', 'del-cli'],
  ['@playwright/test', 'playwright'],
  ['@changesets/cli', 'changeset'],
]);

/** The program that a package of that name brings: `@scope/name@1` → `name`. */
function binaryOf(spec: string): string {
  const name = spec.replace(/^npm:/, '').replace(/(?<=.)@[^/]*$/, '');
  return BINARIES.get(name) ?? name.slice(name.lastIndexOf('/') + 1);
}

function exec(call: Call): Outcome {
  const text = call.args.value('c');
  const via = `${call.tool} ${call.verb}`.trim();
  const packages = call.args.values('p');
  if (text && text.length > 0)
    return merge(runsPackage(call.inv, via, [], packages), { nested: [{ kind: 'script', via, text, ...cwdOf(call) }] });
  const list = program(call);
  // pnpm's and yarn's exec with `-c` take the rest as shell text.
  if (call.args.has('shell-mode') && list.length > 0)
    return { nested: [{ kind: 'script', via, text: joinWords(list), ...cwdOf(call) }] };
  const made = runsPackage(call.inv, via, list, packages);
  return call.directory ? { ...made, nested: (made.nested ?? []).map((n) => ({ ...n, ...cwdOf(call) })) } : made;
}

function cwdOf(call: Call): { readonly cwd?: Value } {
  return call.directory ? { cwd: call.directory } : {};
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
  const home = call.inv.world.home;
  const path: Value = isProject
    ? ['.npmrc']
    : call.args.has('g')
      ? ['/etc/npmrc']
      : (call.args.value('userconfig') ?? [`${home}/${call.tool === 'yarn' ? '.yarnrc' : '.npmrc'}`]);
  return { files: [draft('write', path)] };
}

/** Verbs that npm, pnpm, yarn and bun share (npm(1), pnpm(1), yarn(1), bun(1)). */
function managed(call: Call): Outcome | null {
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
    case 'set':
      return call.tool === 'yarn' ? null : config(call, [known('set'), ...program(call)]);
    case 'pkg':
      return /^(?:set|delete|fix)$/.test(word(first)) ? { files: [draft('write', [manifest(call)])] } : {};
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
    files: [draft('write', [manifest(call)])],
    effects: commits ? [effect('vcs-commit', 'version')] : [],
  });
}

/** Words that are no script names even where a bare word runs a script. */
const QUIET = new Set(
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

function bun(inv: Invocation): Outcome {
  const head = parseOptions(inv.argv, BUN);
  const codes = [...head.values('e'), ...head.values('p')];
  if (codes.length > 0)
    return {
      flags: head.flags,
      nested: codes.map((code) => ({
        kind: 'argv' as const,
        via: 'bun',
        argv: [known('node'), known(head.has('p') ? '-pe' : '-e'), code, ...head.operands],
        stdin: inv.stdin,
      })),
    };
  const call = callOf({
    ...inv,
    argv: [
      inv.argv[0] ?? [],
      ...(head.value('cwd') ? [known('--cwd'), head.value('cwd') as Value] : []),
      ...head.operands,
    ],
  });
  const seen = { subcommand: call.verb, flags: head.flags, operands: call.args.operands };
  const [first, ...rest] = head.operands;
  if (!first)
    return head.flags.length > 0
      ? seen
      : { ...seen, nested: [{ kind: 'argv', via: 'bun', argv: [known('node'), known('-')], stdin: inv.stdin }] };
  if (call.verb === 'build') {
    const out = call.words.flatMap((w, at) =>
      /^--(?:outfile|outdir)$/.test(render(w))
        ? call.words.slice(at + 1, at + 2)
        : /^--(?:outfile|outdir)=/.test(render(w))
          ? [known(render(w).replace(/^[^=]*=/, ''))]
          : [],
    );
    return { ...seen, files: drafts('write', out, { recursive: true }) };
  }
  const target = call.verb === 'run' ? program(call) : [first, ...rest];
  const file = target[0] ? render(target[0]) : '';
  if (/^(?:\.{0,2}\/|-$)|\.[cm]?[jt]sx?$/.test(file))
    return {
      ...seen,
      nested: [{ kind: 'argv', via: 'bun', argv: [known('node'), ...target], stdin: inv.stdin, ...cwdOf(call) }],
    };
  const made = managed(call);
  if (made) return { ...seen, ...made };
  if (QUIET.has(call.verb)) return seen;
  if (hasScript(inv, call.directory, call.verb)) return { ...seen, ...runScript(call, call.verb, call.words) };
  return { ...seen, ...runsPackage(inv, 'bun', [first, ...rest]) };
}

const BUN: Grammar = grammar(
  'e eval:, p print:, cwd:, b bun, watch, hot, smol, r preload:, inspect?, env-file:, i, silent, v version, h help, if-present, filter:',
  { stopAtOperand: true },
);

function npx(inv: Invocation): Outcome {
  const args = parseOptions(inv.argv, NPX);
  const via = inv.name;
  const text = args.value('c');
  const packages = args.values('p');
  const seen = { flags: args.flags, operands: args.operands };
  if (text)
    return { ...seen, ...merge(runsPackage(inv, via, [], packages), { nested: [{ kind: 'script', via, text }] }) };
  const list = textOf(args.operands[0] ?? []) === '--' ? args.operands.slice(1) : args.operands;
  return { ...seen, ...runsPackage(inv, via, list, packages) };
}

const NPX: Grammar = grammar(
  'c call:, p package:, y yes, no, q quiet, no-install, ignore-existing, userconfig:, prefix:, w workspace:, registry:, b bun, silent, shell:, n node-options:, h help, v version',
  { stopAtOperand: true },
);

/** npm, pnpm, yarn, bun and their `exec` forms. */
export const packageManagers: readonly Program[] = [
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
];
