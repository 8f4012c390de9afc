import { httpMethods, urlMethod } from './library-http.ts';
import {
  asPathThing,
  decoder,
  flat,
  fromBase64,
  isOn,
  isPath,
  onPaths,
  onReceiver,
  type Row,
  table,
  tellingNames,
  transfer,
} from './model.ts';
import { walkCode } from './reader.ts';
import {
  type Call,
  connect,
  expandHome,
  globbed,
  home,
  type Library,
  type Model,
  print,
  readFile,
  runProgram,
  runShell,
  type Scan,
  touch,
  variable,
} from './scan.ts';
import { literal, path, type Thing, taintsIn, text, UNKNOWN, unknown } from './thing.ts';

const evaluates: Model = (c, scan) => {
  if (c.args[0]) walkCode(scan, c.args[0]);
  return UNKNOWN;
};

const prints: Model = (c, scan) => {
  print(scan, c.args);
  return UNKNOWN;
};

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

const r: readonly Row[] = [
  ['system shell', (c, scan) => runShell(scan, c.args[0] ?? c.named.get('command'))],
  [
    'system2',
    (c, scan) => {
      const args = c.args[1] ?? c.named.get('args');
      return runProgram(scan, [c.args[0] ?? UNKNOWN, ...(args ? flat([args]) : [])]);
    },
  ],
  ['unlink', (c, scan) => onPaths('delete', { follow: false, recursive: isOn(c, 'recursive') }, 20)(c, scan)],
  ['file.remove file_delete fs.file_delete', onPaths('delete', { follow: false })],
  ['fs.dir_delete', onPaths('delete', { recursive: true, follow: false })],
  ['dir.create file.create', onPaths('create', {}, 1)],
  ['file.rename', transfer('move')],
  ['file.copy', transfer('copy')],
  ['file.symlink', transfer('link')],
  [
    'writeLines saveRDS write.csv write.table write ggsave cat sink',
    (c, scan) => {
      const target =
        c.named.get('file') ??
        c.named.get('con') ??
        (/^(?:cat|write$)/.test(c.name) ? undefined : c.name === 'ggsave' || c.name === 'sink' ? c.args[0] : c.args[1]);
      if (target?.k === 'text') touch(scan, 'write', target);
      else print(scan, c.args.slice(0, 1));
      return UNKNOWN;
    },
  ],
  [
    'readLines read.csv read.table readRDS scan readr.read_csv read_csv',
    (c, scan) => (/^https?:/.test(literal(c.args[0]) ?? '') ? connect(scan, c.args[0], []) : readFile(scan, c.args[0])),
  ],
  [
    'source',
    (c, scan) => {
      if (/^https?:/.test(literal(c.args[0]) ?? '')) {
        connect(scan, c.args[0], []);
        scan.effects.push({ kind: 'exec-remote', detail: 'sources code from the network', certain: false });
      } else touch(scan, 'exec', c.args[0]);
      return UNKNOWN;
    },
  ],
  [
    'download.file',
    (c, scan) => {
      const got = connect(scan, c.args[0], []);
      touch(scan, 'write', c.args[1] ?? c.named.get('destfile'));
      return got;
    },
  ],
  ['eval', (c) => (c.args[0] ? unknown(taintsIn(c.args[0])) : UNKNOWN)],
  [
    'parse',
    (c, scan) => {
      const code = c.named.get('text');
      if (code) walkCode(scan, code);
      return UNKNOWN;
    },
  ],
  ['Sys.getenv', (c, scan) => (c.args[0] ? variable(scan, c.args[0]) : { k: 'env' })],
  ['path.expand normalizePath', (c, scan) => expandHome(scan, c.args[0])],
  [
    'file.path',
    (c) =>
      asPathThing(
        c.args.length > 0
          ? text(
              c.args.flatMap((a, at) => [
                ...(at > 0 ? ['/'] : []),
                ...(a.k === 'text' ? a.value : [{ hole: 'computed path', like: 'any' as const }]),
              ]),
            )
          : UNKNOWN,
      ),
  ],
  [
    'paste0',
    (c) => text(c.args.flatMap((a) => (a.k === 'text' ? a.value : [{ hole: 'computed text', like: 'any' as const }]))),
  ],
  ['c', (c) => ({ k: 'list', items: c.args })],
  [
    'install.packages remotes.install_github devtools.install_github',
    (c, scan) => {
      scan.effects.push({
        kind: 'install',
        target: literal(c.args[0]) ?? '',
        detail: c.name.includes('github') ? 'from a git repository' : 'R package',
        certain: false,
      });
      return UNKNOWN;
    },
  ],
  ['print message', prints],
];

const groovy: readonly Row[] = [
  [
    'File java.io.File',
    (c) =>
      asPathThing(
        c.args.length > 1
          ? text(c.args.flatMap((a, at) => [...(at > 0 ? ['/'] : []), ...(a.k === 'text' ? a.value : [])]))
          : (c.args[0] ?? UNKNOWN),
      ),
  ],
  ['Files.delete Files.deleteIfExists', onPaths('delete', { follow: false }, 1)],
  ['Files.write Files.writeString', onPaths('write', {}, 1)],
  ['Files.move', transfer('move')],
  ['Files.copy', transfer('copy')],
  ['Paths.get Path.of', (c) => asPathThing(c.args[0] ?? UNKNOWN)],
  ['System.getenv', (c, scan) => (c.args[0] ? variable(scan, c.args[0]) : { k: 'env' })],
  ['System.getProperty', (c, scan) => (literal(c.args[0]) === 'user.home' ? path([home(scan)]) : UNKNOWN)],
  ['Eval.me evaluate', evaluates],
  ['URL', (c) => c.args[0] ?? UNKNOWN],
  ['ProcessBuilder', (c, scan) => runProgram(scan, flat(c.args))],
  ['println print System.out.println', prints],
];

const groovyMethods: readonly Row[] = [
  [
    'execute',
    (c, scan) => {
      if (c.recv?.k === 'list') return runProgram(scan, c.recv.items);
      return c.recv?.k === 'text' && !c.recv.path ? runShell(scan, c.recv) : undefined;
    },
  ],
  [
    'exec',
    (c, scan) =>
      c.args[0]?.k === 'list'
        ? runProgram(scan, c.args[0].items)
        : c.args[0]?.k === 'text'
          ? runShell(scan, c.args[0])
          : undefined,
  ],
  ['delete deleteOnExit', onReceiver('delete', { follow: false })],
  ['deleteDir', onReceiver('delete', { recursive: true, follow: false })],
  ['write append setText createNewFile withWriter', onReceiver('write')],
  ['mkdir mkdirs', onReceiver('create')],
  [
    '.text',
    (c, scan) =>
      isPath(c.recv)
        ? readFile(scan, c.recv as Thing)
        : /^https?:/.test(literal(c.recv ?? undefined) ?? '')
          ? connect(scan, c.recv ?? undefined, [])
          : undefined,
  ],
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
