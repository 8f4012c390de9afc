import type { Invocation, Outcome } from '../model/program.ts';
import { known, render, textOf } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { drafts, effect, word } from './drafts.ts';
import { foreignCode } from './foreign-code.ts';
import type { Language } from './inline-code.ts';
import { installs } from './installs.ts';
import { codeFrom, runsCode, runsFile, runsStdin } from './interpreter.ts';
import type { GrammarStyle, OptionLines, Parsed } from './options.ts';
import { ordinary } from './ordinary.ts';
import { merge } from './subcommands.ts';
import { withToolCode } from './tool-code.ts';

/** An interpreter whose language is scanned: options that hold code, then a script, else standard input. */
function interpreter(
  names: string,
  manual: string,
  language: Language,
  options: OptionLines,
  code: readonly string[],
  quiet: readonly string[] = ['version', 'v', 'h', 'help'],
): Program {
  return define({
    names: words(names),
    manual,
    summary: `runs ${language} code`,
    options,
    style: { stopAtOperand: true },
    run: (args, inv) => {
      const codes = code.flatMap((name) => args.values(name));
      if (codes.length > 0) return merge(...codes.map((text) => runsCode(inv, language, text, args.operands)));
      if (args.has(...quiet)) return {};
      const [script, ...rest] = args.operands;
      return script ? runsFile(inv, language, script, rest) : runsStdin(inv, language, []);
    },
  });
}

/** An interpreter of a language that is not scanned. */
function foreign(
  names: string,
  manual: string,
  language: string,
  options: OptionLines,
  code: readonly string[],
  style: GrammarStyle = {},
): Program {
  return define({
    names: words(names),
    manual,
    summary: `runs ${language} code`,
    options,
    style: { stopAtOperand: true, ...style },
    run: (args, inv) => foreignOutcome(args, inv, language, code),
  });
}

function foreignOutcome(args: Parsed, inv: Invocation, language: string, code: readonly string[]): Outcome {
  const [verb, evaluated] = args.operands;
  const isEval = inv.name === 'crystal' && word(verb) === 'eval' && evaluated !== undefined;
  const codes = isEval ? [evaluated] : code.flatMap((name) => args.values(name));
  if (codes.length > 0)
    return { effects: [effect('exec-foreign', language)], ...foreignCode(codes, inv.name), opaque: true };
  const [script] = args.operands;
  if (script && textOf(script) !== '-') return { files: drafts('exec', [script]), opaque: true };
  if (args.flags.some((flag) => QUIET.has(flag))) return {};
  const stdin = inv.stdin.value ? foreignCode([inv.stdin.value], inv.name) : {};
  return { effects: codeFrom(inv.stdin.taints, inv.name), ...stdin, opaque: !inv.stdinIsOpen };
}

const QUIET = new Set(['version', 'v', 'V', 'help', 'h']);

const OCTAVE =
  'eval:, p path:, q quiet, f norc, batch:, r:, e:, batch-string:, very-quiet, nodisplay, nosplash, persist, d default';

function mix(args: Parsed, inv: Invocation): Outcome {
  const [verb, ...rest] = args.operands;
  const name = word(verb);
  if (name.startsWith('ecto.') && textOf(inv.env.get('MIX_ENV') ?? []) === 'test') return { subcommand: name };
  if (/^(?:ecto\.(?:drop|reset))$/.test(name))
    return { subcommand: name, effects: [effect('db-drop', 'database', name)] };
  if (/^ecto\.(?:migrate|rollback|create|setup|load)$/.test(name))
    return { subcommand: name, effects: [effect('db-write', 'database', name)] };
  switch (name) {
    case 'deps.get':
    case 'deps.update':
    case 'archive.install':
    case 'escript.install':
      return {
        subcommand: name,
        effects: /install$/.test(name) ? installs({ packages: rest, global: true }) : installs({ packages: [] }),
      };
    case 'run':
    case 'eval': {
      const code = args.value('e') ?? (name === 'eval' ? rest[0] : undefined);
      return {
        subcommand: name,
        ...(code ? runsCode(inv, 'elixir', code, []) : rest[0] ? runsFile(inv, 'elixir', rest[0], []) : {}),
      };
    }
    case 'hex.publish':
      return { subcommand: name, effects: [effect(args.has('revert') ? 'unpublish' : 'publish', 'package')] };
    case 'phx.server':
      return { subcommand: name, effects: [effect('listen', '4000')] };
    case 'new':
    case 'phx.new':
      return { subcommand: name, files: drafts('create', rest.slice(0, 1), { recursive: true }) };
    case 'cmd':
      return {
        subcommand: name,
        nested: rest.length > 0 ? [{ kind: 'script', via: 'mix cmd', text: known(rest.map(render).join(' ')) }] : [],
      };
    default:
      return { subcommand: name };
  }
}

