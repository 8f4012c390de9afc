import { closing, readString } from './strings.ts';
import { rawQuote } from './syntax.ts';
import type { Quote, StringPart, Syntax, Token } from './token.ts';

type Bare = Token extends infer T ? (T extends Token ? Omit<T, 'indent' | 'first' | 'spaced'> : never) : never;

interface Made {
  readonly token: Bare;
  readonly end: number;
}

const PERL = /(?:qw|qq|qx|qr|q|m|s|tr|y)(?=\s*[^\w\s,;=)]|\s+\W)/y;
const RUBY = /%(?:[wWiIqQxr]?)(?=[[({<|!/])/y;

/** Perl's `q{} qq{} qw{} qx{} m{} s{}{} tr{}{}` and Ruby's `%w[] %q() %x() %r{} %()` (perlop(1), Ruby's literals). */
export function quoteLike(text: string, i: number, syntax: Syntax, operand: boolean): Made | null {
  if (syntax.quoteLike === 'perl') return perl(text, i, syntax, operand);
  if (!operand || text[i] !== '%') return null;
  RUBY.lastIndex = i;
  const found = RUBY.exec(text);
  if (!found) return null;
  return made(text, i + found[0].length, rubyKind(found[0].slice(1)), syntax);
}

function rubyKind(letter: string): string {
  if (letter === 'w' || letter === 'W' || letter === 'i' || letter === 'I') return 'qw';
  if (letter === 'x') return 'qx';
  if (letter === 'r') return 'm';
  return letter === 'q' ? 'q' : 'qq';
}

function perl(text: string, i: number, syntax: Syntax, operand: boolean): Made | null {
  if (/[\w$@%&]/.test(text[i - 1] ?? '')) return null;
  PERL.lastIndex = i;
  const found = PERL.exec(text);
  if (!found) return null;
  const kind = found[0];
  let at = i + kind.length;
  while (/\s/.test(text[at] ?? '')) at++;
  const open = text[at];
  // `s => 1`, `{ y }`, `m - 1` and a comment after the word are no quotes.
  if (open === undefined || open === '=' || (open === '#' && at > i + kind.length) || (open === '-' && !operand))
    return null;
  if (open === '}' || open === ')' || open === ']' || open === '>') return null;
  return made(text, at, kind, syntax);
}

function made(text: string, at: number, kind: string, syntax: Syntax): Made {
  const open = text[at] as string;
  const close = closing(open);
  const inner: Quote = {
    interpolates: syntax.quoteLike === 'ruby' ? 'hash-brace' : 'sigils',
    escapes: 'full',
    multiline: true,
  };
  const quote =
    kind === 'qq' || kind === 'qx' ? inner : kind === 'q' ? { ...rawQuote, escapes: 'quote' as const } : rawQuote;
  const first = readString(text, at + 1, close, quote, open);
  if (kind === 'q' || kind === 'qq') return { token: { t: 'string', parts: first.parts, prefix: '' }, end: first.end };
  if (kind === 'qx') return { token: { t: 'shell', parts: first.parts }, end: first.end };
  if (kind === 'qw') {
    const items = plainText(first.parts).split(/\s+/).filter(Boolean);
    return { token: { t: 'words', items }, end: first.end };
  }
  let end = first.end;
  let replacement = '';
  if (kind === 's' || kind === 'tr' || kind === 'y') {
    let next = end;
    if (open !== close) {
      while (/\s/.test(text[next] ?? '')) next++;
      next++;
    }
    const opener = open === close ? open : (text[next - 1] ?? open);
    const second = readString(text, next, closing(opener), rawQuote, opener);
    replacement = plainText(second.parts);
    end = second.end;
  }
  const flags = /[a-zA-Z]*/y;
  flags.lastIndex = end;
  const letters = flags.exec(text)?.[0] ?? '';
  const code = kind === 's' && letters.includes('e') ? replacement : null;
  return { token: { t: 'regex', code }, end: end + letters.length };
}

function plainText(parts: readonly StringPart[]): string {
  return parts.map((p) => (typeof p === 'string' ? p : p.code)).join('');
}

/** A here document whose body begins on the next line. */
export interface HereDoc {
  readonly parts: StringPart[];
  readonly shell: boolean;
  /** Index past the mark. */
  readonly end: number;
  /** Reads the body from the start of a line; gives the index past it. */
  fill(text: string, start: number): number;
}

const MARK = /<<<?([~-]?)[ \t]*(?:(["'`])([A-Za-z_]\w*)\2|([A-Za-z_]\w*))/y;

export function hereDocStart(text: string, i: number, syntax: Syntax): HereDoc | null {
  MARK.lastIndex = i;
  const found = MARK.exec(text);
  if (!found) return null;
  const quote = found[2] ?? '';
  const word = found[3] ?? found[4] ?? '';
  // `1 << FOO` shifts; a here document's word follows at once, and is upper case by habit.
  if (quote === '' && (!/^[A-Z_]/.test(word) || /<<<?[ \t]/.test(found[0]))) return null;
  const parts: StringPart[] = [];
  return {
    parts,
    shell: quote === '`',
    end: i + found[0].length,
    fill: (source, start) => {
      const finish = new RegExp(`^[ \\t]*${word}(?=[\\s;,).]|$)`, 'gm');
      finish.lastIndex = start;
      const last = finish.exec(source);
      const body = source.slice(start, last ? last.index : source.length);
      const kind: Quote = {
        interpolates: quote === "'" ? 'never' : syntax.quoteLike === 'ruby' ? 'hash-brace' : 'sigils',
        escapes: quote === "'" ? 'none' : 'full',
        multiline: true,
      };
      parts.push(...readString(body, 0, '\u0000', kind).parts);
      return last ? finish.lastIndex : source.length;
    },
  };
}
