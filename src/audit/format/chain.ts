import { createHash } from 'node:crypto';
import type { Columns } from './body.ts';

/** Column names in the order in which they are stored and hashed. INVARIANT: never reordered; a change is a new domain. */
export const COLUMN_NAMES = [
  'id',
  'kind',
  'at',
  'session',
  'agent',
  'event',
  'tool',
  'raw_tool',
  'answer',
  'enforced',
  'effect',
  'rule',
  'rules',
  'call_id',
  'programs',
  'repo',
  'summary',
  'policy',
  'latency_us',
  'faulty',
] as const satisfies readonly (keyof Columns)[];

const RECORD_DOMAIN = 'gov-audit-record-v1';
const BODY_DOMAIN = 'gov-audit-body-v1\n';
const GENESIS_DOMAIN = 'gov-audit-genesis-v1\n';

/** The hash before the first record of a chain. */
export function genesisOf(chain: string): Buffer {
  return createHash('sha256')
    .update(GENESIS_DOMAIN + chain)
    .digest();
}

/** The commitment to a body. The salt goes away with an erased body, so that a short body can't be guessed from it. */
export function bodyHash(salt: Uint8Array, body: string | Uint8Array): Buffer {
  return createHash('sha256').update(BODY_DOMAIN).update(salt).update(body).digest();
}

/** A row's values in column order: integers and strings only. */
export type ColumnValues = readonly (string | number)[];

export function valuesOf(columns: Columns): ColumnValues {
  return COLUMN_NAMES.map((name) => columns[name]);
}

/**
 * The hash of a record: SHA-256 of the canonical bytes, which are the JSON array
 * `[domain, seq, spooled, …columns, body_hash, prev_hash]` (hashes in hex, no spaces). JSON of strings and
 * integers in an array has one form only, so that any language can recompute it.
 */
export function recordHash(
  seq: number,
  spooled: number,
  values: ColumnValues,
  body: Uint8Array,
  prev: Uint8Array,
): Buffer {
  const canonical = JSON.stringify([RECORD_DOMAIN, seq, spooled, ...values, hex(body), hex(prev)]);
  return createHash('sha256').update(canonical).digest();
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
