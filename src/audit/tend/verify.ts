/**
 * Is the store what the writers wrote? Recomputes every hash from the stored bytes and names the first record
 * that differs, which column of it if that can be told, and what it means. Reads in pages and writes nothing.
 *
 *     verifyStore(store, paths?, checkpoints?): Verification
 *     verifyArchive(file): Verification             an archive of `prune` or an export, alone
 *     verifyRows(rows, chain): RowsResult           (verify-rows.ts) the chain alone
 */
import { lstatSync } from 'node:fs';
import { GovError, messageOf } from '../../base/errors.ts';
import { fileError } from '../../base/file-errors.ts';
import type { GovPaths } from '../../base/gov-paths.ts';
import type { RecordBody } from '../format/body.ts';
import { COLUMN_NAMES, genesisOf } from '../format/chain.ts';
import { ADDED_OBJECTS, schemaObjects } from '../format/schema.ts';
import type { Store } from '../read/store.ts';
import { listSpool } from '../write/spool.ts';
import { rowsInArchive } from './archive.ts';
import { checkLog, compareCheckpoints, type LoggedCheckpoint } from './checkpoint.ts';
import { mayTellOfGrants, type Recount, recountGrants } from './recount-grants.ts';
import { verifyChain } from './verify-chain.ts';
import { checkGrants } from './verify-grants.ts';
import { checkEvidence } from './verify-marks.ts';
import { type Finding, type RowsResult, type StoredRow, verifyRows } from './verify-rows.ts';

export interface Verification {
  readonly ok: boolean;
  readonly file: string;
  readonly chain: string;
  /** Records whose hashes were recomputed. */
  readonly records: number;
  readonly first: number;
  readonly last: number;
  /** Number of the first record that the chain is verified from: 1, or what follows the last pruning. */
  readonly verified_from: number;
  /** Hash of the last record; keep it elsewhere to detect a cut tail later. */
  readonly head: string;
  /** All that is wrong, the first in sequence first; at most 100. */
  readonly findings: readonly Finding[];
  /** How many there are in all. */
  readonly wrong: number;
  /** Not wrong, but worth knowing. */
  readonly notes: readonly string[];
  /** What this check can't prove. */
  readonly limits: readonly string[];
}

/** `vouched`: up to which record signed checkpoints reach; 0 without any. */
function limitsOf(vouched: number): readonly string[] {
  const since = vouched === 0 ? '' : ` after record ${vouched}, the last signed one,`;
  return [
    `records cut off at the end${since} leave no trace in the chain: compare the head with one kept elsewhere`,
    'whoever can write the file can rebuild the whole chain: compare with a copy or a head kept elsewhere',
    'calls that went around the hooks were never recorded',
  ];
}

const MAX_FINDINGS = 100;

/** Verifies a store; `paths` adds its surroundings: file modes, owner, spool, log of checkpoints; and checkpoints from elsewhere. Tells how many records are done. */
export function verifyStore(
  store: Store,
  paths?: GovPaths,
  checkpoints: readonly LoggedCheckpoint[] = [],
  onProgress?: (done: number, all: number) => void,
): Verification {
  const findings: Finding[] = [];
  const notes: string[] = [];
  let vouched = 0;
  if (paths !== undefined) {
    lookAround(paths, findings, notes);
    const logged = checkLog(store, paths);
    findings.push(...logged.findings);
    vouched = logged.upTo;
    if (logged.count > 0) notes.push(`signed checkpoints: ${logged.count}, up to record ${vouched}`);
  }
  if (checkpoints.length > 0) {
    const given = compareCheckpoints(store, checkpoints);
    findings.push(...given.findings);
    vouched = Math.max(vouched, given.upTo);
    if (given.upTo > 0) notes.push(`checkpoints given: ${given.count}, up to record ${given.upTo}`);
  }
  checkSchema(store, store.ends().chain, findings);
  checkPages(store, findings);
  const { ends, result, pruned } = verifyChain(store, onProgress);
  if (pruned !== null)
    notes.push(
      `records up to ${pruned.until_seq} were pruned; their archive has SHA-256 ${pruned.archive_sha256 || 'unknown'}`,
    );
  findings.push(...result.findings, ...checkGrants(store), ...checkEvidence(store));
  if (result.spooled > 0) notes.push(`through the spool: ${records(result.spooled)}`);
  if (result.backwards > 0)
    notes.push(`times the clock went backwards: ${result.backwards}; order is that of the sequence numbers`);
  if (result.erased > 0) notes.push(`bodies erased: ${result.erased}; their hashes are intact`);
  return {
    ok: findings.length === 0,
    file: store.file,
    chain: ends.chain,
    records: result.records,
    first: ends.first,
    last: ends.last,
    verified_from: (pruned?.until_seq ?? 0) + 1,
    head: ends.head,
    findings: findings.slice(0, MAX_FINDINGS),
    wrong: findings.length + result.more,
    notes,
    limits: limitsOf(vouched),
  };
}

/**
 * Verifies JSON lines with all their proofs: an archive, or an export without gaps. The first line is believed about
 * what it follows. Throws `store-unreadable` if the file is none.
 */
