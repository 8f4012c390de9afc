import type { TestExpression, Word } from 'unbash';
import { isDynamic, known, textOf, type Value } from '../model/value.ts';
import { evaluateSubscript, evaluateText } from './arithmetic.ts';
import { skip } from './coverage.ts';
import { unknownFrom } from './operators.ts';
import { matches } from './pattern.ts';
import type { Run } from './run.ts';
import { findVariable, type State } from './state.ts';
import { assignList, isFilled, readText } from './variables.ts';
import { expandPattern, expandText } from './words.ts';

/** `[[ … ]]`: sets the status where the words decide it. Null inside: can't be known. */
export function runTest(run: Run, s: State, expression: TestExpression): void {
  const result = test(run, s, expression, 0);
  s.status = result === null ? 'maybe' : result ? 'ok' : 'fail';
}

function test(run: Run, s: State, e: TestExpression, depth: number): boolean | null {
  if (depth > 200) return null;
  switch (e.type) {
    case 'TestGroup':
      return test(run, s, e.expression, depth + 1);
    case 'TestNot': {
      const inner = test(run, s, e.operand, depth + 1);
      return inner === null ? null : e.negations.length % 2 === 1 ? !inner : inner;
    }
    case 'TestLogical':
      return logical(run, s, e, depth);
    case 'TestUnary':
      return unaryTest(run, s, e.operator, expandText(run, s, e.operand));
    case 'TestBinary':
      return binary(run, s, e);
  }
}

function logical(
  run: Run,
  s: State,
  e: Extract<TestExpression, { type: 'TestLogical' }>,
  depth: number,
): boolean | null {
  const decides = e.operator === '||';
  let unsure = false;
  for (const [i, operand] of e.operands.entries()) {
    const result = test(run, s, operand, depth + 1);
    if (result === decides && !unsure) {
      for (const rest of e.operands.slice(i + 1)) skip(run, rest);
      return decides;
    }
    if (result === null || result === decides) unsure = true;
  }
  return unsure ? null : !decides;
}

/** One-operand tests; file tests are left open, as other processes change files. */
export function unaryTest(run: Run, s: State, operator: string, operand: Value): boolean | null {
  if (operator === '-n') return isFilled(operand);
  if (operator === '-z') {
    const filled = isFilled(operand);
    return filled === null ? null : !filled;
  }
  if (operator === '-v' || operator === '-R') {
    const name = textOf(operand);
    const element = evaluateSubscript(run, s, operand);
    if (element || name === null || !findVariable(s, name)) return null;
    const value = readText(run, s, name);
    return value === null ? false : isDynamic(value) ? null : true;
  }
  return null;
}

function binary(run: Run, s: State, e: Extract<TestExpression, { type: 'TestBinary' }>): boolean | null {
  const left = expandText(run, s, e.left);
  if (e.operator === '==' || e.operator === '=' || e.operator === '!=') {
    const pattern = expandPattern(run, s, e.right);
    const text = textOf(left);
    if (text === null || pattern === null || s.options.has('nocasematch')) return null;
    return matches(pattern, text) === (e.operator !== '!=');
  }
  if (e.operator === '=~') return matchesExpression(run, s, left, e.right);
  const right = expandText(run, s, e.right);
  return isNumeric(e.operator)
    ? compareNumbers(e.operator, evaluateText(run, s, left), evaluateText(run, s, right))
    : null;
}

/** Text and expression that are matched: how long it takes grows with the text, to the power of the repeats. */
const MAX_MATCHED = 256;
const MAX_REPEATS = 3;
/** Groups of an expression that is not matched here, each of which may hold any part of the text. */
const MAX_GROUPS = 10;
/** Where JavaScript and POSIX differ, or matching could take long: alternatives, repeated groups, classes by name. */
const UNLIKE_POSIX = /\||\)[*+?{]|\[:|\[\.|\[=|\\[^.[\]()*+?{}^$|/-]|\(\?/;

/** `[[ text =~ expression ]]`, which fills BASH_REMATCH. */
function matchesExpression(run: Run, s: State, left: Value, right: Word): boolean | null {
  const expression = textOf(expandText(run, s, right));
  const text = textOf(left);
  const isQuoted = right.parts?.some((p) => /Quoted|Locale/.test(p.type)) ?? right.text !== right.value;
  const foldable =
    text !== null &&
    expression !== null &&
    !isQuoted &&
    text.length <= MAX_MATCHED &&
    expression.length <= MAX_MATCHED &&
    !UNLIKE_POSIX.test(expression) &&
    (expression.match(/[*+?{]/g)?.length ?? 0) <= MAX_REPEATS &&
    !s.options.has('nocasematch');
  const found = foldable ? matched(text, expression) : undefined;
  const values =
    found === undefined
      ? Array<Value>(MAX_GROUPS).fill(unknownFrom(left, 'what an expression matched is not known'))
      : (found ?? []).map((value) => known(value ?? ''));
  const groups = values.map((value, i) => ({ key: String(i), value }));
  assignList(run, s, 'BASH_REMATCH', groups, { append: false, assoc: false, open: found === undefined });
  return found === undefined ? null : found !== null;
}

function matched(text: string, expression: string): RegExpExecArray | null | undefined {
  try {
    return new RegExp(expression, 's').exec(text);
  } catch {
    return undefined;
  }
}

export function isNumeric(operator: string): boolean {
  return /^-(?:eq|ne|lt|le|gt|ge)$/.test(operator);
}

export function compareNumbers(operator: string, a: number | null, b: number | null): boolean | null {
  if (a === null || b === null) return null;
  switch (operator) {
    case '-eq':
      return a === b;
    case '-ne':
      return a !== b;
    case '-lt':
      return a < b;
    case '-le':
      return a <= b;
    case '-gt':
      return a > b;
    default:
      return a >= b;
  }
}
