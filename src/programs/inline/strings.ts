import type { Quote, StringPart } from './token.ts';

const SIGIL_VARIABLE =
  /\$(?:\{\^?\w+\}|\w+(?:(?:->)?(?:\{\$?\w+\}|\{['"]\w+['"]\}|\[[-$\w]+\]))*)|\{\$[^{}"]{1,200}\}|@\{\[[^\]]{0,200}\]\}|\$\([^()]{0,200}\)/y;

/** The bracket that ends what `open` begins. */
export function closing(open: string): string {
  return ({ '(': ')', '[': ']', '{': '}', '<': '>' } as Record<string, string>)[open] ?? open;
}

/**
 * Reads a string from its first character on. `open` is the opening bracket if brackets nest in it.
 * An unfinished string ends with the text.
 */
export function readString(
  text: string,
  start: number,
  mark: string,
  quote: Quote,
  open = '',
): { readonly parts: readonly StringPart[]; readonly end: number } {
  const parts: StringPart[] = [];
  let run = '';
  let nested = 0;
  let i = start;
  const code = (source: string): void => {
    if (run !== '') parts.push(run);
    run = '';
    parts.push({ code: source });
  };
  while (i < text.length) {
    const c = text[i] as string;
    if (nested === 0 && text.startsWith(mark, i)) {
      i += mark.length;
      if (run !== '') parts.push(run);
      return { parts, end: i };
    }
    if (open !== '' && open !== mark && c === open) nested++;
    else if (open !== '' && open !== mark && c === mark) nested--;
    if (c === '\n' && quote.multiline !== true) break;
    if (c === '\\') {
      const [made, used] = escaped(text, i, quote, mark);
      run += made;
      i += used;
      continue;
    }
    const inner = interpolation(text, i, quote);
    if (inner) {
      if (inner.code === null) run += inner.text;
      else code(inner.code);
      i = inner.end;
      continue;
    }
    run += c;
    i++;
  }
  if (run !== '') parts.push(run);
  return { parts, end: i };
}

interface Inner {
  readonly code: string | null;
  readonly text: string;
  readonly end: number;
}

function interpolation(text: string, i: number, quote: Quote): Inner | null {
  const c = text[i];
  if (quote.interpolates === 'braces' && (c === '{' || c === '}')) {
    if (text[i + 1] === c) return { code: null, text: c, end: i + 2 };
    if (c === '}') return null;
    const end = braceEnd(text, i);
    return { code: formatExpression(text.slice(i + 1, end)), text: '', end: end + 1 };
  }
  if (quote.interpolates === 'dollar-brace' && c === '$' && text[i + 1] === '{') {
    const end = braceEnd(text, i + 1);
    return { code: text.slice(i + 2, end), text: '', end: end + 1 };
  }
  if (quote.interpolates === 'hash-brace' && c === '#' && text[i + 1] === '{') {
    const end = braceEnd(text, i + 1);
    return { code: text.slice(i + 2, end), text: '', end: end + 1 };
  }
  if (quote.interpolates === 'sigils' && (c === '$' || c === '{' || c === '@')) {
    SIGIL_VARIABLE.lastIndex = i;
    const found = SIGIL_VARIABLE.exec(text);
    if (!found) return null;
    const all = found[0];
    const source = all.startsWith('{') ? all.slice(1, -1) : all.startsWith('${') ? `$${all.slice(2, -1)}` : all;
    return { code: source, text: '', end: i + all.length };
  }
  return null;
}

/** An f-string field without its conversion and format. */
function formatExpression(field: string): string {
  let depth = 0;
  for (let i = 0; i < field.length; i++) {
    const c = field[i] as string;
    if ('([{'.includes(c)) depth++;
    else if (')]}'.includes(c)) depth--;
    else if (depth === 0 && (c === ':' || (c === '!' && field[i + 1] !== '='))) return field.slice(0, i);
  }
  return field.replace(/=\s*$/, '');
}

/** Index of the brace that closes the one at `open`; quotes inside are stepped over. */
function braceEnd(text: string, open: number): number {
  let depth = 0;
  let quote = '';
  for (let i = open; i < text.length; i++) {
    const c = text[i] as string;
    if (quote !== '') {
      if (c === '\\') i++;
      else if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '{') depth++;
    else if (c === '}' && --depth === 0) return i;
  }
  return text.length;
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\x1b',
  '\n': '',
};

/** The text of an escape and how many characters it takes. */
function escaped(text: string, i: number, quote: Quote, mark: string): readonly [string, number] {
  const next = text[i + 1];
  if (next === undefined) return ['\\', 1];
  if (quote.escapes === 'none') return [`\\${next}`, 2];
  if (quote.escapes === 'quote') return next === '\\' || next === mark ? [next, 2] : ['\\', 1];
  const hex =
    /\\(?:x\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{1,2})|u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3}))/y;
  hex.lastIndex = i;
  const found = hex.exec(text);
  if (found) {
    const octal = found[6];
    const code =
      octal !== undefined
        ? Number.parseInt(octal, 8)
        : Number.parseInt(found.slice(1, 6).find((g) => g !== undefined) ?? '', 16);
    return [code <= 0x10ffff ? String.fromCodePoint(code) : '', found[0].length];
  }
  const simple = SIMPLE[next];
  return [simple ?? next, 2];
}
