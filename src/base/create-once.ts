import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, unlinkSync, writeSync } from 'node:fs';

/**
 * Makes a file (mode 0600) that is there whole or not at all: written aside and linked into place, so that of two
 * processes that are first one wins. One that exists is left as it is. Throws what the file system throws.
 */
export function createOnce(file: string, content: string | Uint8Array): void {
  const aside = `${file}.${randomBytes(8).toString('hex')}`;
  const fd = openSync(aside, 'wx', 0o600);
  try {
    writeSync(fd, typeof content === 'string' ? Buffer.from(content) : content);
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
}
