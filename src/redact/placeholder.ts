const STOCK =
  /example|placeholder|changeme|change[_-]me|replace|redacted|dummy|sample|insert[_-]|your[_-]|yourtoken|yourkey|yoursecret|yourpassword|my[_-](?:token|secret|password|api)|x{4}|\*{3}|\.{3}|…|0{8}|1234567890/i;

/** The alphabet as people type it to fill a gap. In capitals it also stands in keys made up for tests, which have to be found. */
const ALPHABET = /abcdefghij/;

const WORDS: ReadonlySet<string> = new Set(
  (
    'true false null none nil undefined yes no on off empty required optional string str text bytes int integer ' +
    'number boolean bool any object secret password passwd pass token key credential credentials user username ' +
    'value void unknown never todo tbd n/a auto default enabled disabled inherit'
  ).split(' '),
);

/** True for what stands where a secret would: documentation, templates, references to variables, type names. */
export function isPlaceholder(value: string): boolean {
  if (value.length < 3) return true;
  const first = value[0];
  if (first === '<' || first === '{' || first === '%' || first === '`') return true;
  if (first === '$' && /^\$[A-Za-z_{(@*#?!]/.test(value)) return true;
  if (first === '[' && value.endsWith(']')) return true;
  if (WORDS.has(value.toLowerCase())) return true;
  const head = value.length > 512 ? value.slice(0, 512) : value;
  return STOCK.test(head) || ALPHABET.test(head) || new Set(head.replace(/[-_.\s]/g, '')).size <= 2;
}

/** Letters and digits both, as random text of some length nearly always has. */
export function isVaried(value: string): boolean {
  return /[0-9]/.test(value) && /[A-Za-z]/.test(value);
}

/** A git object name or a UUID: long and random, and public. */
export function isPublicId(value: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})$/.test(value);
}

/** A file's path: begins like one and its parts are words. */
export function isPath(value: string): boolean {
  if (value.length > 512 || !/^(?:~|\.{1,2})?\/[\w.@/-]*$/.test(value)) return false;
  return (
    value.split('/').every((part) => part.length < 24 || /^[a-z.@_-]+$/.test(part)) && !/[A-Z]{2}[0-9]/.test(value)
  );
}

/** Bits per character. */
export function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const c of value) counts.set(c, (counts.get(c) ?? 0) + 1);
  let bits = 0;
  for (const n of counts.values()) bits -= (n / value.length) * Math.log2(n / value.length);
  return bits;
}
