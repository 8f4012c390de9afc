import type { ArithmeticExpression, ArithmeticWord } from 'unbash';
import { known, type Part, textOf, type Value } from '../model/value.ts';
import { parseShell } from './parse.ts';
import { toValue } from './pieces.ts';
import { expandText } from './prompts.ts';
import type { Run } from './run.ts';
import { fromMarks } from './source.ts';
import { hole, type State } from './state.ts';
import { runSubstitution } from './substitution.ts';
import { assignElement, assignText, isAssociative, readElement, readText } from './variables.ts';

const MAX_DEPTH = 200;

/**
 * Evaluates a shell expression; null if the number is not known. Texts of variables are expressions in turn, and a
 * subscript in them runs its command substitutions (bash evaluates `x='a[$(cmd)]'; $((x))` that way).
 */
export function evaluate(run: Run, s: State, node: ArithmeticExpression | undefined, depth = 0): number | null {
  if (!node) return 0;
  if (depth > MAX_DEPTH) return null;
  switch (node.type) {
    case 'ArithmeticWord':
      return wordNumber(run, s, node, depth);
    case 'ArithmeticGroup':
      return evaluate(run, s, node.expression, depth + 1);
    case 'ArithmeticUnary':
      return unary(run, s, node, depth);
    case 'ArithmeticBinary':
      return binary(run, s, node, depth);
    case 'ArithmeticTernary': {
      const test = evaluate(run, s, node.test, depth + 1);
      const yes = test === 0 ? null : evaluate(run, s, node.consequent, depth + 1);
      const no = test !== null && test !== 0 ? null : evaluate(run, s, node.alternate, depth + 1);
      return test === null ? null : test !== 0 ? yes : no;
    }
    case 'ArithmeticCommandExpansion': {
      run.visited.add(node);
      const [text] = runSubstitution(run, s, node.script) ?? [];
      return text ? textNumber(run, s, text, depth) : null;
    }
  }
}

/** Evaluates the text of an expression. */
export function evaluateText(run: Run, s: State, text: Value, depth = 0): number | null {
  return textNumber(run, s, text, depth);
}

/** A number as a word: its digits, or a hole for one that is not known. */
export function numberValue(n: number | null): Value {
  return n === null ? [hole('a number that is not known', 'name')] : known(String(n));
}

function wordNumber(run: Run, s: State, node: ArithmeticWord, depth: number): number | null {
  const plain = node.parts === undefined ? literalNumber(node.value) : null;
  if (plain !== null) return plain;
  return textNumber(run, s, wordText(run, s, node), depth);
}

function wordText(run: Run, s: State, node: ArithmeticWord): Value {
  if (node.parts === undefined) return fromMarks(node.value, run.marks);
  return toValue(
    run.up.pieces(run, s, { type: 'Word', pos: node.pos, end: node.end, text: '', value: '', parts: node.parts }, true),
  );
}

function literalNumber(text: string): number | null {
  const t = text.trim();
  if (/^\d{1,15}$/.test(t)) return t.length > 1 && t.startsWith('0') ? Number.parseInt(t, 8) : Number(t);
  if (/^0[xX][0-9a-fA-F]{1,12}$/.test(t)) return Number.parseInt(t.slice(2), 16);
  const based = /^(\d{1,2})#([0-9a-zA-Z]{1,10})$/.exec(t);
  if (!based) return null;
  const base = Number(based[1]);
  const n = base >= 2 && base <= 36 ? Number.parseInt(based[2] as string, base) : Number.NaN;
  return Number.isNaN(n) ? null : n;
}

const NAME = /^[A-Za-z_]\w*$/;

