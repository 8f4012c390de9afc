import type { EffectDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { drafts, effect, word } from './drafts.ts';
import { grammar, type Parsed, parseOptions } from './options.ts';
import { ordinary } from './ordinary.ts';
import { outwardVerb } from './outward-verbs.ts';
import { packageScripts } from './package-scripts.ts';
import { servesFiles } from './serving.ts';
import { withToolCode } from './tool-code.ts';
import { atDashes, joinWords } from './words.ts';
import { runs } from './wrapper.ts';

const WATCH_OPTIONS =
  'x exec:, e ext exts:, w watch:, i ignore:, d delay debounce:, s shell signal:, c command:, clear, q quiet, V verbose, L legacy-watch, C cwd:, k kill, onSuccess:, onFailure:, onFirstSuccess:, onCompilationComplete:, noClear, r restart, p postpone, respawn, transpile-only, n, N, o on-busy-update:, stop-signal:, project-origin:, filter:, f, initial, config:, signal:';
const WATCHER = grammar(WATCH_OPTIONS);

/** Deletes whatever its operands name. */
function deletes(names: string, manual: string): Program {
  return define({
    names: words(names),
    manual,
    summary: 'deletes files and directories',
    options:
      'g glob?, G no-glob, impl:, preserve-root, no-preserve-root, i interactive, v verbose, f force, dry-run, dot, cwd:',
    run: (args) => ({
      files: args.has('dry-run')
        ? []
        : drafts('delete', args.operands.map(patterned), { recursive: true, force: true, follow: false }),
    }),
  });
}

/** A word whose wildcards the program expands itself. */
function patterned(value: Value): Value {
  const text = textOf(value);
  return text !== null && /[*?[]/.test(text) ? [{ glob: text }] : value;
}

/** Shell texts that run side by side; a name of a package script where the tool allows that. */
function shellTexts(inv: Invocation, texts: readonly Value[]): Outcome {
  const nested: Nested[] = [];
  const outcomes: Nested[] = [];
  for (const text of texts) {
    const script = /^(?:npm|pnpm|yarn|bun|node):([\w:*-]+)(.*)$/.exec(render(text));
    if (script && !(script[1] as string).includes('*'))
      outcomes.push(...(packageScripts(inv, { via: inv.name, names: [script[1] as string] }).nested ?? []));
    else nested.push({ kind: 'script', via: inv.name, text });
  }
  return { nested: [...nested, ...outcomes] };
}

/** A listening server's port. */
/** Static servers show the directory they are given; a development server shows its project. */
function listens(args: Parsed, inv: Invocation, port: string): readonly EffectDraft[] {
  const isStatic = /^(serve|http-server|live-server|sirv|browser-sync|parcel)$/.test(inv.name);
  // `browser-sync start --server DIRECTORY`
  const [first] =
    inv.name === 'browser-sync'
      ? [args.values('server', 's').find((path) => path.length > 0) ?? args.operands[1]]
      : args.operands;
  return servesFiles(inv, isStatic && first ? first : null, port);
}

function serves(names: string, manual: string, port: string): Program {
  return define({
    names: words(names),
    manual,
    summary: 'serves files or a development build',
    options:
      'p port:, l listen:, a address:, root:, server s?, H host hostname:, o open?, s single, c config:, d dir:, force, mode:, outDir:, ci, no-open, quiet, o output-dir:',
    run: (args, inv) => {
      const verb = word(args.operands[0]);
      const isBuild = /^(?:build|export|generate|check|lint|info|optimize|sync|prepare|telemetry|typegen)$/.test(verb);
      const out = args.values('outDir');
      return {
        subcommand: verb,
        files: drafts('write', out, { recursive: true }),
        effects: isBuild
          ? []
          : [
              ...listens(args, inv, render(args.value('p') ?? args.value('l') ?? [port])),
              ...outwardVerb(inv.name, inv.argv.slice(1)),
            ],
      };
    },
  });
}

/** Programs that npm packages bring. */
export const nodeTools: readonly Program[] = withToolCode([
  deletes('rimraf del-cli del trash-cli', 'rimraf and del-cli, npm'),
  define({
    names: ['shx'],
    manual: 'shx, npm',
    summary: 'runs a shell command written in JavaScript',
    style: { stopAtOperand: true },
    run: (args) => ({ nested: args.operands.length > 0 ? [{ kind: 'argv', via: 'shx', argv: args.operands }] : [] }),
  }),
  define({
    names: ['cross-env', 'cross-env-shell', 'env-cmd', 'dotenv', 'dotenvx', 'dotenv-cli', 'envinfo-run'],
    manual: 'cross-env, env-cmd, dotenv-cli, npm',
    summary: 'runs a program with other variables',
    options:
      'f env-file:, e env:, c cascade?, p:, o override, v:, r rc-file:, x expand-envs, fallback, no-override, silent, use-shell, quiet, s, q',
    style: { stopAtOperand: true },
    run: (args, inv) => {
      const isDotenvx = inv.name === 'dotenvx';
      const list = isDotenvx && word(args.operands[0]) === 'run' ? afterRun(args.operands.slice(1)) : args.operands;
      const rest = textOf(list[0] ?? []) === '--' ? list.slice(1) : list;
      if (isDotenvx && /^(?:get|decrypt)$/.test(word(args.operands[0])))
        return { effects: [effect('secret-read', 'environment file')], stdout: { value: null, taints: ['secret'] } };
      if (args.has('p'))
        return {
          effects: [effect('secret-read', render(args.value('p') ?? []))],
          stdout: { value: null, taints: ['secret'] },
        };
      const made = runs(inv, rest, { assigns: true });
      if (inv.name !== 'cross-env-shell' && !args.has('use-shell')) return made;
      return {
        ...made,
        nested: (made.nested ?? []).map((n) =>
          n.kind === 'argv' ? { ...n, kind: 'script' as const, text: joinWords(n.argv) } : n,
        ),
      };
    },
  }),
  define({
    names: ['concurrently', 'conc'],
    manual: 'concurrently, npm',
    summary: 'runs several shell commands at once',
    options:
      'n names:, c prefix-colors:, p prefix:, l prefix-length:, t timestamp-format:, k kill-others, kill-others-on-fail, s success:, m max-processes:, r raw, g group, hide:, i handle-input, default-input-target:, restart-tries:, restart-after:, no-color, P passthrough-arguments, shell:, pad-prefix, timings, teardown:',
    run: (args, inv) => shellTexts(inv, [...args.operands, ...args.values('teardown')]),
  }),
  define({
    names: [
      'nodemon',
      'onchange',
      'chokidar',
      'chokidar-cli',
      'tsc-watch',
      'node-dev',
      'ts-node-dev',
      'tsnd',
      'cargo-watch',
    ],
    manual: 'nodemon, onchange, chokidar-cli, npm',
    summary: 'runs a command whenever files change',
    options: WATCH_OPTIONS,
    style: { stopAtOperand: true },
    run: (given, inv) => {
      const { name } = inv;
      // chokidar's patterns stand before its options.
      const args = name.startsWith('chokidar') ? parseOptions(inv.argv, WATCHER) : given;
      const hooks = ['onSuccess', 'onFailure', 'onFirstSuccess', 'onCompilationComplete'].flatMap((h) =>
        args.values(h),
      );
      const texts = [
        ...(name.startsWith('ts') ? [] : args.values('x')),
        ...(name.startsWith('chokidar') ? args.values('c') : []),
        ...hooks,
      ];
      const nested: Nested[] = texts.filter((t) => t.length > 0).map((text) => ({ kind: 'script', via: name, text }));
      const { after } = atDashes(inv.argv.slice(1));
      if (name === 'onchange' || (name === 'cargo-watch' && after))
        return { nested: after && after.length > 0 ? [{ kind: 'argv', via: name, argv: after }, ...nested] : nested };
      if (/^(?:nodemon|node-dev|ts-node-dev|tsnd)$/.test(name) && nested.length === 0 && args.operands.length > 0)
        return { nested: [{ kind: 'argv', via: name, argv: [known('node'), ...args.operands] }] };
      return { nested };
    },
  }),
  define({
    names: ['npm-run-all', 'npm-run-all2', 'run-s', 'run-p', 'wireit', 'npm-run'],
    manual: 'npm-run-all, npm',
    summary: 'runs package scripts',
    options:
      's sequential serial, p parallel, c continue-on-error, l print-label, n print-name, r race, silent, npm-path:, max-parallel:, aggregate-output',
    run: (args, inv) => {
      const names = args.operands.map((o) => render(o).split(/\s/)[0] ?? '').filter((n) => !/[*]/.test(n));
      return packageScripts(inv, { via: inv.name, names });
    },
  }),
  define({
    names: ['wait-on', 'start-server-and-test', 'start-test'],
    manual: 'wait-on, start-server-and-test, npm',
    summary: 'waits for a server, then runs a script',
    options:
      't timeout:, i interval:, d delay:, v verbose, l log, c config:, s simultaneous:, h httpTimeout:, r reverse, w window:, expect:',
    run: (args, inv) => {
      if (inv.name === 'wait-on') return {};
      const [start, , ...tests] = args.operands;
      const texts = [start, tests.at(-1)].filter((t): t is Value => t !== undefined);
      return {
        nested: texts.flatMap((text) => {
          const name = render(text);
          return /\s/.test(name)
            ? [{ kind: 'script' as const, via: inv.name, text }]
            : (packageScripts(inv, { via: inv.name, names: [name] }).nested ?? []);
        }),
      };
    },
  }),
  serves(
    'serve http-server live-server sirv browser-sync vite next nuxt nuxi astro remix gatsby webpack-dev-server webpack-serve parcel docusaurus vitepress vuepress storybook start-storybook ng vue-cli-service react-scripts json-server svelte-kit hexo eleventy',
    'serve, http-server, vite, next, npm',
    '3000',
  ),
  ordinary({
    names: words(
      'tsc vue-tsc tsgo tsup tsdown swc babel esbuild rollup webpack rspack microbundle ncc unbuild pkgroll sass lessc postcss tailwindcss terser uglifyjs svgo typedoc jsdoc api-extractor graphql-codegen openapi-typescript openapi-generator-cli orval protoc-gen-ts',
    ),
    manual: 'tsc(1), esbuild, rollup, webpack, npm',
    summary: 'compiles or bundles sources',
    options:
      'p project:, b build, w watch, noEmit, o outfile output out:, d dir outDir out-dir out-file:, c config:, declarationDir:, t target:, m module:, pretty?, mode:, i input:, f format:, outdir:, metafile?, bundle, minify, sourcemap?, platform:, external?, loader?, log-level:, output-path:, minify, g generator:, declaration',
    writes: ['o', 'd', 'outdir', 'declarationDir', 'output-path'],
  }),
  ordinary({
    names: words(
      'prettier eslint biome oxlint standard xo dprint stylelint tslint rome markdownlint markdownlint-cli2 cspell textlint htmlhint sort-package-json syncpack prettierd eslint_d',
    ),
    manual: 'prettier, eslint, biome, npm',
    summary: 'checks and formats sources',
    options:
      'w write, fix, check c, l list-different, cache, cache-location:, config:, o output-file:, f format:, ext:, ignore-path:, ignore-pattern:, max-warnings:, quiet, no-eslintrc, rule:, plugin:, parser:, log-level:, unsafe, apply, reporter:, stdin-filepath:, resolve-plugins-relative-to:, ignore-unknown, config-path:, fix-dry-run',
    rewrites: ['write', 'fix', 'apply'],
    unless: ['check', 'fix-dry-run'],
    writes: ['o'],
  }),
  define({
    names: ['husky'],
    manual: 'husky: add and set write a hook',
    summary: 'keeps git hooks in the project',
    run: (args) => {
      const [verb, file, text] = args.operands;
      if (!/^(?:add|set)$/.test(word(verb)) || !file) return { subcommand: word(verb) };
      return {
        subcommand: word(verb),
        files: drafts('write', [file], text ? { content: text } : {}),
        nested: text ? [{ kind: 'script', via: 'husky', text, certain: false }] : [],
      };
    },
  }),
  ordinary({
    names: words(
      'vitest jest mocha ava jasmine karma tap c8 nyc playwright cypress wdio testcafe tsd size-limit bundlesize lighthouse lhci depcheck knip madge dependency-cruiser depcruise ts-prune unimported license-checker npm-check-updates ncu commitlint lint-staged lefthook turbo nx moon plop hygen envinfo are-the-types-wrong attw publint bumpp',
    ),
    manual: 'vitest, jest, playwright, nx, turbo, npm',
    summary: 'tests or checks the project',
    options:
      't testNamePattern grep:, c config:, u update, updateSnapshot, run, watch, coverage?, coverageDirectory:, reporter:, outputFile output-file:, o output output-path:, reporters:, maxWorkers:, p project:, w, runInBand, ci, silent, json, target:, base:, parallel?, clearCache, json-path:, shard:, testPathPattern:, filter:, dir:, root:, b browser:, s spec:',
    writes: ['outputFile', 'o', 'coverageDirectory', 'json-path'],
    verbs: true,
    skip: 99,
  }),
]);

function afterRun(list: readonly Value[]): readonly Value[] {
  const { after } = atDashes(list);
  if (after) return after;
  let i = 0;
  while (i < list.length && render(list[i] as Value).startsWith('-'))
    i += /^(?:-f|--env-file|-e|--env)$/.test(render(list[i] as Value)) ? 2 : 1;
  return list.slice(i);
}
