import { createHmac, randomBytes } from 'node:crypto';
import { closeSync, constants, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';

const KEY_BYTES = 32;

/**
 * The key that fingerprints are made with, created on first use (mode 0600). Null if it can't be read or made:
 * redactions carry no fingerprint then.
 */
export function loadFingerprintKey(file: string): Buffer | null {
  try {
    return readKey(file) ?? makeKey(file);
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

/** Written aside and linked into place, so that two processes that start at once agree on one key. */
function makeKey(file: string): Buffer | null {
  const aside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  const fd = openSync(aside, O_CREAT | O_EXCL | O_WRONLY, 0o600);
  try {
    writeSync(fd, randomBytes(KEY_BYTES));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  try {
    linkSync(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(aside);
  }
  return readKey(file);
}

/** Eight hex digits that tell equal secrets apart from different ones, and nothing else to those without the key. */
export function fingerprintOf(secret: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(secret).digest('hex').slice(0, 8);
}
