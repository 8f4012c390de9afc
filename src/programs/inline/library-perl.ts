import { urlMethod } from './library-http.ts';
import {
  flat,
  fromHex,
  onPaths,
  type Row,
  sqlQuery,
  table,
  tainted,
  tellingNames,
  textOrList,
  transfer,
} from './model.ts';
import { changeDirectory, connect, readFile, touch } from './notes.ts';
import { globbed } from './places.ts';
import { print } from './prints.ts';
import { walkCode } from './reader.ts';
import { runProgram, runShell } from './runs.ts';
import type { Call, Library, Model, Scan } from './scan.ts';
import { literal, type Thing, taintsIn, text, UNKNOWN, unknown } from './thing.ts';

/** `open(FH, ">x")`, `open(my $f, '>', 'x')`, `open(F, "|cmd")`, `open(F, '-|', @cmd)` (perlfunc(1), open). */
const open: Model = (c, scan) => {
  const [, second, ...rest] = c.args;
  if (rest.length > 0) {
    const mode = literal(second) ?? '';
    if (mode.includes('|')) return rest.length > 1 ? runProgram(scan, flat(rest)) : runShell(scan, rest[0]);
    touch(scan, /[>+]/.test(mode) ? 'write' : 'read', rest[0]);
    return UNKNOWN;
  }
  if (second?.k !== 'text') return UNKNOWN;
  const [first, ...more] = second.value;
  const lead = typeof first === 'string' ? first.trimStart() : '';
  const last = second.value[second.value.length - 1];
  if (lead.startsWith('|')) return runShell(scan, text([lead.slice(1), ...more]));
  if (typeof last === 'string' && last.trimEnd().endsWith('|'))
    return runShell(scan, text([...second.value.slice(0, -1), last.trimEnd().slice(0, -1)]));
  const sign = /^(\+?[<>]{1,2})\s*/.exec(lead);
  const name: Thing = text([lead.slice(sign?.[0].length ?? 0), ...more].filter((p) => p !== ''));
  if (sign && /[>+]/.test(sign[1] as string)) touch(scan, 'write', name);
  else readFile(scan, name);
  return UNKNOWN;
};

const pack: Model = (c) => {
  const format = literal(c.args[0]) ?? '';
  const data = literal(c.args[1]);
  if (/^H/.test(format) && data !== null) return text(fromHex(data), ['decoded']);
  return unknown([...new Set([...c.args.flatMap(taintsIn), 'decoded' as const])]);
};

const printing: Model = (c, scan) => {
  const handle = c.args[0]?.k === 'ref' && /^[A-Z][A-Z0-9_]*$/.test(c.args[0].name) ? c.args[0].name : null;
  if (handle === null || handle === 'STDOUT' || handle === 'STDERR')
    print(scan, handle === null ? c.args : c.args.slice(1), c.name === 'say' ? '\n' : '');
  return UNKNOWN;
};

const socket: Model = (c, scan) => {
  const port = Number(literal(c.named.get('PeerPort')) ?? Number.NaN);
  const host = c.named.get('PeerAddr') ?? c.named.get('PeerHost');
  if (!host) return UNKNOWN;
  return connect(scan, host, [unknown([], true)], { scheme: 'tcp', ...(Number.isInteger(port) ? { port } : {}) });
};

