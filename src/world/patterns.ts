/** True if the text has an unescaped `*`, `?` or `[`. */
export function hasPattern(text: string): boolean {
  return /[*?[]/.test(text);
}

type Token = { readonly one: (c: string) => boolean } | '*';

/**
 * Compiles one component of a shell pattern (`*`, `?`, `[a-z]`, `[!a]`, `[[:alpha:]]`, `\x`) to a test of file
 * names. As in sh(1), a leading `.` must be written. Work is linear in pattern × name.
 */
export function namePattern(pattern: string, dotted = false): (name: string) => boolean {
  const tokens = tokensOf(pattern);
  const opensDot = dotted || pattern.startsWith('.') || pattern.startsWith('\\.');
  return (name) => (opensDot || !name.startsWith('.')) && matches(tokens, [...name]);
}

function matches(tokens: readonly Token[], name: readonly string[]): boolean {
  let t = 0;
  let n = 0;
  let starAt = -1;
  let starName = 0;
  while (n < name.length) {
    const token = tokens[t];
    if (token === '*') {
      starAt = t++;
      starName = n;
    } else if (token?.one(name[n] as string)) {
      t++;
      n++;
    } else if (starAt >= 0) {
      t = starAt + 1;
      n = ++starName;
    } else return false;
  }
  while (tokens[t] === '*') t++;
  return t === tokens.length;
}

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  const chars = [...pattern];
  for (let i = 0; i < chars.length; i++) {
    const c = chars[i] as string;
    if (c === '*') {
      if (tokens.at(-1) !== '*') tokens.push('*');
    } else if (c === '?') tokens.push({ one: () => true });
    else if (c === '[') {
      const end = bracketEnd(chars, i);
      if (end < 0) tokens.push(literal('['));
      else {
        tokens.push({ one: bracket(chars.slice(i + 1, end)) });
        i = end;
      }
    } else if (c === '\\' && i + 1 < chars.length) tokens.push(literal(chars[++i] as string));
    else tokens.push(literal(c));
  }
  return tokens;
}

function literal(char: string): Token {
  return { one: (c) => c === char };
}

function bracketEnd(chars: readonly string[], start: number): number {
  let i = start + 1;
  if (chars[i] === '!' || chars[i] === '^') i++;
  if (chars[i] === ']') i++;
  for (; i < chars.length; i++) {
    if (chars[i] === '[' && chars[i + 1] === ':') {
      const close = chars.indexOf(']', i + 2);
      if (close > 0 && chars[close - 1] === ':') i = close;
    } else if (chars[i] === '\\') i++;
    else if (chars[i] === ']') return i;
  }
  return -1;
}

/** Made when asked for: reading a pattern with `\p{L}` alone takes a tenth of a millisecond. */
const CLASSES: Readonly<Record<string, () => RegExp>> = {
  alpha: () => /\p{L}/u,
  digit: () => /\d/,
  alnum: () => /[\p{L}\d]/u,
  upper: () => /\p{Lu}/u,
  lower: () => /\p{Ll}/u,
  space: () => /\s/,
  punct: () => /[!-/:-@[-`{-~]/,
  xdigit: () => /[\da-f]/i,
  blank: () => /[ \t]/,
  graph: () => /[!-~]/,
  print: () => /[ -~]/,
};

function bracket(body: readonly string[]): (c: string) => boolean {
  let i = 0;
  const negated = body[0] === '!' || body[0] === '^';
  if (negated) i++;
  const tests: ((c: string) => boolean)[] = [];
  for (; i < body.length; i++) {
    let c = body[i] as string;
    if (c === '[' && body[i + 1] === ':') {
      const close = body.indexOf(':', i + 2);
      const make = CLASSES[body.slice(i + 2, close).join('')];
      if (close > 0 && make) {
        const test = make();
        tests.push((x) => test.test(x));
        i = close + 1;
        continue;
      }
    }
    if (c === '\\' && i + 1 < body.length) c = body[++i] as string;
    if (body[i + 1] === '-' && i + 2 < body.length) {
      const from = c;
      const to = body[i + 2] as string;
      tests.push((x) => x >= from && x <= to);
      i += 2;
    } else {
      const one = c;
      tests.push((x) => x === one);
    }
  }
  return (c) => tests.some((test) => test(c)) !== negated;
}
