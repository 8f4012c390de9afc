import { textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, reads, word } from './drafts.ts';
import { namedPrograms } from './named-programs.ts';
import type { Parsed } from './options.ts';
import { decoded, folded, foldedName, inputOf, QUIET, selected } from './streams.ts';
import * as fold from './text-folds.ts';

const NUMBERED = { numeric: true } as const;

/** coreutils and their kin that read text and print it changed. */
export const coreutilsText: readonly Program[] = [
  define({
    names: ['cat', 'gcat'],
    manual: 'cat(1), GNU coreutils',
    summary: 'prints files',
    options:
      'A show-all, b number-nonblank, e, E show-ends, n number, s squeeze-blank, t, T show-tabs, u, v show-nonprinting',
    run: (args, invocation) => {
      const plain = args.flags.every((name) => name === 'u');
      const input = plain ? inputOf(invocation, args.operands) : null;
      return { files: reads(args.operands), ...(input && input.value !== null ? { stdout: input } : {}) };
    },
  }),
  define({
    names: words('bat batcat ccat zcat bzcat xzcat zstdcat lz4cat gzcat glow mdcat'),
    manual: 'bat(1), zcat(1)',
    summary: 'prints files, decompressed or highlighted',
    options:
      'l language:, H highlight-line:, r line-range:, style:, theme:, m map-syntax:, pager:, paging:, tabs:, wrap:, terminal-width:, color:, decorations:, file-name:, p plain, s, w',
    run: (args, invocation) => {
      const pager = args.value('pager');
      const decodes = invocation.name.endsWith('zcat') || /^(bzcat|xzcat|zstdcat|lz4cat)$/.test(invocation.name);
      return {
        files: reads(args.operands),
        ...(decodes ? decoded(invocation, args.operands, () => null) : {}),
        ...(pager ? { nested: [{ kind: 'script', via: `${invocation.name} --pager`, text: pager }] } : {}),
      };
    },
  }),
  define({
    names: ['tac', 'gtac'],
    manual: 'tac(1), GNU coreutils',
    summary: 'prints lines from last to first',
    options: 'b before, r regex, s separator:',
    run: (args, invocation) => ({
      files: reads(args.operands),
      ...(args.flags.length === 0
        ? folded(invocation, args.operands, (text) => fold.fromLines([...fold.linesOf(text)].reverse()))
        : {}),
    }),
  }),
  define({
    names: ['rev'],
    manual: 'rev(1), util-linux',
    summary: 'reverses each line',
    options: '0 zero',
    run: (args, invocation) => ({
      files: reads(args.operands),
      ...folded(invocation, args.operands, (text) => fold.eachLine(text, fold.reverse)),
    }),
  }),
  define({
    names: ['head', 'ghead'],
    manual: 'head(1), GNU coreutils',
    summary: 'prints the first lines',
    options: 'c bytes:, n lines:, q quiet silent, v verbose, z zero-terminated',
    style: NUMBERED,
    run: (args, invocation) => ({
      files: reads(args.operands),
      ...selected(invocation, args.operands, true, (text) => {
        const [bytes, lines] = [word(args.value('c')), word(args.value('n', '#')) || '10'];
        if (args.has('z', 'v') || args.operands.length > 1) return null;
        if (args.has('c')) return /^\d+$/.test(bytes) ? Buffer.from(text).subarray(0, Number(bytes)).toString() : null;
        const count = /^-?\d+$/.test(lines) ? Number(lines) : null;
        return count === null ? null : fold.fromLines(fold.linesOf(text).slice(0, count));
      }),
    }),
  }),
  define({
    names: ['tail', 'gtail'],
    manual: 'tail(1), GNU coreutils',
    summary: 'prints the last lines',
    options:
      'c bytes:, f, follow?, F, n lines:, max-unchanged-stats:, pid:, q quiet silent, retry, s sleep-interval:, v verbose, z, r',
    style: NUMBERED,
    run: (args, invocation) => {
      const paths = args.operands.filter((value) => !/^\+\d+$/.test(word(value)));
      return {
        files: reads(paths),
        ...selected(invocation, paths, true, (text) => {
          const lines = word(args.value('n', '#')) || '10';
          if (args.has('c', 'z', 'v', 'r') || paths.length !== args.operands.length || paths.length > 1) return null;
          const all = fold.linesOf(text);
          if (/^\+\d+$/.test(lines)) return fold.fromLines(all.slice(Math.max(0, Number(lines) - 1)));
          const count = /^-?\d+$/.test(lines) ? Math.abs(Number(lines)) : null;
          return count === null ? null : fold.fromLines(count === 0 ? [] : all.slice(-count));
        }),
      };
    },
  }),
  define({
    names: ['tr', 'gtr'],
    manual: 'tr(1), GNU coreutils',
    summary: 'translates characters',
    options: 'c C complement, d delete, s squeeze-repeats, t truncate-set1, u',
    run: (args, invocation) => ({
      ...foldedName(invocation, [], !/[/.\\]/.test(args.operands[1] ? (textOf(args.operands[1]) ?? '/') : '')),
      ...folded(invocation, [], (text) => translated(args, text)),
    }),
  }),
  define({
    names: ['cut', 'gcut'],
    manual: 'cut(1), GNU coreutils',
    summary: 'prints columns',
    options:
      'b bytes:, c characters:, d delimiter:, f fields:, n, s only-delimited, w, z, complement, output-delimiter:',
    run: (args, invocation) => ({
      files: reads(args.operands),
      ...folded(invocation, args.operands, (text) => columns(args, text)),
    }),
  }),
  define({
    names: ['base64', 'gbase64', 'base32', 'basenc'],
    manual: 'base64(1), base32(1), basenc(1), GNU coreutils; base64(1), macOS',
    summary: 'encodes and decodes',
    options: 'd D decode, i ignore-garbage, w wrap:, b break:, o output:, input:, base64, base64url, base32, base16',
    run: (args, invocation) => {
      // On macOS `-i FILE` names the input, elsewhere `-i` ignores garbage and the word after it is an operand.
      const paths = [...args.operands, ...args.values('input')];
      const files = [...reads(paths), ...drafts('write', args.values('o'))];
      const kind =
        invocation.name === 'basenc' ? args.flags.find((name) => /^base\d+(url)?$/.test(name)) : invocation.name;
      if (args.has('d')) {
        const decode = kind === 'base32' ? fold.decodeBase32 : kind === 'base16' ? fold.decodeHex : fold.decodeBase64;
        return { files, ...decoded(invocation, paths, decode) };
      }
      if (!kind?.endsWith('base64')) return { files };
      const width = args.has('w', 'b') ? Number(word(args.value('w', 'b')) || '76') : 76;
      return { files, ...folded(invocation, paths, (text) => wrapped(Buffer.from(text).toString('base64'), width)) };
    },
  }),
  define({
    names: ['xxd'],
    manual: 'xxd(1)',
    summary: 'shows bytes, and makes bytes of them',
    options:
      'r revert, p ps plain postscript, c cols:, l len:, s seek:, g groupsize:, o:, n name:, e, a, b, d, i, u, E, C, R:',
    run: (args, invocation) => {
      const [input, output] = args.operands;
      const files = [...reads(input ? [input] : []), ...drafts('write', output ? [output] : [])];
      if (!args.has('r')) return { files };
      const decode = args.has('p') ? fold.decodeHex : fold.decodeHexDump;
      return { files, ...decoded(invocation, input ? [input] : [], decode) };
    },
  }),
  define({
    names: ['sort', 'gsort'],
    manual: 'sort(1), GNU coreutils: --compress-program=PROG compresses temporaries with PROG',
    summary: 'sorts lines',
    options:
      'b ignore-leading-blanks, c, check?, C, d dictionary-order, f ignore-case, g general-numeric-sort, h human-numeric-sort, i, k key:, m merge, M month-sort, n numeric-sort, o output:, r reverse, R random-sort, s stable, S buffer-size:, sort:, t field-separator:, T temporary-directory:, u unique, V version-sort, z, batch-size:, compress-program:, debug, files0-from:, parallel:, random-source:',
    run: (args, invocation) => ({
      files: [
        ...reads([...args.operands, ...args.values('files0-from', 'random-source')]),
        ...drafts('write', args.values('o')),
      ],
      ...namedPrograms('sort --compress-program', args.values('compress-program')),
      ...selected(invocation, args.operands, false, (text) => sorted(args, text)),
    }),
  }),
  define({
    names: ['split', 'gsplit', 'csplit', 'gcsplit'],
    manual: 'split(1), csplit(1), GNU coreutils: --filter=COMMAND runs in a shell',
    summary: 'splits a file into pieces',
    options:
      'a suffix-length:, additional-suffix:, b bytes:, C line-bytes:, d, numeric-suffixes?, x, hex-suffixes?, e, filter:, l lines:, n number digits:, t separator:, u, verbose, f prefix:, k keep-files, suffix-format:, s, z',
    style: NUMBERED,
    run: (args, invocation) => {
      const [input, second] = args.operands;
      const csplit = invocation.name.endsWith('csplit');
      const prefix = (csplit ? args.value('f') : second) ?? [csplit ? 'xx' : 'x'];
      const piece: Value = [...prefix, { hole: 'suffix', like: 'name' }];
      const filters = csplit ? [] : args.values('filter');
      return {
        files: [...reads(input ? [input] : []), ...(filters.length > 0 ? [] : [draft('write', piece)])],
        ...namedPrograms('split --filter', filters),
        ...(filters.length > 0 ? {} : { stdout: QUIET }),
      };
    },
  }),
  define({
    names: ['uniq', 'guniq'],
    manual: 'uniq(1), GNU coreutils: the second operand is written',
    summary: 'drops repeated lines',
    options:
      'c count, d repeated, D, f skip-fields:, i ignore-case, s skip-chars:, u unique, w check-chars:, z, group?, all-repeated?',
    run: (args, invocation) => ({
      files: [...reads(args.operands.slice(0, 1)), ...drafts('write', args.operands.slice(1, 2))],
      ...selected(invocation, args.operands.slice(0, 1), false, () => null),
    }),
  }),
];

