import type { FileDraft } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { known, knownPrefix, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { draft, drafts, isStdin, reads, word } from './drafts.ts';
import { namedPrograms } from './named-programs.ts';
import { type Grammar, grammar, type Parsed, parseOptions } from './options.ts';
import { below } from './paths.ts';
import { decoded, QUIET } from './streams.ts';

const TAR: Grammar = grammar(
  'A catenate concatenate, c create, d diff compare, delete, r append, t list, test-label, u update, x extract get, check-device, g listed-incremental:, G incremental, ignore-failed-read, level:, n seek, occurrence?, sparse-version:, S sparse, k keep-old-files, keep-newer-files, keep-directory-symlink, no-overwrite-dir, one-top-level?, overwrite, overwrite-dir, recursive-unlink, remove-files, skip-old-files, U unlink-first, W verify, O to-stdout, to-command:, ignore-command-error, atime-preserve?, clamp-mtime, delay-directory-restore, group:, group-map:, mode:, m touch, mtime:, no-delay-directory-restore, no-same-owner, no-same-permissions, numeric-owner, owner:, owner-map:, p preserve-permissions same-permissions, same-owner, s preserve-order, sort:, f file:, force-local, F info-script new-volume-script:, L tape-length:, M multi-volume, rmt-command:, rsh-command:, volno-file:, b blocking-factor:, B read-full-records, i ignore-zeros, record-size:, H format:, V label:, a auto-compress, I use-compress-program:, j bzip2, J xz, lzip, lzma, lzop, no-auto-compress, z gzip gunzip ungzip, Z compress, zstd, add-file:, backup?, C directory:, exclude:, exclude-backups, exclude-caches, exclude-from X:, exclude-ignore:, exclude-tag:, exclude-vcs, exclude-vcs-ignores, h dereference, hard-dereference, K starting-file:, newer-mtime:, no-null, no-recursion, no-unquote, N newer after-date:, one-file-system, P absolute-names, recursion, suffix:, T files-from:, null, verbatim-files-from, anchored, ignore-case, wildcards, wildcards-match-slash, no-wildcards, strip-components strip:, transform xform:, checkpoint?, checkpoint-action:, full-time, index-file:, l check-links, no-quote-chars:, quote-chars:, quoting-style:, R block-number, show-defaults, totals?, utc, v verbose, w interactive confirmation, o, warning:, e',
);

/** Programs that pack and unpack files. */
export const archives: readonly Program[] = [
  define({
    names: ['tar', 'gtar', 'bsdtar', 'star'],
    manual: 'tar(1), GNU tar: the first word may hold options without a dash',
    summary: 'packs and unpacks archives',
    run: (_args, invocation) => {
      const args = parseOptions(spelled(invocation.argv), TAR);
      const outcome = args.has('x')
        ? unpacked(args, invocation)
        : args.has('c', 'r', 'u', 'A')
          ? packed(args)
          : looked(args, invocation);
      return { flags: args.flags, operands: args.operands, ...outcome, ...namedPrograms('tar', runsOf(args)) };
    },
  }),
  define({
    names: ['unzip', 'funzip', 'lsar'],
    manual: 'unzip(1)',
    summary: 'unpacks zip archives',
    options:
      'd:, x, l, v, t, z, p, c, f, u, o, n, q quiet, j, a, b, C, L, M, P:, O:, I:, D no-directory, K, X, s, W, Z, e, k password:, force-overwrite, r',
    run: (args, { name }) => {
      const [archive] = args.operands;
      if (!archive) return {};
      const files = reads([archive]);
      if (name === 'lsar' || args.has('l', 't', 'Z', 'v', 'z')) return { files, stdout: QUIET };
      if (name === 'funzip' || args.has('p', 'c'))
        return { files: [...files, ...reads(args.operands.slice(1))], stdout: { value: null, taints: ['decoded'] } };
      const at = args.value('d') ?? ['.'];
      return { files: [...files, draft('write', at, { recursive: true, partial: true }), ...members(args, at)] };
    },
  }),
  define({
    names: ['unar', 'unrar', 'unace', 'cabextract', 'innoextract', 'unsquashfs'],
    manual: 'unar(1), unrar(1), cabextract(1), unsquashfs(1)',
    summary: 'unpacks archives',
    options:
      'o output-directory:, d directory:, f force force-overwrite, q quiet, p password:, l list, t test, D no-directory, s, r, y, n, k',
    run: (args) => {
      if (args.has('l', 't')) return { files: reads(args.operands), stdout: QUIET };
      const verb = /^[xelvtp]$/.test(word(args.operands[0]));
      const [archive, target] = args.operands.slice(verb ? 1 : 0);
      const at = args.value('o', 'd') ?? (verb ? target : undefined) ?? ['.'];
      return { files: [...reads(archive ? [archive] : []), draft('write', at, { recursive: true, partial: true })] };
    },
  }),
  define({
    names: ['zip', 'zipcloak', 'zipnote', 'zipsplit'],
    manual: 'zip(1): -T -TT COMMAND tests with a command, -m deletes the originals',
    summary: 'packs zip archives',
    options:
      'r recurse-paths, m move, T test, TT unzip-command:, j junk-paths, q quiet, v, u update, f freshen, d delete, x exclude:, i include:, b temp-path:, n suffixes:, P password:, e encrypt, s split-size:, O output-file out:, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, l, y symlinks, X no-extra, D no-dir-entries, FS filesync, sf, g grow, t:, tt:, z, Z:, R recurse-patterns, A, o, S',
    style: { singleDashLong: false },
    run: (args, invocation) => {
      const test = testCommand(invocation.argv);
      const [archive, ...paths] = args.operands.filter((value) => value !== test);
      const recursive = args.has('r', 'R');
      return {
        files: [
          ...reads(
            paths.filter((path) => !isStdin(path)),
            { recursive },
          ),
          ...(args.has('m') ? drafts('delete', paths, { recursive, follow: false }) : []),
          ...drafts('write', args.values('O', 'output-file')),
          ...(archive && !isStdin(archive) && !args.has('sf') ? [draft('write', archive)] : []),
        ],
        ...namedPrograms('zip -TT', test ? [test] : []),
      };
    },
  }),
  define({
    names: [
      'gzip',
      'gunzip',
      'bzip2',
      'bunzip2',
      'xz',
      'unxz',
      'lzma',
      'unlzma',
      'zstd',
      'unzstd',
      'pigz',
      'unpigz',
      'lz4',
      'unlz4',
      'lzop',
      'lzip',
      'compress',
      'uncompress',
      'brotli',
      'pbzip2',
      'pxz',
      'plzip',
      'snzip',
    ],
    manual: 'gzip(1), bzip2(1), xz(1), zstd(1): the original is deleted unless -k or -c',
    summary: 'compresses and decompresses files',
    options:
      'c stdout to-stdout, d decompress uncompress, z compress, f force, k keep, l list, L license, n no-name, N name, q quiet, r recursive, S suffix:, t test, T threads:, v verbose, V version, o output:, D:, rm, 1 fast, 2, 3, 4, 5, 6, 7, 8, 9 best, 0, 19, ultra, long?, j, p processes:, b:, Z, w lgwin:, e, M memlimit:, m',
    style: { numeric: true },
    run: (args, invocation) => compressed(args, invocation),
  }),
  define({
    names: ['7z', '7za', '7zr', '7zz', 'rar', 'p7zip'],
    manual: '7z(1)',
    summary: 'packs and unpacks archives',
    style: { singleDashLong: true },
    run: (args) => {
      const [verb, archive, ...paths] = args.operands;
      const name = word(verb);
      if (!archive) return {};
      const out = args.unknown.find((flag) => /^o./.test(flag));
      if (/^[xe]$/.test(name)) {
        const at: Value = out ? [out.slice(1)] : ['.'];
        return {
          subcommand: name,
          files: [...reads([archive]), draft('write', at, { recursive: true, partial: true })],
        };
      }
      if (/^[audm]$/.test(name)) {
        const gone = args.unknown.some((flag) => flag === 'sdel') ? drafts('delete', paths, { recursive: true }) : [];
        return { subcommand: name, files: [...reads(paths, { recursive: true }), draft('write', archive), ...gone] };
      }
      return { subcommand: name, files: reads([archive]), stdout: QUIET };
    },
  }),
  define({
    names: ['cpio', 'pax'],
    manual: 'cpio(1), pax(1)',
    summary: 'packs and unpacks archives',
    options:
      'i extract, o create, p pass-through, d make-directories, D directory:, u unconditional, v verbose, t list, F file:, I:, O:, E:, H format:, 0 null, m, L, a, A, B, C:, M:, R:, rsh-command:, to-stdout, no-absolute-filenames, r read, w write, f:, s:, b:, k, x:',
    run: (args, { name }) => {
      const { nested: rsh = [], effects = [] } = namedPrograms('cpio', args.values('rsh-command'));
      const archive = args.values('F', 'I', 'O', ...(name === 'pax' ? ['f'] : []));
      const at = args.value('D') ?? args.operands[0] ?? ['.'];
      const into = draft('write', at, { recursive: true, partial: true });
      if (args.has('t') || (args.has('i') && args.has('to-stdout')))
        return { files: reads(archive), nested: rsh, effects };
      if (name === 'pax' && args.has('r') && args.has('w')) {
        const [target] = args.operands.slice(-1);
        return {
          files: [
            ...reads(args.operands.slice(0, -1), { recursive: true }),
            ...drafts('write', target ? [target] : []),
          ],
        };
      }
      if (args.has('p') || args.has('i') || (args.has('r') && !args.has('w')))
        return { files: [...reads(archive), into], nested: rsh, effects };
      return {
        files: [...reads(name === 'pax' ? args.operands : []), ...drafts('write', archive)],
        nested: rsh,
        effects,
      };
    },
  }),
  define({
    names: ['ar', 'gar', 'llvm-ar', 'ranlib', 'strip', 'gstrip', 'objcopy', 'patchelf', 'chrpath', 'upx'],
    manual: 'ar(1), strip(1), objcopy(1): change files in place',
    summary: 'changes object files and libraries',
    options:
      'o output-file:, plugin:, target:, R remove-section:, K keep-symbol:, N strip-symbol:, set-rpath:, add-needed:, set-interpreter:, replace-needed:, j only-section:, O:, I:, B:, g, S, d, x, s',
    run: (args, { name }) => {
      const out = args.values('o');
      if (out.length > 0) return { files: [...reads(args.operands), ...drafts('write', out)] };
      const words = name.endsWith('ar') && name !== 'tar' ? args.operands.slice(1) : args.operands;
      if (/^-?[a-z]*[tp]/.test(word(args.operands[0])) && name.endsWith('ar')) return { files: reads(words) };
      const [archive, ...members] = words;
      if (!archive) return {};
      const target =
        name === 'objcopy' && members.length > 0 ? members.slice(-1) : name.endsWith('ar') ? [archive] : words;
      return { files: [...reads(name === 'objcopy' ? [archive] : members), ...drafts('write', target)] };
    },
  }),
];

/** The argument vector with the dash that an old style first word (`xzf`) leaves out, its values after it. */
function spelled(argv: readonly Value[]): readonly Value[] {
  const [program = [], first, ...rest] = argv;
  const letters = word(first);
  if (letters === '' || letters.startsWith('-')) return argv;
  const out: Value[] = [program];
  let next = 0;
  for (const letter of letters) {
    out.push(known(`-${letter}`));
    if (TAR.options.get(letter)?.takes === 'value') out.push(rest[next++] ?? []);
  }
  return [...out, ...rest.slice(next)];
}

function directoryOf(args: Parsed): Value {
  return args.values('C').reduce<Value>((at, next) => below(at, next), []);
}

function unpacked(args: Parsed, invocation: Invocation): Outcome {
  const archive = args.values('f');
  const files = [...reads(archive), ...reads(args.values('T', 'X'))];
  if (args.has('O'))
    return { files, stdout: { value: null, taints: [...new Set([...invocation.stdin.taints, 'decoded' as const])] } };
  if (args.has('to-command')) return { files };
  const directory = directoryOf(args);
  const root: Value = args.has('P') ? ['/'] : directory.length > 0 ? directory : ['.'];
  const top = args.value('one-top-level');
  const at = top && top.length > 0 ? below(root, top) : root;
  const whole = draft('write', at, { recursive: true, partial: true, force: args.has('recursive-unlink', 'U') });
  return { files: [...files, whole, ...members({ operands: [[], ...args.operands] }, at)] };
}

/** The members that are named after the archive: they land below the directory. */
function members({ operands }: Pick<Parsed, 'operands'>, at: Value): readonly FileDraft[] {
  return operands
    .slice(1)
    .filter((name) => !/[*?[]/.test(knownPrefix(name)) || !/^[*?[]/.test(knownPrefix(name)))
    .map((name) => draft('write', below(at, asPattern(name)), { recursive: true, partial: true }));
}

/** `unzip a.zip 'x/*'`: unzip and tar match the patterns themselves. */
function asPattern(name: Value): Value {
  const text = textOf(name);
  return text !== null && /[*?[]/.test(text) ? [{ glob: text }] : name;
}

function packed(args: Parsed): Outcome {
  const archive = args.values('f').filter((path) => !isStdin(path) && !remote(path));
  const directory = directoryOf(args);
  const sources = args.operands.map((path) => (knownPrefix(path).startsWith('@') ? path : below(directory, path)));
  const gone = args.has('remove-files') ? drafts('delete', sources, { recursive: true, follow: false }) : [];
  const lists = args.values('T', 'X').filter((path) => !isStdin(path));
  const fromList: readonly FileDraft[] = args.has('T')
    ? [draft('read', directory.length > 0 ? directory : ['.'], { recursive: true, partial: true })]
    : [];
  const dests = args
    .values('f')
    .filter(remote)
    .map((address) => ({ address, scheme: 'ssh', sends: 'file' as const }));
  return {
    files: [
      ...reads(sources, { recursive: true }),
      ...reads(lists),
      ...fromList,
      ...drafts('write', archive),
      ...drafts('write', args.values('g', 'index-file')),
      ...gone,
    ],
    dests,
  };
}

function looked(args: Parsed, invocation: Invocation): Outcome {
  if (args.has('delete')) return { files: drafts('write', args.values('f')) };
  return {
    files: reads(args.values('f')),
    stdout: invocation.stdin.taints.length > 0 ? { value: null, taints: invocation.stdin.taints } : QUIET,
  };
}

function remote(path: Value): boolean {
  return /^[^/:]+:/.test(knownPrefix(path));
}

/** The programs that options of tar run. */
function runsOf(args: Parsed): readonly Value[] {
  const texts: Value[] = [...args.values('to-command', 'I', 'F', 'rsh-command', 'rmt-command')];
  for (const value of args.values('checkpoint-action')) {
    const [first, ...rest] = value;
    const exec = typeof first === 'string' ? /^exec=/.exec(first) : null;
    if (exec) texts.push([(first as string).slice(5), ...rest]);
  }
  return texts;
}

function testCommand(argv: readonly Value[]): Value | null {
  const at = argv.findIndex((value) => /^(-[a-zA-Z]*TT|--unzip-command)$/.test(word(value)));
  if (at >= 0) return argv[at + 1] ?? null;
  const joined = argv.find((value) => /^--unzip-command=|^-TT./.test(knownPrefix(value)));
  if (!joined) return null;
  const [first, ...rest] = joined;
  return [(first as string).replace(/^--unzip-command=|^-TT/, ''), ...rest];
}

function compressed(args: Parsed, invocation: Invocation): Outcome {
  const { name } = invocation;
  const decodes = args.has('d') || name.startsWith('un') || /^(gunzip|bunzip2)$/.test(name);
  const toStdout = args.has('c') || args.operands.length === 0;
  const files = reads(args.operands, args.has('r') ? { recursive: true } : {});
  if (args.has('l', 't')) return { files, stdout: QUIET };
  if (toStdout && !args.has('o')) return { files, ...(decodes ? decoded(invocation, args.operands, () => null) : {}) };
  if (args.has('o')) return { files: [...files, ...drafts('write', args.values('o'))] };
  const keeps = args.has('k') || (/^(un)?(zstd|lz4)$|^brotli$/.test(name) && !args.has('rm'));
  const suffix = word(args.value('S')) || SUFFIXES[name.replace(/^un/, '')] || '.gz';
  const targets = args.operands.map((path) => {
    const text = textOf(path);
    if (!decodes) return [...path, suffix];
    return text === null ? path : known(text.replace(/\.(gz|tgz|bz2|xz|lzma|zst|lz4|lzo|lz|Z|br)$/, ''));
  });
  return {
    files: [
      ...files,
      ...drafts('write', targets, args.has('r') ? { recursive: true } : {}),
      ...(keeps ? [] : drafts('delete', args.operands, { follow: false })),
    ],
  };
}

const SUFFIXES: Readonly<Record<string, string>> = {
  bzip2: '.bz2',
  pbzip2: '.bz2',
  xz: '.xz',
  pxz: '.xz',
  lzma: '.lzma',
  zstd: '.zst',
  lz4: '.lz4',
  lzop: '.lzo',
  lzip: '.lz',
  plzip: '.lz',
  compress: '.Z',
  brotli: '.br',
};
