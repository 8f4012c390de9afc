import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { draft, drafts, effect, word } from './drafts.ts';
import { freshSources } from './fresh-sources.ts';
import { installs } from './installs.ts';
import { strangeCode } from './named-programs.ts';
import { type Grammar, grammar, parseOptions } from './options.ts';
import { merge } from './subcommands.ts';
import { withToolCode } from './tool-code.ts';

const CARGO: Grammar = grammar(
  'C directory:, config:, Z:, color:, v verbose, q quiet, manifest-path:, target-dir:, p package:, bin:, example:, test:, bench:, features F:, all-features, no-default-features, release r, profile:, target:, j jobs:, git:, branch:, tag:, rev:, path:, root:, registry:, index:, vers version:, dry-run n, allow-dirty, token:, undo, locked, offline, frozen, out-dir artifact-dir:, message-format:, fix, f force, check, all, workspace, exclude:, name:, lib, edition:, vcs:, o output:, undo, list l, yank, a add:, r remove:, watch w:, x exec:, s shell:, precise:, message:',
  { stopAtOperand: false },
);

function cargo(inv: Invocation): Outcome {
  let words = inv.argv.slice(1);
  if (/^\+/.test(render(words[0] ?? []))) words = words.slice(1);
  const at = words.findIndex(
    (w, i) => !render(w).startsWith('-') && !/^(?:-C|--config|-Z|--color)$/.test(render(words[i - 1] ?? [])),
  );
  if (at < 0) return {};
  const verb = word(words[at]);
  const dashes = words.findIndex((w) => textOf(w) === '--');
  const own = dashes < 0 ? words : words.slice(0, dashes);
  const after = dashes < 0 ? null : words.slice(dashes + 1);
  const args = parseOptions([[''], ...own], CARGO);
  const names = args.operands.slice(1);
  const seen = { subcommand: verb, flags: args.flags, operands: args.operands };
  const target = args.value('target-dir');
  const files = [
    ...(target ? drafts('write', [target], { recursive: true }) : []),
    ...drafts('write', args.values('out-dir'), { recursive: true }),
    ...(args.value('manifest-path') ? [draft('exec', args.value('manifest-path') as Value)] : []),
  ];
  const sources = args
    .values('config')
    .map(render)
    .filter(
      (text) =>
        /^(?:source|registries)\.[^=]*\.(?:registry|index|git)\s*=/.test(text) && !/crates\.io|rust-lang/.test(text),
    );
  if (sources.length > 0)
    return {
      ...seen,
      effects: sources.map((text) => effect('install-remote', text, 'takes crates from another index')),
    };
  const strange = strangeCode(inv, [
    ...args.values('manifest-path'),
    ...args.values('config').filter((value) => /\.toml$/.test(render(value))),
  ]);
  if (strange.length > 0 && /^(b|build|r|run|t|test|bench|install|doc|clippy|check|c)$/.test(verb))
    return { ...seen, files, effects: strange, opaque: true };
  switch (verb) {
    case 'clean':
      return { ...seen, files: [...files, ...drafts('delete', [target ?? ['target']], { recursive: true })] };
    case 'publish':
      return {
        ...seen,
        effects: args.has('dry-run') ? [] : [effect('publish', render(args.value('p') ?? ['crate']))],
        dests: args.has('dry-run') ? [] : [{ address: ['https://crates.io'], sends: 'file' }],
      };
    case 'release':
    case 'smart-release':
    case 'workspaces':
      // cargo-release only shows what it would do unless it is told to.
      return {
        ...seen,
        effects:
          (verb !== 'workspaces' && words.some((w) => /^(?:-x|--execute)$/.test(render(w)))) ||
          (verb === 'workspaces' && word(names[0]) === 'publish')
            ? [effect('publish', 'crate', `cargo ${verb}`)]
            : [],
      };
    case 'yank':
      return { ...seen, effects: [effect('unpublish', render(names[0] ?? ['crate']))] };
    case 'owner':
      return {
        ...seen,
        effects: args.has('list') && !args.has('add', 'remove') ? [] : [effect('account', 'owners of the crate')],
      };
    case 'login':
    case 'logout':
      return {
        ...seen,
        files: [draft('write', [`${inv.world.home}/.cargo/credentials.toml`])],
        effects: [effect('account', 'registry')],
      };
    case 'install':
    case 'binstall': {
      if (args.has('list')) return seen;
      const root = args.value('root');
      const isProject = args.has('path') && names.length === 0;
      return {
        ...seen,
        files: root ? drafts('write', [root], { recursive: true }) : files,
        effects: root
          ? installs({ packages: names, index: args.values('git') })
          : installs({
              packages: names,
              index: [...args.values('git'), ...args.values('index')],
              global: true,
              what: isProject ? 'the project' : 'a crate',
            }),
      };
    }
    case 'uninstall':
      return { ...seen, effects: [effect('install-global', `removes ${names.map(render).join(' ')}`)] };
    case 'add':
      return { ...seen, effects: installs({ packages: names, index: args.values('git') }) };
    case 'fetch':
    case 'update':
    case 'vendor':
    case 'generate-lockfile':
      return {
        ...seen,
        files:
          verb === 'vendor' ? drafts('write', names.length > 0 ? names : [['vendor']], { recursive: true }) : files,
        effects: installs({ packages: [] }),
      };
    case 'new':
    case 'init':
    case 'generate':
      return { ...seen, files: drafts('create', names.slice(0, 1), { recursive: true }) };
    case 'fmt':
      return { ...seen, files };
    case 'watch':
      return {
        ...seen,
        nested: [
          ...args
            .values('x')
            .map((x) => ({ kind: 'script' as const, via: 'cargo watch', text: known(`cargo ${render(x)}`) })),
          ...args.values('s').map((text) => ({ kind: 'script' as const, via: 'cargo watch', text })),
          ...(after && after.length > 0 ? [{ kind: 'argv' as const, via: 'cargo watch', argv: after }] : []),
        ],
      };
    case 'config':
      return seen;
    default:
      return merge(seen, { files });
  }
}

