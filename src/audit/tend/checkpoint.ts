/**
 * Holds signed checkpoints against a store.
 *
 *     checkLog(store, paths): CheckpointResult               the log beside the store
 *     readCheckpoints(file, key, ownKey): LoggedCheckpoint[]  a copy from elsewhere
 *     compareCheckpoints(store, checkpoints): CheckpointResult
 */
import { verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GovError, messageOf } from '../../base/errors.ts';
import type { GovPaths } from '../../base/gov-paths.ts';
import { type CheckpointFields, fieldsIn, keyIn, openNote, publicKey } from '../format/note.ts';
import { prunedOf } from '../read/pruned.ts';
import type { Store } from '../read/store.ts';
import { checkpointLog } from '../write/checkpoint.ts';
import type { Finding } from './verify-rows.ts';

/** One checkpoint, as it was found. */
export interface LoggedCheckpoint {
  /** What it says; null: it is damaged, or not signed with its key. */
  readonly fields: CheckpointFields | null;
}

export interface CheckpointResult {
  readonly count: number;
  /** The highest record number that one of them vouches for. */
  readonly upTo: number;
  readonly findings: readonly Finding[];
}

/** Compares every checkpoint of the log beside the store with the store. */
export function checkLog(store: Store, paths: GovPaths): CheckpointResult {
  return compareCheckpoints(
    store,
    linesOf(textOf(checkpointLog(paths)) ?? '').map((line) => inLine(line, null)),
  );
}

/**
 * The checkpoints in a file: a signed note (`gov audit checkpoint --output`), or a copy of the log. With a key, only what
 * it signed counts; without one, a line of a log is held against the key that it names, and a note against the key that
 * `ownKey` gives for its chain. Throws `usage-key`, `usage-checkpoint`, `store-unreadable`.
 */
export function readCheckpoints(
  file: string,
  key: string | null,
  ownKey: (chain: string) => string | null,
): readonly LoggedCheckpoint[] {
  if (key !== null && keyIn(key) === null)
    throw new GovError({
      code: 'usage-key',
      message: 'that is no public key of checkpoints',
      help: 'it reads `gov-audit/…+12345678+…`, as `gov audit checkpoint --public-key` prints it',
    });
  const text = textOf(file);
  if (text === null || text.trim() === '')
    throw new GovError({ code: 'usage-checkpoint', message: `there is no checkpoint in \`${file}\`` });
  if (text.startsWith('{')) return linesOf(text).map((line) => inLine(line, key));
  const verifier = key ?? ownKey(fieldsIn(text)?.chain ?? '');
  if (verifier === null)
    throw new GovError({
      code: 'usage-key',
      message: 'a note does not hold the key that it was signed with, and there is none here',
      help: 'add --key with what `gov audit checkpoint --public-key` prints where the note was made',
    });
  return [{ fields: openNote(text, verifier) }];
}

/** Compares checkpoints with a store, each by itself. */
export function compareCheckpoints(store: Store, checkpoints: readonly LoggedCheckpoint[]): CheckpointResult {
  const findings: Finding[] = [];
  let count = 0;
  let upTo = 0;
  const { chain, last } = store.ends();
  const pruned = prunedOf(store);
  const hashAt = store.db.prepare('SELECT lower(hex(hash)) FROM records WHERE seq = ?').pluck();
  checkpoints.forEach(({ fields }, i) => {
    if (fields === null) {
      findings.push(INVALID(i + 1));
      return;
    }
    count++;
    const { seq, at } = fields;
    const found = seq === pruned?.until_seq ? pruned.until_hash : hashAt.get(seq);
    if (fields.chain !== chain) findings.push(REPLACED(i + 1));
    else {
      upTo = Math.max(upTo, seq);
      // What was pruned is in the archive.
      if ((pruned !== null && seq < pruned.until_seq) || found === fields.head) return;
      findings.push(seq > last ? cutOff(seq, at, last) : rebuilt(seq, at));
    }
  });
  return { count, upTo, findings };
}

const INVALID = (place: number): Finding =>
  finding(
    'checkpoint-invalid',
    null,
    `checkpoint ${place} is damaged or its signature is wrong`,
    'it was changed after it was made, or signed with another key',
  );

const REPLACED = (place: number): Finding =>
  finding(
    'chain-replaced',
    null,
    `checkpoint ${place} is about another chain`,
    'the store was replaced by a new one; the records of the old one are gone',
  );

function cutOff(seq: number, at: number, last: number): Finding {
  const message = `record ${seq} was there on ${new Date(at).toISOString()}; now the last is ${last}`;
  return finding('records-cut-off', seq, message, 'records were cut off at the end');
}

function rebuilt(seq: number, at: number): Finding {
  const message = `record ${seq} has another hash than on ${new Date(at).toISOString()}`;
  return finding('chain-rebuilt', seq, message, 'the chain was rebuilt from there or before');
}

function finding(code: string, seq: number | null, message: string, meaning: string): Finding {
  return { code, seq, id: null, columns: [], message, meaning };
}

/** Null: there is no such file. Throws `store-unreadable`. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new GovError({ code: 'store-unreadable', message: `\`${file}\` can't be read: ${messageOf(cause)}`, cause });
  }
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

function inLine(line: string, key: string | null): LoggedCheckpoint {
  try {
    const entry = JSON.parse(line) as { v?: unknown; key?: unknown; note?: unknown } | null;
    if (entry?.v === 1) return { fields: olderIn(entry as Older, key) };
    const whole = entry?.v === 2 && typeof entry.note === 'string' && typeof entry.key === 'string';
    return { fields: whole ? openNote(entry.note as string, key ?? (entry.key as string)) : null };
  } catch {
    return { fields: null };
  }
}

/** A checkpoint as the first version of gov wrote it: signed over a JSON array. */
interface Older extends CheckpointFields {
  readonly key: string;
  readonly signature: string;
}

function olderIn(c: Older, key: string | null): CheckpointFields | null {
  const { chain, seq, head, at } = c;
  const whole = [seq, at].every((n) => Number.isSafeInteger(n) && Math.abs(n) < 8.64e15);
  const raw = Buffer.from(c.key, 'base64');
  if (!whole || (key !== null && !keyIn(key)?.raw.equals(raw))) return null;
  const bytes = Buffer.from(JSON.stringify(['gov-audit-checkpoint-v1', chain, seq, head, at, c.key]));
  return verify(null, bytes, publicKey(raw), Buffer.from(c.signature, 'base64')) ? { chain, seq, head, at } : null;
}
