import { httpMethods, urlMethod } from './library-http.ts';
import {
  addTo,
  decoder,
  flat,
  fromBase64,
  fromHex,
  isOn,
  joinPaths,
  option,
  parentOf,
  type Row,
  sameReceiver,
  shellText,
  sqlQuery,
  table,
  tellingNames,
  transfer,
} from './model.ts';
import { walkCode } from './reader.ts';
import {
  changeDirectory,
  connect,
  entriesOf,
  environmentItems,
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
} from './scan.ts';
import { comesFromFile, literal, path, ref, type Thing, taintsIn, text, UNKNOWN, unknown } from './thing.ts';

const readText: Model = (c, scan) => {
  const target = c.args[0];
  // `readFileSync(0)` and /dev/stdin are standard input.
  if (/^(?:0|\/dev\/stdin)$/.test(literal(target) ?? '')) return unknown(scan.context.stdin.taints);
  return readFile(scan, target);
};

const remove: Model = (c, scan) => {
  touch(scan, 'delete', c.args[0], {
    follow: false,
    ...(isOn(c, 'recursive') || /emptyDir|remove(?:Sync)?$|rimraf|^del/.test(c.name) ? { recursive: true } : {}),
    ...(isOn(c, 'force') ? { force: true } : {}),
    ...(c.name.includes('emptyDir') ? { contentsOnly: true } : {}),
  });
  return UNKNOWN;
};

/** `spawn(file, args, {shell})`, `execFile(file, args)`. */
const spawn: Model = (c, scan) => {
  const [file, second] = c.args;
  const cwd = option(c, 'cwd');
  if (isOn(c, 'shell')) {
    const words = [file ?? UNKNOWN, ...(second?.k === 'list' ? second.items : [])];
    return runShell(
      scan,
      words.length === 1
        ? file
        : text(
            words.flatMap((w, at) => [
              ...(at > 0 ? [' '] : []),
              ...(w.k === 'text' ? w.value : [{ hole: 'argument computed by the program', like: 'any' as const }]),
            ]),
          ),
      cwd,
    );
  }
  return runProgram(
    scan,
    file?.k === 'list'
      ? file.items
      : [file ?? UNKNOWN, ...(second?.k === 'list' ? second.items : second?.k === 'unknown' ? [second] : [])],
    cwd,
  );
};

/** `require('m')`, `import('m')`. */
const load: Model = (c) => {
  const name = literal(c.args[0]);
  return name === null ? UNKNOWN : ref(name.replace(/^node:/, ''));
};

const request: Model = (c, scan) => {
  const first = c.args[0];
  const method = (literal(option(c, 'method')) ?? 'GET').toUpperCase();
  const host = option(c, 'hostname') ?? option(c, 'host');
  const sends =
    method === 'GET' || method === 'HEAD'
      ? [option(c, 'body')]
      : [option(c, 'body') ?? option(c, 'data'), text('body')];
  return connect(scan, first?.k === 'map' ? (host ?? option(c, 'url') ?? UNKNOWN) : first, sends, { method });
};

const socket: Model = (c, scan) => {
  const options = c.args[0]?.k === 'map' ? c.args[0].fields : null;
  const numbers = c.args.map((a) => literal(a));
  const port = Number(
    literal(options?.get('port')) ?? numbers.find((n) => n !== null && /^\d+$/.test(n)) ?? Number.NaN,
  );
  const host =
    options?.get('host') ?? c.args.find((a) => a.k === 'text' && !/^\d+$/.test(literal(a) ?? '')) ?? text('localhost');
  return connect(scan, host, [unknown([], true)], { scheme: 'tcp', ...(Number.isInteger(port) ? { port } : {}) });
};

const bufferFrom: Model = (c, scan) => {
  const encoding = literal(c.args[1]) ?? '';
  if (encoding.startsWith('base64')) return decoder(fromBase64)(c, scan);
  if (encoding === 'hex') return decoder(fromHex)(c, scan);
  return c.args[0] ?? UNKNOWN;
};

