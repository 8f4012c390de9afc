import { call } from './dispatch.ts';
import { lex } from './lexer.ts';
import { attribute, index } from './member.ts';
import { noteCode, runShell, type Scan } from './scan.ts';
import { bindLoop, statement } from './statement.ts';
import { syntaxes } from './syntax.ts';
import { anyOf, comesFromFile, joined, literal, ref, type Thing, taintsIn, text, UNKNOWN, unknown } from './thing.ts';
import type { StringPart, Token } from './token.ts';

/** A walk over one token list. */
export interface Walk {
  readonly scan: Scan;
  readonly tokens: readonly Token[];
  /** For each opening bracket the index of its closing one. */
  readonly match: ReadonlyMap<number, number>;
  at: number;
  readonly end: number;
}

/** Steps of one scan; past it the rest is not looked at and the code counts as opaque. */
const STEPS = 400_000;
const DEPTH = 60;

export function walkOf(
  scan: Scan,
  tokens: readonly Token[],
  from = 0,
  to = tokens.length,
  match = brackets(tokens),
): Walk {
  return { scan, tokens, match, at: from, end: to };
}

/** Walks code given as text: a whole program, or an expression in a string. Gives the last expression's value. */
export function walkText(scan: Scan, source: string): Thing {
  return guarded(scan, () => walkAll(walkOf(scan, lex(source, syntaxes[scan.language]))));
}

export function walkAll(w: Walk): Thing {
  let last = UNKNOWN;
  while (w.at < w.end && spend(w.scan)) {
    const before = w.at;
    last = statement(w);
    if (w.at === before) w.at++;
  }
  return last;
}

/** False when the scan's work is used up. */
export function spend(scan: Scan): boolean {
  if (++scan.steps <= STEPS) return true;
  scan.opaque = true;
  return false;
}

/** Runs one level deeper, or gives up with an unknown. */
export function guarded(scan: Scan, run: () => Thing): Thing {
  if (scan.depth >= DEPTH) {
    scan.opaque = true;
    return UNKNOWN;
  }
  scan.depth++;
  try {
    return run();
  } finally {
    scan.depth--;
  }
}

const matches = new WeakMap<readonly Token[], ReadonlyMap<number, number>>();

function brackets(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const before = matches.get(tokens);
  if (before) return before;
  const match = new Map<number, number>();
  const open: number[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.t !== 'op') continue;
    if (isOpen(token.text)) open.push(at);
    else if (token.text === ')' || token.text === ']' || token.text === '}') {
      const start = open.pop();
      if (start !== undefined) match.set(start, at);
    }
  }
  for (const start of open) match.set(start, tokens.length);
  matches.set(tokens, match);
  return match;
}

export const isOpen = (op: string): boolean => op === '(' || op === '[' || op === '{';

export function peek(w: Walk, ahead = 0): Token | undefined {
  return w.at + ahead < w.end ? w.tokens[w.at + ahead] : undefined;
}

export function isOp(token: Token | undefined, ...texts: readonly string[]): boolean {
  return token?.t === 'op' && texts.includes(token.text);
}

export function isName(token: Token | undefined, ...texts: readonly string[]): boolean {
  return token?.t === 'name' && (texts.length === 0 || texts.includes(token.text));
}

const PREFIX_WORDS = new Set([
  'new',
  'await',
  'typeof',
  'void',
  'delete',
  'yield',
  'not',
  'return',
  'throw',
  'raise',
  'die',
  'defined',
  'my',
  'our',
  'local',
  'then',
  'do',
  'else',
  'begin',
  'try',
  'unless',
  'if',
  'while',
  'until',
  'elsif',
  'elif',
  'async',
  'ref',
  'scalar',
  'static',
  'clone',
  'from',
]);
const INFIX_WORDS = new Set([
  'and',
  'or',
  'in',
  'is',
  'not',
  'eq',
  'ne',
  'lt',
  'gt',
  'le',
  'ge',
  'cmp',
  'xor',
  'instanceof',
  'of',
  'div',
  'mod',
  'x',
]);
const CHOICE = new Set(['||', '??', 'or', '//', '&&', 'and']);
const INFIX_OPS = new Set([
  '+',
  '-',
  '*',
  '/',
  '%',
  '.',
  '..',
  '<',
  '>',
  '==',
  '===',
  '!=',
  '!==',
  '<=',
  '>=',
  '<=>',
  '&&',
  '||',
  '??',
  '|',
  '&',
  '^',
  '**',
  '//',
  '=~',
  '!~',
  '<>',
  '|>',
  '<-',
  '=',
  ':=',
  '+=',
  '-=',
  '.=',
  '?',
  '~',
  '@',
]);

