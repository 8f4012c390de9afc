import { type HereDoc, hereDocStart, quoteLike } from './quote-like.ts';
import { closing, readString } from './strings.ts';
import { rawQuote } from './syntax.ts';
import type { StringPart, Syntax, Token } from './token.ts';

const SIGIL =
  /[$@%&]#?(?:\^?[\p{L}_\p{Co}][\p{L}\p{N}_]*(?:::[\p{L}_][\p{L}\p{N}_]*)*|[0-9]+|[_!@/\\,;.&"0](?![\p{L}]))/uy;
const NUMBER = /(?:0[xob][0-9a-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)n?/y;
const OPS = [
  '===',
  '!==',
  '**=',
  '...',
  '<=>',
  '=>',
  '->',
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '??',
  ':=',
  '<-',
  '<>',
  '+=',
  '-=',
  '.=',
  '|>',
  '::',
  '..',
  '//',
  '++',
  '--',
  '=~',
  '!~',
  '**',
];

/** Words after which a `/` opens a regular expression. */
const BEFORE_REGEX = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'if',
  'unless',
  'and',
  'or',
  'not',
  'split',
  'grep',
  'when',
  'print',
  'puts',
  'while',
  'until',
  'x',
]);

/** Cuts program text into tokens; comments are left out. Never throws; work is linear in the text. */
export function lex(text: string, syntax: Syntax): readonly Token[] {
  const out: Token[] = [];
  const waiting: HereDoc[] = [];
  let depth = 0;
  let indent = 0;
  let fresh = true;
  let spaced = true;
  let i = 0;
  let noRegexBefore = -1;

  const at = (): { indent: number; first: boolean; spaced: boolean } => {
    const where = { indent: depth > 0 ? -1 : indent, first: fresh && depth === 0, spaced: spaced || fresh };
    fresh = false;
    spaced = false;
    return where;
  };

  while (i < text.length) {
    const c = text[i] as string;
    if (c === '\n' || i === 0) {
      const block = c === '\n' ? syntax.blockComments.find(([open]) => text.startsWith(open, i)) : undefined;
      if (block) {
        const end = text.indexOf(block[1], i + block[0].length);
        i = end < 0 ? text.length : end + block[1].length;
        continue;
      }
      if (c === '\n') i++;
      for (const doc of waiting.splice(0)) i = doc.fill(text, i);
      const start = i;
      while (text[i] === ' ' || text[i] === '\t') i++;
      if (depth === 0) indent = i - start;
      fresh = true;
      if (c === '\n' || i > start) continue;
    }
    if (c === ' ' || c === '\t' || c === '\r') {
      i++;
      spaced = true;
      continue;
    }
    if (c === '\\' && text[i + 1] === '\n') {
      i += 2;
      spaced = true;
      continue;
    }
    const block = syntax.blockComments.find(([open]) => open[0] !== '\n' && text.startsWith(open, i));
    if (block) {
      const end = text.indexOf(block[1], i + block[0].length);
      i = end < 0 ? text.length : end + block[1].length;
      spaced = true;
      continue;
    }
    if (syntax.lineComments.some((mark) => text.startsWith(mark, i)) && !isAttribute(syntax, text, i)) {
      const end = text.indexOf('\n', i);
      i = end < 0 ? text.length : end;
      continue;
    }
    const previous = out[out.length - 1];

    if (syntax.heredoc && c === '<') {
      const doc = hereDocStart(text, i, syntax);
      if (doc) {
        waiting.push(doc);
        const parts: StringPart[] = doc.parts;
        out.push(doc.shell ? { t: 'shell', parts, ...at() } : { t: 'string', parts, prefix: '', ...at() });
        i = doc.end;
        continue;
      }
    }
    if (syntax.quoteLike && !afterMember(previous)) {
      const made = quoteLike(text, i, syntax, expectsOperand(previous));
      if (made) {
        out.push({ ...made.token, ...at() } as Token);
        i = made.end;
        continue;
      }
    }
    if (syntax.sigils) {
      SIGIL.lastIndex = i;
      const sigil = c === '$' || ('@%&'.includes(c) && mayBeSigil(previous, spaced)) ? SIGIL.exec(text) : null;
      if (sigil) {
        out.push({ t: 'name', text: sigil[0].replaceAll('::', '.'), ...at() });
        i += sigil[0].length;
        continue;
      }
    }
    const string = stringAt(text, i, syntax);
    if (string) {
      const { parts, end } = string;
      out.push(string.shell ? { t: 'shell', parts, ...at() } : { t: 'string', parts, prefix: string.prefix, ...at() });
      i = end;
      continue;
    }
    NUMBER.lastIndex = i;
    const number = c >= '0' && c <= '9' ? NUMBER.exec(text) : null;
    if (number) {
      out.push({ t: 'number', text: number[0], ...at() });
      i += number[0].length;
      continue;
    }
    const op = OPS.find((o) => text.startsWith(o, i)) ?? c;
    const member = syntax.members.find((m) => text.startsWith(m, i));
    if (member && member.length >= op.length && !(member === ':' && !/[\p{L}_]/u.test(text[i + 1] ?? ''))) {
      out.push({ t: 'op', text: 'member', ...at() });
      i += member.length;
      continue;
    }
    const pattern = syntax.name;
    pattern.lastIndex = i;
    const name = pattern.exec(text);
    if (name) {
      out.push({ t: 'name', text: name[0], ...at() });
      i += name[0].length;
      continue;
    }
    if (c === '/' && syntax.regex && i > noRegexBefore && expectsOperand(previous)) {
      const end = regexEnd(text, i);
      if (end < 0) noRegexBefore = -end;
      else {
        out.push({ t: 'regex', code: null, ...at() });
        i = end;
        continue;
      }
    }
    if ('([{'.includes(c)) {
      out.push({ t: 'op', text: c, ...at() });
      if (syntax.prefixes) depth++;
      i++;
      continue;
    }
    if (')]}'.includes(c)) {
      if (depth > 0) depth--;
      out.push({ t: 'op', text: c, ...at() });
      i++;
      continue;
    }
    out.push({ t: 'op', text: op, ...at() });
    i += op.length;
  }
  return out;
}

