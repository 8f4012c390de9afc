import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/digest.ts';
import type { RecordBody } from '../format/body.ts';
import { prepareDirectory } from './place.ts';

/**
 * Where records wait that the database could not take. One file a record, written aside, synced and renamed: a file
 * with its final name is whole, two processes never share one, and a drained file is gone only after its
 * record is committed.
 */
const NAME = /^[0-9a-z]{20}\.json$/;
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Puts a record into the spool; durable when it returns. Throws what the file system throws. */
export function spoolRecord(dir: string, id: string, body: string): void {
  prepareDirectory(dir);
  const aside = join(dir, `.${id}.tmp`);
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  const fd = openSync(aside, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
  try {
    const bytes = Buffer.from(JSON.stringify({ v: 1, sha256: sha256(body), body }));
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(aside, join(dir, `${id}.json`));
  syncDirectory(dir);
}

function syncDirectory(dir: string): void {
  const fd = openSync(dir, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** What lies in the spool: `waiting` file names, oldest first, and names that are not whole records. */
export interface SpoolListing {
  readonly waiting: readonly string[];
  readonly damaged: readonly string[];
  /** Left by processes that died before their record was acknowledged. */
  readonly unfinished: readonly string[];
}

const EMPTY: SpoolListing = { waiting: [], damaged: [], unfinished: [] };

export function listSpool(dir: string): SpoolListing {
  let names: string[];
  try {
    names = readdirSync(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY;
    throw error;
  }
  if (names.length === 0) return EMPTY;
  names.sort();
  return {
    waiting: names.filter((name) => NAME.test(name)),
    damaged: names.filter((name) => !NAME.test(name) && !name.endsWith('.tmp')),
    unfinished: names.filter((name) => name.endsWith('.tmp')),
  };
}

/** A spooled record: the stored text of its body and what it says. Null if the file is not a whole record of ours. */
export function readSpooled(dir: string, name: string): { readonly text: string; readonly body: RecordBody } | null {
  try {
    const text = readOwn(join(dir, name));
    const file = JSON.parse(text) as { v?: unknown; sha256?: unknown; body?: unknown };
    if (file.v !== 1 || typeof file.body !== 'string' || sha256(file.body) !== file.sha256) return null;
    const body = JSON.parse(file.body) as RecordBody;
    return body.v === 1 && `${body.id}.json` === name ? { text: file.body, body } : null;
  } catch {
    return null;
  }
}

function readOwn(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const stat = fstatSync(fd);
    const uid = process.geteuid?.();
    const foreign = (uid !== undefined && stat.uid !== uid) || (stat.mode & 0o022) !== 0;
    if (foreign || !stat.isFile() || stat.size > MAX_FILE_BYTES) throw new TypeError('not a spool file of ours');
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

/** Takes a file out of the spool once its record is committed. */
export function removeSpooled(dir: string, name: string): void {
  try {
    unlinkSync(join(dir, name));
  } catch {
    // Another process drained it too; the record is in the database once, by its id.
  }
}

/** Puts a file aside that is no record, so that it is looked at once and reported, not tried for ever. */
export function setAside(dir: string, name: string): void {
  try {
    renameSync(join(dir, name), join(dir, `${name}.damaged`));
  } catch {
    // Gone or not ours: `verify` reports what is left.
  }
}
