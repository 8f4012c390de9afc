import { isSecretName } from './names.ts';
import { entropyOf, isPath, isPlaceholder, isPublicId, isVaried } from './placeholder.ts';
import type { SecretSpan } from './secret-span.ts';

const HINT = /pass|pwd|_pw|(?:pw|pat)(?![a-z])|secret|token|credential|key|auth|bearer|cookie|signature|[?&]sig=/gi;
const NAME_CHAR = /[\w.-]/;
const MAX_NAME = 80;
const MAX_VALUE = 4096;

/**
 * Secrets that their surroundings name: `KEY=value`, `"key": "value"`, `--option value`, `Header: value`, and
 * random text next to a word like token. Each hint is looked at once and in a bounded stretch of text.
 */
export function* findAssigned(text: string): Generator<SecretSpan> {
  HINT.lastIndex = 0;
  for (let m = HINT.exec(text); m !== null; m = HINT.exec(text)) {
    if (m[0].endsWith('=')) {
      const signature = unquoted(text, HINT.lastIndex, 'signature', 20);
      if (signature !== null) yield signature;
      continue;
    }
    const start = nameStart(text, m.index);
    const end = nameEnd(text, HINT.lastIndex);
    HINT.lastIndex = Math.max(end, HINT.lastIndex);
    const span = assigned(text, start, end);
    if (span === null) continue;
    yield span;
    HINT.lastIndex = span.end;
  }
}

function nameStart(text: string, from: number): number {
  let at = from;
  const least = Math.max(0, from - MAX_NAME);
  while (at > least && NAME_CHAR.test(text[at - 1] ?? '')) at--;
  return at;
}

function nameEnd(text: string, from: number): number {
  let at = from;
  const most = Math.min(text.length, from + MAX_NAME);
  while (at < most && NAME_CHAR.test(text[at] ?? '')) at++;
  return at;
}

function assigned(text: string, start: number, end: number): SecretSpan | null {
  const name = text.slice(start, end).replace(/^[-.]+|[-.]+$/g, '');
  const lower = name.toLowerCase();
  if (/^(?:proxy-)?authorization$/.test(lower) || lower === 'http.extraheader') return authorization(text, end);
  if (lower === 'bearer' && text[end] === ' ') return bearer(text, end + 1);
  if (lower === 'cookie' || lower === 'set-cookie') return cookie(text, end);
  if (!isSecretName(name)) return hinted(text, lower, end);
  const option = text[start] === '-' && text[start + 1] === '-';
  const sep = separator(text, end, option);
  if (sep === null) return hinted(text, lower, end);
  return valueAt(text, sep, lower, start);
}

type Style = 'tight' | 'loose' | 'option';

interface Separator {
  readonly at: number;
  readonly style: Style;
}

