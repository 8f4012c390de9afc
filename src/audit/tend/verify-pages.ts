import { hash } from 'node:crypto';
import { BODY_DOMAIN, COLUMN_NAMES, RECORD_DOMAIN } from '../format/chain.ts';
import type { Store } from '../read/store.ts';

/** Where a chain stands: number and hash (lower-case hex) of a record, and the latest time told so far. */
export interface Standing {
  readonly seq: number;
  readonly hash: string;
  readonly clock: number;
}

/** A page whose every hash was recomputed and fits. */
export interface WholePage {
  readonly records: number;
  readonly spooled: number;
  /** Times the clock went backwards. */
  readonly backwards: number;
  readonly end: Standing;
}

/** Bodies have a quarter of a megabyte at most: so many stay well within the memory of a small machine. */
const PAGE = 128;

// The bytes that were hashed, put together by SQLite: a page comes as a few long values instead of thousands of
// short ones, and texts are never made into JavaScript's and back. `json_array` writes what JSON.stringify writes.
const HEX = ['body_hash', 'prev_hash', 'hash'].map((name) => `lower(hex(r.${name})) AS ${name}`).join(', ');
const PAGE_SQL = `SELECT count(*), count(body), max(seq), sum(spooled <> 0), group_concat(at || ' ' || spooled),
  CAST(group_concat(body, '') AS BLOB), group_concat(octet_length(body)),
  CAST(group_concat(record, '') AS BLOB), group_concat(octet_length(record)),
  group_concat(body_hash, ''), group_concat(prev_hash, ''), group_concat(hash, '')
FROM (SELECT *, json_array('${RECORD_DOMAIN}', seq, spooled, ${COLUMN_NAMES.join(', ')}, body_hash, prev_hash) AS record
  FROM (SELECT r.seq, r.spooled, ${COLUMN_NAMES.map((name) => `r.${name}`).join(', ')}, ${HEX},
    '${BODY_DOMAIN.trimEnd()}' || char(10) || lower(hex(b.salt)) || char(10) || b.body AS body
    FROM records r LEFT JOIN bodies b ON b.seq = r.seq WHERE r.seq > ? AND r.seq <= ? ORDER BY r.seq))`;

type PageRow = readonly [
  records: number,
  bodies: number,
  last: number,
  spooled: number,
  clock: string,
  body: Buffer,
  bodySizes: string,
  record: Buffer,
  recordSizes: string,
  bodyHashes: string,
  prevHashes: string,
  hashes: string,
];

/**
 * Gives a function that looks at the page of records behind a standing, up to `last`. Null: something about it does not
 * fit, is missing or can't be read; which of them, only the closer look of `verifyRows` can tell.
 * INVARIANT: never whole where `verifyRows` would find something.
 */
export function pageLook(store: Store, last: number): (before: Standing) => WholePage | null {
  const select = store.db.prepare(PAGE_SQL).raw();
  return (before) => {
    const end = Math.min(before.seq + PAGE, last);
    let row: PageRow;
    try {
      row = select.get(before.seq, end) as PageRow;
    } catch {
      return null;
    }
    const [records, bodies, seq, spooled, clock, body, bodySizes, record, recordSizes, ...hashes] = row;
    if (records !== end - before.seq || bodies !== records || seq !== end) return null;
    const [bodyHashes, prevHashes, recordHashes] = hashes;
    if (prevHashes !== before.hash + recordHashes.slice(0, -64)) return null;
    if (digests(body, bodySizes) !== bodyHashes || digests(record, recordSizes) !== recordHashes) return null;
    return { records, spooled, ...clockIn(clock, before.clock, { seq, hash: recordHashes.slice(-64) }) };
  };
}

/** SHA-256 of each piece, one behind the other. */
function digests(bytes: Buffer, sizes: string): string {
  let out = '';
  let at = 0;
  for (const size of sizes.split(',')) {
    const end = at + Number(size);
    out += hash('sha256', bytes.subarray(at, end));
    at = end;
  }
  return out;
}

function clockIn(times: string, start: number, end: Omit<Standing, 'clock'>): Pick<WholePage, 'backwards' | 'end'> {
  let clock = start;
  let backwards = 0;
  for (const entry of times.split(',')) {
    const space = entry.indexOf(' ');
    if (entry.slice(space + 1) !== '0') continue; // It waited in the spool: its time is that of the call.
    const at = Number(entry.slice(0, space));
    if (at < clock) backwards++;
    clock = at;
  }
  return { backwards, end: { ...end, clock } };
}
