import { csvCell } from '../../base/csv.ts';
import { visibleJson } from '../../base/escape.ts';
import { COLUMN_NAMES } from '../format/chain.ts';
import type { Filter } from './filter.ts';
import { type Row, reading, type Store } from './store.ts';

export type ExportFormat = 'jsonl' | 'json' | 'csv';

/** One record with everything that is needed to recompute its hashes; binary values in lower-case hex. */
interface Exported extends Row {
  readonly prev_hash: string;
  readonly body_hash: string;
  /** Null: the body was erased. */
  readonly salt: string | null;
  /** The text exactly as it was hashed. */
  readonly body: string | null;
}

/** Records in sequence with their proofs. */
function* exported(store: Store, filter: Filter, limit = Number.MAX_SAFE_INTEGER): Generator<Exported> {
  const proof = store.db.prepare(
    `SELECT lower(hex(r.prev_hash)) AS prev_hash, lower(hex(r.body_hash)) AS body_hash, lower(hex(b.salt)) AS salt, b.body
     FROM records r LEFT JOIN bodies b ON b.seq = r.seq WHERE r.seq = ?`,
  );
  let left = limit;
  for (const row of store.each(filter)) {
    if (left-- <= 0) return;
    const { salt, body, ...rest } = reading(store.file, () => proof.get(row.seq)) as Omit<Exported, keyof Row>;
    yield { ...row, ...rest, salt: body === null ? null : salt, body };
  }
}

/** The pieces of an export, in order; `seq` is that of the record a piece holds. */
export function* exportLines(
  store: Store,
  filter: Filter,
  format: ExportFormat,
  limit?: number,
): Generator<{ readonly text: string; readonly seq: number | null }> {
  if (format === 'csv')
    yield { text: `${['seq', 'spooled', ...COLUMN_NAMES, 'hash', 'prev_hash', 'body_hash'].join(',')}\r\n`, seq: null };
  if (format === 'json') yield { text: '[', seq: null };
  let mark = '\n';
  for (const record of exported(store, filter, limit)) {
    const json = visibleJson(JSON.stringify(record));
    const text = format === 'csv' ? csvLine(record) : format === 'json' ? mark + json : `${json}\n`;
    mark = ',\n';
    yield { text, seq: record.seq };
  }
  if (format === 'json') yield { text: '\n]\n', seq: null };
}

function csvLine(record: Exported): string {
  const cells = [
    record.seq,
    record.spooled,
    ...COLUMN_NAMES.map((name) => record[name]),
    record.hash,
    record.prev_hash,
    record.body_hash,
  ];
  return `${cells.map(csvCell).join(',')}\r\n`;
}