const rows: readonly Row[] = [
  ['system exec', textOrList],
  ['readpipe', (c, scan) => runShell(scan, c.args[0])],
  ['open sysopen', open],
  [
    'eval',
    (c, scan) => {
      if (c.args[0] && c.args[0].k !== 'map') walkCode(scan, c.args[0]);
      return UNKNOWN;
    },
  ],
  [
    'do require',
    (c, scan) => {
      if (c.args[0]?.k === 'text') touch(scan, 'exec', c.args[0]);
      return UNKNOWN;
    },
  ],
  ['unlink rmdir POSIX.unlink POSIX.rmdir POSIX.remove', onPaths('delete', { follow: false })],
  [
    'rmtree remove_tree File.Path.rmtree File.Path.remove_tree',
    (c, scan) => {
      for (const arg of flat(c.args))
        if (arg.k === 'text' || arg.k === 'any' || arg.k === 'unknown')
          touch(scan, 'delete', arg, { recursive: true, follow: false });
      return UNKNOWN;
    },
  ],
  ['mkdir mkpath make_path File.Path.mkpath File.Path.make_path', onPaths('create', {}, 1)],
  ['rename move File.Copy.move mv', transfer('move')],
  ['copy File.Copy.copy cp', transfer('copy')],
  ['symlink', transfer('link')],
  ['link', transfer('hard-link')],
  ['truncate', onPaths('write', {}, 1)],
  ['utime', (c, scan) => onPaths('write')({ ...c, args: c.args.slice(2) }, scan)],
  [
    'chmod chown',
    (c, scan) => {
      for (const arg of flat(c.args).slice(c.name === 'chown' ? 2 : 1))
        touch(scan, 'chmod', arg, { mode: literal(c.args[0]) ?? '' });
      return UNKNOWN;
    },
  ],
  [
    'chdir',
    (c, scan) => {
      changeDirectory(scan, c.args[0]);
      return UNKNOWN;
    },
  ],
  ['glob', (c, scan) => globbed(c.args[0], scan)],
  [
    'kill',
    (_, scan) => {
      scan.effects.push({ kind: 'process-kill', certain: false });
      return UNKNOWN;
    },
  ],
  ['print say printf', printing],
  ['pack', pack],
  [
    'decode_base64 MIME.Base64.decode_base64 unpack',
    (c, scan) => (c.name === 'unpack' ? UNKNOWN : (tainted('decoded')(c, scan) as Thing)),
  ],
  ['chr', (c) => unknown([...c.args.flatMap(taintsIn), 'decoded'])],
  [
    'get getprint getstore LWP.Simple.get LWP.Simple.getstore LWP.Simple.getprint',
    (c, scan) => {
      if (!/^(?:https?|ftp):/.test(literal(c.args[0]) ?? '')) return UNKNOWN;
      if (c.name.endsWith('getstore')) touch(scan, 'write', c.args[1]);
      return connect(scan, c.args[0], []);
    },
  ],
  ['IO.Socket.INET.new IO.Socket.SSL.new', socket],
  ['shift', (_, scan) => (scan.context.args[0] ? text(scan.context.args[0]) : UNKNOWN)],
  [
    'join',
    (c) => {
      const between = literal(c.args[0]);
      const items = flat(c.args.slice(1));
      if (between === null || !items.every((i) => i.k === 'text')) return unknown(items.flatMap(taintsIn));
      return text(
        items.flatMap((i, at) => [...(at > 0 && between !== '' ? [between] : []), ...(i.k === 'text' ? i.value : [])]),
      );
    },
  ],
];

const methods: readonly Row[] = [
  ['get post put delete head', urlMethod],
  // DBI
  ['do prepare selectall_arrayref selectrow_array', sqlQuery],
  ['new', (c, scan) => (c.recv?.k === 'ref' && /^IO\.Socket/.test(c.recv.name) ? socket(c, scan) : undefined)],
  [
    'remove remove_tree',
    (c: Call, scan) => {
      if (c.recv?.k !== 'text' || c.recv.path !== true) return undefined;
      touch(scan, 'delete', c.recv, { recursive: c.name === 'remove_tree', follow: false });
      return UNKNOWN;
    },
  ],
];

/** Perl's built-in functions and common modules (perlfunc(1)). */
export const perlLibrary: Library = {
  calls: table(rows),
  methods: table(methods),
  names: new Map<string, (scan: Scan) => Thing>([
    ['%ENV', () => ({ k: 'env' })],
    ['$ENV', () => ({ k: 'env' })],
    ['@ARGV', (scan) => ({ k: 'list', items: scan.context.args.map((a) => text(a)) })],
    ['$ARGV', (scan) => ({ k: 'list', items: scan.context.args.map((a) => text(a)) })],
    ['STDIN', () => UNKNOWN],
  ]),
  telling: tellingNames('remove_tree rmtree'),
};
