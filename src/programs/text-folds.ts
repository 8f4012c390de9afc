/** Pure text functions of the classic filters, for folding pipelines whose input is known. */

/** Lines without their ends; a last line without a newline counts too. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

export function fromLines(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** Applies a function to each line and keeps whether the last one had a newline. */
export function eachLine(text: string, change: (line: string) => string): string {
  const out = fromLines(linesOf(text).map(change));
  return text.endsWith('\n') ? out : out.slice(0, -1);
}

export function reverse(line: string): string {
  return [...line].reverse().join('');
}

const CLASSES: Readonly<Record<string, string>> = {
  upper: range('A', 'Z'),
  lower: range('a', 'z'),
  alpha: range('A', 'Z') + range('a', 'z'),
  digit: range('0', '9'),
  alnum: range('0', '9') + range('A', 'Z') + range('a', 'z'),
  space: '\t\n\v\f\r ',
  blank: '\t ',
  xdigit: `${range('0', '9')}ABCDEFabcdef`,
  punct: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
};

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** The characters of a set of tr(1), in order; null for what is not modelled (`[=a=]`, `[a*5]`). */
export function trSet(set: string): string | null {
  let out = '';
  const take = (at: number): readonly [string, number] => {
    if (set[at] !== '\\' || at + 1 >= set.length) return [set[at] as string, at + 1];
    const octal = /^[0-7]{1,3}/.exec(set.slice(at + 1));
    if (octal) return [String.fromCharCode(Number.parseInt(octal[0], 8) & 255), at + 1 + octal[0].length];
    const letter = set[at + 1] as string;
    return [ESCAPES[letter] ?? letter, at + 2];
  };
  for (let at = 0; at < set.length; ) {
    const named = /^\[:(\w+):\]/.exec(set.slice(at, at + 12));
    if (named) {
      const members = CLASSES[named[1] as string];
      if (members === undefined) return null;
      out += members;
      at += named[0].length;
      continue;
    }
    if (/^\[(=.=|.\*)/.test(set.slice(at, at + 4))) return null;
    const [from, after] = take(at);
    if (set[after] === '-' && after + 1 < set.length) {
      const [to, end] = take(after + 1);
      if (to < from) return null;
      out += range(from, to);
      at = end;
    } else {
      out += from;
      at = after;
    }
  }
  return out;
}

/** tr(1) on known text. `change` null: no second set. */
export function translate(
  text: string,
  options: { complement: boolean; remove: boolean; squeeze: boolean; truncate: boolean },
  first: string,
  second: string | null,
): string {
  const inFirst = new Set(first);
  const selected = (char: string): boolean => inFirst.has(char) !== options.complement;
  let out = '';
  let last = '';
  const squeezed = new Set(second ?? first);
  for (const char of text) {
    let next = char;
    if (selected(char)) {
      if (options.remove) continue;
      if (second !== null && second !== '') {
        const at = options.complement ? second.length - 1 : first.lastIndexOf(char);
        if (!options.truncate || at < second.length) next = second[Math.min(at, second.length - 1)] as string;
      }
    }
    const inSqueezed = options.complement && second === null ? selected(next) : squeezed.has(next);
    if (options.squeeze && next === last && inSqueezed) continue;
    out += next;
    last = next;
  }
  return out;
}

/** Positions chosen by a list of cut(1) such as `1,3-5,7-`; null if malformed. */
export function cutList(list: string): ((position: number) => boolean) | null {
  const ranges: (readonly [number, number])[] = [];
  for (const part of list.split(/[,\s]+/)) {
    const match = /^(\d*)(-?)(\d*)$/.exec(part);
    if (!match || part === '' || part === '-') return null;
    const from = match[1] === '' ? 1 : Number(match[1]);
    const to = match[2] === '' ? from : match[3] === '' ? Number.POSITIVE_INFINITY : Number(match[3]);
    ranges.push([from, to]);
  }
  return (position) => ranges.some(([from, to]) => position >= from && position <= to);
}

/** Text of bytes, or null when they are not UTF-8 text. */
function textOfBytes(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

export function decodeBase64(text: string): string | null {
  const clean = text.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(clean)) return null;
  return textOfBytes(Buffer.from(clean, 'base64'));
}

export function decodeBase32(text: string): string | null {
  const clean = text.replace(/[\s=]+/g, '');
  if (!/^[A-Z2-7]*$/.test(clean)) return null;
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const char of clean) {
    held = ((held << 5) | 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 255);
    }
  }
  return textOfBytes(Uint8Array.from(bytes));
}

/** Hexadecimal digits, as `xxd -r -p` and `basenc --base16 -d` read them. */
export function decodeHex(text: string): string | null {
  const clean = text.replace(/\s+/g, '');
  return /^([0-9A-Fa-f]{2})*$/.test(clean) ? textOfBytes(Buffer.from(clean, 'hex')) : null;
}

/** `xxd -r`: an offset, groups of hexadecimal digits, two blanks, the characters. */
export function decodeHexDump(text: string): string | null {
  let hex = '';
  for (const line of linesOf(text)) {
    const match = /^\s*[0-9a-fA-F]+:\s?((?:[0-9a-fA-F]{2,}\s?)+)/.exec(line);
    if (!match) return null;
    hex += (match[1] as string).replace(/\s+/g, '');
  }
  return decodeHex(hex);
}

function range(from: string, to: string): string {
  let out = '';
  for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) out += String.fromCharCode(code);
  return out;
}