/** Data that goes through: `JSON.stringify(x)`. The environment stays the environment. */
const through: Model = (c) => {
  const first = c.args[0];
  if (first?.k === 'env' || first?.k === 'map') return first;
  return unknown(c.args.flatMap(taintsIn), c.args.some(comesFromFile));
};

const listen: Model = (c, scan) => {
  const port = literal(c.args[0]);
  if (port === null || !/^\d+$/.test(port)) return undefined;
  scan.effects.push({ kind: 'listen', target: port, certain: false });
  return UNKNOWN;
};

function both(prefix: string, names: string): string {
  return names
    .split(' ')
    .flatMap((n) => [`${prefix}.${n}`, `${prefix}.${n}Sync`])
    .join(' ');
}

const rows: readonly Row[] = [
  [`${both('fs', 'readFile readlink')} fs.readJson fs.readJsonSync fs.createReadStream`, readText],
  [
    `${both('fs', 'writeFile appendFile truncate outputFile writeJson outputJson utimes')} fs.createWriteStream`,
    (c, scan) => {
      touch(scan, 'write', c.args[0]);
      return UNKNOWN;
    },
  ],
  [both('fs', 'unlink rm rmdir remove emptyDir'), remove],
  [
    'rimraf rimraf.sync rimraf.rimraf rimraf.rimrafSync del deleteAsync deleteSync del.sync del.deleteAsync del.deleteSync trash',
    (c, scan) =>
      remove(
        { ...c, name: 'rimraf', args: c.args[0]?.k === 'list' ? [{ k: 'any', of: c.args[0].items }] : c.args },
        scan,
      ),
  ],
  [
    both('fs', 'mkdir mkdirp ensureDir ensureFile mkdtemp'),
    (c, scan) => {
      touch(scan, 'create', c.args[0]);
      return c.name.includes('mkdtemp') && c.args[0]?.k === 'text'
        ? path([...c.args[0].value, { hole: 'temporary name', like: 'name' }])
        : UNKNOWN;
    },
  ],
  [both('fs', 'rename move'), transfer('move')],
  [both('fs', 'copyFile'), transfer('copy')],
  [both('fs', 'cp copy'), transfer('copy', { recursive: true })],
  [both('fs', 'symlink'), transfer('link')],
  [both('fs', 'link'), transfer('hard-link')],
  [
    both('fs', 'chmod chown'),
    (c, scan) => {
      touch(scan, 'chmod', c.args[0], { mode: literal(c.args[1]) ?? '' });
      return UNKNOWN;
    },
  ],
  [
    both('fs', 'open'),
    (c, scan) => {
      const writes = /[wa+]/.test(literal(c.args[1]) ?? 'r');
      touch(scan, writes ? 'write' : 'read', c.args[0]);
      return UNKNOWN;
    },
  ],
  [
    both('fs', 'readdir opendir'),
    (c) => {
      const entries = entriesOf(c.args[0]);
      // The names come without their directory; joined to it by the program they lie below it.
      return entries.k === 'list'
        ? { k: 'list', items: entries.items.map(() => text([{ hole: 'name in a directory', like: 'name' }])) }
        : entries;
    },
  ],
  [
    'fs.glob fs.globSync glob glob.sync glob.globSync fast-glob fast-glob.sync globby globby.sync',
    (c) => globbed(c.args[0]),
  ],
  [
    'child_process.exec child_process.execSync execa.command execa.commandSync execa.execaCommand execa.execaCommandSync shelljs.exec',
    shellText,
  ],
  [
    'child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync execa execa.execa execa.execaSync cross-spawn cross-spawn.sync Bun.spawn Bun.spawnSync',
    spawn,
  ],
  [
    'child_process.fork',
    (c, scan) => {
      touch(scan, 'exec', c.args[0]);
      return UNKNOWN;
    },
  ],
  [
    'Deno.Command',
    (c, scan) => {
      const args = option(c, 'args');
      return runProgram(scan, [c.args[0] ?? UNKNOWN, ...(args?.k === 'list' ? args.items : [])], option(c, 'cwd'));
    },
  ],
  [
    'Deno.run',
    (c, scan) => {
      const cmd = option(c, 'cmd');
      return runProgram(scan, cmd?.k === 'list' ? cmd.items : [UNKNOWN]);
    },
  ],
  ['Deno.readTextFile Deno.readTextFileSync Deno.readFile Deno.readFileSync Bun.file', readText],
  [
    'Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Deno.writeFileSync Bun.write',
    (c, scan) => {
      touch(scan, 'write', c.args[0]);
      return UNKNOWN;
    },
  ],
  ['Deno.remove Deno.removeSync', remove],
  [
    'shelljs.rm',
    (c, scan) => {
      touch(scan, 'delete', flat(c.args).slice(-1)[0], { recursive: true, follow: false });
      return UNKNOWN;
    },
  ],
  ['require import process.mainModule.require module.createRequire', load],
  [
    'eval Function vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script',
    (c, scan) => {
      walkCode(scan, c.args[c.name === 'Function' ? c.args.length - 1 : 0]);
      return UNKNOWN;
    },
  ],
  [
    'setTimeout setInterval',
    (c, scan) => {
      if (c.args[0]?.k === 'text') walkCode(scan, c.args[0]);
      return undefined;
    },
  ],
  ['path.join', (c) => joinPaths(c.args, false)],
  ['path.resolve', (c, scan) => joinPaths([path(scan.context.cwd), ...c.args], true)],
  ['path.dirname', (c) => parentOf(c.args[0])],
  ['path.basename', () => text([{ hole: 'name of a path', like: 'name' }])],
  [
    'path.normalize String URL url.fileURLToPath fileURLToPath fs.realpathSync fs.realpath',
    (c) =>
      c.args.length === 1 && c.args[0]?.k === 'text'
        ? c.args[0]
        : unknown(c.args.flatMap(taintsIn), c.args.some(comesFromFile)),
  ],
  ['os.homedir Deno.env.home', (_, scan) => path([home(scan)])],
  ['os.tmpdir', () => path(['/tmp'])],
  ['process.cwd Deno.cwd', (_, scan) => path(scan.context.cwd)],
  [
    'process.chdir Deno.chdir',
    (c, scan) => {
      changeDirectory(scan, c.args[0]);
      return UNKNOWN;
    },
  ],
  ['process.exit', () => UNKNOWN],
  [
    'process.kill',
    (_, scan) => {
      scan.effects.push({ kind: 'process-kill', certain: false });
      return UNKNOWN;
    },
  ],
  [
    'console.log console.error console.info console.warn console.dir console.table console.debug',
    (c, scan) => {
      print(scan, c.args);
      return UNKNOWN;
    },
  ],
  [
    'process.stdout.write process.stderr.write',
    (c, scan) => {
      print(scan, c.args.slice(0, 1), '');
      return UNKNOWN;
    },
  ],
  ['JSON.stringify util.inspect Object.assign JSON.parse structuredClone Array.from', through],
  [
    'Object.entries Object.values',
    (c, scan) => (c.args[0]?.k === 'env' ? environmentItems(c.name === 'Object.entries') : through(c, scan)),
  ],
  ['Object.keys Object.getOwnPropertyNames', () => UNKNOWN],
  ['Buffer.from Buffer', bufferFrom],
  ['atob', decoder(fromBase64)],
  [
    'String.fromCharCode',
    (c) => {
      const codes = flat(c.args).map((a) => Number(literal(a) ?? Number.NaN));
      return codes.every((n) => Number.isInteger(n) && n >= 0 && n < 0x10000) && codes.length > 0
        ? text(String.fromCharCode(...codes), ['decoded'])
        : unknown(['decoded']);
    },
  ],
  [
    'zlib.inflateSync zlib.gunzipSync zlib.brotliDecompressSync',
    (c) => unknown([...new Set([...c.args.flatMap(taintsIn), 'decoded' as const])]),
  ],
  [
    'fetch node-fetch undici.fetch undici.request got got.get ky request https.request http.request https.get http.get axios axios.request needle WebSocket EventSource',
    request,
  ],
  ['net.connect net.createConnection tls.connect net.Socket.connect', socket],
  ...httpMethods(['axios', 'got', 'superagent', 'ky', 'needle', 'request']),
];

