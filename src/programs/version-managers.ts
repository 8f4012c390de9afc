import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, effect, word } from './drafts.ts';
import { strangeCode } from './named-programs.ts';
import { nix } from './nix.ts';
import type { Parsed } from './options.ts';
import { atDashes, joinWords } from './words.ts';

export function argv(via: string, list: readonly Value[], more: Partial<Nested> = {}): readonly Nested[] {
  return list.length > 0 ? [{ kind: 'argv', via, argv: list, ...(more.cwd ? { cwd: more.cwd } : {}) }] : [];
}

/** Words that are no options, for people. */
function named(list: readonly Value[]): string {
  return list
    .map(render)
    .filter((w) => !w.startsWith('-'))
    .join(' ');
}

/** `mise exec node@22 -- CMD`, `mise x`, `mise run`, `mise use -g`. */
function mise(args: Parsed, inv: Invocation): Outcome {
  const [verb, ...rest] = args.operands;
  const name = word(verb);
  const seen = { subcommand: name };
  switch (name) {
    case 'exec':
    case 'x': {
      const { after } = atDashes(rest);
      const at = rest.findIndex((w) => /^(?:-c|--command)$/.test(render(w)));
      if (!after && at >= 0)
        return {
          ...seen,
          nested: rest[at + 1] ? [{ kind: 'script', via: `${inv.name} exec`, text: rest[at + 1] as Value }] : [],
        };
      const own = rest.findIndex((w) => !/^-|@/.test(render(w)));
      return { ...seen, nested: argv(`${inv.name} exec`, after ?? (own < 0 ? [] : rest.slice(own))) };
    }
    case 'use':
    case 'global':
    case 'install':
    case 'i':
    case 'u':
    case 'upgrade':
    case 'plugins':
    case 'plugin':
    case 'self-update':
    case 'uninstall': {
      const from = rest.filter((w) => /^(?:https?:|git@|ssh:|git:)/.test(render(w)));
      const isGlobal = name === 'global' || rest.some((w) => /^(?:-g|--global)$/.test(render(w)));
      return {
        ...seen,
        effects: [
          effect('install-global', named(rest) || 'tools of the project'),
          ...from.map((w) => effect('install-remote', render(w))),
        ],
        files: isGlobal ? [draft('write', [`${inv.world.home}/.config/mise/config.toml`])] : [],
      };
    }
    case 'settings':
    case 'set':
      return {
        ...seen,
        files:
          rest.length > 1
            ? [draft('write', [name === 'set' ? 'mise.toml' : `${inv.world.home}/.config/mise/config.toml`])]
            : [],
      };
    case 'trust': {
      // What is trusted runs on entering; that of the project is its own.
      const all = rest.some((w) => /^(?:-a|--all)$/.test(render(w)));
      const strange = rest.filter(
        (w) => !/^-/.test(render(w)) && inv.world.resolve(inv.cwd, w, true).zone !== 'workspace',
      );
      const what = all ? 'every settings file of mise' : strange.map(render).join(' ');
      return {
        ...seen,
        effects: what === '' ? [] : [effect('persistence', what, 'lets it run on entering the directory')],
      };
    }
    case 'run':
    case 'r':
    case 'watch':
      return { ...seen, opaque: true };
    default:
      return seen;
  }
}

/** `rbenv exec CMD`, `pyenv install`, `asdf global`. */
function shimmed(args: Parsed, inv: Invocation): Outcome {
  const [verb, ...rest] = args.operands;
  const name = word(verb);
  if (name === 'exec') return { subcommand: name, nested: argv(`${inv.name} exec`, rest) };
  if (inv.name === 'asdf' && name === 'env') return { subcommand: name, nested: argv('asdf env', rest.slice(1)) };
  if (inv.name === 'rvm' && word(rest[0]) === 'do') return { subcommand: 'do', nested: argv('rvm do', rest.slice(1)) };
  if (
    /^(?:install|uninstall|global|update|upgrade|plugin|plugin-add|reshim|default|virtualenv|alias|cache|set)$/.test(
      name,
    )
  ) {
    return {
      subcommand: name,
      effects:
        name === 'set' || name === 'reshim'
          ? []
          : [
              effect('install-global', [inv.name, ...rest.map(render)].join(' ')),
              ...rest
                .filter((w) => /^(?:https?:|git@|ssh:|git:)/.test(render(w)))
                .map((w) => effect('install-remote', render(w))),
            ],
    };
  }
  return { subcommand: name };
}

