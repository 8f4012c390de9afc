import { assignmentTargets, spread, tuple } from './assignment.ts';
import { expression } from './expression.ts';
import { funcIn, parameters } from './functions.ts';
import { importStatement } from './imports.ts';
import { bindLoop, blockParameters } from './loops.ts';
import { anyOf, type Func, type Thing, UNKNOWN } from './thing.ts';
import type { Token } from './token.ts';
import { assign } from './variables.ts';
import { isName, isOp, peek, type Walk } from './walk.ts';

export const DECLARES = new Set([
  'const',
  'let',
  'var',
  'my',
  'our',
  'local',
  'val',
  'def',
  'global',
  'static',
  'readonly',
  'final',
  'auto',
  'export',
  'public',
  'private',
  'protected',
]);

const BRANCHES = new Set([
  'if',
  'elif',
  'elsif',
  'else',
  'unless',
  'while',
  'until',
  'try',
  'catch',
  'except',
  'case',
  'switch',
  'when',
  'match',
  'rescue',
]);

const BLOCK_WORDS = new Set(['do', 'begin', 'then', 'else', 'try', 'ensure', 'end', 'finally']);

/** One statement, or as much of it as is understood; gives the value of an expression. */
export function statement(w: Walk): Thing {
  const token = peek(w) as Token;
  const { scan } = w;
  if (
    token.t === 'op' &&
    (token.text === ';' ||
      token.text === ',' ||
      token.text === '}' ||
      token.text === ')' ||
      token.text === ']' ||
      token.text === ':')
  ) {
    w.at++;
    return UNKNOWN;
  }
  if (token.t === 'op' && token.text === '{' && !isOp(w.tokens[(w.match.get(w.at) ?? w.end) + 1], '=')) {
    w.at++;
    return UNKNOWN;
  }
  if (token.t === 'op' && token.text === '|') return blockParameters(w);
  if (token.t === 'name' && !isOp(peek(w, 1), 'member', '=', ':')) {
    if (BRANCHES.has(token.text)) scan.branches++;
    if (importStatement(w)) return UNKNOWN;
    if (definition(w)) return UNKNOWN;
    if (token.text === 'for' || token.text === 'foreach') {
      scan.branches++;
      bindLoop(w);
      return UNKNOWN;
    }
    if (token.text === 'with' && scan.language === 'python') {
      w.at++;
      withStatement(w);
      return UNKNOWN;
    }
    if (DECLARES.has(token.text) || (BLOCK_WORDS.has(token.text) && peek(w, 1)?.t !== 'string')) {
      w.at++;
      return UNKNOWN;
    }
    if (token.text === 'return') {
      w.at++;
      scan.returned = scan.returned === UNKNOWN ? expression(w) : anyOf([scan.returned, expression(w)]);
      return scan.returned;
    }
  }
  const targets = assignmentTargets(w);
  if (targets) {
    spread(scan, targets, tuple(w));
    return UNKNOWN;
  }
  return expression(w);
}

/** `with open(x) as f, open(y) as g:`. */
function withStatement(w: Walk): void {
  for (;;) {
    const value =
      isOp(peek(w), '(') && !isOp(w.tokens[(w.match.get(w.at) ?? 0) + 1], 'member') ? opened(w) : expression(w);
    if (isName(peek(w), 'as') && peek(w, 1)?.t === 'name') {
      assign(w.scan, (peek(w, 1) as Token & { t: 'name' }).text, value);
      w.at += 2;
    }
    if (!isOp(peek(w), ',')) return;
    w.at++;
  }
}

function opened(w: Walk): Thing {
  w.at++;
  return expression(w);
}

/** `def f(a):`, `function f(a) {`, `sub f {`: kept to be walked when called. Ruby's and others' bodies are walked in place. */
function definition(w: Walk): boolean {
  const token = peek(w) as Token & { t: 'name' };
  const { language } = w.scan;
  let start = w.at;
  if (token.text === 'async') start++;
  const keyword = w.tokens[start];
  const name = w.tokens[start + 1];
  if (keyword?.t !== 'name' || name?.t !== 'name') return false;
  if (keyword.text === 'class' && language === 'python') {
    w.at = start + 2;
    return true;
  }
  if (language === 'python' && keyword.text === 'def') return pythonFunction(w, start, name.text, keyword.indent);
  const isFunction =
    (keyword.text === 'function' && (language === 'node' || language === 'php')) ||
    (keyword.text === 'sub' && language === 'perl');
  if (!isFunction) return false;
  let body = start + 2;
  const hasParameters = isOp(w.tokens[body], '(');
  const close = hasParameters ? (w.match.get(body) ?? w.end) : body;
  const params = hasParameters ? parameters(w.tokens, body + 1, close) : [];
  while (body < w.end && !isOp(w.tokens[body], '{')) body = body < close ? close : body + 1;
  const to = w.match.get(body) ?? w.end;
  remember(w, funcIn(w, { name: name.text, params: language === 'perl' ? [] : params, from: body + 1, to }));
  w.at = to + 1;
  return true;
}

function pythonFunction(w: Walk, start: number, name: string, indent: number): boolean {
  const open = start + 2;
  const close = w.match.get(open);
  if (!isOp(w.tokens[open], '(') || close === undefined) return false;
  let body = close + 1;
  while (body < w.end && !isOp(w.tokens[body], ':')) body++;
  let to = body + 1;
  while (to < w.end) {
    const token = w.tokens[to] as Token;
    if (token.first && token.indent <= indent) break;
    to++;
  }
  remember(w, funcIn(w, { name, params: parameters(w.tokens, open + 1, close), from: body + 1, to }));
  w.at = to;
  return true;
}

function remember(w: Walk, func: Func): void {
  w.scan.functions.set(func.name, { func, unit: w.tokens, called: false });
}
