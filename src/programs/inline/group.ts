import { expression } from './expression.ts';
import { arrow, parameters } from './functions.ts';
import { bindLoop } from './loops.ts';
import { statement } from './statement.ts';
import type { Thing } from './thing.ts';
import type { Token } from './token.ts';
import { isName, isOp, isOpen, peek, spend, type Walk } from './walk.ts';

export function group(w: Walk, open: string): Thing {
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
export function comprehension(w: Walk, close: number): void {
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
export function keyAt(w: Walk): string | null {
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
