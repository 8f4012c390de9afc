import type { FileDraft } from '../model/effect.ts';
import type { Invocation } from '../model/program.ts';
import { known, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, reads, word } from './drafts.ts';
import type { Parsed } from './options.ts';
import { addedLines, patchedContent, patchPaths } from './patch-paths.ts';
import { below } from './paths.ts';
import { contentOf } from './streams.ts';

/** Programs that compare files and apply the difference. */
export const comparison: readonly Program[] = [
  define({
    names: words(
      'diff gdiff colordiff sdiff diff3 wdiff dwdiff icdiff difft difftastic diff-so-fancy diffstat interdiff combinediff filterdiff lsdiff splitdiff ydiff riff meld kdiff3 opendiff dyff jd json-diff',
    ),
    manual: 'diff(1), GNU diffutils',
    summary: 'shows how files differ',
    options:
      'r recursive, q brief, s, u, U unified:, c, C context:, y side-by-side, W width:, N new-file, x exclude:, X exclude-from:, S starting-file:, from-file:, to-file:, I ignore-matching-lines:, F show-function-line:, L label:, D ifdef:, line-format:, old-line-format:, new-line-format:, unchanged-line-format:, color?, palette:, horizon-lines:, tabsize:, a text, b, B, i, w, E, Z, t, T, l paginate, p, d, e ed, n rcs, o output:, merge, m, A, 3, strip-trailing-cr, no-dereference, normal, speed-large-files, H',
    run: (args) => {
      const op = args.has('q') ? 'list' : 'read';
      const paths = [...args.operands, ...args.values('from-file', 'to-file')].filter((path) => word(path) !== '-');
      return {
        files: [
          ...drafts(op, paths, args.has('r') ? { recursive: true, partial: true } : {}),
          ...reads(args.values('X')),
          ...drafts('write', args.values('o')),
        ],
      };
    },
  }),
  define({
    names: ['patch', 'gpatch'],
    manual: 'patch(1), GNU patch',
    summary: 'applies a difference to files',
    options:
      'p strip:, d directory:, i input:, o output:, r reject-file:, R reverse, b backup, B prefix:, z suffix:, Y basename-prefix:, V version-control:, D ifdef:, E remove-empty-files, F fuzz:, f force, t batch, l ignore-whitespace, N forward, n normal, c context, u unified, e ed, s quiet silent, T set-time, Z set-utc, v version, x debug:, g get:, merge?, dry-run, posix, binary, read-only:, follow-symlinks, verbose, no-backup-if-mismatch, backup-if-mismatch, quoting-style:, reject-format:',
    run: (args, invocation) => {
      const [original, patchFile] = args.operands;
      const input = args.value('i') ?? patchFile;
      const files: FileDraft[] = [
        ...reads(input ? [input] : []),
        ...drafts(
          'write',
          args.values('o', 'r').filter((path) => word(path) !== '-'),
        ),
      ];
      if (args.has('dry-run', 'v')) return { files: reads(input ? [input] : []) };
      if (original) files.push(...(args.has('o') ? reads([original]) : [draft('write', original)]));
      else files.push(...patched(args, invocation, input));
      return { files };
    },
  }),
];

/** The files that the patch names if its text is known, else what lies below the directory. */
function patched(args: Parsed, invocation: Invocation, input: Value | undefined): readonly FileDraft[] {
  const directory = args.value('d') ?? [];
  const stream = input ? contentOf(invocation, input) : invocation.stdin;
  const text = stream.value === null ? null : textOf(stream.value);
  const paths = text === null ? [] : patchPaths(text, Number(word(args.value('p'))) || 0);
  if (paths.length === 0)
    return [draft('write', directory.length > 0 ? directory : ['.'], { recursive: true, partial: true })];
  const added = addedLines(text ?? '');
  return paths.map(({ path, op }) => draft(op, below(directory, known(path)), patchedContent(op, added)));
}
