import { httpMethods, urlMethod } from './library-http.ts';
import {
  decoder,
  flat,
  fromBase64,
  fromHex,
  onPaths,
  type Row,
  sqlQuery,
  table,
  tainted,
  tellingNames,
  transfer,
} from './model.ts';
import { changeDirectory, connect, fill, readFile, touch } from './notes.ts';
import { globbed, namesIn } from './places.ts';
import { print, variable } from './prints.ts';
import { walkCode } from './reader.ts';
import { runProgram, runShell } from './runs.ts';
import type { Library, Model, Scan } from './scan.ts';
import { literal, type Thing, taintsIn, text, UNKNOWN, unknown } from './thing.ts';

const isUrl = (thing: Thing | undefined): boolean => /^(?:https?|ftp):\/\//.test(literal(thing) ?? '');

const read: Model = (c, scan) => {
  if (isUrl(c.args[0])) return connect(scan, c.args[0], []);
  if (literal(c.args[0]) === 'php://stdin') return unknown(scan.context.stdin.taints);
  return readFile(scan, c.args[0]);
};

const rows: readonly Row[] = [
  ['system exec shell_exec passthru popen', (c, scan) => runShell(scan, c.args[0])],
  ['proc_open', (c, scan) => (c.args[0]?.k === 'list' ? runProgram(scan, c.args[0].items) : runShell(scan, c.args[0]))],
  ['pcntl_exec', (c, scan) => runProgram(scan, flat(c.args))],
  [
    'eval assert create_function',
    (c, scan) => {
      const code = c.args[c.name === 'create_function' ? 1 : 0];
      if (c.name !== 'assert' || code?.k === 'text') walkCode(scan, code);
      return UNKNOWN;
    },
  ],
  [
    'include include_once require require_once',
    (c, scan) => {
      if (isUrl(c.args[0])) {
        connect(scan, c.args[0], []);
        scan.effects.push({ kind: 'exec-remote', detail: 'includes code from the network', certain: false });
      }
      return UNKNOWN;
    },
  ],
  ['unlink rmdir', onPaths('delete', { follow: false }, 1)],
  ['mkdir touch', onPaths('create', {}, 1)],
  [
    'file_put_contents',
    (c, scan) => {
      if (isUrl(c.args[0])) return connect(scan, c.args[0], [c.args[1]]);
      touch(scan, 'write', c.args[0]);
      if (c.args[0]?.k === 'text') fill(scan, c.args[0].value, c.args[1]);
      return UNKNOWN;
    },
  ],
  ['file_get_contents file readfile parse_ini_file', read],
  [
    'fopen',
    (c, scan) => {
      if (isUrl(c.args[0])) return connect(scan, c.args[0], []);
      const writes = /[waxc+]/.test(literal(c.args[1]) ?? 'r');
      if (writes && !/^php:/.test(literal(c.args[0]) ?? '')) touch(scan, 'write', c.args[0]);
      else if (!writes) return read(c, scan);
      return UNKNOWN;
    },
  ],
  ['rename', transfer('move')],
  ['copy', transfer('copy')],
  ['symlink', transfer('link')],
  ['link', transfer('hard-link')],
  [
    'chmod chown chgrp',
    (c, scan) => {
      touch(scan, 'chmod', c.args[0], { mode: literal(c.args[1]) ?? '' });
      return UNKNOWN;
    },
  ],
  ['getenv', (c, scan) => (c.args[0] ? variable(scan, c.args[0]) : { k: 'env' })],
  [
    'chdir',
    (c, scan) => {
      changeDirectory(scan, c.args[0]);
      return UNKNOWN;
    },
  ],
  ['glob', (c) => globbed(c.args[0])],
  ['scandir', namesIn],
  ['sys_get_temp_dir', () => text('/tmp')],
  ['getcwd', (_, scan) => text(scan.context.cwd)],
  [
    'echo print print_r var_dump var_export printf',
    (c, scan) => {
      print(scan, c.args, '');
      return UNKNOWN;
    },
  ],
  ['base64_decode', decoder(fromBase64)],
  ['hex2bin', decoder(fromHex)],
  ['gzinflate gzuncompress gzdecode str_rot13 convert_uudecode unserialize', tainted('decoded')],
  [
    'json_encode json_decode serialize',
    (c) => (c.args[0]?.k === 'env' ? c.args[0] : unknown(c.args.flatMap(taintsIn))),
  ],
  ['curl_init', (c, scan) => (c.args[0] ? connect(scan, c.args[0], []) : UNKNOWN)],
  [
    'curl_setopt',
    (c, scan) => {
      const name = c.args[1]?.k === 'ref' ? c.args[1].name : '';
      if (name === 'CURLOPT_URL') connect(scan, c.args[2], []);
      if (name === 'CURLOPT_POSTFIELDS') connect(scan, UNKNOWN, [c.args[2]], { method: 'POST' });
      return UNKNOWN;
    },
  ],
  [
    'fsockopen pfsockopen stream_socket_client',
    (c, scan) => {
      const port = Number(literal(c.args[1]) ?? Number.NaN);
      return connect(scan, c.args[0], [unknown([], true)], {
        scheme: 'tcp',
        ...(Number.isInteger(port) ? { port } : {}),
      });
    },
  ],
  ['mail', (c, scan) => connect(scan, c.args[0], c.args.slice(1), { scheme: 'smtp' })],
  [
    'posix_kill',
    (_, scan) => {
      scan.effects.push({ kind: 'process-kill', certain: false });
      return UNKNOWN;
    },
  ],
  ...httpMethods(['Http']),
];

/** PHP's functions (php.net/manual). */
export const phpLibrary: Library = {
  calls: table(rows),
  methods: table([
    ['get post put delete patch', urlMethod],
    ['query exec statement unprepared', sqlQuery],
  ]),
  names: new Map<string, (scan: Scan) => Thing>([
    ['$_ENV', () => ({ k: 'env' })],
    ['$_SERVER', () => ({ k: 'env' })],
    ['$argv', (scan) => ({ k: 'list', items: [UNKNOWN, ...scan.context.args.map((a) => text(a))] })],
  ]),
  telling: tellingNames('shell_exec'),
};
