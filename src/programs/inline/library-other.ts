import { groovy, groovyMethods } from './library-groovy.ts';
import { httpMethods, urlMethod } from './library-http.ts';
import { r } from './library-r.ts';
import { asPathThing, decoder, fromBase64, isOn, onPaths, type Row, table, tellingNames, transfer } from './model.ts';
import { connect, readFile, touch } from './notes.ts';
import { expandHome, globbed, home } from './places.ts';
import { print, prints, variable } from './prints.ts';
import { evaluates } from './reader.ts';
import { runProgram, runShell } from './runs.ts';
import type { Call, Library, Scan } from './scan.ts';
import { literal, path, type Thing, text, UNKNOWN } from './thing.ts';

const lua: readonly Row[] = [
  ['os.execute io.popen', (c, scan) => runShell(scan, c.args[0])],
  ['os.remove', onPaths('delete', { follow: false }, 1)],
  ['os.rename', transfer('move')],
  [
    'io.open',
    (c, scan) => {
      if (/[wa+]/.test(literal(c.args[1]) ?? 'r')) touch(scan, 'write', c.args[0]);
      else readFile(scan, c.args[0]);
      return UNKNOWN;
    },
  ],
  ['io.lines', (c, scan) => (c.args[0] ? readFile(scan, c.args[0]) : UNKNOWN)],
  [
    'io.output',
    (c, scan) => {
      touch(scan, 'write', c.args[0]);
      return UNKNOWN;
    },
  ],
  ['dofile loadfile', onPaths('exec', {}, 1)],
  ['load loadstring', evaluates],
  ['os.getenv', (c, scan) => variable(scan, c.args[0])],
  ['print io.write', prints],
];

const julia: readonly Row[] = [
  [
    'run read readchomp success',
    (c, scan) => (c.name === 'read' && c.args[0]?.k === 'text' ? readFile(scan, c.args[0]) : UNKNOWN),
  ],
  [
    'rm',
    (c, scan) =>
      onPaths('delete', { follow: false, recursive: isOn(c, 'recursive'), force: isOn(c, 'force') }, 1)(c, scan),
  ],
  ['write', onPaths('write', {}, 1)],
  [
    'open',
    (c, scan) => {
      if (/[wa+]/.test(literal(c.args[1]) ?? 'r')) touch(scan, 'write', c.args[0]);
      else readFile(scan, c.args[0]);
      return UNKNOWN;
    },
  ],
  ['mkdir mkpath touch', onPaths('create', {}, 1)],
  ['mv', transfer('move')],
  ['cp', transfer('copy', { recursive: true })],
  ['include', onPaths('exec', {}, 1)],
  [
    'download Downloads.download',
    (c, scan) => {
      const got = connect(scan, c.args[0], []);
      if (c.args[1]) touch(scan, 'write', c.args[1]);
      return got;
    },
  ],
  ['homedir', (_, scan) => path([home(scan)])],
  ['expanduser', (c, scan) => expandHome(scan, c.args[0])],
  [
    'joinpath',
    (c) =>
      asPathThing(
        text(
          c.args.flatMap((a, at) => [
            ...(at > 0 ? ['/'] : []),
            ...(a.k === 'text' ? a.value : [{ hole: 'computed path', like: 'any' as const }]),
          ]),
        ),
      ),
  ],
];

const elixir: readonly Row[] = [
  [
    'System.cmd',
    (c, scan) => runProgram(scan, [c.args[0] ?? UNKNOWN, ...(c.args[1]?.k === 'list' ? c.args[1].items : [])]),
  ],
  ['System.shell os.cmd', (c, scan) => runShell(scan, c.args[0])],
  ['File.rm File.rm! File.rmdir File.rmdir!', onPaths('delete', { follow: false }, 1)],
  ['File.rm_rf File.rm_rf!', onPaths('delete', { recursive: true, force: true, follow: false }, 1)],
  ['File.write File.write! File.touch File.touch!', onPaths('write', {}, 1)],
  ['File.mkdir File.mkdir! File.mkdir_p File.mkdir_p!', onPaths('create', {}, 1)],
  ['File.rename File.rename!', transfer('move')],
  ['File.cp File.cp! File.cp_r File.cp_r!', transfer('copy')],
  ['File.read File.read! File.stream!', (c, scan) => readFile(scan, c.args[0])],
  ['Path.expand', (c, scan) => expandHome(scan, c.args[0])],
  ['Path.wildcard', (c) => globbed(c.args[0])],
  [
    'Path.join',
    (c) =>
      asPathThing(
        text(
          c.args.flatMap((a, at) => [
            ...(at > 0 ? ['/'] : []),
            ...(a.k === 'text' ? a.value : [{ hole: 'computed path', like: 'any' as const }]),
          ]),
        ),
      ),
  ],
  ['System.user_home System.user_home!', (_, scan) => path([home(scan)])],
  ['System.get_env', (c, scan) => (c.args[0] ? variable(scan, c.args[0]) : { k: 'env' })],
  ['Code.eval_string Code.eval_quoted', evaluates],
  ['Base.decode64! Base.decode64', decoder(fromBase64)],
  [
    'IO.puts IO.inspect IO.write',
    (c: Call, scan) => {
      print(scan, c.args);
      return c.args[0] ?? UNKNOWN;
    },
  ],
  ...httpMethods(['HTTPoison', 'Req', 'Tesla']),
];

function library(
  rows: readonly Row[],
  methods: readonly Row[] = [],
  names: Library['names'] = new Map(),
  telling = new Map<string, string>(),
): Library {
  return { calls: table(rows), methods: table([...methods, ['get post', urlMethod]]), names, telling };
}

/** Libraries of the languages that are rarely written inline. */
export const otherLibraries = {
  lua: library(lua),
  r: library(r),
  groovy: library(groovy, groovyMethods),
  julia: library(julia, [], new Map([['ENV', (_: Scan): Thing => ({ k: 'env' })]])),
  elixir: library(elixir, [], new Map(), new Map(tellingNames('File.rm_rf! File.rm_rf'))),
} as const;
