import { createHmac, randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { createOnce } from '../base/create-once.ts';

const KEY_BYTES = 32;

/**
 * The key that fingerprints are made with, created on first use (mode 0600). Null if it can't be read or made:
 * redactions carry no fingerprint then.
 */
export function loadFingerprintKey(file: string): Buffer | null {
  try {
    const known = readKey(file);
    if (known !== null) return known;
    createOnce(file, randomBytes(KEY_BYTES));
    return readKey(file);
  } catch {
    return null;
  }
}

function readKey(file: string): Buffer | null {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const key = readFileSync(fd);
      return key.length === KEY_BYTES ? key : null;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Eight hex digits that tell equal secrets apart from different ones, and nothing else to those without the key. */
export function fingerprintOf(secret: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(secret).digest('hex').slice(0, 8);
}
