import { asPathThing, flat, isOn, onPaths, type Row, transfer } from './model.ts';
import { connect, readFile, touch } from './notes.ts';
import { expandHome } from './places.ts';
import { print, prints, variable } from './prints.ts';
import { walkCode } from './reader.ts';
import { runProgram, runShell } from './runs.ts';
import { literal, taintsIn, text, UNKNOWN, unknown } from './thing.ts';

export const r: readonly Row[] = [
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