/** One expression, operators and all, up to a comma, a closing bracket or the statement's end. */
export function expression(w: Walk): Thing {
  return guarded(w.scan, () => infix(w));
}

function infix(w: Walk): Thing {
  const start = w.at;
  let left = operand(w);
  while (w.at < w.end && spend(w.scan)) {
    const token = peek(w) as Token;
    if (token.t === 'name' && token.text === 'if' && w.scan.language === 'python' && !token.first) {
      w.at++;
      w.scan.branches++;
      expression(w);
      if (!isName(peek(w), 'else')) return left;
      w.at++;
      left = anyOf([left, expression(w)]);
      continue;
    }
    const op =
      token.t === 'op'
        ? token.text
        : token.t === 'name' && (INFIX_WORDS.has(token.text) || (token.text === 'as' && w.scan.language === 'node'))
          ? token.text
          : '';
    if (op === '' || (token.t === 'op' && !INFIX_OPS.has(op))) return left;
    if (token.first && (w.scan.language === 'python' || token.t === 'name')) return left;
    w.at++;
    if (op === '?') {
      w.scan.branches++;
      const yes = expression(w);
      if (isOp(peek(w), ':')) w.at++;
      left = anyOf([yes, expression(w)]);
      continue;
    }
    if (op === '=' || op === ':=' || op === '<-' || op === '||=') {
      left = expression(w);
      bind(w, start, left);
      continue;
    }
    if (op === '+=' || op === '.=') {
      left = combine(w, op === '.=' ? '.' : '+', left, expression(w));
      bind(w, start, left);
      continue;
    }
    if (op === '|>') {
      left = operand(w, left);
      continue;
    }
    left = combine(w, op, left, operand(w));
  }
  return left;
}

function combine(w: Walk, op: string, left: Thing, right: Thing): Thing {
  const { joiner } = syntaxes[w.scan.language];
  if (op === joiner || (op === '+' && joiner === '+')) {
    if (left.k === 'list' && right.k === 'list')
      return { k: 'list', items: [...left.items, ...right.items].slice(0, 2000) };
    if (isNumber(left) && isNumber(right)) return text([{ hole: 'computed number', like: 'name' }]);
    return joined(left, right, 'computed text');
  }
  if (op === '/' && left.k === 'text' && (left.path || (right.k === 'text' && right.path))) {
    return {
      ...(joined(left, right, 'computed path', '/') as Thing),
      ...(right.k === 'any' ? {} : { path: true }),
    } as Thing;
  }
  if (op === '%' && left.k === 'text' && w.scan.language === 'python') return formatted(left, right);
  if (CHOICE.has(op)) return op === '&&' || op === 'and' ? right : anyOf([left, right]);
  return unknown([...taintsIn(left), ...taintsIn(right)], comesFromFile(left) || comesFromFile(right));
}

const isNumber = (thing: Thing): boolean => /^[\d.]+$/.test(literal(thing) ?? '');

