import { LIMITS } from '../base/limits.ts';

/**
 * Globs of the rule language: `*` and `?` within a path component, `**` over components, `[abc]`, `{a,b}`, a
 * leading `~` for the home directory. No backtracking: the work is at most text × pattern.
 */
export type TextTest = (text: string) => boolean;

const SPECIAL = /[*?[\]{}\\]/;

/** A test that is true if any of the patterns matches the whole text. */
export function compileGlobs(patterns: readonly string[], home: string): TextTest {
  const exact = new Set<string>();
  const baseNames = new Set<string>();
  const suffixes: string[] = [];
  const prefixes: string[] = [];
  const others: TextTest[] = [];
  for (const pattern of patterns.flatMap((p) => expandBraces(withHome(p, home)))) {
    if (!SPECIAL.test(pattern)) exact.add(pattern);
    else if (pattern.startsWith('**/') && !SPECIAL.test(pattern.slice(3)) && !pattern.includes('/', 3))
      baseNames.add(pattern.slice(3));
    else if (pattern.startsWith('**/*.') && !SPECIAL.test(pattern.slice(4)) && !pattern.includes('/', 4))
      suffixes.push(pattern.slice(4));
    else if (pattern.endsWith('/**') && !SPECIAL.test(pattern.slice(0, -3))) prefixes.push(pattern.slice(0, -2));
    else others.push(compileOne(pattern));
  }
  return (text) => {
    if (exact.has(text)) return true;
    if (baseNames.size > 0 && baseNames.has(text.slice(text.lastIndexOf('/') + 1))) return true;
    for (const suffix of suffixes) if (text.endsWith(suffix)) return true;
    for (const prefix of prefixes) if (text.length > prefix.length && text.startsWith(prefix)) return true;
    for (const test of others) if (test(text)) return true;
    return false;
  };
}

/** `~` and `~/…` with the home directory put in. */
export function withHome(pattern: string, home: string): string {
  if (pattern === '~') return home;
  return pattern.startsWith('~/') ? home + pattern.slice(1) : pattern;
}

/** `{a,b}` written out, nested too; a brace without a comma or an end is text. */
export function expandBraces(pattern: string): string[] {
  const out: string[] = [];
  const todo = [pattern];
  while (todo.length > 0) {
    const next = todo.pop() as string;
    const brace = findBrace(next);
    if (!brace || out.length + todo.length >= LIMITS.globAlternatives) {
      out.push(next);
      continue;
    }
    for (let i = brace.parts.length - 1; i >= 0; i--)
      todo.push(next.slice(0, brace.start) + brace.parts[i] + next.slice(brace.end));
  }
  return out;
}

function findBrace(text: string): { start: number; end: number; parts: string[] } | null {
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    let depth = 0;
    let from = start + 1;
    const parts: string[] = [];
    for (let i = start; i < text.length; i++) {
      const c = text[i];
      if (c === '\\') i++;
      else if (c === '{') depth++;
      else if (c === ',' && depth === 1) {
        parts.push(text.slice(from, i));
        from = i + 1;
      } else if (c === '}' && --depth === 0) {
        if (parts.length === 0) break;
        parts.push(text.slice(from, i));
        return { start, end: i + 1, parts };
      }
    }
  }
  return null;
}

/** Keys under which a path that matches the pattern can be found (`pathKeys`); null: it could be any path. */
export function patternKeys(pattern: string): readonly string[] | null {
  const keys = new Set<string>();
  for (const one of expandBraces(pattern)) {
    const components = one.split('/');
    const literal = components.filter((c) => c !== '' && c !== '~' && !SPECIAL.test(c));
    const last = components[components.length - 1] as string;
    const ending = /^\*+(\.[^*?[\]{}\\.]+)$/.exec(last)?.[1];
    if (ending) keys.add(`e:${ending}`);
    else if (literal.length > 0) keys.add(`c:${literal.reduce((a, b) => (b.length > a.length ? b : a))}`);
    else return null;
  }
  return [...keys];
}

/** The keys of a path: its components and its ending. */
export function pathKeys(path: string): readonly string[] {
  const components = path.split('/').filter((c) => c !== '');
  const last = components[components.length - 1] ?? '';
  const dot = last.lastIndexOf('.');
  const keys = components.map((c) => `c:${c}`);
  if (dot >= 0) keys.push(`e:${last.slice(dot)}`);
  return keys;
}

/** One element of a component's pattern: a character, any character, a set, or a star. */
type Unit = string | typeof ANY | typeof STAR | CharSet;
const ANY = Symbol('?');
const STAR = Symbol('*');
interface CharSet {
  readonly negated: boolean;
  readonly ranges: readonly (readonly [string, string])[];
}

type Component = readonly Unit[] | typeof STAR;

function compileOne(pattern: string): TextTest {
  const components: Component[] = pattern.split('/').map((c) => (c === '**' ? STAR : parseComponent(c)));
  // `dir/**` is what lies in the directory, not the directory.
  if (components[components.length - 1] === STAR) components.push([STAR]);
  return (text) => matchWild(components, text.split('/'), matchesComponent);
}

function matchesComponent(component: Component, text: string): boolean {
  return matchWild(component as readonly Unit[], text, matchesUnit);
}

function matchesUnit(unit: Unit, char: string): boolean {
  if (typeof unit === 'string') return unit === char;
  if (typeof unit === 'symbol') return true;
  return unit.ranges.some(([from, to]) => char >= from && char <= to) !== unit.negated;
}

/**
 * The two-pointer match of a sequence with stars: on a mismatch only the last star can take one more, since every
 * other element takes exactly one. Each star is retried at most once per item, hence pattern × text.
 */
function matchWild<P, T>(
  pattern: readonly P[],
  text: ArrayLike<T>,
  matches: (p: Exclude<P, typeof STAR>, t: T) => boolean,
): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    const element = pattern[p];
    if (p < pattern.length && element === STAR) {
      star = p++;
      resume = t;
    } else if (p < pattern.length && matches(element as Exclude<P, typeof STAR>, text[t] as T)) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else return false;
  }
  while (p < pattern.length && pattern[p] === STAR) p++;
  return p === pattern.length;
}

function parseComponent(text: string): readonly Unit[] {
  const units: Unit[] = [];
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string;
    if (c === '*') {
      if (units[units.length - 1] !== STAR) units.push(STAR);
    } else if (c === '?') units.push(ANY);
    else if (c === '\\' && i + 1 < text.length) units.push(text[++i] as string);
    else if (c === '[') {
      const set = parseSet(text, i);
      units.push(set ? set.set : c);
      if (set) i = set.end;
    } else units.push(c);
  }
  return units;
}

function parseSet(text: string, start: number): { set: CharSet; end: number } | null {
  let i = start + 1;
  const negated = text[i] === '!' || text[i] === '^';
  if (negated) i++;
  const ranges: [string, string][] = [];
  for (let first = true; i < text.length; first = false) {
    const c = text[i] as string;
    if (c === ']' && !first) return { set: { negated, ranges }, end: i };
    const to = text[i + 2];
    if (text[i + 1] === '-' && to !== undefined && to !== ']') {
      ranges.push([c, to]);
      i += 3;
    } else {
      ranges.push([c, c]);
      i++;
    }
  }
  return null;
}
