import { concat, type Hole, isDynamic, known, type Part, type Taint, textOf, type Value } from '../model/value.ts';
import { MATCH_CHARS, matches, type Pattern, remove, replace } from './pattern.ts';
import { worse } from './state.ts';

/** An unknown made from a value: its worst taint stays. */
export function unknownFrom(value: Value, reason: string, like: 'any' | 'name' = 'any'): Value {
  let taint: Taint | undefined;
  for (const part of value) if (isHole(part) && part.taint) taint = worse(taint, part.taint);
  return [taint ? { hole: reason, like, taint } : { hole: reason, like }];
}

function isHole(part: Part): part is Hole {
  return typeof part !== 'string' && 'hole' in part;
}

function reasonOf(value: Value): string {
  return value.find(isHole)?.hole ?? 'a value that is not known';
}

/** `${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}`. */
export function removePattern(value: Value, pattern: Pattern | null, operator: '#' | '##' | '%' | '%%'): Value {
  const text = textOf(value);
  if (text !== null && pattern) {
    const result = remove(pattern, text, operator);
    if (result !== null) return known(result);
  }
  if (pattern) {
    const partly = removePartly(unglued(value), pattern, operator);
    if (partly) return partly;
  }
  return changedName(value, pattern, '') ?? unknownFrom(value, reasonOf(value));
}

/**
 * A name in a directory from which text is cut, or in which it is replaced by text without a slash: another name in
 * that directory. Null where more than the last component may change.
 */
function changedName(value: Value, pattern: Pattern | null, by: string | null): Value | null {
  if (by === null || /\/|\.\./.test(by) || !pattern) return null;
  const parts = unglued(value);
  const last = parts.findLastIndex((part) => typeof part === 'string' && part.includes('/'));
  const slash = last < 0 ? '' : (parts[last] as string);
  const place = last < 0 ? [] : [...parts.slice(0, last), slash.slice(0, slash.lastIndexOf('/') + 1)];
  const name = last < 0 ? parts : concat([slash.slice(slash.lastIndexOf('/') + 1)], parts.slice(last + 1));
  if (!name.some(isNamePart) || !name.every((part) => typeof part === 'string' || isNamePart(part))) return null;
  // Text is met in the directory as well: only plain text that is not there leaves it alone.
  const text = pattern.map((token) => (token.kind === 'char' ? token.char : null));
  if (place.length > 0 && (text.includes(null) || text.includes('/') || !isPlain(place, text.join('')))) return null;
  return concat(place, unknownFrom(name, reasonOf(name), 'name'));
}

function isNamePart(part: Part): boolean {
  return isHole(part) ? part.like === 'name' : typeof part !== 'string' && !part.glob.includes('/');
}

function isPlain(place: Value, without: string): boolean {
  const text = textOf(place);
  return text !== null && without !== '' && !text.includes(without);
}

/** File patterns with the plain text at their ends apart: `*.js` is `*`, then `.js`. */
export function unglued(value: Value): Value {
  if (!value.some((part) => typeof part !== 'string' && 'glob' in part)) return value;
  return value.flatMap((part): Value => {
    if (typeof part === 'string' || !('glob' in part)) return [part];
    const match = /^([^*?[\]\\(){}!]*)(.*?)([^*?[\]\\(){}!]*)$/s.exec(part.glob);
    const [, before = '', middle = '', after = ''] = match ?? [];
    return middle === '' ? [part] : [...known(before), { glob: middle }, ...known(after)];
  });
}

/** Removal from a value with unknown stretches, where the known ends decide it. */
function removePartly(value: Value, pattern: Pattern, operator: '#' | '##' | '%' | '%%'): Value | null {
  const plain = pattern.every((t) => t.kind === 'char')
    ? pattern.map((t) => (t.kind === 'char' ? t.char : '')).join('')
    : null;
  const first = value[0];
  const last = value[value.length - 1];
  if (plain !== null && operator[0] === '%' && typeof last === 'string' && last.length >= plain.length)
    return last.endsWith(plain) ? concat(value.slice(0, -1), known(last.slice(0, last.length - plain.length))) : value;
  if (plain !== null && operator[0] === '#' && typeof first === 'string' && first.length >= plain.length)
    return first.startsWith(plain) ? concat(known(first.slice(plain.length)), value.slice(1)) : value;
  const [a, b] = pattern;
  if (pattern.length !== 2 || !a || !b) return null;
  // `${x##*/}`: the base name. `${x%/*}`: the directory.
  if (operator === '##' && a.kind === 'star' && b.kind === 'char' && b.char === '/') return baseName(value);
  if (operator === '%' && a.kind === 'char' && a.char === '/' && b.kind === 'star') return directory(value);
  // `${x%.*}` of something that ends in a known extension.
  if (operator === '%' && a.kind === 'char' && b.kind === 'star' && typeof last === 'string') {
    const at = last.lastIndexOf(a.char);
    if (at >= 0) return concat(value.slice(0, -1), known(last.slice(0, at)));
  }
  return null;
}