/** `'%s' % x`: each conversion becomes the next value. */
function formatted(format: Thing & { k: 'text' }, values: Thing): Thing {
  const items = values.k === 'list' ? [...values.items] : [values];
  let out: Thing = text('');
  for (const part of format.value) {
    if (typeof part !== 'string') {
      out = joined(out, text([part]), 'computed text');
      continue;
    }
    for (const piece of part.split(/(%[-\d.]*[sdrif])/)) {
      const isField = /^%[-\d.]*[sdrif]$/.test(piece);
      out = joined(out, isField ? (items.shift() ?? UNKNOWN) : text(piece), 'computed text');
    }
  }
  return out;
}

/** Binds the name that stands alone before the `=` at `start`. */
function bind(w: Walk, start: number, value: Thing): void {
  const token = w.tokens[start];
  const next = w.tokens[start + 1];
  if (token?.t === 'name' && next?.t === 'op' && /^(?:=|:=|<-|\+=|\.=)$/.test(next.text))
    assign(w.scan, token.text, value);
}

export function assign(scan: Scan, name: string, value: Thing): void {
  const scope = scan.scopes[scan.scopes.length - 1] as Map<string, Thing>;
  const old = scope.get(name);
  // In code with branches either value may hold; unknown text adds nothing.
  const both = scan.branches > 0 && old !== undefined && literal(old) !== null && literal(value) !== null;
  scope.set(name, both && literal(old) !== literal(value) ? anyOf([old, value]) : value);
  if (value.k === 'func') {
    const known = scan.functions.get(value.name);
    if (known && !scan.functions.has(name)) scan.functions.set(name, known);
  }
}

export function lookup(scan: Scan, name: string): Thing | undefined {
  for (let i = scan.scopes.length - 1; i >= 0; i--) {
    const found = (scan.scopes[i] as Map<string, Thing>).get(name);
    if (found) return found;
  }
  return undefined;
}

/** A value with what follows it: members, calls, subscripts. */
function operand(w: Walk, piped?: Thing): Thing {
  const token = peek(w);
  if (!token) return UNKNOWN;
  if (
    token.t === 'op' &&
    (/^[!\-+~*\\&@<]$/.test(token.text) ||
      token.text === '...' ||
      token.text === '**' ||
      token.text === '++' ||
      token.text === '--' ||
      token.text === 'member')
  ) {
    w.at++;
    const inner = guarded(w.scan, () => operand(w));
    return token.text === '+' || token.text === '...' || /^[*&\\@]/.test(token.text) || token.text === 'member'
      ? inner
      : unknown(taintsIn(inner));
  }
  if (token.t === 'name' && PREFIX_WORDS.has(token.text) && !isOp(peek(w, 1), 'member', '=', '=>', ',', ')')) {
    w.at++;
    return guarded(w.scan, () => operand(w, piped));
  }
  const symbol = peek(w, 1);
  if (w.scan.language === 'ruby' && isOp(token, ':') && symbol?.t === 'name' && !symbol.spaced) {
    w.at += 2;
    return ref(symbol.text);
  }
  return postfix(w, primary(w), piped);
}

function primary(w: Walk): Thing {
  const token = peek(w) as Token;
  const { scan } = w;
  switch (token.t) {
    case 'number':
      w.at++;
      return text(token.text);
    case 'string': {
      w.at++;
      let made = stringOf(scan, token.parts);
      while (scan.language === 'python' && peek(w)?.t === 'string' && !(peek(w) as Token).first) {
        made = joined(made, stringOf(scan, (peek(w) as Token & { t: 'string' }).parts), 'computed text');
        w.at++;
      }
      return made;
    }
    case 'shell':
      w.at++;
      return runShell(scan, stringOf(scan, token.parts));
    case 'words':
      w.at++;
      return { k: 'list', items: token.items.map((item) => text(item)) };
    case 'regex':
      w.at++;
      if (token.code !== null) walkText(scan, token.code);
      return UNKNOWN;
    case 'name':
      return named(w, token.text);
    case 'op':
      if (token.text === '(' || token.text === '[' || token.text === '{') return group(w, token.text);
      return UNKNOWN;
  }
}

