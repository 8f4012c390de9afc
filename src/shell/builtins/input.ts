import { concat, known, type Part, taintsOf, textOf, type Value } from '../../model/value.ts';
import { evaluateSubscript } from '../arithmetic.ts';
import { noteCodeText } from '../assignments.ts';
import { descriptor } from '../redirections.ts';
import { streamValue } from '../sinks.ts';
import { type Descriptor, hole, worse } from '../state.ts';
import { assignElement, assignList, assignText, readText } from '../variables.ts';
import { type BuiltinCall, type BuiltinTable, describe, readOptions } from './builtin.ts';
import { runLater } from './code.ts';

function inputOf(b: BuiltinCall, from: Value | undefined): Descriptor {
  const n = from ? Number(textOf(from) ?? 0) : 0;
  return descriptor(b.s, Number.isInteger(n) ? n : 0);
}

/** `read`: takes the next line, splits it into the names. */
function read(b: BuiltinCall): void {
  const { flags, values, rest } = readOptions(b.argv, 'adinNptu');
  describe(b, flags, rest);
  const input = inputOf(b, values.get('u'));
  const array = values.get('a');
  const names = rest.map((w) => textOf(w));
  const delimiter = values.get('d');
  const line = takeLine(input, delimiter ? (textOf(delimiter) ?? '\n') : '\n', values.has('n') || values.has('N'));
  if (line === undefined) return unknownLine(b, input, names, array);
  b.s.status = line === null ? 'fail' : 'ok';
  const text = line ?? [];
  const clean = flags.has('r')
    ? text
    : text.map((p) => (typeof p === 'string' ? p.replace(/\\\n/g, '').replace(/\\(.)/gs, '$1') : p));
  if (array) {
    const words = split(b, clean, 0);
    return assignList(
      b.run,
      b.s,
      textOf(array) ?? 'REPLY',
      words.map((value) => ({ key: null, value })),
      { append: false, assoc: false, open: false },
    );
  }
  if (names.length === 0) return assignText(b.run, b.s, 'REPLY', clean, false);
  const words = split(b, clean, names.length);
  names.forEach((name, i) => {
    give(b, name, rest[i] as Value, words[i] ?? []);
  });
}

/** Null: at the end. Undefined: not known. */
function takeLine(input: Descriptor, delimiter: string, counted: boolean): Value | null | undefined {
  const { value } = input.stream;
  if (value === null || counted) return undefined;
  const end = delimiter === '' ? '\0' : (delimiter[0] as string);
  const { cursor } = input;
  if (cursor.split?.of !== value || cursor.split.end !== end)
    cursor.split = { of: value, end, lines: splitLines(value, end) };
  const line = cursor.split.lines[cursor.lines];
  if (line === undefined) return null;
  cursor.lines++;
  return line.length === 1 && typeof line[0] !== 'string' && line[0] && 'hole' in line[0] && line[0].like === 'any'
    ? undefined
    : line;
}

function splitLines(value: Value, end: string): readonly Value[] {
  const lines: Part[][] = [[]];
  for (const part of value) {
    if (typeof part !== 'string') {
      (lines[lines.length - 1] as Part[]).push(part);
      continue;
    }
    part.split(end).forEach((text, i) => {
      if (i > 0) lines.push([]);
      if (text !== '') (lines[lines.length - 1] as Part[]).push(text);
    });
  }
  if (lines[lines.length - 1]?.length === 0) lines.pop();
  return lines.map((l) => concat(l));
}

