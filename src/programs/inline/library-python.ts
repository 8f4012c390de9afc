import { connectMethod, httpMethods, urlMethod } from './library-http.ts';
import {
  addTo,
  asPathThing,
  decoder,
  flat,
  fromBase64,
  fromHex,
  isOn,
  isPath,
  joinPaths,
  onPaths,
  onReceiver,
  parentOf,
  type Row,
  sameArgument,
  sameReceiver,
  shellText,
  sqlQuery,
  table,
  tainted,
  tellingNames,
  transfer,
} from './model.ts';
import { walkCode } from './reader.ts';
import {
  type Call,
  changeDirectory,
  connect,
  effect,
  entriesOf,
  environmentItems,
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
import {
  anyOf,
  comesFromFile,
  elementOf,
  literal,
  path,
  ref,
  type Thing,
  taintsIn,
  text,
  UNKNOWN,
  unknown,
} from './thing.ts';

const open: Model = (c, scan) => {
  const target = c.recv && isPath(c.recv) ? c.recv : c.args[0];
  const mode =
    literal(c.recv && isPath(c.recv) ? (c.args[0] ?? c.named.get('mode')) : (c.args[1] ?? c.named.get('mode'))) ?? 'r';
  const writes = /[wax+]/.test(mode);
  const given = c.named.get('file') ?? target;
  // A number is an open descriptor (`open(0)`), not a name.
  if (given?.k === 'text' && /^\d+$/.test(literal(given) ?? '') && !given.path)
    return unknown(scan.context.stdin.taints);
  if (writes) touch(scan, /x/.test(mode) ? 'create' : 'write', given);
  const held = writes && !mode.includes('+') ? [] : taintsIn(readFile(scan, given));
  return { k: 'file', path: wordOf(given), writes, taints: held };
};

function wordOf(thing: Thing | undefined): readonly (string | { hole: string; like: 'any' })[] {
  const t = literal(thing);
  return t === null ? [{ hole: 'path computed by the program', like: 'any' }] : [t];
}

/** `subprocess.run(x, shell=…)`: a list is an argument list, a text is shell text or one program name. */
const subprocess: Model = (c, scan) => {
  const command = c.args[0] ?? c.named.get('args');
  const cwd = c.named.get('cwd');
  const inShell = isOn(c, 'shell') || /getoutput|getstatusoutput|create_subprocess_shell|system$/.test(c.name);
  const executable = c.named.get('executable');
  if (executable && command?.k === 'list') return runProgram(scan, [executable, ...command.items.slice(1)], cwd);
  if (command?.k === 'list')
    return inShell ? runShell(scan, command.items[0], cwd) : runProgram(scan, command.items, cwd);
  if (inShell) return runShell(scan, command, cwd);
  const list = c.name.includes('create_subprocess_exec') ? c.args : [command ?? UNKNOWN];
  if (list.length === 1 && list[0]?.k === 'unknown') return runProgram(scan, [UNKNOWN], cwd);
  return runProgram(scan, list, cwd);
};

const execFamily: Model = (c, scan) => {
  const args = flat(c.args.filter((a) => a.k !== 'map' && a.k !== 'env'));
  const skip = c.name.includes('spawn') ? 1 : 0;
  // execv(path, [argv0, …]): the path is what runs.
  const rest = args.slice(skip);
  return runProgram(scan, rest.length > 1 ? [rest[0] as Thing, ...rest.slice(2)] : rest);
};

const decode64 = decoder(fromBase64);

function opened(c: Call): (Thing & { k: 'file' }) | null {
  return c.recv?.k === 'file' ? c.recv : null;
}

const write: Model = (c, scan) => {
  const file = opened(c);
  if (c.recv?.k === 'ref' && /std(?:out|err)/.test(c.recv.name)) {
    print(scan, c.args, '');
    return UNKNOWN;
  }
  return file ? UNKNOWN : undefined;
};

const read: Model = (c, scan) => {
  if (c.recv?.k === 'file')
    return {
      k: 'unknown',
      taints: c.recv.taints,
      fromFile: true,
      ...(c.name === 'read' ? { source: c.recv.path } : {}),
    };
  if (c.recv?.k === 'ref' && c.recv.name.includes('stdin')) return unknown(scan.context.stdin.taints);
  return undefined;
};

const join: Model = (c) => {
  const items = c.args[0];
  if (c.recv?.k !== 'text' || items?.k !== 'list') return undefined;
  const between = literal(c.recv);
  if (between === null || !items.items.every((i) => i.k === 'text'))
    return unknown(taintsIn(items), comesFromFile(items));
  return text(
    items.items.flatMap((i, at) => [
      ...(at > 0 && between !== '' ? [between] : []),
      ...(i.k === 'text' ? i.value : []),
    ]),
  );
};

const environGet: Model = (c, scan) => {
  const found = variable(scan, c.args[0]);
  return c.args[1] && found.k === 'text' && found.value.some((p) => typeof p !== 'string')
    ? anyOf([found, c.args[1]])
    : found;
};

const rows: readonly Row[] = [
  ['open io.open codecs.open os.fdopen gzip.open bz2.open lzma.open', open],
  [
    'os.open',
    (c, scan) => {
      touch(scan, 'read', c.args[0]);
      if (c.args.length > 1) touch(scan, 'write', c.args[0]);
      return UNKNOWN;
    },
  ],
  ['os.remove os.unlink os.rmdir', onPaths('delete', { follow: false }, 1)],
  ['os.removedirs', onPaths('delete', {}, 1)],
  ['shutil.rmtree distutils.dir_util.remove_tree', onPaths('delete', { recursive: true, follow: false }, 1)],
  ['os.mkdir os.makedirs os.mkfifo os.mknod', onPaths('create', {}, 1)],
  ['os.truncate', onPaths('write', {}, 1)],
  ['os.utime', onPaths('write', {}, 1)],
  [
    'os.chmod os.chown os.lchown shutil.chown',
    (c, scan) => {
      touch(scan, 'chmod', c.args[0], { mode: literal(c.args[1]) ?? '' });
      return UNKNOWN;
    },
  ],
  ['os.rename os.renames os.replace shutil.move', transfer('move')],
  ['shutil.copy shutil.copy2 shutil.copyfile', transfer('copy')],
  ['shutil.copytree distutils.dir_util.copy_tree', transfer('copy', { recursive: true })],
  ['os.symlink', transfer('link')],
  ['os.link', transfer('hard-link')],
  [
    'os.chdir',
    (c, scan) => {
      changeDirectory(scan, c.args[0]);
      return UNKNOWN;
    },
  ],
  [
    'os.system os.popen commands.getoutput pty.spawn subprocess.getoutput subprocess.getstatusoutput asyncio.create_subprocess_shell',
    (c, scan) => (c.args[0]?.k === 'list' ? runProgram(scan, c.args[0].items) : shellText(c, scan)),
  ],
  [
    'subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen asyncio.create_subprocess_exec pexpect.run pexpect.spawn',
    subprocess,
  ],
  ['sh.bash sh.sh', (c, scan) => runProgram(scan, [text('bash'), ...c.args])],
  [
    'os.execv os.execve os.execvp os.execvpe os.execl os.execlp os.execle os.spawnl os.spawnlp os.spawnv os.spawnvp os.posix_spawn os.posix_spawnp',
    execFamily,
  ],
  [
    'eval exec',
    (c, scan) => {
      walkCode(scan, c.args[0]);
      return UNKNOWN;
    },
  ],
  ['compile', sameArgument],
  [
    'runpy.run_path execfile',
    (c, scan) => {
      touch(scan, 'exec', c.args[0]);
      return UNKNOWN;
    },
  ],
  ['vars', sameArgument],
  ['globals locals', () => ref('#scope')],
  [
    '__import__ importlib.import_module',
    (c) => {
      const name = literal(c.args[0]);
      return name === null ? UNKNOWN : ref(name);
    },
  ],
  [
    'getattr',
    (c) => {
      const name = literal(c.args[1]);
      return name !== null && c.args[0]?.k === 'ref' ? ref(`${c.args[0].name}.${name}`) : UNKNOWN;
    },
  ],
  ['os.path.expanduser', (c, scan) => expandHome(scan, c.args[0])],
  [
    'os.path.expandvars',
    (c, scan) => {
      const raw = literal(c.args[0]);
      return raw === null ? (c.args[0] ?? UNKNOWN) : path([raw.replace(/\$\{?HOME\}?/g, home(scan))]);
    },
  ],
  ['os.path.join', (c) => joinPaths(c.args, true)],
  ['os.path.abspath os.path.realpath os.path.normpath os.fspath str os.path.relpath', (c) => keepText(c.args[0])],
  ['os.path.dirname', (c) => parentOf(c.args[0])],
  ['os.getcwd pathlib.Path.cwd Path.cwd', (_, scan) => path(scan.context.cwd)],
  [
    'pathlib.Path pathlib.PurePath pathlib.PosixPath Path',
    (c) => (c.args.length > 1 ? joinPaths(c.args, true) : asPathThing(c.args[0] ?? text('.'))),
  ],
  ['pathlib.Path.home Path.home', (_, scan) => path([home(scan)])],
  ['os.getenv os.environ.get #env.get', environGet],
  [
    '#env.copy dict',
    (c) =>
      c.args.some((a) => a.k === 'env') || c.recv?.k === 'env' ? { k: 'env' } : unknown(c.args.flatMap(taintsIn)),
  ],
  [
    '#env.keys sorted len list set',
    (c) => {
      const first = c.args[0];
      if (!first || first.k === 'env') return UNKNOWN;
      return first.k === 'list' ? first : unknown(taintsIn(first), comesFromFile(first));
    },
  ],
  ['#env.items #env.values', (c) => environmentItems(c.name === '#env.items')],
  ['#env.pop #env.setdefault #env.update #env.clear', () => UNKNOWN],
  ['os.listdir os.scandir', (c) => entriesOf(c.args[0] ?? text('.'))],
  ['glob.glob glob.iglob', (c) => globbed(c.args[0])],
  [
    'os.walk os.fwalk',
    (c) => {
      const below = elementOf(entriesOf(c.args[0]));
      const base = c.args[0] ?? UNKNOWN;
      const name = text([{ hole: 'name in a directory', like: 'name' }]);
      return {
        k: 'list',
        items: [
          { k: 'list', items: [anyOf([base, below]), { k: 'list', items: [name] }, { k: 'list', items: [name] }] },
        ],
      };
    },
  ],
  [
    'tempfile.mkdtemp tempfile.mktemp tempfile.TemporaryDirectory',
    () => path(['/tmp/', { hole: 'temporary name', like: 'name' }]),
  ],
  ['tempfile.gettempdir', () => path(['/tmp'])],
  [
    'tempfile.mkstemp',
    () => ({ k: 'list', items: [UNKNOWN, path(['/tmp/', { hole: 'temporary name', like: 'name' }])] }),
  ],
  [
    'tempfile.NamedTemporaryFile',
    () => ({ k: 'file', path: ['/tmp/', { hole: 'temporary name', like: 'name' }], writes: true, taints: [] }),
  ],
  [
    'zip enumerate reversed iter tuple',
    (c) =>
      c.name === 'enumerate'
        ? { k: 'list', items: [{ k: 'list', items: [UNKNOWN, elementOf(c.args[0])] }] }
        : c.name === 'zip'
          ? { k: 'list', items: [{ k: 'list', items: c.args.map(elementOf) }] }
          : (c.args[0] ?? UNKNOWN),
  ],
  [
    'print pprint.pprint pprint sys.stdout.write sys.stderr.write sys.stdout.buffer.write logging.info logging.warning logging.error',
    (c, scan) => {
      const target = c.named.get('file');
      if (target?.k !== 'file')
        print(scan, c.args, c.name.startsWith('sys') ? '' : (literal(c.named.get('end')) ?? '\n'));
      return UNKNOWN;
    },
  ],
  [
    'json.dumps repr json.loads str.format',
    (c) => (c.args[0]?.k === 'env' ? c.args[0] : unknown(c.args.flatMap(taintsIn), c.args.some(comesFromFile))),
  ],
  [
    'json.dump pickle.dump yaml.dump yaml.safe_dump',
    (c, scan) => {
      if (c.args[1]?.k === 'ref') print(scan, c.args.slice(0, 1));
      return UNKNOWN;
    },
  ],
  ['base64.b64decode base64.standard_b64decode base64.urlsafe_b64decode base64.decodebytes', decode64],
  ['bytes.fromhex bytearray.fromhex binascii.unhexlify binascii.a2b_hex', decoder(fromHex)],
  ['binascii.a2b_base64', decode64],
  [
    'codecs.decode zlib.decompress gzip.decompress bz2.decompress lzma.decompress marshal.loads pickle.loads pickle.load base64.b32decode base64.b85decode base64.a85decode',
    tainted('decoded'),
  ],
  [
    'urllib.request.urlopen urllib2.urlopen',
    (c, scan) => {
      const request = c.args[0]?.k === 'map' ? c.args[0].fields : null;
      return connect(scan, request?.get('url') ?? c.args[0], [
        request?.get('data') ?? c.args[1] ?? c.named.get('data'),
      ]);
    },
  ],
  [
    'urllib.request.Request',
    (c) => {
      const data = c.args[1] ?? c.named.get('data');
      const fields = new Map([['url', c.args[0] ?? c.named.get('url') ?? UNKNOWN]]);
      if (data) fields.set('data', data);
      return { k: 'map', fields, taints: [] };
    },
  ],
  [
    'urllib.request.urlretrieve wget.download',
    (c, scan) => {
      const got = connect(scan, c.args[0], []);
      if (c.args[1]) touch(scan, 'write', c.args[1]);
      return got;
    },
  ],
  [
    'http.client.HTTPSConnection http.client.HTTPConnection ftplib.FTP smtplib.SMTP smtplib.SMTP_SSL telnetlib.Telnet',
    (c, scan) =>
      connect(scan, c.args[0], [], {
        scheme: /HTTPS/.test(c.name) ? 'https' : /HTTP/.test(c.name) ? 'http' : /FTP/.test(c.name) ? 'ftp' : 'tcp',
      }),
  ],
  ['socket.create_connection asyncio.open_connection', (c, scan) => hostPort(c, scan)],
  [
    'sqlite3.connect',
    (c, scan) => {
      const name = literal(c.args[0]) ?? '';
      if (name !== ':memory:') touch(scan, 'write', c.args[0]);
      return name === ':memory:' || name.startsWith('/tmp/') ? ref('#memory') : UNKNOWN;
    },
  ],
  [
    'http.server.HTTPServer socketserver.TCPServer',
    (c, scan) => {
      scan.effects.push({ kind: 'listen', target: literal(c.args[0]) ?? '', certain: false });
      return UNKNOWN;
    },
  ],
  ['zipfile.ZipFile tarfile.open', (c, scan) => open({ ...c, recv: null }, scan)],
  ['input sys.stdin.read sys.stdin.readlines sys.stdin.readline', (_, scan) => unknown(scan.context.stdin.taints)],
  [
    'json.load',
    (c, scan) =>
      c.args[0]?.k === 'ref'
        ? unknown(scan.context.stdin.taints)
        : unknown(c.args.flatMap(taintsIn), c.args.some(comesFromFile)),
  ],
  [
    'os.kill os.killpg',
    (_, scan) => {
      scan.effects.push({ kind: 'process-kill', certain: false });
      return UNKNOWN;
    },
  ],
  [
    'chr',
    (c) => {
      const code = Number(literal(c.args[0]) ?? Number.NaN);
      return Number.isInteger(code) && code >= 0 && code <= 0x10ffff
        ? text(String.fromCodePoint(code), ['decoded'])
        : unknown(['decoded']);
    },
  ],
  ...httpMethods(['requests', 'httpx', 'requests.Session', 'aiohttp.ClientSession', 'urllib3']),
];

function keepText(thing: Thing | undefined): Thing {
  if (thing?.k === 'text' || thing?.k === 'any') return thing;
  return thing?.k === 'env' ? thing : unknown(taintsIn(thing), comesFromFile(thing));
}

function hostPort(c: Call, scan: Scan): Thing {
  const pair = c.args[0]?.k === 'list' ? c.args[0].items : c.args;
  const port = Number(literal(pair[1]) ?? Number.NaN);
  return connect(scan, pair[0], [unknown([], true)], { scheme: 'tcp', ...(Number.isInteger(port) ? { port } : {}) });
}

const methods: readonly Row[] = [
  ['write_text write_bytes', onReceiver('write')],
  ['touch', onReceiver('write')],
  ['mkdir', onReceiver('create')],
  ['unlink rmdir', onReceiver('delete', { follow: false })],
  [
    'rename replace',
    (c, scan) =>
      isPath(c.recv) && c.args.length === 1
        ? transfer('move')({ ...c, args: [c.recv as Thing, c.args[0] as Thing] }, scan)
        : textReplace(c),
  ],
  [
    'symlink_to',
    (c, scan) =>
      isPath(c.recv) ? transfer('link')({ ...c, args: [c.args[0] ?? UNKNOWN, c.recv as Thing] }, scan) : undefined,
  ],
  ['chmod', onReceiver('chmod')],
  ['open', (c, scan) => (isPath(c.recv) ? open(c, scan) : undefined)],
  ['read_text read_bytes', (c, scan) => (isPath(c.recv) ? readFile(scan, c.recv as Thing) : undefined)],
  ['iterdir', (c) => (isPath(c.recv) ? entriesOf(c.recv as Thing) : undefined)],
  ['glob rglob', (c) => (isPath(c.recv) ? entriesOf(c.recv as Thing) : undefined)],
  ['joinpath', (c) => (isPath(c.recv) ? joinPaths([c.recv as Thing, ...c.args], true) : undefined)],
  ['expanduser', (c, scan) => (isPath(c.recv) ? expandHome(scan, c.recv as Thing) : undefined)],
  ['resolve absolute as_posix strip rstrip lstrip encode decode', sameReceiver],
  [
    'with_suffix with_name with_stem',
    (c) =>
      isPath(c.recv)
        ? joinPaths([parentOf(c.recv as Thing), text([{ hole: 'computed name', like: 'name' }])], true)
        : undefined,
  ],
  ['.parent', (c) => (isPath(c.recv) ? parentOf(c.recv as Thing) : undefined)],
  [
    '.name .stem',
    (c) =>
      isPath(c.recv)
        ? text([{ hole: 'name of a path', like: 'name' }])
        : c.recv?.k === 'file'
          ? path(c.recv.path)
          : undefined,
  ],
  [
    'extractall extract',
    (c, scan) => {
      if (c.recv?.k !== 'file') return undefined;
      touch(scan, 'write', c.args[0] ?? c.named.get('path') ?? text('.'), { recursive: true });
      return UNKNOWN;
    },
  ],
  ['execute executescript executemany raw', sqlQuery],
  ['all filter exclude order_by', (c) => (isManager(c.recv) ? c.recv : undefined)],
  ['join', join],
  ['append extend', addTo],
  [
    'to_csv to_json to_parquet to_excel to_pickle to_html savefig',
    (c, scan) => {
      if (c.args[0]?.k === 'text') touch(scan, 'write', c.args[0]);
      return UNKNOWN;
    },
  ],
  ['write writelines', write],
  ['read readline readlines', read],
  ['connect', connectMethod],
  ['get post put patch head', urlMethod],
  [
    'delete',
    (c, scan) => {
      if (!isManager(c.recv)) return urlMethod(c, scan);
      effect(scan, 'db-delete', 'deletes rows through the model', { target: c.recv.name.split('.')[0] as string });
      return UNKNOWN;
    },
  ],
  ['sendall send', (c) => (c.recv?.k === 'unknown' && c.recv.taints.includes('network') ? UNKNOWN : undefined)],
  ['sort', () => UNKNOWN],
];

/** Django's `Model.objects` and queries made from it. */
function isManager(thing: Thing | null): thing is Thing & { k: 'ref' } {
  return thing?.k === 'ref' && /\.objects(?:\.|$)/.test(thing.name);
}

/** `text.replace(a, b)` on known text. */
function textReplace(c: Call): Thing | undefined {
  const source = literal(c.recv ?? undefined);
  const from = literal(c.args[0]);
  const to = literal(c.args[1]);
  if (source === null || from === null || to === null || from === '') return undefined;
  const made = text(source.slice(0, 10_000).split(from).join(to), taintsIn(c.recv ?? undefined));
  return isPath(c.recv) ? asPathThing(made) : made;
}

/** Python's library: open, os, shutil, pathlib, subprocess, urllib, requests, base64 … (docs.python.org/3/library). */
export const pythonLibrary: Library = {
  calls: table(rows),
  methods: table(methods),
  names: new Map<string, (scan: Scan) => Thing>([
    ['os.environ', () => ({ k: 'env' })],
    ['os.environb', () => ({ k: 'env' })],
    ['sys.argv', (scan) => ({ k: 'list', items: [UNKNOWN, ...scan.context.args.map((a) => text(a))] })],
    ['os.sep', () => text('/')],
    ['os.curdir', () => text('.')],
    ['os.pardir', () => text('..')],
    ['__file__', () => path([{ hole: 'path of the script', like: 'any' }])],
    ['sys.stdin', () => ref('sys.stdin')],
  ]),
  telling: tellingNames(
    'shutil.rmtree os.path.expanduser subprocess.check_output subprocess.check_call subprocess.Popen os.system urllib.request.urlopen urllib.request.urlretrieve',
  ),
};