function named(w: Walk, name: string): Thing {
  const { scan } = w;
  if ((name === 'function' || name === 'fn' || name === 'fun') && scan.language !== 'python') return functionValue(w);
  if (name === 'lambda' && scan.language === 'python') return lambda(w);
  if (scan.language === 'node' && isOp(peek(w, 1), '=>')) return arrow(w, [name], w.at + 2);
  w.at++;
  const place = placeholder(scan, name);
  if (place) return place;
  const bound = lookup(scan, name);
  if (bound) return bound;
  const special = scan.library.names.get(name);
  return special ? special(scan) : ref(name);
}

/** What the shell put where the name stands: unknown, maybe code. */
function placeholder(scan: Scan, name: string): Thing | null {
  const first = name.charCodeAt(0);
  if (first < 0xe000 || first > 0xf8ff) return null;
  const part = scan.holes[first - 0xe000];
  return part ? text([part]) : UNKNOWN;
}

/** The text of a string's parts, with expressions in it worked out. */
export function stringOf(scan: Scan, parts: readonly StringPart[]): Thing {
  let made: Thing = text('');
  for (const part of parts) {
    const next = typeof part === 'string' ? text(filled(scan, part)) : walkText(scan, part.code);
    made =
      made.k === 'text' && made.value.length === 0 && typeof part === 'string'
        ? next
        : joined(made, next, 'computed text');
  }
  return made;
}

/** Text with the shell's unknowns put back in. */
function filled(scan: Scan, source: string): Thing extends never ? never : (string | Scan['holes'][number])[] {
  if (!/[\ue000-\uf8ff]/.test(source)) return source === '' ? [] : [source];
  return source.split(/([\ue000-\uf8ff])/).flatMap((piece) => {
    if (piece === '') return [];
    const code = piece.charCodeAt(0);
    return code >= 0xe000 && code <= 0xf8ff ? [scan.holes[code - 0xe000] ?? piece] : [piece];
  });
}

function group(w: Walk, open: string): Thing {
  const start = w.at;
  const close = w.match.get(start) ?? w.end;
  const { scan } = w;
  if (open === '(' && scan.language === 'node' && isOp(w.tokens[close + 1], '=>')) {
    return arrow(w, parameters(w.tokens, start + 1, close), close + 2);
  }
  w.at = start + 1;
  if (scan.language === 'python') comprehension(w, close);
  if (open === '{') {
    const made = braces(w, close);
    w.at = Math.min(close + 1, w.end);
    return made;
  }
  const items = list(w, close).args;
  w.at = Math.min(close + 1, w.end);
  if (open === '(' && items.length === 1) return items[0] as Thing;
  // JavaScript's comma gives its last value: `(0, eval)('…')`.
  if (open === '(' && scan.language === 'node' && items.length > 0) return items[items.length - 1] as Thing;
  return { k: 'list', items };
}

/** Binds `for x in y` inside brackets before the rest is looked at, and looks at its conditions. */
function comprehension(w: Walk, close: number): void {
  if (close - w.at > 4000) return;
  const back = w.at;
  let bound = false;
  for (let i = w.at; i < close && spend(w.scan); i++) {
    const token = w.tokens[i] as Token;
    if (token.t === 'op' && isOpen(token.text)) i = w.match.get(i) ?? i;
    else if (isName(token, 'for') || (bound && isName(token, 'if'))) {
      w.at = i;
      if (isName(token, 'for')) bindLoop(w);
      else {
        w.at++;
        expression(w);
      }
      bound = true;
      i = Math.max(i, w.at - 1);
    }
  }
  w.at = back;
}

/** Values in brackets, plain and named. */
export function list(w: Walk, close: number): { readonly args: Thing[]; readonly named: Map<string, Thing> } {
  const args: Thing[] = [];
  const namedArgs = new Map<string, Thing>();
  while (w.at < close && w.at < w.end && spend(w.scan)) {
    const before = w.at;
    const key = keyAt(w);
    if (key !== null) {
      namedArgs.set(key, expression(w));
    } else {
      const spread =
        isOp(peek(w), '*', '...') || (peek(w)?.t === 'name' && /^[@]/.test((peek(w) as Token & { t: 'name' }).text));
      const value = expression(w);
      if (spread && value.k === 'list') args.push(...value.items);
      else args.push(value);
    }
    if (isName(peek(w), 'for') && w.scan.language === 'python') break;
    while (w.at < close && isOp(peek(w), ',', ';', ':')) w.at++;
    if (w.at === before) {
      w.at++;
      args.pop();
    }
  }
  return { args, named: namedArgs };
}

