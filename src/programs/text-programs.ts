import type { FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { concat, known, type Stream, type Taint, taintsOf, type Value } from '../model/value.ts';
import { scanAwk } from './awk-program.ts';
import { define, type Program } from './define.ts';
import { draft, drafts, effect, reads, word } from './drafts.ts';
import { changedInPlace } from './in-place.ts';
import { codeFrom } from './interpreter.ts';
import type { Parsed } from './options.ts';
import { processIds } from './process-ids.ts';
import { isSecretName } from './secret-names.ts';
import { foldSed, insertedBySed } from './sed-fold.ts';
import { scanSed } from './sed-script.ts';
import { assignmentOf } from './split-value.ts';
import { contentOf, folded, foldedName } from './streams.ts';

/** sed and awk: programs whose text can write files and run commands. */
export const textPrograms: readonly Program[] = [
  define({
    names: ['sed', 'gsed', 'ssed'],
    manual: 'sed(1), GNU sed; sed(1), BSD: `-i` takes the suffix as a word',
    summary: 'edits streams and files',
    options:
      'n quiet silent, e expression:, f file:, E r regexp-extended, i in-place?, I?, l line-length:, s separate, u unbuffered, z null-data, a, posix, debug, sandbox, follow-symlinks, b binary',
    run: (args, invocation) => {
      const given = args.given.filter(({ name }) => name === 'e' || name === 'f');
      // BSD: `sed -i '' 's/…/…/' FILE`.
      const operands = args.has('i', 'I') && args.operands[0]?.length === 0 ? args.operands.slice(1) : args.operands;
      const paths = given.length > 0 ? operands : operands.slice(1);
      const scripts = given.length > 0 ? given : [{ name: 'e', value: operands[0] ?? [] }];
      const text = scripts
        .map(({ name, value }) => flat(name === 'f' ? contentOf(invocation, value).value : value))
        .join('\n');
      const found = scanSed(text);
      const files = [
        ...reads(scripts.filter(({ name }) => name === 'f').map(({ value }) => value)),
        ...reads([...paths, ...found.reads.map(known)]),
        ...(args.has('i', 'I')
          ? [...backups(word(args.value('i', 'I')), paths), ...edited(invocation, paths, text, args)]
          : []),
        ...drafts('write', found.writes.filter(isFile).map(named)),
      ];
      const nested = found.commands.map((line): Nested => ({ kind: 'script', via: 'sed e', text: named(line) }));
      const plain = !args.has('i', 'I', 'n', 's', 'z') && found.writes.length + found.reads.length === 0;
      const letters =
        plain && /^s([/|,#])(?:(?!\1)[^\\/\n]|\\[.+*?()$^])*\1(?:(?!\1)[^\\/\n.&]|\.(?!\.)|\\\d|&)*\1g?$/.test(text);
      const printed = plain
        ? {
            ...foldedName(invocation, paths, letters),
            ...folded(invocation, paths, (input) => foldSed(text, input, args.has('E'))),
          }
        : {};
      if (!found.runsInput || args.has('sandbox')) return { files, nested, ...printed };
      return { files, nested, effects: [runsInput(invocation.stdin.taints)], opaque: true };
    },
  }),
  define({
    names: ['awk', 'gawk', 'mawk', 'nawk', 'original-awk', 'bwk', 'goawk', 'frawk'],
    manual: 'awk(1), POSIX; gawk(1)',
    summary: 'runs awk programs',
    options:
      'F field-separator:, v assign:, f file:, b, c, C, d dump-variables?, D debug?, e source:, E exec:, g, h, i include:, I, k csv, l load:, L lint?, M, n, N, o pretty-print?, O, p profile?, P posix, r, s, S sandbox, t, V version, W:',
    run: (args, invocation) => {
      const sources = [...args.values('f', 'E')];
      const texts = args.values('e');
      const inline = sources.length + texts.length === 0 ? args.operands.slice(0, 1) : [];
      const rest = args.operands.slice(inline.length);
      const paths = rest.filter((value) => !assignmentOf(value));
      const code = [...inline, ...texts]
        .map(flat)
        .concat(sources.map((path) => flat(contentOf(invocation, path).value)));
      const given = [...args.values('v'), ...rest].map(assignmentOf).filter((pair) => pair !== null);
      const found = scanAwk(code.join('\n'), new Map(given));
      const inPlace = args.values('i').some((value) => word(value).startsWith('inplace'));
      return {
        files: [
          ...reads([...sources, ...paths, ...found.reads]),
          ...drafts(
            'write',
            args.values('o', 'p', 'd').filter((path) => path.length > 0),
          ),
          ...drafts('write', found.writes),
          ...(inPlace ? changedInPlace(invocation, paths, () => null, insertedByAwk(code.join('\n'))) : []),
        ],
        effects: [
          ...codeFrom(taintsOf(inline[0] ?? []), invocation.name),
          ...found.environment
            .filter((name) => name === null || isSecretName(name))
            .map((name) => ({
              kind: 'secret-read' as const,
              target: name ?? 'environment',
              detail: 'awk prints variables',
            })),
        ],
        dests: found.connects.map((address) => ({ address: [address], scheme: 'tcp', sends: 'text' })),
        nested: found.commands.map((text) => ({
          kind: 'script',
          via: invocation.name,
          text: tainted(text, invocation.stdin),
        })),
        ...(args.has('l') ? { opaque: true } : {}),
        ...(paths.length === 0 ? processIds(invocation.stdin, code.join('\n')) : {}),
      };
    },
  }),
  define({
    names: ['perl-rename', 'rename', 'prename', 'file-rename', 'vidir', 'mmv', 'zmv'],
    manual: 'rename(1), util-linux and perl: names of files are changed',
    summary: 'renames many files',
    options: 'v verbose, n nono no-act, f force, e:, d, 0, i interactive, s symlink, o no-overwrite, a all, l last',
    run: (args) => {
      const paths = args.operands.slice(args.has('e') ? 0 : 1);
      if (args.has('n')) return { files: reads([]) };
      return { files: paths.map((path) => draft('move', path, { follow: false })) };
    },
  }),
];

/** `sed -i`: each file by itself, so that `$` is its own last line. */
function edited(inv: Invocation, paths: readonly Value[], program: string, args: Parsed): readonly FileDraft[] {
  const fold = (text: string) => (args.has('n', 'z') ? null : foldSed(program, text, args.has('E')));
  return changedInPlace(inv, paths, fold, insertedBySed(program));
}

/** Literals of an awk program: what it prints may be one of them. */
function insertedByAwk(program: string): string {
  return [...program.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1]).join('\n');
}

/** What a program makes of its input came from where the input came from. */
function tainted(text: Value, { taints }: Stream): Value {
  const taint = (['network', 'decoded'] as const).find((one) => taints.includes(one));
  if (!taint) return text;
  return text.map((part) => (typeof part !== 'string' && 'hole' in part && !part.taint ? { ...part, taint } : part));
}

/** Text with a private-use character for each unknown part: what stands there can't be a command of ours. */
function flat(value: Value | null): string {
  return (value ?? []).map((part) => (typeof part === 'string' ? part : '\ue000')).join('');
}

/** The other way round: a name with a hole where the unknown stood. */
function named(text: string): Value {
  const pieces = text
    .split('\ue000')
    .flatMap((piece, at): Value[] =>
      at === 0 ? [known(piece)] : [[{ hole: 'part of the program', like: 'any' }], known(piece)],
    );
  return concat(pieces.flat());
}

/** `sed -i.bak` keeps the old file under a new name; `*` in the suffix stands for the file's own name. */
function backups(suffix: string, paths: readonly Value[]): NonNullable<Outcome['files']> {
  if (suffix === '' || suffix.includes('*')) return [];
  return drafts(
    'create',
    paths.map((path) => concat(path, [suffix])),
  );
}

function isFile(name: string): boolean {
  return !/^\/dev\/(stdout|stderr|null)$/.test(name);
}

function runsInput(taints: readonly Taint[]): NonNullable<Outcome['effects']>[number] {
  if (taints.includes('network')) return effect('exec-remote', 'sed', 'sed runs lines from the network');
  if (taints.includes('decoded')) return effect('exec-decoded', 'sed', 'sed runs decoded lines');
  return effect('exec-unknown', 'sed', 'sed runs its lines as commands (e)');
}
