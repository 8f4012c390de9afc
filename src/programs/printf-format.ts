import { concat, known, textOf, type Value } from '../model/value.ts';

/** Characters that one printf may make before its output is called unknown. */
const MOST = 64 * 1024;

const LETTERS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '?': '?',
};

/** Text with its backslash escapes replaced; `stop` if `\c` ended it. `echo -e` wants a zero before octal digits. */
export function unescapeText(text: string, octal: 'plain' | 'zero'): { text: string; stop: boolean } {
  let out = '';
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '\\' || at + 1 >= text.length) {
      out += text[at];
      continue;
    }
    const rest = text.slice(at + 1, at + 12);
    const digits = (octal === 'zero' ? /^0([0-7]{0,3})/ : /^(0?[0-7]{1,3})/).exec(rest);
    const hex = /^x([0-9a-fA-F]{1,2})|^u([0-9a-fA-F]{1,4})|^U([0-9a-fA-F]{1,8})/.exec(rest);
    if (digits) {
      out += String.fromCharCode(Number.parseInt(digits[1] || '0', 8) & 255);
      at += digits[0].length;
    } else if (hex) {
      const code = Number.parseInt(hex[1] ?? hex[2] ?? (hex[3] as string), 16);
      out += code <= 0x10ffff ? String.fromCodePoint(code) : '';
      at += hex[0].length;
    } else if (rest[0] === 'c') return { text: out, stop: true };
    else {
      out += LETTERS[rest[0] as string] ?? `\\${rest[0]}`;
      at += 1;
    }
  }
  return { text: out, stop: false };
}

/** What `printf FORMAT ARG…` prints (printf(1)); null when it can't be told. Holes in arguments stay holes. */
export function formatPrintf(format: string, args: readonly Value[]): Value | null {
  let out: Value = [];
  let size = 0;
  let next = 0;
  const rounds = args.length + 1;
  for (let round = 0; round < rounds; round++) {
    const before = next;
    const done = (): boolean => next >= args.length;
    const once = formatOnce(format, () => args[next++] ?? null);
    if (once === null) return null;
    out = concat(out, once.value);
    size += once.value.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 8), 0);
    if (size > MOST) return null;
    if (once.stop || done() || next === before) return out;
  }
  return out;
}

function formatOnce(format: string, take: () => Value | null): { value: Value; stop: boolean } | null {
  const out: Value[] = [];
  const pattern = /%(%|([-+ #0']*)(\*|\d+)?(?:\.(\*|\d+)?)?(?:hh|h|ll|l|L|q|j|z|t)?([a-zA-Z]|\([^)]*\)T))/g;
  let from = 0;
  const literal = (text: string): boolean => {
    const plain = unescapeText(text, 'plain');
    out.push(known(plain.text));
    return plain.stop;
  };
  for (let match = pattern.exec(format); match; match = pattern.exec(format)) {
    if (literal(format.slice(from, match.index))) return { value: concat(out.flat()), stop: true };
    from = match.index + match[0].length;
    if (match[1] === '%') {
      out.push(['%']);
      continue;
    }
    if (match[3] === '*' || match[4] === '*') return null;
    const piece = convert(match[5] as string, match[2] ?? '', Number(match[3] ?? 0), match[4], take());
    if (piece === null) return null;
    out.push(piece.value);
    if (piece.stop) return { value: concat(out.flat()), stop: true };
  }
  const stop = literal(format.slice(from));
  return { value: concat(out.flat()), stop };
}

function convert(
  kind: string,
  flags: string,
  width: number,
  precision: string | undefined,
  arg: Value | null,
): { value: Value; stop: boolean } | null {
  const value = arg ?? [];
  const text = textOf(value);
  if (kind === 's' || kind === 'b' || kind === 'q') {
    if (text === null) return width === 0 && precision === undefined && kind === 's' ? { value, stop: false } : null;
    const plain = kind === 'b' ? unescapeText(text, 'plain') : { text, stop: false };
    const quoted = kind === 'q' ? quote(plain.text) : plain.text;
    const cut = precision === undefined ? quoted : quoted.slice(0, Number(precision));
    return { value: known(pad(cut, flags, width)), stop: plain.stop };
  }
  if (kind === 'c') return text === null ? null : { value: known(pad(text.slice(0, 1), flags, width)), stop: false };
  if ('diouxXeEfFgGaA'.includes(kind)) {
    if (text === null) return { value: [{ hole: 'number', like: 'name' }], stop: false };
    const number = numeral(text);
    if (number === null || !'diouxX'.includes(kind)) return { value: [{ hole: 'number', like: 'name' }], stop: false };
    const radix = kind === 'o' ? 8 : kind === 'x' || kind === 'X' ? 16 : 10;
    const digits = Math.abs(number).toString(radix);
    const sign = number < 0 ? '-' : flags.includes('+') ? '+' : flags.includes('#') && radix === 16 ? '0x' : '';
    const cased = kind === 'X' ? digits.toUpperCase() : digits;
    if (flags.includes('0') && !flags.includes('-')) {
      return { value: known(sign + cased.padStart(width - sign.length, '0')), stop: false };
    }
    return { value: known(pad(sign + cased, flags, width)), stop: false };
  }
  if (kind.endsWith('T')) return { value: [{ hole: 'date', like: 'any' }], stop: false };
  return null;
}

function pad(text: string, flags: string, width: number): string {
  if (width > MOST) return text;
  return flags.includes('-') ? text.padEnd(width) : text.padStart(width);
}

function numeral(text: string): number | null {
  if (text === '') return 0;
  if (/^["'].$/su.test(text)) return text.codePointAt(1) ?? null;
  if (/^[+-]?0[0-7]+$/.test(text)) return Number.parseInt(text, 8);
  const number = /^[+-]?(\d+|0[xX][0-9a-fA-F]+)$/.test(text) ? Number(text) : null;
  return number !== null && Number.isSafeInteger(number) ? number : null;
}

function quote(text: string): string {
  if (text === '') return "''";
  return text.replace(/[^\w@%+=:,./-]/g, '\\$&');
}