/** Verbs of a build tool that publish, install for the account, or run a program. */
function buildTool(
  names: string,
  manual: string,
  verbs: { readonly publish?: RegExp; readonly global?: RegExp; readonly install?: RegExp; readonly exec?: RegExp },
  options: OptionLines = 'o output:, C directory:',
): Program {
  return define({
    names: words(names),
    manual,
    summary: 'builds a project',
    options,
    run: (args, inv) => {
      // `dart pub get`, `opam repository add`: the verb may stand behind a group.
      const [verb, ...rest] = word(args.operands[0]) === 'pub' ? args.operands.slice(1) : args.operands;
      const name = word(verb);
      const files = drafts('write', args.values('o'));
      const code = inv.name === 'swift' ? args.values('e') : [];
      if (code.length > 0)
        return { effects: [effect('exec-foreign', 'Swift')], ...foreignCode(code, inv.name), opaque: true };
      if (verbs.publish?.test(name))
        return {
          subcommand: name,
          files,
          effects: args.has('dry-run', 'n') ? [] : [effect('publish', 'package', `${inv.name} ${name}`)],
        };
      if (verbs.global?.test(name))
        return { subcommand: name, files, effects: installs({ packages: rest, global: true, what: 'a tool' }) };
      if (verbs.install?.test(name)) return { subcommand: name, files, effects: installs({ packages: rest }) };
      if (verbs.exec?.test(name) && rest.length > 0)
        return {
          subcommand: name,
          files,
          nested: [
            { kind: 'argv', via: `${inv.name} ${name}`, argv: textOf(rest[0] ?? []) === '--' ? rest.slice(1) : rest },
          ],
        };
      return { subcommand: name, files };
    },
  });
}

