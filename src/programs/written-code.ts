import type { Invocation, Outcome } from '../model/program.ts';
import { known, render, textOf } from '../model/value.ts';
import { foreignCode } from './foreign-code.ts';
import type { Language } from './inline-code.ts';
import { writtenOut } from './interpreter.ts';
import { rowsByName } from './rows-by-name.ts';
import { merge } from './subcommands.ts';

/** A program that looks for code in the project by names: its own defaults, from its manual. */
interface Row {
  readonly names: string;
  /** Its arguments when it does; any if left out. */
  readonly on?: RegExp;
  /** Paths from the directory where it runs. */
  readonly finds: RegExp;
  /** Null: a language of which only plain calls are seen. */
  readonly language: Language | null;
}

const PYTHON_TESTS = /(?:^|\/)(?:test[^/]*|[^/]*_tests?|conftest)\.py$|(?:^|\/)tests?\/.*\.py$/;
const NODE_TESTS =
  /[._-](?:test|spec|cy|e2e|bench)\.[cm]?[jt]sx?$|(?:^|\/)(?:__tests__|tests?|spec|e2e|cypress)\/.*\.[cm]?[jt]sx?$|(?:^|\/)test[^/]*\.[cm]?[jt]sx?$/;
const RUBY_TESTS = /(?:_spec|_test|_helper|_steps)\.rb$|(?:^|\/)(?:spec|test|features)\/.*\.rb$/;
const PHP_TESTS = /Test\.php$|(?:^|\/)tests?\/.*\.php$/;

const ROWS: readonly Row[] = [
  { names: 'pytest py.test tox nox', finds: PYTHON_TESTS, language: 'python' },
  { names: 'hatch pdm', on: /^(?:run )?test\b/, finds: PYTHON_TESTS, language: 'python' },
  {
    names: 'python python2 python3 pypy pypy3',
    on: /(?:^| )-m (?:unittest|nose2?|ward|testtools\.run|twisted\.trial|doctest)\b|(?:^|\/)manage\.py test\b/,
    finds: PYTHON_TESTS,
    language: 'python',
  },
  {
    names: 'jest vitest mocha ava tap tape jasmine karma playwright cypress wdio testcafe web-test-runner uvu jest-cli',
    finds: NODE_TESTS,
    language: 'node',
  },
  {
    names: 'ng react-scripts craco vue-cli-service nx turbo bun deno',
    on: /^(?:run )?(?:test|e2e)\b/,
    finds: NODE_TESTS,
    language: 'node',
  },
  { names: 'node tsx', on: /(?:^| )--test\b/, finds: NODE_TESTS, language: 'node' },
  { names: 'rspec minitest cucumber cutest', finds: RUBY_TESTS, language: 'ruby' },
  { names: 'rails rake', on: /^(?:test|spec|$)/, finds: RUBY_TESTS, language: 'ruby' },
  { names: 'phpunit pest paratest phpspec behat codecept', finds: PHP_TESTS, language: 'php' },
  { names: 'php', on: /(?:^|\/)artisan test\b/, finds: PHP_TESTS, language: 'php' },
  { names: 'prove', finds: /\.t$/, language: 'perl' },
  { names: 'go', on: /^(?:-C \S+ )?test\b/, finds: /\.go$/, language: null },
  { names: 'gotestsum ginkgo', finds: /\.go$/, language: null },
  { names: 'cargo cargo-nextest', on: /^(?:\+\S+ )?(?:t|test|r|run|bench|nextest)\b/, finds: /\.rs$/, language: null },
  {
    names: 'mvn mvnw mvnd gradle gradlew gw sbt mill',
    on: /\b(?:\w*[tT]est|check|verify|build|package|install|run|bootRun|exec:\w+|spring-boot:run)\b/,
    finds: /\.(?:java|kts?|scala|groovy)$/,
    language: null,
  },
  { names: 'dotnet', on: /^(?:test|run|watch)\b/, finds: /\.(?:cs|fs|vb)$/, language: null },
  { names: 'swift', on: /^(?:test|run)\b/, finds: /\.swift$/, language: null },
  { names: 'mix', on: /^(?:test|run)\b/, finds: /\.exs?$/, language: null },
  { names: 'dart flutter', on: /^(?:test|run)\b/, finds: /\.dart$/, language: null },
  { names: 'crystal', on: /^(?:spec|run)\b/, finds: /\.cr$/, language: null },
  { names: 'zig', on: /^(?:build|test|run)\b/, finds: /\.zig$/, language: null },
  { names: 'stack cabal', on: /^(?:test|run|bench)\b/, finds: /\.hs$/, language: null },
];

const MOST = 32;
const rowsOf = rowsByName(ROWS);

/** True if the program looks for code by itself. */
export function findsCode(name: string): boolean {
  return rowsOf(name).length > 0;
}

/**
 * What the code plainly says that this very call wrote and that the program finds by its name, without an operand
 * for it: `cat > test_x.py …; pytest`. Code that was there before is the project's own work.
 */
export function writtenCode(inv: Invocation): Outcome {
  const rows = rowsOf(inv.name);
  if (rows.length === 0) return {};
  const { real: here } = inv.world.resolve(inv.cwd, ['.'], true);
  if (here === null) return {};
  const written = inv.world.written(here);
  if (written.length === 0) return {};
  const said = inv.argv.slice(1).map(render).join(' ');
  const outcomes = rows
    .filter((row) => !row.on || row.on.test(said))
    .flatMap((row) =>
      written
        .filter((path) => row.finds.test(path.slice(here.length + 1)))
        .slice(-MOST)
        .map((path) => (row.language ? writtenOut(inv, row.language, path) : plainCalls(inv, path))),
    );
  const { files = [], dests = [], effects = [], nested = [] } = merge(...outcomes);
  return { files, dests, effects, nested };
}

function plainCalls(inv: Invocation, path: string): Outcome {
  const value = inv.world.content(path)?.value;
  const text = value ? textOf(value) : null;
  return text === null ? {} : foreignCode([known(text)], inv.name);
}
