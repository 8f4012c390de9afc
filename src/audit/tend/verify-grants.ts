import type { GrantRow } from '../format/grant.ts';
import { prunedOf } from '../read/pruned.ts';
import type { Store } from '../read/store.ts';
import { isApproved } from '../write/grants.ts';
import type { Finding } from './verify-rows.ts';

/** Grants that the chain knows nothing of: each has to be the one that the record of its approval tells of. */
export function checkGrants(store: Store): readonly Finding[] {
  if (!hasGrants(store)) return [];
  const rows = store.db.prepare('SELECT * FROM grants ORDER BY seq').all() as GrantRow[];
  // The record of an old approval may have been pruned; a grant that is over needs none.
  const pruned = prunedOf(store)?.until_seq ?? 0;
  const isOver = (row: GrantRow): boolean => row.state !== 'approved' && row.state !== 'active';
  return rows
    .filter((row) => !(row.seq <= pruned && isOver(row)) && !isApproved(store.db, row))
    .map((row) => ({
      code: 'grant-unapproved',
      seq: row.seq,
      id: row.id,
      columns: [],
      message: `no record tells of the approval of the grant \`${row.id}\` as it stands in the store`,
      meaning: 'somebody wrote it with another tool, or erased the record; hooks ignore such a grant',
    }));
}

/** False for a store of format 1 that nothing was written to since. */
function hasGrants(store: Store): boolean {
  return store.db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'grants'").get() !== undefined;
}
