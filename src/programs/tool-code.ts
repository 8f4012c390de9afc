import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, knownPrefix, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { drafts, word } from './drafts.ts';
import { foreignCode } from './foreign-code.ts';
import type { Language } from './inline-code.ts';
import { ownCode, runsFile } from './interpreter.ts';
import { strangeCode } from './named-programs.ts';
import { rowsByName } from './rows-by-name.ts';
import { merge } from './subcommands.ts';
import { commandsOf, type Source } from './tool-commands.ts';
import { findsCode, writtenCode } from './written-code.ts';

/** A tool that runs code of the project without being told its name. */
interface Row {
  readonly names: string;
  /** Files that it looks for, the first that is there; of a language, or with commands in it. */
  readonly files: string;
  readonly reads: Language | Source | 'other';
  /** Subcommands that run it; any if left out. */
  readonly on?: RegExp;
}

const SCRIPTS = ['js', 'cjs', 'mjs', 'ts', 'mts', 'cts'];

const ROWS: readonly Row[] = [
  { names: 'pytest py.test', files: 'conftest.py tests/conftest.py test/conftest.py', reads: 'python' },
  { names: 'nox', files: 'noxfile.py', reads: 'python' },
  { names: 'invoke inv', files: 'tasks.py tasks/__init__.py', reads: 'python' },
  { names: 'fab', files: 'fabfile.py', reads: 'python' },
  { names: 'doit', files: 'dodo.py', reads: 'python' },
  { names: 'locust', files: 'locustfile.py', reads: 'python' },
  { names: 'scons', files: 'SConstruct', reads: 'python' },
  { names: 'waf', files: 'wscript', reads: 'python' },
  { names: 'tox', files: 'tox.ini', reads: 'tox' },
  { names: 'poe', files: 'pyproject.toml', reads: 'poe' },
  { names: 'pre-commit prek', files: '.pre-commit-config.yaml', reads: 'pre-commit', on: /^(run|try-repo|)$/ },
  { names: 'lefthook', files: 'lefthook.yml .lefthook.yml lefthook.yaml', reads: 'lefthook', on: /^run$/ },
  { names: 'lint-staged', files: '.lintstagedrc .lintstagedrc.json', reads: 'lint-staged' },
  { names: 'lint-staged', files: scripts('lint-staged.config', '.lintstagedrc'), reads: 'node' },
  { names: 'jest', files: scripts('jest.config'), reads: 'node' },
  { names: 'vitest', files: `${scripts('vitest.config')} ${scripts('vite.config')}`, reads: 'node' },
  { names: 'vite', files: scripts('vite.config'), reads: 'node' },
  { names: 'mocha', files: scripts('.mocharc'), reads: 'node' },
  { names: 'karma', files: scripts('karma.conf'), reads: 'node' },
  { names: 'webpack webpack-dev-server', files: scripts('webpack.config'), reads: 'node' },
  { names: 'rollup', files: scripts('rollup.config'), reads: 'node' },
  { names: 'eslint', files: scripts('eslint.config', '.eslintrc'), reads: 'node' },
  { names: 'prettier', files: scripts('prettier.config', '.prettierrc'), reads: 'node' },
  { names: 'stylelint', files: scripts('stylelint.config', '.stylelintrc'), reads: 'node' },
  { names: 'commitlint', files: scripts('commitlint.config', '.commitlintrc'), reads: 'node' },
  { names: 'babel', files: scripts('babel.config', '.babelrc'), reads: 'node' },
  { names: 'postcss', files: scripts('postcss.config', '.postcssrc'), reads: 'node' },
  { names: 'tailwindcss', files: scripts('tailwind.config'), reads: 'node' },
  { names: 'tsup', files: scripts('tsup.config'), reads: 'node' },
  { names: 'next', files: scripts('next.config'), reads: 'node' },
  { names: 'nuxt nuxi', files: scripts('nuxt.config'), reads: 'node' },
  { names: 'astro', files: scripts('astro.config'), reads: 'node' },
  { names: 'playwright', files: scripts('playwright.config'), reads: 'node' },
  { names: 'cypress', files: scripts('cypress.config'), reads: 'node' },
  { names: 'gulp', files: scripts('gulpfile'), reads: 'node' },
  { names: 'grunt', files: scripts('Gruntfile'), reads: 'node' },
  {
    names: 'cargo',
    files: 'build.rs',
    reads: 'other',
    on: /^(b|build|r|run|t|test|c|check|bench|clippy|install|doc)$/,
  },
  { names: 'go', files: '', reads: 'go-generate', on: /^generate$/ },
  { names: 'cmake', files: 'CMakeLists.txt', reads: 'cmake' },
  { names: 'gradle gradlew gw', files: 'build.gradle build.gradle.kts', reads: 'other' },
  { names: 'sbt', files: 'build.sbt', reads: 'other' },
  { names: 'mix', files: 'mix.exs', reads: 'other' },
];

function scripts(...stems: readonly string[]): string {
  return stems.flatMap((stem) => SCRIPTS.map((end) => `${stem}.${end}`)).join(' ');
}

const rowsOf = rowsByName(ROWS);

