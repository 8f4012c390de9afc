import { messageOf } from '../../base/errors.ts';
import { COLUMN_NAMES, genesisOf } from '../format/chain.ts';
import { erasedIn } from '../read/erased.ts';
import { type Pruned, prunedOf } from '../read/pruned.ts';
import type { Store } from '../read/store.ts';
import { pageLook } from './verify-pages.ts';
import { type Finding, type RowsResult, type StoredRow, verifyRows } from './verify-rows.ts';

const PAGE = 1000;

/** What a walk along the chain of a store found, the ends between which it went, and the pruning that it rests on. */
interface ChainResult {
  readonly ends: ReturnType<Store['ends']>;
  readonly result: RowsResult;
  readonly pruned: Pruned | null;
}

/**
 * Recomputes the chain of a store: page by page, and record by record only where a page is not whole. Prunings and
 * erasures that happen meanwhile are no findings.
 */
export function verifyChain(store: Store, onProgress: (done: number, all: number) => void = () => {}): ChainResult {
  for (let tries = 1; ; tries++) {
    const ends = store.ends();
    const pruned = prunedOf(store);
    const erased = erasedIn(store);
    const base = { seq: pruned?.until_seq ?? 0, hash: pruned?.until_hash ?? genesisOf(ends.chain), clock: 0 };
    const result = walk(store, base, ends.last, erased, (seq) => onProgress(seq - base.seq, ends.last - base.seq));
    const quiet = prunedOf(store)?.until_seq === pruned?.until_seq && erasedIn(store).size === erased.size;
    if (result.findings.length === 0 || quiet || tries === 3) return { ends, result, pruned };
  }
}

function walk(
  store: Store,
  base: RowsResult['end'],
  last: number,
  erased: ReturnType<typeof erasedIn>,
  reached: (seq: number) => void,
): RowsResult {
  const look = pageLook(store, last);
  let sum: RowsResult = { records: 0, findings: [], more: 0, spooled: 0, backwards: 0, erased: 0, end: base };
  // Rows may stand before what the chain begins with; only the closer look finds them.
  const early = store.db.prepare('SELECT 1 FROM records WHERE seq <= ? LIMIT 1').get(base.seq);
  if (early !== undefined) return closer(store, Number.MIN_SAFE_INTEGER, last, base, erased);
  while (sum.end.seq < last) {
    reached(sum.end.seq);
    const page = look(sum.end);
    if (page !== null) {
      sum = added(sum, { ...NOTHING, ...page });
      continue;
    }
    // Erased bodies are the usual reason: then this page is whole on a closer look, and the next is looked at as before.
    const near = closer(store, sum.end.seq, Math.min(sum.end.seq + NEAR, last), sum.end, erased);
    const whole = near.findings.length === 0 && near.records > 0;
    if (!whole) return added(sum, closer(store, sum.end.seq, last, sum.end, erased));
    sum = added(sum, near);
  }
  return sum;
}

const NEAR = 128;
const NOTHING = { findings: [], more: 0, erased: 0 };

function added(a: RowsResult, b: RowsResult): RowsResult {
  return {
    records: a.records + b.records,
    findings: [...a.findings, ...b.findings],
    more: a.more + b.more,
    spooled: a.spooled + b.spooled,
    backwards: a.backwards + b.backwards,
    erased: a.erased + b.erased,
    end: b.end,
  };
}

function closer(
  store: Store,
  after: number,
  last: number,
  base: RowsResult['end'],
  erased: ReturnType<typeof erasedIn>,
): RowsResult {
  const damage: Finding[] = [];
  const result = verifyRows(readable(storedRows(store, after, last), damage), '', { base, erased });
  return { ...result, findings: [...damage, ...result.findings] };
}

/** Records as `verifyRows` wants them, those behind a number up to another. */
function* storedRows(store: Store, after: number, last: number): Generator<StoredRow> {
  const select = store.db
    .prepare(
      `SELECT r.seq, r.spooled, lower(hex(r.body_hash)), lower(hex(r.prev_hash)), lower(hex(r.hash)), lower(hex(b.salt)), b.body, ${COLUMN_NAMES.map((c) => `r.${c}`).join(', ')}
       FROM records r LEFT JOIN bodies b ON b.seq = r.seq WHERE r.seq > ? AND r.seq <= ? ORDER BY r.seq LIMIT ${PAGE}`,
    )
    .raw();
  let seen = after;
  for (;;) {
    const page = select.all(seen, last) as [number, number, string, string, string, string, string | null][];
    for (const [seq, spooled, body_hash, prev_hash, hash, salt, body, ...values] of page)
      yield {
        seq,
        spooled,
        body_hash,
        prev_hash,
        hash,
        salt: body === null ? null : salt,
        body,
        values: values as (string | number)[],
      };
    if (page.length < PAGE) return;
    seen = page[page.length - 1]?.[0] ?? last;
  }
}

/** The rows up to where the file can't be read any more, which is a finding. */
function* readable(rows: Iterable<StoredRow>, findings: Finding[]): Generator<StoredRow> {
  let last = 0;
  try {
    for (const row of rows) {
      last = row.seq;
      yield row;
    }
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_')) throw error;
    findings.push({
      code: 'file-damaged',
      seq: last + 1,
      id: null,
      columns: [],
      message: `behind record ${last} the file can't be read: ${messageOf(error)}`,
      meaning: 'a fault of the disk, or bytes of the file were overwritten; what follows was not checked',
    });
  }
}