/** Node version managers: `nvm exec 20 CMD`, `fnm exec --using=20 CMD`, `volta run --node 20 CMD`, `n exec 20 CMD`. */
function nodeVersions(args: Parsed, inv: Invocation): Outcome {
  const [verb, ...rest] = args.operands;
  const name = word(verb);
  const { after } = atDashes(rest);
  const valued = new Set(['--using', '--node', '--npm', '--pnpm', '--yarn', '--env']);
  let at = 0;
  while (at < rest.length && render(rest[at] as Value).startsWith('-'))
    at += valued.has(render(rest[at] as Value)) ? 2 : 1;
  const list = after ?? rest.slice(at);
  const takesVersion = !after && inv.name !== 'volta' && inv.name !== 'fnm';
  if (name === 'exec' || (name === 'run' && inv.name === 'volta'))
    return { subcommand: name, nested: argv(`${inv.name} ${name}`, takesVersion ? list.slice(1) : list) };
  if (name === 'run')
    return {
      subcommand: name,
      nested: argv(`${inv.name} run`, [known('node'), ...(takesVersion ? list.slice(1) : list)]),
    };
  return {
    subcommand: name,
    effects:
      /^(?:install|i|uninstall|alias|default|pin|lts|latest|stable|use-default|\d.*)$/.test(name) && name !== 'pin'
        ? [effect('install-global', [inv.name, ...rest.map(render)].join(' '))]
        : [],
  };
}

