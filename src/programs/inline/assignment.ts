import { expression } from './expression.ts';
import type { Scan } from './scan.ts';
import { type Thing, UNKNOWN } from './thing.ts';
import type { Token } from './token.ts';
import { assign } from './variables.ts';
import { isOp, peek, type Walk } from './walk.ts';

/** `a, b = x`, `(a, b) = x`, `[a, b] = x`, `{a, b: c} = x`, `a = x`, `a: T = x`: the names, with the `=` stepped over. */
export function assignmentTargets(w: Walk): readonly { readonly name: string; readonly key: string | null }[] | null {
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
export function tuple(w: Walk): Thing {
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

export function spread(
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
