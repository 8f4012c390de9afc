/**
 * Takes the text out of records that hold what they should not: their bodies and summaries go, the rest stays, and
 * the chain still verifies, since a new record vouches for what is left.
 *
 *     eraseBodies(paths, entry, options): Erasure
 */
import { GovError } from '../../base/errors.ts';
import type { GovPaths } from '../../base/gov-paths.ts';
import { COLUMN_NAMES } from '../format/chain.ts';
import { ERASED_SUMMARY, type Erased } from '../read/erased.ts';
import type { Entry } from '../read/store.ts';
import { actDraft } from '../write/act.ts';
import type { Connection } from '../write/database.ts';
import { openWriter, type WriterOptions } from '../write/writer.ts';
import { unguarded } from './guards.ts';
import { dropSearchIndex, searchIndexFile } from './search-index.ts';
import { restDigest } from './verify-rows.ts';

export interface EraseOptions {
  readonly now: number;
  readonly by: string;
  readonly reason: string;
  readonly writer?: WriterOptions;
}

export interface Erasure {
  /** Id of the record of the erasure. */
  readonly id: string;
  readonly erased: readonly { readonly seq: number; readonly id: string }[];
}

/**
 * Erases a record and the others of the same call, which hold the same input. Throws `usage-erase` for records of
 * gov's own acts, on which others rest, and for records that were erased already.
 */
export function eraseBodies(paths: GovPaths, entry: Entry, options: EraseOptions): Erasure {
  if (entry.row.kind === 'gov')
    throw new GovError({
      code: 'usage-erase',
      message: `record ${entry.row.seq} tells what was done with gov itself; it is not erased`,
      help: 'grants, prunings and erasures rest on such records',
    });
  if (entry.body === null)
    throw new GovError({ code: 'usage-erase', message: `the body of record ${entry.row.seq} is gone already` });
  const rows = [entry.row, ...entry.related.filter((row) => row.kind !== 'gov')].sort((a, b) => a.seq - b.seq);
  const index = searchIndexFile(paths);
  dropSearchIndex(index);
  const writer = openWriter(paths, options.writer);
  try {
    const erased = writer.read((db) => rows.map(({ seq, id }) => ({ seq, id, ...leftOf(db, seq) })));
    const detail = { erased, reason: options.reason, by: options.by };
    const { id } = writer.append(
      actDraft({ name: 'audit-redact', detail, session: entry.row.session }, options.now),
      (_, db) => {
        // Freed pages are overwritten, not only given back.
        db.pragma('secure_delete=ON');
        unguarded(db, ['records_keep', 'bodies_stay'], () => {
          for (const { seq } of erased) {
            db.prepare('UPDATE records SET summary = ? WHERE seq = ?').run(ERASED_SUMMARY, seq);
            db.prepare('DELETE FROM bodies WHERE seq = ?').run(seq);
          }
        });
        return [];
      },
    );
    // The write-ahead log still holds the old pages.
    writer.read((db) => db.pragma('wal_checkpoint(TRUNCATE)'));
    return { id, erased: erased.map(({ seq, id }) => ({ seq, id })) };
  } finally {
    // Again: somebody may have looked for a text meanwhile.
    dropSearchIndex(index);
    writer.close();
  }
}

function leftOf(db: Connection, seq: number): Pick<Erased, 'hash' | 'rest'> {
  const [spooled, body_hash, prev_hash, hash, ...values] = db
    .prepare(
      `SELECT spooled, lower(hex(body_hash)), lower(hex(prev_hash)), lower(hex(hash)), ${COLUMN_NAMES.join(', ')}
       FROM records WHERE seq = ?`,
    )
    .raw()
    .get(seq) as [number, string, string, string, ...(string | number)[]];
  const left = values.map((value, i) => (COLUMN_NAMES[i] === 'summary' ? ERASED_SUMMARY : value));
  return { hash, rest: restDigest({ seq, spooled, values: left, body_hash, prev_hash, hash }) };
}
