import { xargsWords } from '../split-value.ts';
import { httpMethods } from './library-http.ts';
import {
  decoder,
  flat,
  fromBase64,
  fromHex,
  isOn,
  type Row,
  sameArgument,
  shellText,
  table,
  tainted,
  tellingNames,
} from './model.ts';
import { connect, listenAt, touch } from './notes.ts';
import { environmentItems, print, standardInput, variable } from './prints.ts';
import { fileRows } from './python-files.ts';
import { methods } from './python-methods.ts';
import { walkCode } from './reader.ts';
import { runProgram, runShell } from './runs.ts';
import type { Call, Library, Model, Scan } from './scan.ts';
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

/** `subprocess.run(x, shell=…)`: a list is an argument list, a text is shell text or one program name. */
const subprocess: Model = (c, scan): Thing => {
  const command = c.args[0] ?? c.named.get('args');
  const cwd = c.named.get('cwd');
  // One of several commands (`for cmd in (['a'], ['b'])`).
  if (command?.k === 'any') {
    for (const each of command.of) subprocess({ ...c, args: [each, ...c.args.slice(1)] }, scan);
    return UNKNOWN;
  }
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

const environGet: Model = (c, scan) => {
  const found = variable(scan, c.args[0]);
  return c.args[1] && found.k === 'text' && found.value.some((p) => typeof p !== 'string')
    ? anyOf([found, c.args[1]])
    : found;
};

const rows: readonly Row[] = [
  [
    'os.system os.popen commands.getoutput pty.spawn subprocess.getoutput subprocess.getstatusoutput asyncio.create_subprocess_shell',
    (c, scan) => (c.args[0]?.k === 'list' ? runProgram(scan, c.args[0].items) : shellText(c, scan)),
  ],
  [
    'subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen asyncio.create_subprocess_exec pexpect.run pexpect.spawn',
    subprocess,
  ],
  [
    'shlex.split',
    (c) => {
      const source = literal(c.args[0]);
      if (source === null) return undefined;
      return { k: 'list', items: xargsWords([source]).map((w) => text(w)) };
    },
  ],
  ['shlex.quote shlex.join', (c) => (c.args[0]?.k === 'text' ? c.args[0] : undefined)],
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
  ['socketserver.UnixStreamServer socketserver.UnixDatagramServer', (c, scan) => listenAt(scan, c.args[0])],
  ['asyncio.start_unix_server', (c, scan) => listenAt(scan, c.args[1] ?? c.named.get('path'))],
  [
    'http.server.HTTPServer socketserver.TCPServer',
    (c, scan) => {
      scan.effects.push({ kind: 'listen', target: literal(c.args[0]) ?? '', certain: false });
      return UNKNOWN;
    },
  ],
  ['input sys.stdin.readlines sys.stdin.readline', (_, scan) => unknown(scan.context.stdin.taints)],
  ['sys.stdin.read sys.stdin.buffer.read', (_, scan) => standardInput(scan)],
  ['dotenv.dotenv_values dotenv.main.dotenv_values', () => ({ k: 'env' })],
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

function hostPort(c: Call, scan: Scan): Thing {
  const pair = c.args[0]?.k === 'list' ? c.args[0].items : c.args;
  const port = Number(literal(pair[1]) ?? Number.NaN);
  return connect(scan, pair[0], [unknown([], true)], { scheme: 'tcp', ...(Number.isInteger(port) ? { port } : {}) });
}

/** Python's library: open, os, shutil, pathlib, subprocess, urllib, requests, base64 … (docs.python.org/3/library). */
export const pythonLibrary: Library = {
  calls: table([...fileRows, ...rows]),
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
