import { httpMethods, urlMethod } from './library-http.ts';
import {
  addTo,
  decoder,
  flat,
  fromBase64,
  fromHex,
  isOn,
  option,
  type Row,
  sameReceiver,
  shellText,
  sqlQuery,
  table,
  tellingNames,
} from './model.ts';
import { fileRows } from './node-files.ts';
import { changeDirectory, connect, listenAt, touch } from './notes.ts';
import { home } from './places.ts';
import { environmentItems, print } from './prints.ts';
import { walkCode } from './reader.ts';
import { runProgram, runShell } from './runs.ts';
import type { Library, Model, Scan } from './scan.ts';
import { comesFromFile, literal, path, ref, type Thing, taintsIn, text, UNKNOWN, unknown } from './thing.ts';

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
  const [where] = c.args;
  const made = listenAt(scan, where?.k === 'map' ? where.fields.get('path') : where);
  if (made) return made;
  const port = literal(where);
  if (port === null || !/^\d+$/.test(port)) return undefined;
  scan.effects.push({ kind: 'listen', target: port, certain: false });
  return UNKNOWN;
};

const rows: readonly Row[] = [
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
    'dotenv.config dotenv-safe.config',
    () => ({ k: 'map', fields: new Map<string, Thing>([['parsed', { k: 'env' }]]), taints: [] }),
  ],
  ['dotenv.parse', () => ({ k: 'env' })],
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
  ['query execute raw run $executeRawUnsafe $queryRawUnsafe exec prepare unsafe', sqlQuery],
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
  calls: table([...fileRows, ...rows]),
  methods: table(methods),
  names: new Map<string, (scan: Scan) => Thing>([
    ['process.env', () => ({ k: 'env' })],
    ['Bun.env', () => ({ k: 'env' })],
    ['import.meta.env', () => UNKNOWN],
    [
      'process.argv',
      (scan) => ({
        k: 'list',
        items: [UNKNOWN, ...(scan.context.inArgument ? [] : [UNKNOWN]), ...scan.context.args.map((a) => text(a))],
      }),
    ],
    ['__dirname', () => path([{ hole: 'directory of the script', like: 'any' }])],
    ['__filename', () => path([{ hole: 'path of the script', like: 'any' }])],
    ['process.stdin.fd', () => text('0')],
  ]),
  telling: tellingNames(
    'child_process.execSync child_process.spawnSync child_process.execFileSync child_process.execFile fs.rmSync fs.rmdirSync fs.unlinkSync fs.writeFileSync fs.appendFileSync fs.readFileSync fs.renameSync fs.copyFileSync fs.cpSync fs.symlinkSync fs.mkdirSync fs.createWriteStream os.homedir rimraf.rimrafSync',
  ),
};
