import { settle } from './dispatch.ts';
import { importStatement } from './imports.ts';
import { assign, expression, isName, isOp, parameters, peek, type Walk } from './reader.ts';
import type { Scan } from './scan.ts';
import { anyOf, elementOf, type Thing, UNKNOWN } from './thing.ts';
import type { Token } from './token.ts';

const DECLARES = new Set([
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

/** `a, b = x`, `(a, b) = x`, `[a, b] = x`, `{a, b: c} = x`, `a = x`, `a: T = x`: the names, with the `=` stepped over. */
function assignmentTargets(w: Walk): readonly { readonly name: string; readonly key: string | null }[] | null {
  const token = peek(w) as Token;
  if (token.t === 'op' && (token.text === '(' || token.text === '[' || token.text === '{')) {
    const close = w.match.get(w.at);
    if (close === undefined || !isOp(w.tokens[close + 1], '=') || close - w.at > 200) return null;
    const found = destructured(w, close);
    w.at = close + 2;
    return found;
  }
  if (token.t !== 'name') return null;
  let i = w.at;
  const names: { name: string; key: null }[] = [];
  while (i < w.end) {
    const name = w.tokens[i];
    if (isOp(name, '*')) {
      i++;
      continue;
    }
    if (name?.t !== 'name') return null;
    names.push({ name: name.text, key: null });
    const next = w.tokens[i + 1];
    if (isOp(next, ',') && w.scan.language !== 'node') {
      i += 2;
      if (names.length > 30) return null;
      continue;
    }
    if (isOp(next, ':') && names.length === 1 && (w.scan.language === 'python' || w.scan.language === 'node')) {
      i = typeEnd(w, i + 2);
      if (i < 0) return null;
    }
    const sign = i === w.at || names.length > 0 ? w.tokens[isOp(w.tokens[i], '=') ? i : i + 1] : undefined;
    if (!isOp(sign, '=')) return null;
    w.at = (isOp(w.tokens[i], '=') ? i : i + 1) + 1;
    return names;
  }
  return null;
}

/** Index of the `=` after a type annotation, or -1. */
function typeEnd(w: Walk, from: number): number {
  for (let i = from; i < w.end && i < from + 40; i++) {
    const token = w.tokens[i] as Token;
    if (isOp(token, '=')) return i;
    if (token.first || isOp(token, ';', ')', '(', '=>', ',')) return -1;
  }
  return -1;
}

function destructured(w: Walk, close: number): readonly { readonly name: string; readonly key: string | null }[] {
  const isObject = isOp(peek(w), '{');
  const found: { name: string; key: string | null }[] = [];
  for (let i = w.at + 1; i < close; i++) {
    const token = w.tokens[i] as Token;
    if (token.t !== 'name' || token.text === 'my') continue;
    const renamed = isObject && isOp(w.tokens[i + 1], ':') ? w.tokens[i + 2] : undefined;
    if (renamed?.t === 'name') {
      found.push({ name: renamed.text, key: token.text });
      i += 2;
    } else found.push({ name: token.text, key: isObject ? token.text : null });
    while (i + 1 < close && !isOp(w.tokens[i + 1], ',')) i++;
  }
  return found;
}

/** The right side of an assignment: a tuple without brackets is a list. */
function tuple(w: Walk): Thing {
  const first = expression(w);
  if (!isOp(peek(w), ',') || (w.scan.language !== 'python' && w.scan.language !== 'ruby' && w.scan.language !== 'lua'))
    return first;
  const items = [first];
  while (isOp(peek(w), ',')) {
    w.at++;
    items.push(expression(w));
  }
  return { k: 'list', items };
}

function spread(
  scan: Scan,
  targets: readonly { readonly name: string; readonly key: string | null }[],
  value: Thing,
): void {
  const single = targets.length === 1 && targets[0]?.key === null;
  for (const [at, target] of targets.entries()) {
    if (target.key !== null) assign(scan, target.name, field(value, target.key));
    else if (single && !(value.k === 'list' && scan.language === 'perl' && target.name.startsWith('$')))
      assign(scan, target.name, value);
    else if (value.k === 'list') assign(scan, target.name, value.items[at] ?? UNKNOWN);
    else assign(scan, target.name, UNKNOWN);
  }
}

function field(value: Thing, key: string): Thing {
  if (value.k === 'ref') return { k: 'ref', name: `${value.name}.${key}` };
  if (value.k === 'map') return value.fields.get(key) ?? UNKNOWN;
  return UNKNOWN;
}

/** `for x in y`, `for (const x of y)`, `foreach my $x (@y)`, `foreach ($y as $x)`, `for a, b in y`. */
export function bindLoop(w: Walk): void {
  w.at++;
  const names: string[] = [];
  const limit = Math.min(w.end, w.at + 40);
  if (w.scan.language === 'php') return phpLoop(w);
  for (let i = w.at; i < limit; i++) {
    const token = w.tokens[i] as Token;
    if (isName(token, 'in', 'of') || isOp(token, '<-', '=>')) {
      w.at = i + 1;
      return bindElements(w, names, expression(w));
    }
    if (token.t === 'name' && w.scan.language === 'perl' && token.text.startsWith('$') && isOp(w.tokens[i + 1], '(')) {
      w.at = i + 1;
      return bindElements(w, [token.text], expression(w));
    }
    if (isOp(token, ';', '{', '=')) return;
    if (token.t === 'name' && !DECLARES.has(token.text) && token.text !== 'each' && token.text !== 'await')
      names.push(token.text);
    if (isOp(token, '(') && w.scan.language === 'perl') {
      w.at = i;
      const things = expression(w);
      return bindElements(w, ['$_'], things);
    }
  }
}

function phpLoop(w: Walk): void {
  if (!isOp(peek(w), '(')) return;
  const close = w.match.get(w.at) ?? w.end;
  w.at++;
  const things = expression(w);
  const names: string[] = [];
  for (let i = w.at; i < close; i++) {
    const token = w.tokens[i] as Token;
    if (token.t === 'name' && token.text.startsWith('$')) names.push(token.text);
  }
  if (!isName(peek(w), 'as')) return;
  w.at = close + 1;
  bindElements(w, names.slice(-1), things);
}

function bindElements(w: Walk, names: readonly string[], things: Thing): void {
  const element = elementOf(things);
  if (names.length === 1) return assign(w.scan, names[0] as string, element);
  for (const [at, name] of names.entries()) assign(w.scan, name, part(element, at));
}

function part(element: Thing, at: number): Thing {
  if (element.k === 'list') return element.items[at] ?? UNKNOWN;
  if (element.k === 'any') return anyOf(element.of.map((e) => part(e, at)));
  return element.k === 'text' ? UNKNOWN : element;
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

/** Ruby's `|a, b|` after `{` or `do`: the block's parameters, bound to what was iterated. */
function blockParameters(w: Walk): Thing {
  let i = w.at + 1;
  const names: string[] = [];
  while (i < w.end && i < w.at + 20 && !isOp(w.tokens[i], '|')) {
    const token = w.tokens[i] as Token;
    if (token.t === 'name') names.push(token.text);
    i++;
  }
  if (!isOp(w.tokens[i], '|')) {
    w.at++;
    return UNKNOWN;
  }
  w.at = i + 1;
  const { iterated } = w.scan;
  const element = iterated.k === 'file' ? iterated : elementOf(iterated);
  for (const [at, name] of names.entries()) assign(w.scan, name, at === 0 ? element : UNKNOWN);
  return UNKNOWN;
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
  remember(w, { k: 'func', name: name.text, params: language === 'perl' ? [] : params, from: body + 1, to });
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
  remember(w, { k: 'func', name, params: parameters(w.tokens, open + 1, close), from: body + 1, to });
  w.at = to;
  return true;
}

function remember(w: Walk, func: Thing & { k: 'func' }): void {
  w.scan.functions.set(func.name, { func: settle(func, w.tokens), unit: w.tokens, called: false });
}
