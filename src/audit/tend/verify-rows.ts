import { sha256 } from '../../base/digest.ts';
import { columnsOf, type RecordBody } from '../format/body.ts';
import { bodyHash, COLUMN_NAMES, type ColumnValues, genesisOf, recordHash, valuesOf } from '../format/chain.ts';
import type { Erased } from '../read/erased.ts';

/** One record as stored; hashes and salt in lower-case hex. */
export interface StoredRow {
  readonly seq: number;
  readonly spooled: number;
  readonly body_hash: string;
  readonly prev_hash: string;
  readonly hash: string;
  /** Null: the body was erased. */
  readonly salt: string | null;
  readonly body: string | null;
  /** In the order of `COLUMN_NAMES`. */
  readonly values: ColumnValues;
}

/** Something that is not as it was written. */
export interface Finding {
  /** Stable: `record-changed`, `body-changed`, `body-missing`, `chain-broken`, `records-missing`, `schema-…`, `file-…`, `spool-damaged`. */
  readonly code: string;
  readonly seq: number | null;
  readonly id: string | null;
  /** Which columns differ, as far as it can be told. */
  readonly columns: readonly string[];
  readonly message: string;
  readonly meaning: string;
}

export interface RowsResult {
  readonly records: number;
  readonly findings: readonly Finding[];
  /** Findings beyond those listed. */
  readonly more: number;
  readonly spooled: number;
  readonly backwards: number;
  readonly erased: number;
  /** Number and hash of the last row, and the latest time told. */
  readonly end: { readonly seq: number; readonly hash: string; readonly clock: number };
}

const MAX_FINDINGS = 100;
const MAX_GAPS = 100;
const AT = COLUMN_NAMES.indexOf('at');

/** What the rows rest on. */
export interface Ground {
  /** What the first row has to follow, where it is not the chain's first record. */
  readonly base?: { readonly seq: number; readonly hash: string; readonly clock?: number };
  /** Bodies that were erased on purpose, by sequence number. */
  readonly erased?: ReadonlyMap<number, Erased>;
}

/** Recomputes the chain over rows in sequence. */
export function verifyRows(rows: Iterable<StoredRow>, chain: string, ground: Ground = {}): RowsResult {
  const findings: Finding[] = [];
  let more = 0;
  let records = 0;
  let spooled = 0;
  let backwards = 0;
  let erased = 0;
  let clock = ground.base?.clock ?? 0;
  let before: { readonly seq: number; readonly hash: string } = ground.base ?? { seq: 0, hash: genesisOf(chain) };
  let pending: StoredRow | null = null;
  const report = (finding: Finding): void => {
    if (findings.length < MAX_FINDINGS) findings.push(finding);
    else more++;
  };
  const gaps: number[] = [];
  const settle = (row: StoredRow, next: StoredRow | null): void => {
    for (let seq = before.seq + 1; seq < row.seq && gaps.length < MAX_GAPS; seq++) gaps.push(seq);
    for (const finding of judge(row, { ...before, gaps }, next, ground.erased?.get(row.seq))) report(finding);
    before = { seq: row.seq, hash: row.hash };
  };
  for (const row of rows) {
    if (pending !== null) settle(pending, row);
    pending = row;
    records++;
    spooled += row.spooled === 0 ? 0 : 1;
    erased += row.body === null ? 1 : 0;
    const at = Number(row.values[AT]);
    if (at < clock && row.spooled === 0) backwards++;
    if (row.spooled === 0) clock = at;
  }
  if (pending !== null) settle(pending, null);
  return { records, findings, more, spooled, backwards, erased, end: { seq: before.seq, hash: before.hash, clock } };
}

interface Before {
  readonly seq: number;
  readonly hash: string;
  /** Numbers that were missing so far: a record may have been given another one. */
  readonly gaps: readonly number[];
}

