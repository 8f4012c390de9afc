import { concat, known, type Part, textOf, type Value } from '../../model/value.ts';
import { evaluateSubscript } from '../arithmetic.ts';
import { noteCodeText } from '../assignments.ts';
import { compareNumbers, isNumeric, unaryTest } from '../conditions.ts';
import { ansiText, quoteText } from '../operators.ts';
import { textStream } from '../sinks.ts';
import { hole, lines } from '../state.ts';
import { assignElement, assignText, placeOf } from '../variables.ts';
import { type BuiltinCall, type BuiltinTable, describe, finish, print, readOptions } from './builtin.ts';

function echo(b: BuiltinCall): void {
  let i = 1;
  let newline = true;
  let escapes = b.run.dialect !== 'bash';
  for (; i < b.argv.length; i++) {
    const text = textOf(b.argv[i] as Value);
    if (text === null || !/^-[neE]+$/.test(text)) break;
    if (text.includes('n')) newline = false;
    if (text.includes('e')) escapes = true;
    if (text.includes('E')) escapes = false;
  }
  const words = b.argv.slice(i).map(plain);
  describe(b, newline ? [] : ['n'], b.argv.slice(i));
  const joined = lines(words, ' ');
  const text = escapes ? joined.map((p) => (typeof p === 'string' ? ansiText(p) : p)) : joined;
  print(b, textStream(concat(text, newline ? ['\n'] : [])));
}

/** A pattern that matched nothing, or of which we don't care what it matched, as text. */
function plain(value: Value): Value {
  if (!value.some((p) => typeof p !== 'string' && 'glob' in p)) return value;
  return concat(
    value.map((p): Part => (typeof p !== 'string' && 'glob' in p ? hole(`names that match ${p.glob}`) : p)),
  );
}

function printf(b: BuiltinCall): void {
  const { values, rest } = readOptions(b.argv, 'v');
  const [format, ...args] = rest;
  describe(b, values.has('v') ? ['v'] : [], rest);
  const text = format ? textOf(format) : '';
  const out = text === null ? [hole('output of printf is not known')] : formatted(text, args.map(plain));
  const target = values.get('v');
  if (!target) return print(b, textStream(out));
  const name = textOf(target);
  const element = evaluateSubscript(b.run, b.s, target);
  if (element) assignElement(b.run, b.s, element.name, element.key, out, false);
  else if (name !== null && /^[A-Za-z_]\w*$/.test(name)) {
    assignText(b.run, b.s, name, out, false);
    noteCodeText(b.run, b.s, name);
  }
}

const MAX_ROUNDS = 1000;

/** printf(1): the format is used again while arguments are left. */
function formatted(format: string, args: readonly Value[]): Value {
  const pieces =
    format.match(
      /%(?:%|[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?(?:\([^)]*\))?[hlLjzt]*[A-Za-z])|\\(?:x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|.)|[^%\\]+|[\s\S]/gs,
    ) ?? [];
  const out: Value[] = [];
  let next = 0;
  for (let made = 0; made < MAX_ROUNDS; made++) {
    const before = next;
    for (const piece of pieces) {
      if (piece === '%%') out.push(['%']);
      else if (piece.startsWith('\\')) out.push(known(ansiText(piece)));
      else if (piece.length > 1 && piece.startsWith('%')) {
        if (piece.includes('*')) next++;
        out.push(directive(piece, args[next++] ?? []));
      } else out.push([piece]);
    }
    if (next === before || next >= args.length) return concat(out.flat());
  }
  out.push([hole('more output of printf than is analysed', 'any', 'cut')]);
  return concat(out.flat());
}