/** The number that a text means as an expression. */
function textNumber(run: Run, s: State, value: Value, depth: number): number | null {
  const text = textOf(value);
  if (text === null || depth > MAX_DEPTH) return null;
  const t = text.trim();
  if (t === '') return 0;
  const plain = literalNumber(t);
  if (plain !== null) return plain;
  if (NAME.test(t)) {
    const held = readText(run, s, t);
    return held === null ? 0 : textNumber(run, s, held, depth + 20);
  }
  const element = /^([A-Za-z_]\w*)\[([^[\]$`]*)\]$/.exec(t);
  if (element) return elementNumber(run, s, element[1] as string, element[2] as string, depth);
  return reparsed(run, s, t, depth);
}

function elementNumber(run: Run, s: State, name: string, index: string, depth: number): number | null {
  const key = isAssociative(s, name) ? index : keyText(textNumber(run, s, known(index), depth + 20));
  const held = readElement(run, s, name, key);
  return held === null ? 0 : textNumber(run, s, held, depth + 20);
}

function keyText(n: number | null): string | null {
  return n === null ? null : String(n);
}

/** A text that is an expression itself: parsed, its substitutions run. */
function reparsed(run: Run, s: State, text: string, depth: number): number | null {
  if (run.evaluating >= MAX_EVALUATING) return null;
  const { script, source } = parseShell(run, `((${text}))`);
  const node = script.commands[0]?.command;
  const isWhole = script.commands.length === 1 && node?.end === text.length + 4;
  if (node?.type !== 'ArithmeticCommand' || !node.expression || !isWhole) {
    // A parenthesis too many, as in a subscript (`a[$(cmd))]`): no number, but bash runs what is substituted in it.
    expandText(run, s, known(text), null);
    return null;
  }
  const { expression } = node;
  const { frame } = s;
  s.frame = { ...frame, source };
  run.evaluating++;
  const n =
    expression.type === 'ArithmeticWord'
      ? again(run, s, expression, text, depth)
      : evaluate(run, s, expression, depth + 50);
  run.evaluating--;
  s.frame = frame;
  return n;
}

const MAX_EVALUATING = 12;

/** An expression that is one word: what it expands to, unless that is the word itself. */
function again(run: Run, s: State, word: ArithmeticWord, text: string, depth: number): number | null {
  const value = textOf(wordText(run, s, word));
  if (value === null) return null;
  if (value !== text) return textNumber(run, s, known(value), depth + 50);
  // No expression. Bash reads the value of each name as it comes to it, before it finds that out.
  for (const name of value.match(/[A-Za-z_]\w*/g)?.slice(0, MAX_NAMES) ?? [])
    textNumber(run, s, known(name), depth + 50);
  return null;
}

const MAX_NAMES = 16;

function unary(
  run: Run,
  s: State,
  node: Extract<ArithmeticExpression, { type: 'ArithmeticUnary' }>,
  depth: number,
): number | null {
  const n = evaluate(run, s, node.operand, depth + 1);
  switch (node.operator) {
    case '++':
    case '--': {
      const next = n === null ? null : n + (node.operator === '++' ? 1 : -1);
      assign(run, s, node.operand, next);
      return node.prefix ? next : n;
    }
    case '!':
      return n === null ? null : n === 0 ? 1 : 0;
    case '~':
      return n === null ? null : safe(~n);
    case '-':
      return n === null ? null : -n;
    default:
      return n;
  }
}

function binary(
  run: Run,
  s: State,
  node: Extract<ArithmeticExpression, { type: 'ArithmeticBinary' }>,
  depth: number,
): number | null {
  const { operator } = node;
  if (/^(?:[-+*/%&|^]|<<|>>)?=$/.test(operator)) {
    const right = evaluate(run, s, node.right, depth + 1);
    const value =
      operator === '=' ? right : apply(operator.slice(0, -1), evaluate(run, s, node.left, depth + 1), right);
    assign(run, s, node.left, value);
    return value;
  }
  const left = evaluate(run, s, node.left, depth + 1);
  if (operator === '&&' && left === 0) return 0;
  if (operator === '||' && left !== null && left !== 0) return 1;
  const right = evaluate(run, s, node.right, depth + 1);
  return operator === ',' ? right : apply(operator, left, right);
}

function apply(operator: string, a: number | null, b: number | null): number | null {
  if (a === null || b === null) return null;
  switch (operator) {
    case '+':
      return safe(a + b);
    case '-':
      return safe(a - b);
    case '*':
      return safe(a * b);
    case '/':
      return b === 0 ? null : Math.trunc(a / b);
    case '%':
      return b === 0 ? null : a % b;
    case '**':
      return b < 0 ? null : safe(a ** b);
    case '<<':
      return b < 0 || b > 40 ? null : safe(a * 2 ** b);
    case '>>':
      return b < 0 || b > 40 ? null : Math.floor(a / 2 ** b);
    case '<':
      return a < b ? 1 : 0;
    case '>':
      return a > b ? 1 : 0;
    case '<=':
      return a <= b ? 1 : 0;
    case '>=':
      return a >= b ? 1 : 0;
    case '==':
      return a === b ? 1 : 0;
    case '!=':
      return a !== b ? 1 : 0;
    case '&&':
      return a !== 0 && b !== 0 ? 1 : 0;
    case '||':
      return a !== 0 || b !== 0 ? 1 : 0;
    case '&':
      return small(a) && small(b) ? a & b : null;
    case '|':
      return small(a) && small(b) ? a | b : null;
    case '^':
      return small(a) && small(b) ? a ^ b : null;
    default:
      return null;
  }
}

function safe(n: number): number | null {
  return Number.isSafeInteger(n) ? n : null;
}

function small(n: number): boolean {
  return Math.abs(n) < 2 ** 31;
}

function assign(run: Run, s: State, target: ArithmeticExpression, n: number | null): void {
  if (target.type !== 'ArithmeticWord') return;
  const text = textOf(wordText(run, s, target));
  const match = text === null ? null : /^\s*([A-Za-z_]\w*)(?:\[(.*)\])?\s*$/s.exec(text);
  if (!match) return;
  const [, name = '', index] = match;
  const value: Value = n === null ? ([hole('a number that is not known', 'name')] as Part[]) : known(String(n));
  if (index === undefined) return assignText(run, s, name, value, false);
  assignElement(
    run,
    s,
    name,
    isAssociative(s, name) ? index : keyText(evaluateText(run, s, known(index), 20)),
    value,
    false,
  );
}

/** Evaluates the subscript in `name[subscript]` as bash does where it takes the name of a variable. */
export function evaluateSubscript(
  run: Run,
  s: State,
  word: Value,
): { readonly name: string; readonly key: string | null } | null {
  const text = textOf(word);
  const match = text === null ? null : /^([A-Za-z_]\w*)\[(.*)\]$/s.exec(text);
  if (!match) return null;
  const [, name = '', index = ''] = match;
  if (index === '@' || index === '*') return { name, key: index };
  if (isAssociative(s, name) && !/[$`]/.test(index)) return { name, key: index };
  return { name, key: keyText(evaluateText(run, s, known(index), 0)) };
}