/** Words of a line by IFS; the last of `count` takes the rest (0: no limit). */
function split(b: BuiltinCall, line: Value, count: number): readonly Value[] {
  const ifsValue = readText(b.run, b.s, 'IFS');
  const ifs = ifsValue === null ? ' \t\n' : (textOf(ifsValue) ?? ' \t\n');
  const text = textOf(line);
  if (text === null) {
    const words: Value[] = [];
    for (let i = 0; i < Math.max(1, count); i++) words.push(count === 1 ? line : [fromLine(line)]);
    return words;
  }
  if (ifs === '') return [line];
  const white = [...ifs].filter((c) => ' \t\n'.includes(c)).join('');
  const words: string[] = [];
  let rest = trim(text, white);
  while (rest !== '' && (count === 0 || words.length < count - 1)) {
    let i = 0;
    while (i < rest.length && !ifs.includes(rest[i] as string)) i++;
    words.push(rest.slice(0, i));
    rest = trimStart(rest.slice(i), white);
    if (rest !== '' && ifs.includes(rest[0] as string)) rest = trimStart(rest.slice(1), white);
    if (i === 0 && rest === '') break;
  }
  if (count > 0 && rest !== '') words.push(rest);
  return words.map(known);
}

function trimStart(text: string, white: string): string {
  let i = 0;
  while (i < text.length && white.includes(text[i] as string)) i++;
  return text.slice(i);
}

function trim(text: string, white: string): string {
  let end = text.length;
  while (end > 0 && white.includes(text[end - 1] as string)) end--;
  return trimStart(text.slice(0, end), white);
}

function fromLine(line: Value): Part {
  const taints = taintsOf(line);
  let taint = taints[0];
  for (const t of taints) taint = worse(taint, t);
  return hole('a word of a line that is not known', 'any', taint);
}

function give(b: BuiltinCall, name: string | null, word: Value, value: Value): void {
  if (name !== null && /^[A-Za-z_]\w*$/.test(name)) {
    assignText(b.run, b.s, name, value, false);
    return noteCodeText(b.run, b.s, name);
  }
  const element = evaluateSubscript(b.run, b.s, word);
  if (element) assignElement(b.run, b.s, element.name, element.key, value, false);
}

function unknownLine(
  b: BuiltinCall,
  input: Descriptor,
  names: readonly (string | null)[],
  array: Value | undefined,
): void {
  b.s.status = 'maybe';
  const [part] = streamValue({ value: null, taints: input.stream.taints }, 'a line that is read is not known') as [
    Part,
  ];
  if (array)
    return assignList(b.run, b.s, textOf(array) ?? 'REPLY', [{ key: null, value: [part] }], {
      append: false,
      assoc: false,
      open: true,
    });
  if (names.length === 0) return assignText(b.run, b.s, 'REPLY', [part], false);
  names.forEach((name, i) => {
    give(b, name, b.argv[b.argv.length - names.length + i] as Value, [part]);
  });
}

/** `mapfile`: the lines of a stream as an array. */
function mapfile(b: BuiltinCall): void {
  const { flags, values, rest } = readOptions(b.argv, 'dnOsuCc');
  describe(b, flags, rest);
  const name = rest[0] ? (textOf(rest[0]) ?? 'MAPFILE') : 'MAPFILE';
  const input = inputOf(b, values.get('u'));
  const delimiter = values.get('d');
  const callback = values.get('C');
  if (callback) {
    // The index and the line, quoted, come behind it (bash(1), "mapfile").
    const line = streamValue({ value: null, taints: input.stream.taints }, 'a line that is read is not known');
    const index: Value = [{ hole: 'the index of a line', like: 'name' }];
    runLater(b, concat(callback, known(' "'), index, known('" "'), line, known('"')), 'mapfile');
  }
  const { value, taints } = input.stream;
  if (value === null || textOf(value) === null) {
    const unknown = streamValue({ value: null, taints }, 'a line that is read is not known');
    return assignList(b.run, b.s, name, [{ key: null, value: unknown }], { append: false, assoc: false, open: true });
  }
  const lines = splitLines(value, delimiter ? (textOf(delimiter)?.[0] ?? '\0') : '\n');
  const entries = lines.map((line) => ({ key: null, value: flags.has('t') ? line : concat(line, ['\n']) }));
  assignList(b.run, b.s, name, entries, { append: false, assoc: false, open: false });
}

export const INPUT_BUILTINS: BuiltinTable = [
  ['read', read],
  ['mapfile', mapfile],
  ['readarray', mapfile],
];