function directive(spec: string, arg: Value): Value {
  const kind = spec.at(-1) as string;
  const text = textOf(arg);
  if (text === null) {
    if (kind === 's' || kind === 'b') return arg;
    return kind === 'q' ? arg : [hole('a formatted number', 'name')];
  }
  const match = /^%([-+ #0]*)(\d*)(?:\.(\d*))?/.exec(spec);
  const width = Number(match?.[2] ?? 0);
  const precision = match?.[3] === undefined ? null : Number(match[3]);
  const left = match?.[1]?.includes('-') ?? false;
  const body = convert(kind, text, precision);
  if (body === null) return [hole('a formatted value', 'name')];
  const zero = match?.[1]?.includes('0') && !left && !'sbqc'.includes(kind);
  return known(left ? body.padEnd(width) : body.padStart(width, zero ? '0' : ' '));
}

function convert(kind: string, text: string, precision: number | null): string | null {
  const number = /^[-+]?\d+$/.test(text)
    ? Number(text)
    : text === ''
      ? 0
      : /^0x[0-9a-f]+$/i.test(text)
        ? Number(text)
        : /^['"]/.test(text)
          ? (text.codePointAt(1) ?? 0)
          : null;
  switch (kind) {
    case 's':
      return precision === null ? text : text.slice(0, precision);
    case 'b':
      return ansiText(text);
    case 'q':
      return /^[\w@%+=:,./-]+$/.test(text) ? text : quoteText(text);
    case 'c':
      return text.slice(0, 1);
    case 'd':
    case 'i':
    case 'u':
      return number === null ? null : String(number);
    case 'x':
    case 'X': {
      const hex = number === null ? null : number.toString(16);
      return kind === 'X' ? (hex?.toUpperCase() ?? null) : hex;
    }
    case 'o':
      return number === null ? null : number.toString(8);
    default:
      return null;
  }
}

function pwd(b: BuiltinCall): void {
  print(b, textStream(concat(placeOf(b.run, b.s).value, ['\n'])));
}

/** `test` and `[`: decided where the words decide it. */
function test(b: BuiltinCall): void {
  const words = b.argv.slice(1);
  const last = words.at(-1);
  const operands = textOf(b.argv[0] as Value) === '[' && last && textOf(last) === ']' ? words.slice(0, -1) : words;
  describe(b, [], operands);
  const result = decide(b, operands.map(plain));
  b.s.status = result === null ? 'maybe' : result ? 'ok' : 'fail';
}

function decide(b: BuiltinCall, words: readonly Value[]): boolean | null {
  const [first, second, third] = words;
  if (!first) return false;
  const text = textOf(first);
  if (text === '!' && words.length > 1) {
    const inner = decide(b, words.slice(1));
    return inner === null ? null : !inner;
  }
  if (words.length === 1) return text === null ? null : text !== '';
  if (words.length === 2 && second) return text === null ? null : unaryTest(b.run, b.s, text, second);
  if (words.length === 3 && second && third) return compare(textOf(second), first, third);
  for (const [i, word] of words.entries()) if (textOf(word) === '-v') evaluateSubscript(b.run, b.s, words[i + 1] ?? []);
  return null;
}

function compare(operator: string | null, left: Value, right: Value): boolean | null {
  const [a, c] = [textOf(left), textOf(right)];
  if (operator === null || a === null || c === null) return null;
  if (operator === '=' || operator === '==') return a === c;
  if (operator === '!=') return a !== c;
  const integer = (t: string) => (/^\s*[-+]?\d{1,15}\s*$/.test(t) ? Number(t) : null);
  return isNumeric(operator) ? compareNumbers(operator, integer(a), integer(c)) : null;
}

function umask(b: BuiltinCall): void {
  print(b, textStream([hole('the file mode mask', 'name'), '\n']));
}

export const TEXT_BUILTINS: BuiltinTable = [
  ['echo', echo],
  ['printf', printf],
  ['pwd', pwd],
  ['test', test],
  ['[', test],
  ['true', (b) => finish(b, 'ok')],
  [':', (b) => finish(b, 'ok')],
  ['false', (b) => finish(b, 'fail')],
  ['umask', umask],
];