/** What follows the last `/`; an unknown path's base name is some name. */
function baseName(value: Value): Value {
  for (let i = value.length - 1; i >= 0; i--) {
    const part = value[i] as Part;
    const slash = typeof part === 'string' ? part.lastIndexOf('/') : -1;
    if (typeof part === 'string' && slash >= 0) return concat(known(part.slice(slash + 1)), value.slice(i + 1));
    if (isHole(part) && part.like === 'any') return concat(unknownFrom([part], part.hole, 'name'), value.slice(i + 1));
  }
  return value;
}

/** What precedes the last `/`, where that is sure. */
function directory(value: Value): Value | null {
  for (let i = value.length - 1; i >= 0; i--) {
    const part = value[i] as Part;
    const slash = typeof part === 'string' ? part.lastIndexOf('/') : -1;
    if (typeof part === 'string' && slash >= 0) return concat(value.slice(0, i), known(part.slice(0, slash)));
    if (isHole(part) && part.like === 'any') return null;
  }
  return value;
}

/** `${x/p/r}`, `${x//p/r}`, `${x/#p/r}`, `${x/%p/r}`. */
export function replacePattern(
  value: Value,
  pattern: Pattern | null,
  replacement: Value,
  operator: '/' | '//' | '/#' | '/%',
): Value {
  const text = textOf(value);
  const by = textOf(replacement);
  if (text !== null && by !== null && pattern) {
    const result = replace(pattern, text, by, operator);
    if (result !== null) return known(result);
  }
  // Every character that is not of a set becomes harmless text: `${x//[^a-z0-9]/-}`.
  const cleaned = operator === '//' && pattern?.length === 1 && by !== null && /^[\w]+$/.test(by);
  const slashes =
    cleaned && pattern?.[0]?.kind === 'set' && pattern[0].has('/') && pattern[0].has(' ') && pattern[0].has('.');
  const kept = slashes ? null : changedName(value, pattern, by);
  return (
    kept ?? unknownFrom(concat(value, replacement), reasonOf(concat(value, replacement)), slashes ? 'name' : 'any')
  );
}

/** `${x^}`, `${x^^}`, `${x,}`, `${x,,}`; the pattern says which characters. */
export function changeCase(value: Value, pattern: Pattern | null, operator: '^' | '^^' | ',' | ',,'): Value {
  if (!pattern) return unknownFrom(value, reasonOf(value));
  const change = (c: string): string =>
    !matches(pattern, c) ? c : operator[0] === '^' ? c.toUpperCase() : c.toLowerCase();
  let first = true;
  return value.map((part) => {
    if (typeof part !== 'string') {
      first = false;
      return part;
    }
    if (part.length > MATCH_CHARS * 16) return part;
    if (operator.length === 2) return [...part].map(change).join('');
    const out = first && part !== '' ? change(part[0] as string) + part.slice(1) : part;
    first = false;
    return out;
  });
}

/** `${x:offset:length}`; null numbers are not known. */
export function sliceText(value: Value, offset: number | null, length: number | null | undefined): Value {
  const text = textOf(value);
  if (text !== null && offset !== null && length !== null) {
    const from = offset < 0 ? text.length + offset : offset;
    if (from < 0) return [];
    const to = length === undefined ? text.length : length < 0 ? text.length + length : from + length;
    return known(text.slice(from, Math.max(from, to)));
  }
  const [only] = value;
  const name = value.length === 1 && only !== undefined && isHole(only) && only.like === 'name' && offset === 0;
  return isDynamic(value) || offset === null || length === null
    ? unknownFrom(value, reasonOf(value), name ? 'name' : 'any')
    : value;
}

/** `${x@Q}` and its kin, where they only change text. */
export function transform(value: Value, letter: string): Value {
  const text = textOf(value);
  if (letter === 'U') return value.map((p) => (typeof p === 'string' ? p.toUpperCase() : p));
  if (letter === 'L') return value.map((p) => (typeof p === 'string' ? p.toLowerCase() : p));
  if (letter === 'u') return changeCase(value, [{ kind: 'one' }], '^');
  if (text === null) return unknownFrom(value, reasonOf(value));
  if (letter === 'Q' || letter === 'K' || letter === 'k') return known(quoteText(text));
  if (letter === 'E') return known(ansiText(text));
  return letter === 'a' ? unknownFrom(value, 'attributes of a variable', 'name') : value;
}

/** Text in single quotes as the shell reads it back. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\\': '\\', "'": "'", '"': '"', '?': '?',
}; // biome-ignore format: a table

/** Backslash escapes of `$'…'`, `printf` and `echo -e`. */
export function ansiText(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|c(.)|([\s\S]))/g,
    (all, x, u, bigU, octal, control, c) => {
      if (x !== undefined || u !== undefined || bigU !== undefined)
        return codePoint(Number.parseInt(x ?? u ?? bigU, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
      if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 31);
      return ESCAPES[c as string] ?? (all as string);
    },
  );
}

function codePoint(n: number): string {
  return n <= 0x10ffff ? String.fromCodePoint(n) : '';
}