/** `--config target.x.runner="…"`: programs that settings on the command line name (The Cargo Book: configuration). */
function settingsThatRun(inv: Invocation): readonly Nested[] {
  return parseOptions(inv.argv, CARGO)
    .values('config')
    .flatMap((value): readonly Nested[] => {
      const found = /\b(?:runner|linker|rustc|rustdoc|rustc-(?:workspace-)?wrapper|alias\.[\w-]+)\s*=\s*(.+)$/s.exec(
        render(value),
      );
      if (!found) return [];
      const [, list] = found as unknown as [string, string];
      const words = list
        .replace(/["'[\]]/g, ' ')
        .replaceAll(',', ' ')
        .trim();
      const text = /\balias\.[\w-]+\s*=/.test(render(value)) ? `cargo ${words}` : words;
      return [{ kind: 'script', via: 'cargo --config', text: known(text) }];
    });
}

/** Rust's tools. */
export const rust: readonly Program[] = withToolCode([
  define({
    names: ['cargo'],
    manual: 'cargo(1)',
    summary: 'builds and tests Rust packages',
    run: (_, inv) => merge(cargo(inv), { nested: settingsThatRun(inv) }),
  }),
  define({
    names: ['cross', 'wasm-pack', 'trunk', 'maturin', 'cargo-nextest', 'dx', 'cargo-leptos', 'bacon'],
    manual: 'wasm-pack, trunk, maturin',
    summary: 'builds Rust packages',
    options: 'out-dir d out o:, target:, dry-run, release, no-install',
    style: { stopAtOperand: false },
    run: (args) => ({
      subcommand: word(args.operands[0]),
      files: drafts('write', args.values('out-dir'), { recursive: true }),
      effects:
        /^(?:publish|upload)$/.test(word(args.operands[0])) && !args.has('dry-run')
          ? [effect('publish', 'package')]
          : [],
    }),
  }),
  define({
    names: ['rustc', 'rustdoc', 'clippy-driver'],
    manual: 'rustc(1)',
    summary: 'compiles Rust sources',
    options:
      'o:, out-dir:, L:, l:, crate-type:, crate-name:, edition:, emit:, print:, O, g, C codegen:, W warn:, A allow:, D deny:, cfg:, target:, extern:, explain:, test, sysroot:, v verbose, V version',
    run: (args, inv) =>
      merge(
        { files: drafts('read', args.operands) },
        { files: drafts('write', [...args.values('o'), ...args.values('out-dir')]) },
        linker(args.values('C')),
        freshSources(inv, args.operands),
      ),
  }),
  define({
    names: ['rustfmt'],
    manual: 'rustfmt(1)',
    summary: 'formats Rust sources',
    options: 'check, edition:, config:, config-path:, emit:, l files-with-diff, q quiet',
    run: (args) => ({
      files: drafts(
        args.has('check') || textOf(args.value('emit') ?? []) === 'stdout' ? 'read' : 'write',
        args.operands,
      ),
    }),
  }),
  define({
    names: ['rustup', 'rustup-init'],
    manual: 'rustup(1)',
    summary: 'manages Rust toolchains',
    options: 'toolchain:, component:, profile:, y, no-self-update, default-toolchain:, target:, q quiet',
    style: { stopAtOperand: true },
    run: (args, inv) => {
      const [verb, ...rest] = args.operands;
      const name = word(verb);
      if (name === 'run' && rest.length > 1)
        return { subcommand: name, nested: [{ kind: 'argv', via: 'rustup run', argv: rest.slice(1) }] };
      const changes =
        inv.name === 'rustup-init' ||
        /^(?:update|install|default|self|uninstall|override|set)$/.test(name) ||
        /^(?:install|add|remove|uninstall|link)$/.test(word(rest[0]));
      return {
        subcommand: [name, word(rest[0])].filter(Boolean).join(' '),
        effects: changes ? [effect('install-global', `Rust ${name} ${rest.map(render).join(' ')}`.trim())] : [],
      };
    },
  }),
]);

/** `-C linker=PROGRAM` names a program that runs. */
function linker(options: readonly Value[]): Outcome {
  const program = options.map(render).find((o) => o.startsWith('linker='));
  return program ? { files: [draft('exec', known(program.slice(7)))] } : {};
}