/** `name=`, `name:`, `name =>`, `"name" =>`, `"name":`: the key of a named value, stepped over; else null. */
function keyAt(w: Walk): string | null {
  const token = peek(w);
  const next = peek(w, 1);
  if (!token || (token.t !== 'name' && token.t !== 'string')) return null;
  const { language } = w.scan;
  const sign =
    (isOp(next, '=>') && language !== 'node' && language !== 'groovy') ||
    (token.t === 'name' &&
      isOp(next, '=') &&
      (language === 'python' || language === 'r' || language === 'lua' || language === 'julia')) ||
    (isOp(next, ':') && language !== 'lua');
  if (!sign) return null;
  w.at += 2;
  return token.t === 'name' ? token.text : token.parts.map((p) => (typeof p === 'string' ? p : p.code)).join('');
}

/** An object, a dictionary, or a block of statements. */
function braces(w: Walk, close: number): Thing {
  const fields = new Map<string, Thing>();
  const values: Thing[] = [];
  let isObject = false;
  while (w.at < close && w.at < w.end && spend(w.scan)) {
    const before = w.at;
    const key = keyAt(w);
    if (key !== null) {
      isObject = true;
      fields.set(key, expression(w));
    } else if (isOp(peek(w), '...') || isOp(peek(w), '**')) {
      isObject = true;
      values.push(expression(w));
    } else values.push(statement(w));
    if (isName(peek(w), 'for') && w.scan.language === 'python') break;
    while (w.at < close && isOp(peek(w), ',', ';')) w.at++;
    if (w.at === before) w.at++;
  }
  if (!isObject && values.length === 1 && w.scan.language !== 'node') return values[0] as Thing;
  for (const [at, value] of values.entries()) {
    if (value.k === 'map') for (const [k, v] of value.fields) if (!fields.has(k)) fields.set(k, v);
    if (value.k === 'env') fields.set(`…${at}`, value);
  }
  return { k: 'map', fields, taints: [] };
}

function arrow(w: Walk, params: readonly string[], bodyAt: number): Thing {
  const isBlock = isOp(w.tokens[bodyAt], '{');
  const to = isBlock ? (w.match.get(bodyAt) ?? w.end) : expressionEnd(w, bodyAt);
  w.at = isBlock ? to + 1 : to;
  return { k: 'func', name: '', params, from: isBlock ? bodyAt + 1 : bodyAt, to };
}

function functionValue(w: Walk): Thing {
  let i = w.at + 1;
  while (i < w.end && i < w.at + 20 && !isOp(w.tokens[i], '(', '{')) i++;
  const close = w.match.get(i) ?? w.end;
  const params = isOp(w.tokens[i], '(') ? parameters(w.tokens, i + 1, close) : [];
  let body = isOp(w.tokens[i], '(') ? close + 1 : i;
  while (body < w.end && !isOp(w.tokens[body], '{') && body < close + 6) body++;
  if (!isOp(w.tokens[body], '{')) {
    w.at = Math.min(close + 1, w.end);
    return UNKNOWN;
  }
  const to = w.match.get(body) ?? w.end;
  w.at = to + 1;
  return { k: 'func', name: '', params, from: body + 1, to };
}

function lambda(w: Walk): Thing {
  let i = w.at + 1;
  while (i < w.end && i < w.at + 200 && !isOp(w.tokens[i], ':')) i++;
  const params = parameters(w.tokens, w.at + 1, i);
  const to = expressionEnd(w, i + 1);
  w.at = to;
  return { k: 'func', name: '', params, from: i + 1, to };
}

