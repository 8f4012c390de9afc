/**
 * Signed statements "the chain was this long and ended in this hash": they show later that records were cut off at
 * the end, or that the chain was rebuilt. Each is one line of JSON in `checkpoints.jsonl`; a copy kept on another
 * machine is worth most, since whoever owns this user's files can sign too.
 *
 *     makeCheckpoint(ends, paths, now): Checkpoint
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { closeSync, constants, fsyncSync, lstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createOnce } from '../../base/create-once.ts';
import { GovError } from '../../base/errors.ts';
import type { GovPaths } from '../../base/gov-paths.ts';
import { type CheckpointFields, noteName, noteOf, noteText, rawKey, verifierKey } from '../format/note.ts';
import { prepareDirectory } from './place.ts';

/** A checkpoint as it is logged, and what it says. */
export interface Checkpoint extends CheckpointFields {
  readonly v: 2;
  /** The public key, as verifiers of signed notes take it. */
  readonly key: string;
  /** The signed note. */
  readonly note: string;
}

/** Where a chain ends. */
interface ChainEnd {
  readonly chain: string;
  readonly last: number;
  readonly head: string;
}

/** The log of checkpoints. */
export function checkpointLog(paths: GovPaths): string {
  return join(paths.state, 'checkpoints.jsonl');
}

/** Signs the chain's end and appends it to the log; durable when it returns. Throws `store-empty`, `store-unwritable`. */
export function makeCheckpoint({ chain, last: seq, head }: ChainEnd, paths: GovPaths, now: number): Checkpoint {
  if (seq === 0) throw new GovError({ code: 'store-empty', message: 'there is no record to sign yet' });
  const secret = signingKey(paths);
  const raw = rawKey(createPublicKey(secret));
  const name = noteName(chain);
  const fields = { chain, seq, head, at: Math.trunc(now) };
  const text = noteText(fields);
  const note = noteOf(text, name, raw, sign(null, Buffer.from(text), secret));
  const key = verifierKey(name, raw);
  append(checkpointLog(paths), `${JSON.stringify({ v: 2, key, note })}\n`);
  return { v: 2, ...fields, key, note };
}

function append(file: string, line: string): void {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
  const fd = openSync(file, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  try {
    writeSync(fd, line); // One write, so that lines of several processes never mix.
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The public key with which this user's checkpoints of a chain are signed; null if none was made yet. */
export function ownVerifierKey(paths: GovPaths, chain: string): string | null {
  if (lstatSync(keyFile(paths), { throwIfNoEntry: false }) === undefined) return null;
  return verifierKey(noteName(chain), rawKey(createPublicKey(signingKey(paths))));
}

function keyFile(paths: GovPaths): string {
  return join(paths.state, 'checkpoint.key');
}

/** This user's signing key, made on first use with mode 0600. */
function signingKey(paths: GovPaths): KeyObject {
  const file = keyFile(paths);
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) makeKey(file);
    return createPrivateKey(readFileSync(file));
  } catch (cause) {
    throw new GovError({
      code: 'store-unwritable',
      message: `the key for checkpoints \`${file}\` can't be made or read`,
      help: 'look at its owner and mode; a new key is made when the file is gone',
      cause,
    });
  }
}

function makeKey(file: string): void {
  prepareDirectory(join(file, '..'));
  createOnce(file, generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }));
}