/** PHP's `#[Attribute]` is no comment. */
function isAttribute(syntax: Syntax, text: string, i: number): boolean {
  return text[i] === '#' && syntax.lineComments.includes('//') && text[i + 1] === '[';
}

function afterMember(token: Token | undefined): boolean {
  return token?.t === 'op' && token.text === 'member';
}

/** True where a value may begin: at the start, after an operator or an opening bracket, after some words. */
function expectsOperand(token: Token | undefined): boolean {
  if (!token) return true;
  if (token.t === 'op') return token.text !== ')' && token.text !== ']' && token.text !== '}';
  return token.t === 'name' && BEFORE_REGEX.has(token.text);
}

/** `@x` and `%x` after an operator or a function's name are variables; after a value they are operators. */
function mayBeSigil(previous: Token | undefined, spaced: boolean): boolean {
  return expectsOperand(previous) || (previous?.t === 'name' && spaced && !/^[$@%&]/.test(previous.text));
}

/** Index past a regular expression; if it does not end on its line, the line's end as a negative number. */
function regexEnd(text: string, start: number): number {
  let inClass = false;
  for (let i = start + 1; i < text.length; i++) {
    const c = text[i];
    if (c === '\\') i++;
    else if (c === '\n') return -i;
    else if (c === '[') inClass = true;
    else if (c === ']') inClass = false;
    else if (c === '/' && !inClass) {
      i++;
      while (/[a-z]/.test(text[i] ?? '')) i++;
      return i;
    }
  }
  return -text.length;
}

interface FoundString {
  readonly parts: readonly StringPart[];
  readonly end: number;
  readonly prefix: string;
  readonly shell: boolean;
}

const PREFIX = /(?:[rRbBuUfFtT]{1,2}|raw|b|r|v|sh|cmd)(?=["'`])/y;
const ELIXIR_SIGIL = /~[a-zA-Z](?=["'([{/|<])/y;

function stringAt(text: string, i: number, syntax: Syntax): FoundString | null {
  let start = i;
  let prefix = '';
  if (syntax.prefixes) {
    PREFIX.lastIndex = i;
    const found = PREFIX.exec(text);
    if (found) {
      prefix = found[0].toLowerCase();
      start += prefix.length;
    }
  }
  if (syntax.joiner === '<>' && text[i] === '~') {
    ELIXIR_SIGIL.lastIndex = i;
    if (ELIXIR_SIGIL.exec(text)) {
      const open = text[i + 2] as string;
      const { parts, end } = readString(text, i + 3, closing(open), rawQuote, open);
      return { parts, end, prefix: '', shell: false };
    }
  }
  for (const [mark, quote] of syntax.quotes) {
    if (!text.startsWith(mark, start)) continue;
    const isRaw = prefix.includes('r');
    const used = prefix.includes('f') || prefix.includes('t') ? { ...quote, interpolates: 'braces' as const } : quote;
    const { parts, end } = readString(text, start + mark.length, mark, isRaw ? { ...used, escapes: 'none' } : used);
    return { parts, end, prefix: mark === '`' ? '`' : prefix, shell: quote.shell === true };
  }
  if (syntax.joiner === '..' && text.startsWith('[[', i)) {
    const end = text.indexOf(']]', i);
    return {
      parts: [text.slice(i + 2, end < 0 ? text.length : end)],
      end: end < 0 ? text.length : end + 2,
      prefix: '',
      shell: false,
    };
  }
  return null;
}