/** Index past the expression that begins at `from`: a comma, a closing bracket or a new statement. */
function expressionEnd(w: Walk, from: number): number {
  for (let i = from; i < w.end; i++) {
    const token = w.tokens[i] as Token;
    if (token.t !== 'op') continue;
    if (isOpen(token.text)) i = w.match.get(i) ?? w.end;
    else if (token.text === ',' || token.text === ';' || token.text === ')' || token.text === ']' || token.text === '}')
      return i;
  }
  return w.end;
}

/** Names of parameters; a destructured or typed one gives its first name. */
export function parameters(tokens: readonly Token[], from: number, to: number): readonly string[] {
  const names: string[] = [];
  let wanted = true;
  let depth = 0;
  for (let i = from; i < to && i < tokens.length; i++) {
    const token = tokens[i] as Token;
    if (token.t === 'op' && isOpen(token.text)) depth++;
    else if (isOp(token, ')', ']', '}')) depth--;
    else if (isOp(token, ',') && depth <= 0) wanted = true;
    else if (token.t === 'name' && wanted && depth === 0) {
      names.push(token.text);
      wanted = false;
    }
  }
  return names;
}

function postfix(w: Walk, first: Thing, piped?: Thing): Thing {
  let thing = first;
  let recv: Thing | null = null;
  let name = first.k === 'ref' ? first.name : '';
  const { scan } = w;
  while (w.at < w.end && spend(scan)) {
    const token = peek(w) as Token;
    if (token.t === 'op') {
      if (token.text === 'member') {
        const next = peek(w, 1);
        if (next?.t === 'name') {
          w.at += 2;
          recv = thing;
          name = next.text;
          if (thing.k === 'list' || thing.k === 'any') scan.iterated = thing;
          thing = attribute(scan, thing, next.text);
          if (scan.language === 'ruby' && runsBare(w, thing, name)) {
            thing = call(w, thing, { recv, name, args: [], named: new Map() });
            recv = null;
            name = '';
          }
          continue;
        }
        w.at++;
        if (isOp(next, '(', '[', '{')) continue;
        return thing;
      }
      const joinsLine = token.first;
      if (token.text === '(' && !joinsLine && !(scan.language === 'ruby' && token.spaced && !callable(scan, thing))) {
        const close = w.match.get(w.at) ?? w.end;
        w.at++;
        if (scan.language === 'python') comprehension(w, close);
        const { args, named: kw } = list(w, close);
        w.at = Math.min(close + 1, w.end);
        thing = call(w, thing, { recv, name, args: piped ? [piped, ...args] : args, named: kw });
        recv = null;
        name = '';
        continue;
      }
      if (token.text === '[' && !joinsLine && !(token.spaced && scan.language !== 'python')) {
        const close = w.match.get(w.at) ?? w.end;
        w.at++;
        const key = list(w, close).args;
        w.at = Math.min(close + 1, w.end);
        recv = thing;
        const label = key[0]?.k === 'text' ? key[0].value.filter((p) => typeof p === 'string').join('') : '';
        name = label;
        thing = key.length === 1 ? index(scan, thing, key[0] as Thing) : unknown(taintsIn(thing));
        continue;
      }
      // `exec {'rm'} 'rm', '-rf'`: the block names the program.
      if (token.text === '{' && scan.language === 'perl' && token.spaced && /^(?:exec|system)$/.test(name)) {
        w.at = Math.min((w.match.get(w.at) ?? w.end) + 1, w.end);
        continue;
      }
      if (token.text === '{' && scan.language === 'perl' && !token.spaced) {
        const close = w.match.get(w.at) ?? w.end;
        w.at++;
        const bare = peek(w);
        const key =
          bare?.t === 'name' && w.at + 1 === close && !bare.text.startsWith('$') ? text(bare.text) : expression(w);
        w.at = Math.min(close + 1, w.end);
        thing = index(scan, thing, key);
        continue;
      }
    }
    if (token.t === 'string' && token.prefix === '`' && scan.language === 'node' && !token.first) {
      w.at++;
      const source = stringOf(scan, token.parts);
      const tag = name.slice(name.lastIndexOf('.') + 1);
      thing = /^\$+$|^(?:sh|exec|execa|execaCommand|shell)$/.test(tag) ? runShell(scan, source) : source;
      continue;
    }
    if (bareArguments(w, token, thing, name)) {
      const args = bareList(w);
      thing = call(w, thing, { recv, name, args: args.args, named: args.named });
      recv = null;
      name = '';
      continue;
    }
    break;
  }
  // A function named without arguments runs in Ruby and Perl; a missing call there is rare enough to leave out.
  if (piped && thing.k === 'ref') return call(w, thing, { recv, name, args: [piped], named: new Map() });
  return thing;
}

