import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'; // Crockford's base 32: no i, l, o, u

/** Characters of a short code: 20 bits, enough to tell the requests of some minutes apart. */
const CODE_CHARS = 4;

/** The code by which a person names a record in another terminal: the end of its id, which is chance, in capitals. */
export function codeOf(id: string): string {
  return id.slice(-CODE_CHARS).toUpperCase();
}

/** What a person typed as a code, read as Crockford's alphabet wants it (I and L are 1, O is 0); null if it is none. */
export function readCode(text: string): string | null {
  const code = text.trim().toUpperCase().replace(/[IL]/g, '1').replace(/O/g, '0');
  return code.length === CODE_CHARS && [...code].every((c) => ALPHABET.includes(c.toLowerCase())) ? code : null;
}

/** True for what `makeId` gives. */
export function isId(text: string): boolean {
  return /^[0-9a-hjkmnp-tv-z]{20}$/.test(text);
}

/** A time-ordered id of 20 characters that people can type: 9 of milliseconds, 11 of chance. A unique prefix is enough for look-ups. */
export function makeId(now: number): string {
  let time = '';
  for (let rest = Math.floor(now), i = 0; i < 9; i++) {
    time = ALPHABET[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  let chance = '';
  for (const byte of randomBytes(11)) chance += ALPHABET[byte & 31];
  return time + chance;
}