export function verifyArchive(file: string): Verification {
  let last: StoredRow | undefined;
  try {
    const [first] = rowsInArchive(file);
    const recount = recountGrants({ terms: () => null, partial: (first?.seq ?? 1) > 1 });
    const seen = function* (rows: Iterable<StoredRow>): Generator<StoredRow> {
      for (const row of rows) {
        last = row;
        recountRow(recount, row);
        yield row;
      }
    };
    const base = { seq: (first?.seq ?? 1) - 1, hash: first?.prev_hash ?? '' };
    const result = verifyRows(seen(rowsInArchive(file)), '', { base });
    return archiveVerification(file, first, last, { ...result, findings: [...result.findings, ...recount.findings] });
  } catch (cause) {
    if (typeof (cause as { code?: unknown }).code === 'string') throw fileError('store-unreadable', file, cause);
    throw new GovError({ code: 'store-unreadable', message: `\`${file}\` is no archive: ${messageOf(cause)}`, cause });
  }
}

const KIND = COLUMN_NAMES.indexOf('kind');
const SUMMARY = COLUMN_NAMES.indexOf('summary');

function recountRow(recount: Recount, { seq, values, body }: StoredRow): void {
  if (body === null || !mayTellOfGrants(String(values[KIND]), String(values[SUMMARY]), body)) return;
  recount.take(seq, JSON.parse(body) as RecordBody);
}

function archiveVerification(
  file: string,
  first: StoredRow | undefined,
  last: StoredRow | undefined,
  result: RowsResult,
): Verification {
  return {
    ok: result.findings.length === 0,
    file,
    chain: '',
    records: result.records,
    first: first?.seq ?? 0,
    last: last?.seq ?? 0,
    verified_from: first?.seq ?? 0,
    head: last?.hash ?? '',
    findings: result.findings,
    wrong: result.findings.length + result.more,
    notes: [],
    limits: [
      'whether this is all of the archive: compare its SHA-256 with the record of the pruning, its head with the store',
      'texts that were erased later are in archives that were made before',
    ],
  };
}

function checkSchema(store: Store, chain: string, findings: Finding[]): void {
  const found = new Map(
    store.db.prepare("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").raw().all() as [
      string,
      string,
    ][],
  );
  const wanted = new Map(schemaObjects(genesisOf(chain)));
  // A store of format 1 gets them with the next record.
  if (store.db.pragma('user_version', { simple: true }) === 1) for (const [name] of ADDED_OBJECTS) wanted.delete(name);
  for (const [name, sql] of wanted) {
    const has = found.get(name);
    if (has === sql) continue;
    const what = sql.startsWith('CREATE TRIGGER') ? 'trigger' : sql.startsWith('CREATE TABLE') ? 'table' : 'index';
    findings.push({
      code: has === undefined ? 'schema-missing' : 'schema-changed',
      seq: null,
      id: null,
      columns: [],
      message: `the ${what} \`${name}\` ${has === undefined ? 'is missing' : 'was changed'}`,
      meaning:
        what === 'trigger'
          ? 'somebody opened the store with another tool and took away a guard against changes'
          : 'the store was altered with another tool',
    });
  }
  for (const name of found.keys())
    if (!wanted.has(name))
      findings.push({
        code: 'schema-extra',
        seq: null,
        id: null,
        columns: [],
        message: `\`${name}\` does not belong into the store`,
        meaning: 'the store was altered with another tool; a trigger of this kind can change what is written',
      });
}

function checkPages(store: Store, findings: Finding[]): void {
  let lines: string[];
  try {
    // The bodies are read to the last byte anyway; here it is about pages and indexes of the records.
    lines = store.db.prepare('PRAGMA quick_check(records)').pluck().all() as string[];
  } catch (error) {
    lines = [messageOf(error)];
  }
  for (const line of lines.slice(0, 5))
    if (line !== 'ok')
      findings.push({
        code: 'file-damaged',
        seq: null,
        id: null,
        columns: [],
        message: `the database file is damaged: ${line}`,
        meaning: 'a fault of the disk, or bytes of the file were overwritten',
      });
}

function lookAround(paths: GovPaths, findings: Finding[], notes: string[]): void {
  const uid = process.geteuid?.();
  for (const [path, allowed] of [
    [paths.state, 0o700],
    [paths.database, 0o600],
    [`${paths.database}-wal`, 0o600],
  ] as const) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    const mode = stat.mode & 0o777;
    const why = stat.isSymbolicLink()
      ? 'is a symbolic link'
      : uid !== undefined && stat.uid !== uid
        ? `belongs to user ${stat.uid}`
        : (mode & ~allowed) !== 0
          ? `has mode ${mode.toString(8)} instead of ${allowed.toString(8)}`
          : '';
    if (why !== '')
      findings.push({
        code: 'file-open',
        seq: null,
        id: null,
        columns: [],
        message: `\`${path}\` ${why}`,
        meaning: 'others could read or change it',
      });
  }
  const spool = listSpool(paths.spool);
  if (spool.waiting.length > 0)
    notes.push(`waiting in the spool, for the next call to store: ${records(spool.waiting.length)}`);
  if (spool.unfinished.length > 0)
    notes.push(`in the spool, never finished and never acknowledged: ${records(spool.unfinished.length)}`);
  for (const name of spool.damaged.slice(0, 20))
    findings.push({
      code: 'spool-damaged',
      seq: null,
      id: name.slice(0, 20),
      columns: [],
      message: `\`${name}\` in the spool is not a whole record`,
      meaning: 'it was damaged or changed after it was written; the decision it held is not in the store',
    });
}

function records(n: number): string {
  return n === 1 ? '1 record' : `${n} records`;
}
