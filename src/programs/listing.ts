import type { Invocation } from '../model/program.ts';
import { concat, known, render, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { drafts, isStdin } from './drafts.ts';
import { strangeCode } from './named-programs.ts';
import type { Parsed } from './options.ts';
import { isDirectory } from './paths.ts';
import { NOTHING, printed, QUIET } from './streams.ts';

/** Programs that show names and attributes of files, never their contents. */
export const listing: readonly Program[] = [
  define({
    names: ['ls', 'gls', 'dir', 'vdir', 'exa', 'eza', 'lsd'],
    manual: 'ls(1), GNU coreutils; eza(1)',
    summary: 'lists directories',
    options:
      'I ignore:, w width:, T tabsize:, block-size:, color?, colour?, format:, hide:, indicator-style:, quoting-style:, sort:, time:, time-style:, level:, ignore-glob:, R recursive tree, d directory list-dirs, a all, l long, i inode, s size',
    run: (args, invocation) => ({
      files: drafts('list', args.operands.length > 0 ? args.operands : [known('.')], { recursive: args.has('R') }),
      stdout: args.has('R', 'l', 'i', 's') ? QUIET : printed(namesListed(args, invocation)),
    }),
  }),
  define({
    names: ['stat', 'gstat'],
    manual: 'stat(1), GNU coreutils; stat(1), macOS',
    summary: 'shows attributes',
    options: 'c format f:, printf:, t:, L dereference, file-system, terse, cached:',
    run: (args) => ({ files: drafts('list', args.operands), stdout: QUIET }),
  }),
  define({
    names: words('tree du gdu dust ncdu broot dutree cloc tokei scc sloccount'),
    manual: 'tree(1), du(1), cloc(1), tokei(1), scc(1)',
    summary: 'lists trees and their sizes',
    options:
      'L level:, P:, I:, d max-depth:, e exclude:, X exclude-from:, t threshold:, B block-size:, charset:, filelimit:, vcs:, exclude-dir:, include-lang:, f format:, sort:, timefmt:, o:, out:, json, s, h, a, c, q quiet, include-ext:, match-d:, files0-from:',
    run: (args) => ({
      files: [
        ...drafts('read', withoutStdin(args.values('files0-from'))),
        ...drafts('list', args.operands.length > 0 ? args.operands : [known('.')], { recursive: true }),
        ...drafts('write', args.values('o', 'out')),
      ],
      stdout: QUIET,
    }),
  }),
  define({
    names: words('df gdf duf lsblk blkid findmnt mountpoint lsusb lspci lscpu lsmem lsmod'),
    manual: 'df(1), lsblk(8), findmnt(8)',
    summary: 'shows disks and devices',
    run: () => ({ stdout: QUIET }),
  }),
  define({
    names: words(
      'file readelf size ldd otool nm gnm mdls identify mediainfo ffprobe getfattr getfacl lsattr pathchk namei getcap',
    ),
    manual: 'file(1), readelf(1), nm(1), size(1), ldd(1)',
    summary: 'shows what kind of file it is',
    options: 'f files-from:, m magic-file:, e:, F separator:, p:, x:, j:, n:, d, t radix:',
    run: (args, inv) => ({
      // ldd may run the program, with the loader that it names (ldd(1), Security).
      effects: inv.name === 'ldd' ? strangeCode(inv, args.operands) : [],
      // Names that don't exist are printed: a list of names that is none shows its lines.
      files: [
        ...drafts('list', args.operands),
        ...(inv.name === 'file' ? drafts('read', withoutStdin(args.values('f', 'm'))) : []),
      ],
      stdout: QUIET,
    }),
  }),
  define({
    names: ['wc', 'gwc'],
    manual: 'wc(1), GNU coreutils',
    summary: 'counts lines, words, bytes',
    options: 'l lines, w words, c bytes, m chars, L max-line-length, files0-from:, total:',
    run: (args) => ({
      files: [
        ...drafts('list', withoutStdin(args.operands)),
        ...drafts('read', withoutStdin(args.values('files0-from'))),
      ],
      stdout: QUIET,
    }),
  }),
  define({
    names: words(
      'cksum sum b2sum b3sum md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum gsha256sum shasum cmp crc32 xxhsum xxh64sum rhash',
    ),
    manual: 'cksum(1), sha256sum(1), GNU coreutils; cmp(1)',
    summary: 'check sums and comparison',
    options: 'c check, l length?, verbose, a algorithm:, n bytes:, i ignore-initial:, s:, b, t, q, w, z',
    run: (args, { name }) => ({
      files: drafts(
        (name === 'cmp' ? args.has('l', 'verbose', 'b') : args.has('c')) ? 'read' : 'list',
        withoutStdin(args.operands),
      ),
      stdout: QUIET,
    }),
  }),
  define({
    names: ['test', '['],
    manual: 'test(1), POSIX',
    summary: 'compares and looks',
    run: (_args, { argv }) => {
      const verdict = compared(
        argv.slice(1).map((value) => (value.every((p) => typeof p === 'string') ? value.join('') : null)),
      );
      return { stdout: NOTHING, ...(verdict === null ? {} : { succeeds: verdict }) };
    },
  }),
];

/** What ls prints: operands that are files or patterns as they are, names of what lies in directories. */
function namesListed(args: Parsed, invocation: Invocation): Value {
  if (args.operands.length === 0) return [{ glob: '*' }, '\n'];
  const lines = args.operands.map((path): Value => {
    const pattern = path.some((part) => typeof part !== 'string' && 'glob' in part);
    if (args.has('d') || pattern || !isDirectory(invocation, path)) return path;
    return textOf(path) === '.' ? [{ glob: '*' }] : [{ hole: `name in ${render(path)}`, like: 'name' }];
  });
  return concat(lines.flatMap((line) => [...line, '\n']));
}

function withoutStdin(paths: readonly Value[]): readonly Value[] {
  return paths.filter((path) => !isStdin(path));
}

/** The verdict of a comparison of known texts; files are not asked, they may change while the call runs. */
function compared(words: readonly (string | null)[]): boolean | null {
  const list = words.at(-1) === ']' ? words.slice(0, -1) : [...words];
  const turned = list[0] === '!' && list.length > 2;
  const verdict = verdictOf(turned ? list.slice(1) : list);
  return verdict === null || !turned ? verdict : !verdict;
}

function verdictOf(words: readonly (string | null)[]): boolean | null {
  const [a, operator, b] = words;
  if (words.length === 0) return false;
  if (words.length === 1) return a === null || a === undefined ? null : a !== '';
  if (words.length === 2 && operator !== null && operator !== undefined) {
    if (a === '-n') return operator !== '';
    if (a === '-z') return operator === '';
  }
  if (words.length !== 3 || a === null || b === null || a === undefined || b === undefined) return null;
  if (operator === '=' || operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  const [x, y] = [integer(a), integer(b)];
  if (x === null || y === null) return null;
  if (operator === '-eq') return x === y;
  if (operator === '-ne') return x !== y;
  if (operator === '-lt') return x < y;
  if (operator === '-le') return x <= y;
  if (operator === '-gt') return x > y;
  return operator === '-ge' ? x >= y : null;
}

function integer(text: string): number | null {
  return /^\s*[+-]?\d{1,15}\s*$/.test(text) ? Number(text) : null;
}