/** The same programs; of those that run code of the project, that code is looked into as well. */
export function withToolCode(programs: readonly Program[]): readonly Program[] {
  return programs.map((program) =>
    program.names.some((name) => rowsOf(name).length > 0 || findsCode(name))
      ? define({ ...program, run: (args, inv) => merge(toolCode(inv), program.run(args, inv)) })
      : program,
  );
}

/** Tools of which nothing else is known. */
export const toolRunners: readonly Program[] = withToolCode([
  define({
    names: words('invoke inv doit locust gulp gulp-cli grunt grunt-cli poe prek pre-commit'),
    manual: 'invoke, doit, locust, gulp, grunt, poethepoet, pre-commit',
    summary: 'runs the tasks of the project',
    options:
      'c config:, f file:, l list, a all-files, v verbose, q quiet, C:, r:, e:, files:, hook-stage:, from-ref:, to-ref:, version, help',
    run: (args) => ({
      subcommand: word(args.operands[0]),
      files: /^init-templatedir$/.test(word(args.operands[0]))
        ? drafts('write', args.operands.slice(1, 2), { recursive: true })
        : [],
    }),
  }),
]);

function toolCode(inv: Invocation): Outcome {
  const rest = inv.argv.slice(1);
  const verb = word(rest.find((value) => !knownPrefix(value).startsWith('-') && !knownPrefix(value).startsWith('+')));
  const outcomes: Outcome[] = [writtenCode(inv)];
  for (const row of rowsOf(inv.name)) {
    if (row.on && !row.on.test(verb)) continue;
    const named = configs(rest, row);
    outcomes.push({ effects: strangeCode(inv, named) });
    const paths = named.length > 0 ? named : words(row.files).filter(Boolean).map(known);
    outcomes.push(read(inv, row, paths, verb));
    if (row.reads === 'python' || row.reads === 'node') outcomes.push(...newFiles(inv, row.reads, rest));
  }
  // What such code prints is not what the tool prints.
  const { files = [], dests = [], effects = [], nested = [] } = merge(...outcomes);
  return { files, dests, effects, nested };
}

/** `-c FILE`, `--config FILE`, `--config=FILE`. */
function configs(rest: readonly Value[], row: Row): readonly Value[] {
  if (row.reads === 'other' || row.reads === 'cmake' || row.reads === 'go-generate') return [];
  return rest.flatMap((value, at): readonly Value[] => {
    const text = textOf(value) ?? '';
    if (/^(-c|--config|--configfile|--conf|--noxfile|--rcfile)$/.test(text)) {
      const next = rest[at + 1];
      return next && /[./]/.test(knownPrefix(next)) ? [next] : [];
    }
    const joined = /^--(?:config|configfile|conf|noxfile)=(.+)$/.exec(text);
    return joined ? [known(joined[1] as string)] : [];
  });
}

function read(inv: Invocation, row: Row, paths: readonly Value[], verb: string): Outcome {
  if (row.reads === 'go-generate') return { nested: commandsIn(inv, row.reads, texts(inv, goFiles(inv)), verb) };
  if (row.reads === 'other') return foreignCode(texts(inv, paths).slice(0, 1).map(known), inv.name);
  if (isLanguage(row.reads)) return ownCode(inv, row.reads, paths);
  // Targets of a build that was there before are run on request; what configuring runs is run at once.
  const whole = row.reads !== 'cmake' || paths.some((path) => isChanged(inv, path));
  return { nested: commandsIn(inv, row.reads, texts(inv, paths).slice(0, 1), whole ? verb : 'configure') };
}

function isChanged(inv: Invocation, path: Value): boolean {
  const { real } = inv.world.resolve(inv.cwd, path, true);
  return real !== null && inv.world.changed(real);
}

function isLanguage(reads: Row['reads']): reads is Language {
  return reads === 'python' || reads === 'node' || reads === 'ruby';
}

function commandsIn(inv: Invocation, source: Source, found: readonly string[], verb: string): readonly Nested[] {
  return found
    .flatMap((text) => commandsOf(source, text, verb))
    .slice(0, 64)
    .map((text) => ({ kind: 'script', via: inv.name, text: known(text), certain: false }));
}

/** Texts of the files that are there, in order. */
function texts(inv: Invocation, paths: readonly Value[]): readonly string[] {
  return paths.flatMap((path) => {
    const { real } = inv.world.resolve(inv.cwd, path, true);
    const value = real === null ? null : inv.world.content(real)?.value;
    const text = value ? textOf(value) : null;
    return text === null ? [] : [text];
  });
}

const MOST_SOURCES = 64;

function goFiles(inv: Invocation): readonly Value[] {
  const { real } = inv.world.resolve(inv.cwd, ['.'], true);
  const names = real === null ? [] : (inv.world.list(real) ?? []);
  return names
    .filter((name) => name.endsWith('.go'))
    .slice(0, MOST_SOURCES)
    .map(known);
}

/** Tests among the operands that this very call wrote. */
function newFiles(inv: Invocation, language: 'python' | 'node', rest: readonly Value[]): readonly Outcome[] {
  return rest
    .map((value) => known((textOf(value) ?? '').replace(/::.*$/s, '')))
    .filter((path) => {
      const text = textOf(path) ?? '';
      if (!/\.(py|[cm]?[jt]sx?)$/.test(text) || text.startsWith('-')) return false;
      return isChanged(inv, path);
    })
    .map((path) => runsFile(inv, language, path, []));
}
