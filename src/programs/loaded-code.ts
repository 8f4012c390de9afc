import type { EffectDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { concat, known, knownPrefix, render, textOf, type Value } from '../model/value.ts';
import { effect } from './drafts.ts';
import { strangeCode } from './named-programs.ts';
import { rowsByName } from './rows-by-name.ts';
import { drop } from './words.ts';

/** Options by which a tool takes code, settings that name code, or a program, from where it is told. */
interface Row {
  readonly names: string;
  /** `--option VALUE`, `--option=VALUE`; of a single letter also `-oVALUE`. */
  readonly loads?: string;
  /** Options whose value is a program or shell text. */
  readonly runs?: string;
  /** Options whose value is text of a language, by the program that runs it. */
  readonly code?: readonly [options: string, argv: readonly string[]];
  /** The value is a path only if it has a slash: a bare name is a package of the project. */
  readonly named?: boolean;
  /** `key=value` options (`-D`, `-d`), and which of their keys hold code. */
  readonly pairs?: readonly [options: string, keys: RegExp];
}

const ROWS: readonly Row[] = [
  {
    names: 'npm npx pnpm pnpx yarn bun bunx',
    loads: '--userconfig --globalconfig --pnpmfile --global-pnpmfile --init-module --use-yarnrc',
    runs: '--script-shell --git --editor --viewer',
  },
  { names: 'eslint', loads: '--rulesdir --resolve-plugins-relative-to --format -f --parser --plugin', named: true },
  { names: 'prettier stylelint', loads: '--plugin --custom-formatter --custom-syntax', named: true },
  {
    names: 'jest vitest',
    loads:
      '--globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --testEnvironment --environment --reporters --reporter --runner --transform --resolver',
    named: true,
  },
  { names: 'mocha ava nyc c8 tap', loads: '--require -r --import --reporter --loader --file', named: true },
  {
    names: 'rollup webpack babel postcss',
    loads: '--plugin -p --plugins --presets --config-file --use -u',
    named: true,
  },
  { names: 'mypy flake8 pylint', loads: '--config-file --config --rcfile' },
  { names: 'pylint', code: ['--init-hook', ['python3', '-c']] },
  { names: 'sphinx-build mkdocs', loads: '-c -f --config-file' },
  { names: 'nox', loads: '-f --noxfile' },
  { names: 'rspec cucumber rubocop', loads: '-r --require -O --options', named: true },
  { names: 'phpunit pest', loads: '--bootstrap -c --configuration --prepend' },
  { names: 'phpstan psalm', loads: '-a --autoload-file -c --configuration --config' },
  {
    names: 'php php8 php7',
    loads: '-c',
    pairs: ['-d', /^(?:auto_(?:prepend|append)_file|extension|zend_extension|include_path|extension_dir)$/],
  },
  { names: 'perl', loads: '-I' },
  { names: 'mvn mvnw mvnd', loads: '-s --settings -gs --global-settings -t --toolchains' },
  { names: 'mvn mvnw mvnd', pairs: ['-D --define', /^maven\.ext\.class\.path$/] },
  { names: 'bazel bazelisk', loads: '--bazelrc', runs: '--run_under' },
  { names: 'terraform tofu', loads: '-plugin-dir --plugin-dir -chdir' },
  { names: 'gem', loads: '--config-file' },
  { names: 'latexmk', loads: '-r', code: ['-e', ['perl', '-e']] },
  {
    // Without `=` they choose the program and take nothing.
    names: 'latexmk',
    runs: '-pdflatex= -latex= -xelatex= -lualatex= -pdfxelatex= -pdflualatex= -dvipdf= -dvips= -bibtex= -biber=',
  },
  { names: 'mail mailx s-nail nail', runs: '--exec', loads: '--rc' },
  { names: 'nmap', loads: '--script --datadir --servicedb', named: true },
  {
    names: 'sqlmap',
    code: ['--eval', ['python3', '-c']],
    loads: '--tamper --preprocess --postprocess -c',
    named: true,
  },
  {
    names: 'aria2c',
    loads: '--conf-path',
    runs: '--on-download-complete --on-bt-download-complete --on-download-start --on-download-stop --on-download-error --on-download-pause',
  },
  { names: 'nginx', loads: '-c -p' },
  { names: 'apachectl apache2ctl httpd apache2 lighttpd', loads: '-f -d' },
  { names: 'rsync rsyncd', loads: '--config' },
  { names: 'sshd dropbear', loads: '-f' },
  { names: 'gs gsc ghostscript', loads: '-I' },
  {
    names: 'mysql mysqldump mysqladmin mariadb',
    loads: '--defaults-file --defaults-extra-file --plugin-dir',
    runs: '--pager',
  },
  { names: 'sqlite3', loads: '-init --init' },
  {
    names: 'cmake',
    loads: '-C -P',
    pairs: ['-D', /^(?:CMAKE_TOOLCHAIN_FILE|CMAKE_PROJECT_\w*INCLUDE\w*|CMAKE_MODULE_PATH)(?::\w+)?$/],
  },
  {
    names: 'cargo',
    pairs: [
      '--config',
      /^(?:build\.rustc(?:-wrapper|-workspace-wrapper)?|build\.rustdoc|target\..*\.(?:runner|linker)|credential-alias\..*|registry\..*provider.*)$/,
    ],
  },
];

const rowsOf = rowsByName(ROWS);

/** True if some options of the program hold code. */
export function loadsCode(name: string): boolean {
  return rowsOf(name).length > 0;
}

/**
 * Code that options load from outside the project, programs and program text that they hold. Paths in the project are
 * its own work; names without a slash are packages that the project has installed.
 */
export function loadedCode(inv: Invocation): Outcome {
  const effects: EffectDraft[] = [];
  const nested: Nested[] = [];
  const own = upToDashes(inv.argv.slice(1));
  for (const row of rowsOf(inv.name)) {
    const paths = valuesOf(own, row.loads).filter((value) => !row.named || /\//.test(render(value)));
    for (const [key, value] of pairsOf(own, row.pairs)) if (row.pairs?.[1].test(key)) paths.push(value);
    effects.push(
      ...strangeCode(
        inv,
        paths.filter((value) => value.length > 0),
      ),
    );
    nested.push(...paths.flatMap((path) => justWritten(inv, path)));
    effects.push(...paths.filter((value) => /^https?:/.test(knownPrefix(value))).map(fromNetwork));
    for (const given of valuesOf(own, row.runs)) {
      // mail(1): `!` starts a command line for the shell.
      const text = /^!\S/.test(knownPrefix(given)) ? drop(given, 1) : given;
      nested.push({ kind: 'script', via: inv.name, text });
      effects.push(
        ...strangeCode(
          inv,
          [text].filter((value) => /^[/~.]/.test(knownPrefix(value))),
        ),
      );
    }
    for (const text of valuesOf(own, row.code?.[0]))
      nested.push({ kind: 'argv', via: inv.name, argv: [...(row.code?.[1] ?? []).map(known), text] });
  }
  return { effects, nested };
}

const INTERPRETERS: readonly (readonly [RegExp, string])[] = [
  [/\.[cm]?[jt]s$/, 'node'],
  [/\.py$/, 'python3'],
  [/\.rb$/, 'ruby'],
  [/\.php$/, 'php'],
  [/\.p[lm]$/, 'perl'],
  [/\.sh$/, 'sh'],
];

/** A file that this very call wrote, as the program that it is. */
function justWritten(inv: Invocation, path: Value): readonly Nested[] {
  const { real } = inv.world.resolve(inv.cwd, path, true);
  const row = real === null || !inv.world.changed(real) ? null : INTERPRETERS.find(([end]) => end.test(real));
  return row ? [{ kind: 'argv', via: inv.name, argv: [known(row[1]), path], certain: false }] : [];
}

function fromNetwork(value: Value): EffectDraft {
  return effect('exec-remote', render(value), `${render(value)} is loaded`);
}

function upToDashes(words: readonly Value[]): readonly Value[] {
  const at = words.findIndex((word) => textOf(word) === '--');
  return at < 0 ? words : words.slice(0, at);
}

function valuesOf(words: readonly Value[], options: string | undefined): Value[] {
  if (!options) return [];
  const list = options.split(' ');
  return words.flatMap((word, i): Value[] => {
    const start = knownPrefix(word);
    if (!start.startsWith('-')) return [];
    for (const option of list) {
      if (option.endsWith('=') && start.startsWith(option)) return [drop(word, option.length)];
      if (textOf(word) === option) return words[i + 1] ? [words[i + 1] as Value] : [];
      if (start.startsWith(`${option}=`)) return [drop(word, option.length + 1)];
      if (option.length === 2 && start.startsWith(option)) return [drop(word, 2)];
    }
    return [];
  });
}

function pairsOf(words: readonly Value[], pairs: Row['pairs']): readonly (readonly [string, Value])[] {
  return valuesOf(words, pairs?.[0]).flatMap((value) => {
    const start = knownPrefix(value);
    const at = start.indexOf('=');
    if (at < 0) return [];
    const rest = drop(value, at + 1);
    // TOML quotes its texts.
    return [[start.slice(0, at).trim(), unquoted(rest)] as const];
  });
}

function unquoted(value: Value): Value {
  const text = textOf(value);
  return text === null ? value : concat(known(text.trim().replace(/^(["'])(.*)\1$/s, '$2')));
}
