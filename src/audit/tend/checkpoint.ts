/**
 * Signed statements "the chain was this long and ended in this hash": they show later that records were cut off at
 * the end, or that the chain was rebuilt. Each is one line of JSON in `checkpoints.jsonl`; a copy kept on another
 * machine is worth most, since whoever owns this user's files can sign too.
 *
 *     makeCheckpoint(store, paths, now): Checkpoint
 *     checkCheckpoints(store, paths): CheckpointResult
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { appendFileSync, closeSync, constants, fsyncSync, lstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { GovError } from '../../base/errors.ts';
import type { GovPaths } from '../../base/gov-paths.ts';
import { prunedOf } from '../read/pruned.ts';
import type { Store } from '../read/store.ts';
import type { Finding } from './verify-rows.ts';

export interface Checkpoint {
  readonly v: 1;
  readonly chain: string;
  /** Number and hash of the last record at that time. */
  readonly seq: number;
  readonly head: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** Public key, raw Ed25519 in base64. */
  readonly key: string;
  /** Over the canonical bytes, base64. */
  readonly signature: string;
}

const DOMAIN = 'gov-audit-checkpoint-v1';

/** The signed bytes: a JSON array of the domain and the fields. */
function bytesOf(c: Omit<Checkpoint, 'signature' | 'v'>): Buffer {
  return Buffer.from(JSON.stringify([DOMAIN, c.chain, c.seq, c.head, c.at, c.key]));
}

/** Signs the chain's end and appends it to the log of checkpoints. Throws `store-empty`, `store-unwritable`. */
export function makeCheckpoint(store: Store, paths: GovPaths, now: number): Checkpoint {
  const { chain, last: seq, head } = store.ends();
  if (seq === 0) throw new GovError({ code: 'store-empty', message: 'there is no record to sign yet' });
  const secret = signingKey(join(paths.state, 'checkpoint.key'));
  const key = rawOf(createPublicKey(secret));
  const fields = { chain, seq, head, at: Math.trunc(now), key };
  const checkpoint: Checkpoint = { v: 1, ...fields, signature: sign(null, bytesOf(fields), secret).toString('base64') };
  appendFileSync(logOf(paths), `${JSON.stringify(checkpoint)}\n`, { mode: 0o600, flush: true });
  return checkpoint;
}

export interface CheckpointResult {
  readonly count: number;
  /** The highest record number that one of them vouches for. */
  readonly upTo: number;
  readonly findings: readonly Finding[];
}

/** Compares every checkpoint of this chain with the store. */
export function checkCheckpoints(store: Store, paths: GovPaths): CheckpointResult {
  const findings: Finding[] = [];
  let count = 0;
  let upTo = 0;
  const { chain, last } = store.ends();
  const pruned = prunedOf(store);
  const hashAt = store.db.prepare('SELECT lower(hex(hash)) FROM records WHERE seq = ?').pluck();
  const report = (code: string, seq: number | null, message: string, meaning: string): void => {
    findings.push({ code, seq, id: null, columns: [], message, meaning });
  };
  linesOf(logOf(paths)).forEach((line, i) => {
    const c = parse(line);
    if (c === null || !isSigned(c)) {
      report(
        'checkpoint-invalid',
        c?.seq ?? null,
        `checkpoint ${i + 1} is damaged or its signature is wrong`,
        'it was changed after it was made',
      );
      return;
    }
    count++;
    if (c.chain !== chain) {
      report(
        'chain-replaced',
        null,
        `checkpoint ${i + 1} is about another chain`,
        'the store was replaced by a new one; the records of the old one are gone',
      );
      return;
    }
    upTo = Math.max(upTo, c.seq);
    if (pruned !== null && c.seq < pruned.until_seq) return; // Its record is in the archive.
    const found = c.seq === pruned?.until_seq ? pruned.until_hash : hashAt.get(c.seq);
    if (found === c.head) return;
    if (c.seq > last)
      report(
        'records-cut-off',
        c.seq,
        `record ${c.seq} was there on ${new Date(c.at).toISOString()}; now the last is ${last}`,
        'records were cut off at the end',
      );
    else
      report(
        'chain-rebuilt',
        c.seq,
        `record ${c.seq} has another hash than on ${new Date(c.at).toISOString()}`,
        'the chain was rebuilt from there or before',
      );
  });
  return { count, upTo, findings };
}

function logOf(paths: GovPaths): string {
  return join(paths.state, 'checkpoints.jsonl');
}

function linesOf(file: string): readonly string[] {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function parse(line: string): Checkpoint | null {
  try {
    const c = JSON.parse(line) as Partial<Checkpoint> | null;
    const whole =
      c?.v === 1 &&
      [c.chain, c.head, c.key, c.signature].every((text) => typeof text === 'string') &&
      [c.seq, c.at].every((n) => Number.isSafeInteger(n) && Math.abs(n as number) < 8.64e15);
    return whole ? (c as Checkpoint) : null;
  } catch {
    return null;
  }
}

/** What precedes a raw Ed25519 public key in DER (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

function rawOf(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).subarray(SPKI.length).toString('base64');
}

function isSigned(c: Checkpoint): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.concat([SPKI, Buffer.from(c.key, 'base64')]),
      format: 'der',
      type: 'spki',
    });
    return verify(null, bytesOf(c), key, Buffer.from(c.signature, 'base64'));
  } catch {
    return false;
  }
}

/** This user's signing key, made on first use with mode 0600. */
function signingKey(file: string): KeyObject {
  try {
    const { O_CREAT, O_EXCL, O_WRONLY } = constants;
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) {
      const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
      const fd = openSync(file, O_CREAT | O_EXCL | O_WRONLY, 0o600);
      try {
        writeSync(fd, pem.toString());
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    }
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