/** Ruby calls a method that is named without arguments. */
function runsBare(w: Walk, thing: Thing, name: string): boolean {
  const next = peek(w);
  if (isOp(next, '(') && !next?.spaced) return false;
  return callable(w.scan, thing, name) && !(next !== undefined && bareArguments(w, next, thing, name));
}

const NO_ARGUMENT = new Set([
  'if',
  'unless',
  'and',
  'or',
  'not',
  'do',
  'x',
  'eq',
  'ne',
  'for',
  'foreach',
  'while',
  'until',
  'then',
  'rescue',
  'end',
  'in',
  'as',
  'else',
  'when',
  'cmp',
  'lt',
  'gt',
  'le',
  'ge',
  'is',
]);

/** `system "x"`, `puts a, b`: arguments without brackets, where the language has them and the name is one we know. */
function bareArguments(w: Walk, token: Token, thing: Thing, name: string): boolean {
  const { language } = w.scan;
  if (language === 'python' || language === 'node' || language === 'r' || language === 'julia') return false;
  if (token.first || name === '' || !callable(w.scan, thing, name)) return false;
  if (token.t === 'string' || token.t === 'shell' || token.t === 'words' || token.t === 'number') return true;
  if (token.t === 'name') return !NO_ARGUMENT.has(token.text);
  return (
    token.t === 'op' &&
    token.spaced &&
    (token.text === '[' || token.text === '\\' || (token.text === '<' && language === 'perl'))
  );
}

function callable(scan: Scan, thing: Thing, name = ''): boolean {
  const { library } = scan;
  if (thing.k === 'ref') {
    const last = thing.name.slice(thing.name.lastIndexOf('.') + 1);
    return library.calls.has(thing.name) || library.telling.has(last) || library.methods.has(last);
  }
  return thing.k === 'func' || library.methods.has(name) || library.telling.has(name);
}

function bareList(w: Walk): { readonly args: Thing[]; readonly named: Map<string, Thing> } {
  const args: Thing[] = [];
  const namedArgs = new Map<string, Thing>();
  while (w.at < w.end && spend(w.scan)) {
    const before = w.at;
    const key = keyAt(w);
    if (key !== null) namedArgs.set(key, expression(w));
    else args.push(expression(w));
    if (w.at === before) break;
    const next = peek(w);
    if (isOp(next, ',', '=>')) {
      w.at++;
      continue;
    }
    // `print FH "text"`: a file handle has no comma after it.
    const isHandle =
      args[args.length - 1]?.k === 'ref' &&
      (next?.t === 'string' || next?.t === 'name') &&
      !(next.t === 'name' && NO_ARGUMENT.has(next.text)) &&
      !next.first;
    if (!isHandle) break;
  }
  return { args, named: namedArgs };
}

/** Looks at code given to an evaluator. */
export function walkCode(scan: Scan, code: Thing | undefined): void {
  const held = noteCode(scan, code);
  const source = held ?? (code?.k === 'text' ? code.value.map((p) => (typeof p === 'string' ? p : ' ')).join('') : '');
  if (source.length < 200_000) walkText(scan, source);
}