const methods: readonly Row[] = [
  ['get post put patch delete head', urlMethod],
  [
    'connect',
    (c, scan) =>
      c.args.length > 0 && c.args.some((a) => /^\d{2,5}$/.test(literal(a) ?? '')) && c.recv?.k !== 'text'
        ? socket(c, scan)
        : undefined,
  ],
  ['listen', listen],
  ['toString trim trimEnd', sameReceiver],
  ['text json', (c) => (c.recv?.k === 'unknown' ? c.recv : undefined)],
  [
    'join',
    (c) => {
      if (c.recv?.k !== 'list') return undefined;
      const between = c.args[0] ? literal(c.args[0]) : ',';
      if (between === null || !c.recv.items.every((i) => i.k === 'text')) return unknown(taintsIn(c.recv));
      return text(
        c.recv.items.flatMap((i, at) => [
          ...(at > 0 && between !== '' ? [between] : []),
          ...(i.k === 'text' ? i.value : []),
        ]),
      );
    },
  ],
  ['concat', (c) => (c.recv?.k === 'list' ? { k: 'list', items: [...c.recv.items, ...flat(c.args)] } : undefined)],
  ['push', addTo],
  ['query execute raw run $executeRawUnsafe $queryRawUnsafe', sqlQuery],
  ['reverse', (c) => (c.recv?.k === 'list' ? { k: 'list', items: [...c.recv.items].reverse() } : undefined)],
  [
    'split',
    (c) => {
      const source = literal(c.recv ?? undefined);
      const by = literal(c.args[0]);
      if (source === null || by === null || source.length > 10_000) return undefined;
      const taints = taintsIn(c.recv ?? undefined);
      return {
        k: 'list',
        items: source
          .split(by)
          .slice(0, 5000)
          .map((s): Thing => text(s, taints)),
      };
    },
  ],
  [
    'constructor',
    (c, scan) => {
      if (c.args.length === 1 && c.args[0]?.k === 'text') walkCode(scan, c.args[0]);
      return UNKNOWN;
    },
  ],
];

/** Node's library and its close kin (nodejs.org/api, Bun, Deno, fs-extra, execa, axios …). */
export const nodeLibrary: Library = {
  calls: table(rows),
  methods: table(methods),
  names: new Map<string, (scan: Scan) => Thing>([
    ['process.env', () => ({ k: 'env' })],
    ['Bun.env', () => ({ k: 'env' })],
    ['import.meta.env', () => UNKNOWN],
    ['process.argv', (scan) => ({ k: 'list', items: [UNKNOWN, UNKNOWN, ...scan.context.args.map((a) => text(a))] })],
    ['__dirname', () => path([{ hole: 'directory of the script', like: 'any' }])],
    ['__filename', () => path([{ hole: 'path of the script', like: 'any' }])],
    ['process.stdin.fd', () => text('0')],
  ]),
  telling: tellingNames(
    'child_process.execSync child_process.spawnSync child_process.execFileSync child_process.execFile fs.rmSync fs.rmdirSync fs.unlinkSync fs.writeFileSync fs.appendFileSync fs.readFileSync fs.renameSync fs.copyFileSync fs.cpSync fs.symlinkSync fs.mkdirSync fs.createWriteStream os.homedir rimraf.rimrafSync',
  ),
};