function translated(args: Parsed, text: string): string | null {
  const [first, second] = args.operands.map((value) => textOf(value));
  if (typeof first !== 'string' || second === null) return null;
  const from = fold.trSet(first);
  const to = second === undefined ? null : fold.trSet(second);
  if (from === null || (second !== undefined && to === null)) return null;
  const options = {
    complement: args.has('c'),
    remove: args.has('d'),
    squeeze: args.has('s'),
    truncate: args.has('t'),
  };
  return fold.translate(text, options, from, to);
}

function columns(args: Parsed, text: string): string | null {
  if (args.has('z', 'complement', 'output-delimiter', 'w')) return null;
  const list = word(args.value('f', 'c', 'b'));
  const chosen = fold.cutList(list);
  if (!chosen) return null;
  if (!args.has('f')) {
    return fold.eachLine(text, (line) => [...line].filter((_char, at) => chosen(at + 1)).join(''));
  }
  const delimiter = args.has('d') ? word(args.value('d')) : '\t';
  if (delimiter.length !== 1) return null;
  const lines = fold.linesOf(text).filter((line) => !args.has('s') || line.includes(delimiter));
  return fold.fromLines(
    lines.map((line) => {
      if (!line.includes(delimiter)) return line;
      return line
        .split(delimiter)
        .filter((_field, at) => chosen(at + 1))
        .join(delimiter);
    }),
  );
}

function sorted(args: Parsed, text: string): string | null {
  if (!args.flags.every((flag) => /^(u|unique|r|reverse)$/.test(flag))) return null;
  const lines = [...fold.linesOf(text)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const kept = args.has('u') ? lines.filter((line, at) => at === 0 || line !== lines[at - 1]) : lines;
  return fold.fromLines(args.has('r') ? kept.reverse() : kept);
}

function wrapped(text: string, width: number): string | null {
  if (!Number.isInteger(width) || width < 0) return null;
  if (width === 0) return text;
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += width) lines.push(text.slice(at, at + width));
  return fold.fromLines(lines);
}
