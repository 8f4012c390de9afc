/**
 * Secrets out of text, before anything is written.
 *
 *     findSecrets(text): SecretSpan[]                       {kind, start, end}        (scan.ts)
 *     redactText(text, key?): string                        <redacted:kind:fp8>, without a key <redacted:kind>
 *     redactJson(value, key?): unknown                      a copy
 *     makeRedactor(loadKey): Redactor                       the same with the key loaded when first needed
 */
import { namedSecret } from './assignments.ts';
import { fingerprintOf } from './fingerprint.ts';
import { findSecrets } from './scan.ts';
import { findInWords, type WordSecret } from './words.ts';

export { findSecrets } from './scan.ts';

/** One secret that was taken out; `fp` is '' without a key. */
interface FoundSecret {
  readonly kind: string;
  readonly fp: string;
}

export interface Redactor {
  text(text: string): { readonly value: string; readonly found: readonly FoundSecret[] };
  /**
   * Redacts all texts of a JSON value; a secret that one place gives away is taken out everywhere, unless `own` has it:
   * words that stand in the value by themselves, asked for when there is a secret.
   */
  json(
    value: unknown,
    own?: () => ReadonlySet<string>,
  ): { readonly value: unknown; readonly found: readonly FoundSecret[] };
  key(): Buffer | null;
}

/** The text with each secret replaced by its kind and, with a key, its fingerprint. Idempotent. */
export function redactText(text: string, key: Buffer | null = null): string {
  return makeRedactor(() => key).text(text).value;
}

/** A copy of a JSON value with the secrets of all its texts replaced. Idempotent. */
export function redactJson(value: unknown, key: Buffer | null = null): unknown {
  return makeRedactor(() => key).json(value).value;
}

/** A redactor whose key is asked for when the first secret is found. */
export function makeRedactor(loadKey: () => Buffer | null): Redactor {
  let key: Buffer | null | undefined;
  const keyOf = (): Buffer | null => {
    if (key === undefined) key = loadKey();
    return key;
  };
  const mask = (kind: string, secret: string, found: FoundSecret[]): string => {
    const known = keyOf();
    const fp = known === null ? '' : fingerprintOf(secret, known);
    found.push({ kind, fp });
    return fp === '' ? `<redacted:${kind}>` : `<redacted:${kind}:${fp}>`;
  };
  return {
    key: keyOf,
    text(text) {
      const found: FoundSecret[] = [];
      return { value: replaced(text, (kind, secret) => mask(kind, secret, found)), found };
    },
    json(value, own) {
      const secrets = collect(value);
      if (secrets.size === 0) return { value, found: [] };
      for (const word of own?.() ?? []) secrets.delete(word);
      const found: FoundSecret[] = [];
      return { value: rewrite(value, secrets, (kind, secret) => mask(kind, secret, found)), found };
    },
  };
}

type Mask = (kind: string, secret: string) => string;

/** Taking a secret out can lay bare another one that it hid; a second look makes redaction idempotent. */
const MAX_LOOKS = 5;

function replaced(text: string, mask: Mask): string {
  let value = text;
  for (let look = 0; look < MAX_LOOKS; look++) {
    const spans = findSecrets(value);
    if (spans.length === 0) break;
    let out = '';
    let at = 0;
    for (const { kind, start, end } of spans) {
      out += value.slice(at, start) + mask(kind, value.slice(start, end));
      at = end;
    }
    value = out + value.slice(at);
  }
  return value;
}

/** At most so many secrets of one value are looked for in its other texts. */
const MAX_SECRETS = 200;

/** Every secret of the value's texts, by its text. */
function collect(root: unknown): Map<string, string> {
  const secrets = new Map<string, string>();
  const seen = new Set<string>();
  const add = (secret: string, kind: string): void => {
    if (secrets.size < MAX_SECRETS && !secrets.has(secret)) secrets.set(secret, kind);
  };
  const visit = (value: unknown, name: string): void => {
    if (typeof value === 'string') {
      const kind = name === '' ? null : namedSecret(name, value);
      if (kind !== null) add(value, kind);
      if (seen.has(value)) return;
      seen.add(value);
      for (const span of findSecrets(value)) add(value.slice(span.start, span.end), span.kind);
    } else if (Array.isArray(value)) {
      for (const { word, start, end, kind } of secretsOfWords(value)) add(String(value[word]).slice(start, end), kind);
      for (const item of value) visit(item, '');
    } else if (value !== null && typeof value === 'object')
      for (const [key, item] of Object.entries(value)) {
        visit(key, '');
        visit(item, key);
      }
  };
  visit(root, '');
  return secrets;
}

/** A copy in which the secrets are masked wherever they stand. Copies have no prototype. */
function rewrite(root: unknown, secrets: ReadonlyMap<string, string>, mask: Mask): unknown {
  const long = [...secrets].filter(([secret]) => spreads(secret)).sort(([a], [b]) => b.length - a.length);
  const text = (value: string): string => {
    const kind = secrets.get(value);
    if (kind !== undefined) return mask(kind, value);
    const option = /^-[A-Za-z]/.test(value) ? secrets.get(value.slice(2)) : undefined;
    if (option !== undefined) return value.slice(0, 2) + mask(option, value.slice(2));
    let out = replaced(value, mask);
    for (const [secret, known] of long) {
      if (!out.includes(secret)) continue;
      out = out.split(secret).join(mask(known, secret));
    }
    return out;
  };
  const visit = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') {
      const kind = name === '' ? null : namedSecret(name, value);
      return kind === null ? text(value) : mask(kind, value);
    }
    if (Array.isArray(value)) {
      const words = [...value];
      for (const { word, start, end, kind } of secretsOfWords(value)) {
        const whole = String(value[word]);
        words[word] = whole.slice(0, start) + mask(kind, whole.slice(start, end)) + whole.slice(end);
      }
      return words.map((item) => visit(item, ''));
    }
    if (value === null || typeof value !== 'object') return value;
    const out: Record<string, unknown> = Object.create(null);
    for (const [key, item] of Object.entries(value)) out[text(key)] = visit(item, key);
    return out;
  };
  return visit(root, '');
}

/** What a list of texts gives away when it is read as the words of a command. */
function secretsOfWords(list: readonly unknown[]): readonly WordSecret[] {
  return list.length > 1 && list.every((item) => typeof item === 'string') ? findInWords(list as string[]) : [];
}

/** Worth looking for inside other texts: not a plain word, which stands in them for itself. */
function spreads(secret: string): boolean {
  return secret.length >= 8
    ? !/^[a-z]+$/.test(secret)
    : secret.length >= 6 && /[0-9]/.test(secret) && /[A-Za-z]/.test(secret);
}
