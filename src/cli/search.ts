import type { Filter } from '../audit/read/filter.ts';
import type { Store } from '../audit/read/store.ts';
import { openSearchIndex, searchIndexFile } from '../audit/tend/search-index.ts';
import type { GovPaths } from '../base/gov-paths.ts';
import { progressOn } from './progress.ts';

/** So many records are looked through as fast as an index is opened. */
const FEW = 2000;

/**
 * A filter for a text, with the records that may hold it as the index of this user's store knows them; the index is
 * extended first, which is told on standard error where it takes long. Where there can be no index the filter is given
 * back as it is, and finds the same.
 */
export function withCandidates(store: Store, paths: GovPaths, filter: Filter): Filter {
  if (filter.text === undefined || store.file !== paths.database) return filter;
  const { first, last } = store.ends();
  const from = Math.max(
    first,
    (filter.after ?? 0) + 1,
    filter.since === undefined ? 0 : firstSince(store, filter.since),
  );
  if (last - from < FEW) return filter;
  const index = openSearchIndex(store, searchIndexFile(paths));
  if (index === null) return filter;
  const progress = progressOn(process.stderr, 'indexing what was said, once');
  try {
    index.extend(from, progress.show);
    const among = index.candidates(filter.text, from);
    return among === null ? filter : { ...filter, among };
  } catch (error) {
    // A full disk, or somebody else extends it: the text is looked for without it.
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_')) throw error;
    return filter;
  } finally {
    progress.end();
    index.close();
  }
}

/** Number of the first record from a time on. */
function firstSince(store: Store, since: number): number {
  const seq = store.db.prepare('SELECT min(seq) FROM records WHERE at >= ?').pluck().get(since) as number | null;
  return seq ?? store.ends().last + 1;
}