const SEPARATOR = /(?:\\?["'])?\]?[ \t]{0,4}(:=|=>|=|:)[ \t]{0,4}/y;

function separator(text: string, end: number, option: boolean): Separator | null {
  SEPARATOR.lastIndex = end;
  const m = SEPARATOR.exec(text);
  if (m === null)
    return option && /^[ \t]+\S/.test(text.slice(end, end + 4)) ? { at: skipBlank(text, end), style: 'option' } : null;
  const at = end + m[0].length;
  const after = text[at] ?? '';
  if (m[1] === '=' && (after === '=' || after === '~')) return null;
  if (m[1] === ':' && after === ':') return null;
  return { at, style: m[0] === '=' ? 'tight' : 'loose' };
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}

const PROSE =
  /^(?:is|are|was|and|or|to|for|from|in|on|of|with|the|a|an|if|flag|option|argument|parameter|must|can|will|not|as|at|by|via|that|which|when|instead)$/i;

function valueAt(text: string, sep: Separator, name: string, start: number): SecretSpan | null {
  const quote = /^\\?["'`]/.exec(text.slice(sep.at, sep.at + 2))?.[0] ?? '';
  // In `"key=" + value` the quote behind the mark ends what was opened before the name.
  if (quote !== '' && text[start - 1] === quote && text[sep.at - 1] === '=' && sep.style === 'tight') return null;
  const from = sep.at + quote.length;
  const end = quote === '' ? bareEnd(text, from, sep.style, text[start - 1] ?? '') : quotedEnd(text, from, quote);
  const value = text.slice(from, end);
  if (value.length < 4 || isPlaceholder(value) || value.toLowerCase() === name || isPath(value) || isLink(value))
    return null;
  if (quote !== '' ? !quotedSecret(value, sep.style) : !bareSecret(value, sep.style, text[end] ?? '')) return null;
  return { kind: kindOf(name), start: from, end, rank: 1 };
}

/** The value itself, for a text that stands under a secret's name in a data structure. */
export function namedSecret(name: string, value: string): string | null {
  if (value.length < 4 || value.length > MAX_VALUE || !isSecretName(name)) return null;
  if (isPlaceholder(value) || value.toLowerCase() === name.toLowerCase() || isPath(value) || isLink(value)) return null;
  return quotedSecret(value, 'loose') ? kindOf(name.toLowerCase()) : null;
}

function kindOf(name: string): string {
  if (/pass|pwd|pw$/.test(name)) return 'password';
  if (/token|bearer|pat$/.test(name)) return 'token';
  return name.includes('key') ? 'key' : 'secret';
}

function isLink(value: string): boolean {
  return /^[a-z][a-z0-9+.-]{1,12}:\/\//i.test(value);
}

/** A quoted text of several words is a passphrase in an assignment, a sentence elsewhere. */
function quotedSecret(value: string, style: Style): boolean {
  const blanks = value.match(/\s/g)?.length ?? 0;
  if (style !== 'loose') return true;
  if (blanks > 1 || /^[{(<]/.test(value)) return false;
  return blanks === 0 || /[0-9]/.test(value);
}

function bareSecret(value: string, style: Style, after: string): boolean {
  if (after === '(' || value.includes('(')) return false;
  if (/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value) && !/[0-9]/.test(value)) return false; // a member of something
  if (style === 'option') return !PROSE.test(value) && !value.startsWith('-');
  if (style === 'tight') return (after !== ')' && after !== ',') || isVaried(value);
  return value.length >= 8 && isVaried(value) && !/^[0-9.,:T-]+[A-Za-z]?$/.test(value);
}

function bareEnd(text: string, from: number, style: Style, before: string): number {
  const stop =
    before === '?' || before === '&'
      ? /[\s"'`&#;|<>()]/
      : style === 'loose'
        ? /[\s"'`,;|<>()[\]{}]/
        : /[\s"'`;|&<>(),]/;
  let at = from;
  // `<redacted:…>`, `${X}` and `<placeholder>` are whole values although they hold what ends one.
  for (const most = Math.min(text.length, from + MAX_VALUE); at < most; at++) {
    const c = text[at] ?? '';
    if (c === '\\' && /[nrt"']/.test(text[at + 1] ?? '')) break;
    if (stop.test(c) && !(at === from && c === '<')) break;
  }
  return at;
}

/** The end of a quoted value: its quote again, or the end of the line. */
function quotedEnd(text: string, from: number, quote: string): number {
  let at = from;
  for (const most = Math.min(text.length, from + MAX_VALUE); at < most; at++) {
    if (text.startsWith(quote, at)) break;
    if (text[at] === '\n') break;
    if (text[at] === '\\' && quote.length === 1 && quote !== "'") at++;
  }
  return Math.min(at, text.length);
}

const SCHEME =
  /(?:[:=]|\\?["']?[:=]|["'])?[ \t]{0,4}(?:\\?["'])?[ \t]{0,4}(?:authorization[ \t]{0,4}:[ \t]{0,4})?(?:(bearer|basic|token|bot|apikey|api-key|negotiate|digest|aws4-hmac-sha256|[a-z]{3,12}-key)[ \t]{1,4})?/iy;

function authorization(text: string, end: number): SecretSpan | null {
  SCHEME.lastIndex = end;
  const m = SCHEME.exec(text);
  if (m === null || !/[:=]/.test(m[0])) return null;
  const from = end + m[0].length;
  const whole = /^(?:digest|aws4)/i.test(m[1] ?? '');
  const to = whole ? lineEnd(text, from) : wordEnd(text, from);
  const value = text.slice(from, to);
  if (value.length < 6 || isPlaceholder(value) || /^[$({[]/.test(value)) return null;
  if (m[1] === undefined && !isVaried(value)) return null;
  return { kind: 'authorization', start: from, end: to, rank: 1 };
}

function bearer(text: string, from: number): SecretSpan | null {
  const to = wordEnd(text, from);
  const value = text.slice(from, to);
  if (value.length < 16 || isPlaceholder(value) || !isVaried(value)) return null;
  return { kind: 'authorization', start: from, end: to, rank: 1 };
}

function cookie(text: string, end: number): SecretSpan | null {
  const m = /^(?:\\?["'])?[ \t]{0,4}:[ \t]{0,4}(?:\\?["'])?/.exec(text.slice(end, end + 16));
  if (m === null) return null;
  const from = end + m[0].length;
  const to = lineEnd(text, from);
  const value = text.slice(from, to);
  return /^[\w.-]{1,64}=[^\s;$<{]{6}/.test(value) && !isPlaceholder(value)
    ? { kind: 'cookie', start: from, end: to, rank: 1 }
    : null;
}

function unquoted(text: string, from: number, kind: string, least: number): SecretSpan | null {
  const to = bareEnd(text, from, 'tight', '?');
  const value = text.slice(from, to);
  return value.length >= least && isVaried(value) && !isPlaceholder(value)
    ? { kind, start: from, end: to, rank: 1 }
    : null;
}

function wordEnd(text: string, from: number): number {
  let at = from;
  const most = Math.min(text.length, from + MAX_VALUE);
  while (at < most && !/[\s"'`\\,;|&()]/.test(text[at] ?? '')) at++;
  return at;
}

function lineEnd(text: string, from: number): number {
  let at = from;
  const most = Math.min(text.length, from + MAX_VALUE);
  while (at < most && !/["'`\n\r\\]/.test(text[at] ?? '')) at++;
  return at;
}

const NEAR = 24;

/** Random text close behind a word like "token" in prose: long, mixed, of high entropy, and no public id. */
function hinted(text: string, name: string, end: number): SecretSpan | null {
  if (!/(?:^|[._-])(?:password|secret|token|key|credentials?)s?$/.test(name)) return null;
  const near = /^["']?(?: is| was|:| =| to)?[ \t:="'`]{1,4}/.exec(text.slice(end, end + NEAR));
  if (near === null) return null;
  const from = end + near[0].length;
  const to = wordEnd(text, from);
  const value = text.slice(from, to);
  if (value.length < 20 || !/^[\w+/=.~-]+$/.test(value) || !isVaried(value)) return null;
  if (isPublicId(value) || isPlaceholder(value) || isPath(value) || value.includes('://')) return null;
  const mixed = /[a-z]/.test(value) && /[A-Z]/.test(value) && /[0-9].*[0-9]/.test(value);
  return mixed && entropyOf(value) >= 3.7 ? { kind: 'secret', start: from, end: to, rank: 2 } : null;
}
