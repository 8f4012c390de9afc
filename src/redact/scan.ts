import { findAssigned } from './assignments.ts';
import { findTokens } from './formats.ts';
import { isPlaceholder } from './placeholder.ts';
import type { SecretSpan } from './secret-span.ts';
import { findInWords, splitWords, TOOLS } from './words.ts';

/** What an earlier redaction left; never looked into again. */
const DONE = /<redacted:[a-z0-9:-]{1,60}>/g;

/** Cheap test for texts that can't hold anything that the scanners below look for. */
const NOTHING = /^[\w ./-]{0,15}$/;

/**
 * All secrets in a text, in order, not overlapping: known token formats, what the structure names (options,
 * headers, assignments, URLs, private keys), and random text next to a hint. Linear in the length of the text.
 */
export function findSecrets(text: string): SecretSpan[] {
  if (text.length < 6 || NOTHING.test(text)) return [];
  const spans: SecretSpan[] = [
    ...findTokens(text),
    ...findAssigned(text),
    ...findKeyBlocks(text),
    ...findInUrls(text),
    ...findInCommands(text),
    ...findPiped(text),
    ...findNetrc(text),
  ];
  if (spans.length === 0) return spans;
  return withoutDone(text, merged(spans));
}

const GATE =
  /pass|pwd|_pw|(?:pw|pat)(?![a-z])|amz[^a-z0-9]{1,8}sig|secret(?!":(?:true|false|null))|token|credential|key|auth|bearer|cookie|signature|[?&]sig=|:\/\/[^\s/"]{0,1024}@|-----BEGIN|\|(?:\s|\\t){0,4}sudo/i;

/**
 * False only if no text and no list of words in this JSON holds anything that `findSecrets` or `findInWords`
 * would find. Much cheaper than looking at each text, and false for most records.
 */
export function mayHoldSecrets(json: string): boolean {
  TOOLS.lastIndex = 0;
  return GATE.test(json) || TOOLS.test(json) || !findTokens(json).next().done;
}

function merged(spans: SecretSpan[]): SecretSpan[] {
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const out: SecretSpan[] = [];
  for (const span of spans) {
    const last = out[out.length - 1];
    if (last === undefined || span.start >= last.end) {
      out.push(span);
      continue;
    }
    const namer = span.rank < last.rank ? span : last;
    out[out.length - 1] = { ...namer, start: last.start, end: Math.max(last.end, span.end) };
  }
  return out;
}

// INVARIANT: redaction is idempotent: nothing that touches an earlier replacement is a find.
function withoutDone(text: string, spans: SecretSpan[]): SecretSpan[] {
  if (!text.includes('<redacted:')) return spans;
  const done: { start: number; end: number }[] = [];
  for (const m of text.matchAll(DONE)) done.push({ start: m.index, end: m.index + m[0].length });
  let i = 0;
  return spans.filter((span) => {
    while (i < done.length && (done[i]?.end ?? 0) <= span.start) i++;
    const next = done[i];
    return next === undefined || next.start >= span.end;
  });
}

/** PEM and PGP private keys, to their end line; without one, to the end of the text. */
function* findKeyBlocks(text: string): Generator<SecretSpan> {
  let at = text.indexOf('-----BEGIN ');
  while (at >= 0) {
    const label = /^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/.exec(text.slice(at, at + 80));
    let next = at + 11;
    if (label !== null) {
      const body = at + label[0].length;
      const stop = text.indexOf('-----END ', body);
      const end = stop < 0 ? text.length : stop;
      if (/[A-Za-z0-9+/=]{16}/.test(text.slice(body, Math.min(end, body + 400))))
        yield { kind: 'private-key', start: body, end, rank: 0 };
      next = end;
    }
    at = text.indexOf('-----BEGIN ', next);
  }
}

const MAX_USERINFO = 1024;

/** The password of `scheme://user:password@host`. */
function* findInUrls(text: string): Generator<SecretSpan> {
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const from = at + 3;
    let colon = -1;
    let end = -1;
    for (let i = from; i < text.length && i < from + MAX_USERINFO; i++) {
      const c = text[i] ?? '';
      if (c === ':' && colon < 0) colon = i;
      else if (c === '@') end = i;
      else if (/[\s/?#"'`\\]/.test(c)) break;
    }
    if (end < 0 || colon < 0 || colon > end) continue;
    const password = text.slice(colon + 1, end);
    if (
      password !== '' &&
      !/^(?:<|\$|\{|%[A-Za-z]*%)/.test(password) &&
      !/^(?:x{3,}|\*+|password|pass|pw)$/i.test(password)
    )
      yield { kind: 'url-password', start: colon + 1, end, rank: 1 };
  }
}

/** Options of known tools, wherever one of them stands in the text. */
function* findInCommands(text: string): Generator<SecretSpan> {
  TOOLS.lastIndex = 0;
  for (let m = TOOLS.exec(text); m !== null; m = TOOLS.exec(text)) {
    const { words, end } = splitWords(text, m.index);
    for (const found of findInWords(words.map((word) => word.text))) {
      const base = words[found.word]?.start ?? 0;
      const start = base + found.start;
      const stop = base + found.end;
      const quote = text[start] ?? '';
      const inner = (quote === '"' || quote === "'") && stop - start > 2 && text[stop - 1] === quote;
      yield { kind: found.kind, start: inner ? start + 1 : start, end: inner ? stop - 1 : stop, rank: 1 };
    }
    TOOLS.lastIndex = Math.max(end, m.index + 1);
  }
}

const PIPED =
  /\|[ \t]{0,4}(?:sudo[ \t][^|;\n]{0,40}-\w{0,8}S|chpasswd|passwd[ \t][^|;\n]{0,40}--stdin|[^|;\n]{1,80}--(?:password|pass|token|key)-stdin|gh auth login[ \t][^|;\n]{0,80}--with-token)/g;
const LITERAL = /(?:echo|printf)[ \t]+(?:-\w+[ \t]+)?(?:(['"])([^'"\n]{3,200})\1|([^\s'"|]{3,200}))[ \t]{0,4}$/;

/** `echo SECRET | sudo -S …` and other literals that are piped to what reads a password. */
function* findPiped(text: string): Generator<SecretSpan> {
  if (!text.includes('|')) return;
  for (const m of text.matchAll(PIPED)) {
    const before = text.slice(Math.max(0, m.index - 240), m.index);
    const literal = LITERAL.exec(before);
    const value = literal?.[2] ?? literal?.[3];
    if (literal === null || value === undefined || isPlaceholder(value)) continue;
    const start = m.index - before.length + literal.index + literal[0].indexOf(value, 4);
    yield { kind: 'password', start, end: start + value.length, rank: 1 };
  }
}

/** `.netrc` entries. */
function* findNetrc(text: string): Generator<SecretSpan> {
  if (!text.includes('login')) return;
  for (const m of text.matchAll(/\blogin\s{1,8}\S{1,200}\s{1,8}password\s{1,8}(\S{3,200})/g)) {
    const value = m[1] ?? '';
    const end = m.index + m[0].length;
    if (!isPlaceholder(value)) yield { kind: 'password', start: end - value.length, end, rank: 1 };
  }
}