/** Programs that choose a version of a tool, then run it. */
export const versionManagers: readonly Program[] = [
  define({
    names: ['mise', 'rtx'],
    manual: 'mise(1)',
    summary: 'installs tools and runs programs with them',
    options: 'C cd:, E env:, y yes, q quiet, v verbose',
    style: { stopAtOperand: true },
    run: mise,
  }),
  define({
    names: words('asdf rbenv pyenv nodenv goenv jenv plenv phpenv tfenv tgenv exenv luaenv rvm'),
    manual: 'asdf, rbenv(1), pyenv(1)',
    summary: 'chooses versions of a language',
    style: { stopAtOperand: true },
    run: shimmed,
  }),
  define({
    names: ['nvm', 'fnm', 'volta', 'n', 'nave', 'nodist'],
    manual: 'nvm, fnm, volta, n',
    summary: 'chooses versions of Node',
    style: { stopAtOperand: true },
    run: nodeVersions,
  }),
  define({
    names: [
      'sdk',
      'ghcup',
      'elan',
      'juliaup',
      'proto',
      'aqua',
      'pkgx',
      'tea',
      'hermit',
      'swiftenv',
      'zvm',
      'gvm',
      'g',
      'bob',
      'mint',
    ],
    manual: 'sdkman, ghcup, juliaup, proto, pkgx',
    summary: 'installs tools',
    style: { stopAtOperand: true },
    run: (args, inv) => {
      const [verb, ...rest] = args.operands;
      const name = word(verb);
      if (name === 'run' || name === 'exec')
        return { subcommand: name, nested: argv(`${inv.name} ${name}`, rest.slice(inv.name === 'pkgx' ? 0 : 1)) };
      if (inv.name === 'pkgx' || inv.name === 'tea')
        return {
          nested: argv(
            inv.name,
            args.operands.filter((o) => !/^[+-]/.test(render(o))),
          ),
        };
      return {
        subcommand: name,
        effects: /^(?:install|i|update|upgrade|default|add|rm|remove|uninstall|set|selfupdate)$/.test(name)
          ? [effect('install-global', rest.map(render).join(' '))]
          : [],
      };
    },
  }),
  define({
    names: ['direnv'],
    manual: 'direnv(1)',
    summary: 'loads .envrc files; exec runs a program in one',
    style: { stopAtOperand: true },
    run: (args, inv) => {
      const [verb, ...rest] = args.operands;
      const name = word(verb);
      const directory = rest[0] ?? ['.'];
      const file: Value = /\.envrc$/.test(render(directory))
        ? directory
        : textOf(directory) === '.'
          ? ['.envrc']
          : [...directory, '/.envrc'];
      if (name === 'exec')
        return {
          subcommand: name,
          effects: strangeCode(inv, [file]),
          nested: [
            { kind: 'file', via: 'direnv exec', path: file, certain: false },
            ...argv('direnv exec', rest.slice(1), { cwd: directory }),
          ],
        };
      if (/^(?:allow|permit|grant)$/.test(name))
        return {
          subcommand: name,
          effects: [effect('persistence', render(file), 'lets the file run on entering the directory')],
          nested: [{ kind: 'file', via: 'direnv', path: file, certain: false }],
        };
      if (name === 'edit') return { subcommand: name, files: [draft('write', file)] };
      return { subcommand: name };
    },
  }),
  define({
    names: ['nix-shell'],
    manual: 'nix-shell(1)',
    summary: 'runs a shell or a command with packages',
    options: 'p packages, run:, command:, E expr:, I:, A attr:, pure, keep:, arg:, argstr:, i:, q quiet',
    run: (args) => ({
      nested: [...args.values('run'), ...args.values('command')].map(
        (text): Nested => ({ kind: 'script', via: 'nix-shell', text }),
      ),
      files: drafts('exec', args.has('p') ? [] : args.operands),
    }),
  }),
  define({
    names: ['nix'],
    manual: 'nix(1)',
    summary: 'builds and runs packages',
    options: 'extra-experimental-features experimental-features:, option:, v verbose, q quiet, L print-build-logs',
    style: { stopAtOperand: true },
    run: nix,
  }),
  define({
    names: ['nix-build', 'nix-instantiate', 'nix-prefetch-url', 'nix-hash', 'nix-info'],
    manual: 'nix-build(1)',
    summary: 'builds packages and looks after the store',
    run: () => ({}),
  }),
  define({
    names: ['devbox', 'flox', 'devenv', 'pixi', 'spack', 'proot-distro', 'tilt-run', 'earthly', 'dagger'],
    manual: 'devbox, flox, pixi',
    summary: 'runs programs in an environment of the project',
    style: { stopAtOperand: true },
    run: (args, inv) => {
      const [verb, ...rest] = args.operands;
      const name = word(verb);
      const { after } = atDashes(rest);
      const own = rest.findIndex((w) => !render(w).startsWith('-'));
      if (name === 'run' || name === 'exec' || name === 'activate' || name === 'shell' || name === 'environment') {
        const list = after ?? (/^(?:run|exec|shell)$/.test(name) && own >= 0 ? rest.slice(own) : []);
        return {
          subcommand: name,
          nested:
            inv.name === 'devbox' && !after && list.length > 0
              ? [{ kind: 'script', via: 'devbox run', text: joinWords(list) }]
              : argv(`${inv.name} ${name}`, list),
        };
      }
      if (/^(?:global|install|add|package|upload|push)$/.test(name))
        return {
          subcommand: name,
          effects: [
            effect(
              name === 'global' ? 'install-global' : 'install',
              rest.map(render).join(' ') || 'packages of the project',
            ),
          ],
        };
      return { subcommand: name };
    },
  }),
];
