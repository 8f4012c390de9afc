import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { GovError, messageOf } from '../base/errors.ts';

/** Settings of an agent are never that large. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The file's text, or null if there is none. A checkout may hold anything under the name: what is no plain file is not
 * waited for. Throws GovError `settings-unreadable`.
 */
export function readIfThere(file: string): string | null {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) throw new Error('it is not a plain file');
      if (stat.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
      return readFileSync(fd, 'utf8');
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new GovError({
      code: 'settings-unreadable',
      message: `can't read \`${file}\`: ${messageOf(error)}`,
      help: 'make it readable for you, then run the command again',
      cause: error,
    });
  }
}

/** Where a file really lies: people keep settings as symbolic links into a repository of dot files. */
export function realFile(file: string): string {
  let path = file;
  // A link may lead to a file that is not there yet: the link stays, and the file is made where it points.
  for (let links = 0; links < MAX_LINKS; links++) {
    try {
      return realpathSync(path);
    } catch {
      const next = linkOf(path);
      if (next === null) return path;
      path = next;
    }
  }
  return file;
}

/** As Linux: a chain that is longer leads back to itself. */
const MAX_LINKS = 40;

/** Where a link points; null if the path is none. */
function linkOf(path: string): string | null {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return null;
  }
}

/**
 * Replaces a file whole or not at all; mode and owner stay as they were. `mode` is for a new file. Throws GovError
 * `settings-unwritable`.
 */
export function replaceFile(file: string, text: string, mode: number): void {
  const target = realFile(file);
  const temporary = join(dirname(target), `.${basename(target)}.gov-${process.pid}`);
  try {
    mkdirSync(dirname(target), { recursive: true });
    const old = statSync(target, { throwIfNoEntry: false });
    writeFileSync(temporary, text, { mode: old ? old.mode & 0o7777 : mode, flag: 'wx' });
    if (old) {
      chmodSync(temporary, old.mode & 0o7777);
      if (process.getuid?.() === 0) chownSync(temporary, old.uid, old.gid);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new GovError({
      code: 'settings-unwritable',
      message: `can't write \`${file}\`: ${messageOf(error)}`,
      help: (error as NodeJS.ErrnoException).code === 'EACCES' ? 'the managed scope needs root: use sudo' : undefined,
      cause: error,
    });
  }
}
