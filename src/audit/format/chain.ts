import { hash } from 'node:crypto';
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

export const RECORD_DOMAIN = 'gov-audit-record-v1';
export const BODY_DOMAIN = 'gov-audit-body-v1\n';
const GENESIS_DOMAIN = 'gov-audit-genesis-v1\n';

// All hashes are SHA-256 in lower-case hex; the database keeps them as bytes.

/** The hash before the first record of a chain. */
export function genesisOf(chain: string): string {
  return hash('sha256', GENESIS_DOMAIN + chain);
}

/**
 * The commitment to a body: hash of the domain, the salt in hex, a line feed and the text. The salt goes away with an
 * erased body, so that a short body can't be guessed from it.
 */
export function bodyHash(salt: string, body: string): string {
  return hash('sha256', `${BODY_DOMAIN}${salt}\n${body}`);
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
export function recordHash(seq: number, spooled: number, values: ColumnValues, body: string, prev: string): string {
  return hash('sha256', JSON.stringify([RECORD_DOMAIN, seq, spooled, ...values, body, prev]));
}
