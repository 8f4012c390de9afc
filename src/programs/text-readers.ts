import type { Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { drafts, reads } from './drafts.ts';
import { changedInPlace } from './in-place.ts';

/** Filters that print what they read in another shape: names, options with their values, options that name outputs. */
const READERS: readonly (readonly [names: string, options: string, outputs?: readonly string[]])[] = [
  [
    'nl',
    'b body-numbering:, d section-delimiter:, f footer-numbering:, h header-numbering:, i line-increment:, l join-blank-lines:, n number-format:, p, s number-separator:, v starting-line-number:, w number-width:',
  ],
  ['fold', 'b bytes, s spaces, w width:'],
  ['fmt', 'c crown-margin, p prefix:, s split-only, t tagged-paragraph, u uniform-spacing, w width:, g goal:'],
  [
    'pr',
    'h header:, l length:, o indent:, w width:, W page-width:, e?, i?, n?, s?, S?, N:, D date-format:, a, m, d, f, t, T, v, r, J',
  ],
  ['expand unexpand', 't tabs:, i initial, a all'],
  ['paste', 'd delimiters:, s serial, z zero-terminated'],
  ['join', '1:, 2:, a:, e:, j:, o:, t:, v:, i ignore-case, z, header'],
  ['comm', '1, 2, 3, z, i, output-delimiter:, total, check-order, nocheck-order'],
  [
    'column',
    't table, s separator:, o output-separator:, c output-width:, N table-columns:, R table-right:, H table-hide:, E table-noextreme:, T table-truncate:, W table-wrap:, O table-order:, n table-name:, J json, x fillrows, e, L, l table-columns-limit:, r tree:, i tree-id:, p tree-parent:, d',
  ],
  ['shuf gshuf', 'e echo, i input-range:, n head-count:, o output:, r repeat, z, random-source:', ['o']],
  ['iconv recode', 'f from-code:, t to-code:, o output:, c, s silent, l list', ['o']],
  [
    'strings gstrings',
    'n bytes:, t radix:, e encoding:, T target:, a all, d data, f print-file-name, o, w, s output-separator:, U unicode:',
  ],
  [
    'colrm tsort ptx numfmt look col ul ansi2txt',
    'd delimiter:, from:, to:, field:, format:, padding:, header?, suffix:, b, f, p, x, t:, a',
  ],
  ['figlet toilet lolcat boxes fortune', 'f:, d:, w:, W:, e:, T:, p:, F:, S:'],
  [
    'od god hexdump hd hexyl',
    'A address-radix:, t format:, j skip-bytes:, N read-bytes:, n length:, s skip:, w width?, S strings?, f format-file:, e format-string:, c, b, d, o, x, C canonical, v, a, i, l, endian:, border:, color:',
  ],
];

/** Text filters without effects of their own: they read their operands. */
export const textReaders: readonly Program[] = [
  ...READERS.map(([names, options, outputs = []]) =>
    define({
      names: words(names),
      manual: `${names.split(' ')[0]}(1)`,
      summary: 'reads text, prints it in another shape',
      options,
      style: { numeric: true },
      run: (args) => ({
        files: [
          ...reads([...args.operands, ...args.values('random-source', 'format-file')]),
          ...drafts(
            'write',
            outputs.flatMap((option) => args.values(option)),
          ),
        ],
      }),
    }),
  ),
  define({
    names: ['uudecode', 'uuencode'],
    manual: 'uuencode(1), sharutils',
    summary: 'encodes and decodes',
    options: 'o:, m, p, i, r, s',
    run: (args, { name }) => {
      const content: Value = [{ hole: 'decoded by uudecode', like: 'any', taint: 'decoded' }];
      return {
        files: [...reads(args.operands), ...drafts('write', args.values('o'), { content })],
        ...(name === 'uudecode' ? { stdout: { value: null, taints: ['decoded'] } } : {}),
      };
    },
  }),
  define({
    names: ['dos2unix', 'unix2dos', 'mac2unix', 'unix2mac'],
    manual: 'dos2unix(1): files are changed in place; -n writes the second of each pair',
    summary: 'changes line ends',
    options:
      'n newfile, o oldfile, c convmode:, k keepdate, q quiet, i info?, f force, l newline, e add-eol, O to-stdout, s safe, F follow-symlink',
    run: (args, invocation) => {
      if (args.has('i', 'O')) return { files: reads(args.operands) };
      const written = args.has('n') ? args.operands.filter((_path, at) => at % 2 === 1) : args.operands;
      return {
        files: [
          ...reads(args.operands.filter((path) => !args.has('n') || !written.includes(path))),
          ...(args.has('n') ? drafts('write', written) : changedInPlace(invocation, written, (text) => text)),
        ],
      };
    },
  }),
];
