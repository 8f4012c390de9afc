import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'; // Crockford's base 32: no i, l, o, u

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