/** Lua, R, Julia, Groovy, Elixir, Erlang, Haskell, Swift, Dart, Zig and others. */
export const languages: readonly Program[] = withToolCode([
  interpreter('lua luajit lua5.1 lua5.3 lua5.4 texlua', 'lua(1)', 'lua', 'e:, l:, i, v, E, W, j:, O?', ['e'], ['v']),
  interpreter(
    'Rscript littler',
    'Rscript(1)',
    'r',
    'e:, verbose, default-packages:, vanilla, version, help, no-environ, no-site-file, no-init-file, no-restore, no-save',
    ['e'],
    ['version', 'help'],
  ),
  interpreter(
    'R',
    'R(1)',
    'r',
    'e:, f file:, vanilla, q quiet silent, s no-echo slave, no-save, no-restore, version, help, args',
    ['e'],
    ['version', 'help'],
  ),
  interpreter(
    'groovy groovysh',
    'groovy(1)',
    'groovy',
    'e:, cp classpath:, c encoding:, D define:, n, p, i?, l?, v version, h help, d debug',
    ['e'],
  ),
  interpreter(
    'julia',
    'julia(1)',
    'julia',
    'e eval:, E print:, L load:, project?, p procs:, t threads:, J sysimage:, O optimize?, startup-file:, v version, h help, q quiet, i',
    ['e', 'E'],
  ),
  interpreter(
    'elixir iex',
    'elixir(1)',
    'elixir',
    'e eval:, r require:, S:, pa:, pz:, sname:, name:, cookie:, rpc-eval:, v version, h help, no-halt, erl:, app:',
    ['e', 'rpc-eval'],
  ),
  define({
    names: ['mix'],
    manual: 'mix(1)',
    summary: 'builds an Elixir project',
    options: 'e eval:, r require:, only:, force, revert, yes, no-start, o output:, check-formatted, warnings-as-errors',
    run: mix,
  }),
  foreign('erl escript', 'erl(1)', 'erlang', 'eval:, noshell, s:, pa:, sname:, noinput, run:', ['eval'], {
    singleDashLong: true,
  }),
  foreign('ghc runghc runhaskell ghci', 'ghc(1)', 'haskell', 'e:, o:, O?, Wall, package:, i?, threaded', ['e']),
  foreign('scala scala-cli amm', 'scala(1)', 'scala', 'e:, cp classpath:, c code:, i:, howtorun:', ['e', 'c']),
  foreign('clojure clj bb lein-exec', 'clojure(1)', 'clojure', 'e eval:, M?, X?, T?, m main:, A?, Sdeps:, f:', ['e']),
  foreign('octave octave-cli matlab maxima gnuplot', 'octave(1), gnuplot(1)', 'other', OCTAVE, [
    'eval',
    'batch',
    'r',
    'e',
    'batch-string',
  ]),
  foreign('qjs quickjs d8 jsc gjs', 'qjs(1)', 'javascript', 'e eval:, c command:, I include:, m module, std, i', [
    'e',
    'c',
  ]),
  foreign('ocaml utop', 'ocaml(1)', 'ocaml', 'e:, I:, init:, stdin, noinit', ['e']),
  foreign(
    'racket guile sbcl clisp scheme chicken-csi gforth swipl gprolog janet fennel rakudo raku pike crystal',
    'racket(1), guile(1), tclsh(1), raku(1)',
    'other',
    'e eval:, c:, l load:, q, script:, non-interactive, no-userinit, batch, b, f:, noinform',
    ['e', 'c'],
  ),
  buildTool(
    'stack cabal',
    'stack(1), cabal(1)',
    { publish: /^(?:upload|sdist-upload)$/, global: /^install$/, exec: /^exec$/ },
    'o output:, resolver:, dry-run, n, stack-yaml:, j jobs:, test, fast',
  ),
  buildTool(
    'swift swiftc swift-format swiftlint swiftformat xcodebuild',
    'swift(1)',
    {},
    'o:, e:, c configuration:, package-path:, scratch-path:, scheme:, destination:, project:, workspace:, derivedDataPath:',
  ),
  buildTool(
    'dart flutter fvm melos',
    'dart(1), flutter(1)',
    { publish: /^publish$/, global: /^activate$/, install: /^(?:get|add|upgrade)$/ },
    'o output:, d device-id:, dry-run n, release, target:, f force',
  ),
  buildTool(
    'zig nim nimble v vlang crystal-build odin haxe',
    'zig(1), nim(1)',
    { publish: /^publish$/, global: /^install$/ },
    'o out:, n, dry-run, d:, O:, femit-bin?, prefix:',
  ),
  buildTool(
    'dune opam esy rebar3 gleam shards luarocks pub',
    'dune(1), opam(1), rebar3(1)',
    { publish: /^(?:publish|upload|hex)$/, install: /^(?:install|update|deps|add|download)$/, exec: /^exec$/ },
    'o output:, y yes, dry-run, n, root:, profile:, switch:, local, global',
  ),
  ordinary({
    names: words(
      'ormolu fourmolu hlint stylish-haskell elm elm-format ktlint detekt scalafmt google-java-format clang-format clang-tidy cmake-format gersemi shfmt stylua luacheck buildifier taplo yamlfmt yamllint hadolint actionlint shellcheck vale nixfmt alejandra nixpkgs-fmt terraform-docs tflint sqlfluff pg_format',
    ),
    manual: 'formatters and linters',
    summary: 'checks or formats sources',
    options:
      'i inplace in-place w write fix F format mode?, o output:, c config check?, d diff, l list, s, style?, f:, e:, x:, S:, W?, b:, p:, n dry-run, Werror, fix-errors, checks?',
    rewrites: ['i'],
    unless: ['d', 'n'],
    writes: ['o'],
  }),
]);