function* judge(
  row: StoredRow,
  before: Before,
  next: StoredRow | null,
  erased: Erased | undefined,
): Generator<Finding> {
  const { seq } = row;
  const id = String(row.values[0]);
  const computed = row.salt === null || row.body === null ? null : bodyHash(row.salt, row.body);
  const bodyOk = computed === row.body_hash;
  const own = recordHash(seq, row.spooled, row.values, row.body_hash, row.prev_hash);
  // An erased summary can't be hashed again; the record of the erasure vouches for all that is left, the chain for it.
  const asErased =
    erased !== undefined && row.body === null && row.hash === erased.hash && restDigest(row) === erased.rest;
  const recordOk = own === row.hash || asErased;
  const linked = row.prev_hash === before.hash;
  if (seq !== before.seq + 1 && (recordOk || !linked)) {
    const missing = seq - before.seq - 1;
    yield {
      code: 'records-missing',
      seq,
      id,
      columns: [],
      message: `before record ${seq} (${id}) ${missing === 1 ? 'one record is' : `${missing} records are`} missing`,
      meaning: 'they were deleted after they had been written',
    };
  } else if (!linked && recordOk)
    yield {
      code: 'chain-broken',
      seq,
      id,
      columns: [],
      message: `record ${seq} (${id}) does not follow from record ${before.seq}`,
      meaning: 'one of the two was put in, replaced or recomputed after it had been written',
    };
  if (!recordOk) yield changed(row, id, own, computed, before, next);
  else if (row.body === null || row.salt === null) {
    if (asErased) return;
    yield {
      code: 'body-missing',
      seq,
      id,
      columns: ['body'],
      message: `the body of record ${seq} (${id}) is gone`,
      meaning: 'it was deleted; what the record says in its columns is intact',
    };
  } else if (!bodyOk)
    yield {
      code: 'body-changed',
      seq,
      id,
      columns: ['body'],
      message: `the body of record ${seq} (${id}) is not the one that was written`,
      meaning: 'its text or its salt was changed afterwards; the columns are intact',
    };
}

/** Digest of everything that an erased record still says. */
export function restDigest({ seq, spooled, values, body_hash, prev_hash }: Omit<StoredRow, 'salt' | 'body'>): string {
  return sha256(JSON.stringify([seq, spooled, ...values, body_hash, prev_hash]));
}

/** The record's own hash does not fit: find out what was changed, by what the other parts still say. */
function changed(
  row: StoredRow,
  id: string,
  own: string,
  computed: string | null,
  before: Before,
  next: StoredRow | null,
): Finding {
  const columns = culprits(row, own, computed, before, next);
  const which =
    columns.length === 0
      ? 'one of its columns'
      : columns.map((name) => `\`${name}\``).join(columns.length > 2 ? ', ' : ' and ');
  return {
    code: 'record-changed',
    seq: row.seq,
    id,
    columns,
    message: `record ${row.seq} (${id}) was changed: ${which}`,
    meaning: `what it says there is not what was decided and recorded${whatItWas(row, columns, computed)}`,
  };
}

function culprits(
  row: StoredRow,
  own: string,
  computed: string | null,
  before: Before,
  next: StoredRow | null,
): readonly string[] {
  const { seq, spooled, values, body_hash, prev_hash, hash } = row;
  const fits = (s: number, sp: number, body: string, prev: string): boolean =>
    recordHash(s, sp, values, body, prev) === hash;
  if (computed !== null && computed !== body_hash && fits(seq, spooled, computed, prev_hash)) return ['body_hash'];
  if (prev_hash !== before.hash && fits(seq, spooled, body_hash, before.hash)) return ['prev_hash'];
  if (fits(seq, spooled === 0 ? 1 : 0, body_hash, prev_hash)) return ['spooled'];
  if (before.gaps.some((gap) => fits(gap, spooled, body_hash, prev_hash))) return ['seq'];
  if (next?.prev_hash === own) return ['hash'];
  const said = columnsSaid(row, computed);
  if (said === null) return [];
  const differ = COLUMN_NAMES.filter((_, i) => said[i] !== values[i]);
  return differ.length > 0 ? differ : next === null ? ['hash'] : [];
}

/** The columns as the body gives them, if the body can be believed. */
function columnsSaid(row: StoredRow, computed: string | null): ColumnValues | null {
  if (row.body === null || computed === null || computed !== row.body_hash) return null;
  try {
    return valuesOf(columnsOf(JSON.parse(row.body) as RecordBody));
  } catch {
    return null;
  }
}

function whatItWas(row: StoredRow, columns: readonly string[], computed: string | null): string {
  const [name] = columns;
  const place = COLUMN_NAMES.indexOf(name as (typeof COLUMN_NAMES)[number]);
  const said = columnsSaid(row, computed)?.[place];
  if (columns.length !== 1 || place < 0 || said === undefined) return '';
  return `; the body says \`${String(said).slice(0, 80)}\`, the column \`${String(row.values[place]).slice(0, 80)}\``;
}
