/** One element of a shell pattern (bash(1), "Pattern Matching"). */
type Token =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'star' }
  | { readonly kind: 'set'; readonly has: (char: string) => boolean };

export type Pattern = readonly Token[];

/** A pattern text, with backslashes quoting; null if it uses what is not understood (extglob). */
export function compile(text: string): Pattern | null {
  const tokens: Token[] = [];
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string;
    if ('?*+@!'.includes(c) && text[i + 1] === '(') return null;
    if (c === '\\' && i + 1 < text.length) tokens.push({ kind: 'char', char: text[++i] as string });
    else if (c === '*') {
      if (tokens[tokens.length - 1]?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (c === '?') tokens.push({ kind: 'one' });
    else if (c === '[') {
      const set = readSet(text, i);
      if (!set) tokens.push({ kind: 'char', char: c });
      else {
        tokens.push({ kind: 'set', has: set.has });
        i = set.end;
      }
    } else tokens.push({ kind: 'char', char: c });
  }
  return tokens;
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\v\f\r]/,
  upper: /[A-Z]/,
  word: /\w/,
  xdigit: /[0-9A-Fa-f]/,
};

function readSet(text: string, start: number): { readonly has: (c: string) => boolean; readonly end: number } | null {
  let i = start + 1;
  const negated = text[i] === '!' || text[i] === '^';
  if (negated) i++;
  const singles = new Set<string>();
  const ranges: [string, string][] = [];
  const classes: RegExp[] = [];
  for (let first = true; ; first = false, i++) {
    const c = text[i];
    if (c === undefined) return null;
    if (c === ']' && !first) break;
    const named = c === '[' ? /^\[:(\w+):\]/.exec(text.slice(i, i + 12)) : null;
    const named_ = named && CLASSES[named[1] as string];
    if (named && named_) {
      classes.push(named_);
      i += named[0].length - 1;
      continue;
    }
    // A class that is none: bash's own reading of what is left depends on its version.
    if (named) return null;
    const from = c === '\\' ? (text[++i] ?? '\\') : c;
    if (text[i + 1] === '-' && text[i + 2] !== undefined && text[i + 2] !== ']') {
      const to = text[i + 2] === '\\' ? (text[++i + 2] ?? '') : (text[i + 2] as string);
      ranges.push([from, to]);
      i += 2;
    } else singles.add(from);
  }
  const has = (c: string): boolean =>
    (singles.has(c) || ranges.some(([a, b]) => a <= c && c <= b) || classes.some((r) => r.test(c))) !== negated;
  return { has, end: i };
}

/** Ends of all matches that start at `from`, ascending. Work is length × pattern. */
function matchEnds(pattern: Pattern, text: string, from: number): readonly number[] {
  let at = new Set<number>([from]);
  for (const token of pattern) {
    const next = new Set<number>();
    if (token.kind === 'star') {
      let first = text.length + 1;
      for (const p of at) first = Math.min(first, p);
      for (let p = first; p <= text.length; p++) next.add(p);
    } else
      for (const p of at) {
        const c = text[p];
        if (c !== undefined && accepts(token, c)) next.add(p + 1);
      }
    if (next.size === 0) return [];
    at = next;
  }
  return [...at].sort((a, b) => a - b);
}

function accepts(token: Token, c: string): boolean {
  if (token.kind === 'char') return token.char === c;
  return token.kind === 'one' || (token.kind === 'set' && token.has(c));
}

/** True if the whole text matches. */
export function matches(pattern: Pattern, text: string): boolean {
  const ends = matchEnds(pattern, text, 0);
  return ends[ends.length - 1] === text.length;
}

/** Texts longer than this are not matched: the result is unknown. */
export const MATCH_CHARS = 4096;

/** `${text#pattern}` and its kin; null past the bound. */
export function remove(pattern: Pattern, text: string, operator: '#' | '##' | '%' | '%%'): string | null {
  if (text.length > MATCH_CHARS) return null;
  if (operator[0] === '#') {
    const ends = matchEnds(pattern, text, 0);
    const end = operator === '#' ? ends[0] : ends[ends.length - 1];
    return end === undefined ? text : text.slice(end);
  }
  // A suffix is a prefix of everything turned round.
  const ends = matchEnds([...pattern].reverse(), text.split('').reverse().join(''), 0);
  const end = operator === '%' ? ends[0] : ends[ends.length - 1];
  return end === undefined ? text : text.slice(0, text.length - end);
}

/** `${text/pattern/replacement}` and its kin; null past the bound. */
export function replace(
  pattern: Pattern,
  text: string,
  replacement: string,
  operator: '/' | '//' | '/#' | '/%',
): string | null {
  if (text.length > (pattern.some((t) => t.kind === 'star') ? MATCH_CHARS / 8 : MATCH_CHARS)) return null;
  if (operator === '/#') {
    const end = matchEnds(pattern, text, 0).at(-1);
    return end === undefined ? text : replacement + text.slice(end);
  }
  if (operator === '/%') {
    const kept = remove(pattern, text, '%%');
    return kept === null || kept === text ? kept : kept + replacement;
  }
  let out = '';
  let from = 0;
  for (let start = 0; start < text.length; ) {
    const end = matchEnds(pattern, text, start).at(-1);
    if (end === undefined || end === start) {
      start++;
      continue;
    }
    out += text.slice(from, start) + replacement;
    from = start = end;
    if (operator === '/') break;
  }
  return out + text.slice(from);
}

/** The text with pattern characters quoted. */
export function quotePattern(text: string): string {
  return text.replace(/[\\*?[\]+@!(|)]/g, '\\$&');
}
