import type { RecordBody } from '../format/body.ts';
import { type GrantRow, grantIn } from '../format/grant.ts';
import { prunedOf } from '../read/pruned.ts';
import type { Store } from '../read/store.ts';
import { isApproved } from '../write/grants.ts';
import { type Recount, recountGrants, TELLS_OF_GRANTS } from './recount-grants.ts';
import type { Finding } from './verify-rows.ts';

/**
 * Whether the grants are what the chain says: each is the one that the record of its approval tells of, and no more
 * uses of it, and no others, were taken than were approved. Paths are not looked at again.
 */
export function checkGrants(store: Store): readonly Finding[] {
  const rows = hasGrants(store) ? (store.db.prepare('SELECT * FROM grants ORDER BY seq').all() as GrantRow[]) : [];
  // The record of an old approval may have been pruned; a grant that is over needs none.
  const pruned = prunedOf(store)?.until_seq ?? 0;
  const isOver = (row: GrantRow): boolean => row.state !== 'approved' && row.state !== 'active';
  const unapproved = rows
    .filter((row) => !(row.seq <= pruned && isOver(row)) && !isApproved(store.db, row))
    .map((row) => ({
      code: 'grant-unapproved',
      seq: row.seq,
      id: row.id,
      columns: [],
      message: `no record tells of the approval of the grant \`${row.id}\` as it stands in the store`,
      meaning: 'somebody wrote it with another tool, or erased the record; hooks ignore such a grant',
    }));
  const recount = recounted(store, rows);
  return [...unapproved, ...recount.findings, ...rows.flatMap((row) => givenBack(row, recount))];
}

function recounted(store: Store, rows: readonly GrantRow[]): Recount {
  const grants = new Map(rows.map((row) => [row.id, grantIn(row)]));
  // Grants are never deleted: the table knows those whose approval was pruned.
  const recount = recountGrants({ terms: (id) => grants.get(id)?.terms ?? null, partial: false });
  const telling = store.db
    .prepare(`SELECT r.seq, b.body FROM records r JOIN bodies b USING (seq) WHERE ${TELLS_OF_GRANTS} ORDER BY r.seq`)
    .raw();
  try {
    for (const [seq, text] of telling.iterate() as Iterable<[number, string]>) {
      const body = parsed(text);
      if (body !== null) recount.take(seq, body);
    }
  } catch (error) {
    // Where the file can't be read, the walk along the chain says so.
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_')) throw error;
  }
  return recount;
}

/** More uses left than there can be: the table was changed. */
function givenBack(row: GrantRow, recount: Recount): readonly Finding[] {
  const uses = usesOf(row);
  const taken = recount.taken(row.id);
  if (taken <= uses - row.uses_left) return [];
  return [
    {
      code: 'grant-refilled',
      seq: row.seq,
      id: row.id,
      columns: [],
      message: `the grant \`${row.id}\` has ${row.uses_left} of ${uses} uses left, but decisions took ${taken}`,
      meaning: 'somebody gave uses back with another tool',
    },
  ];
}

/** How many were approved; a row with more left than that is none that `grantIn` takes. */
function usesOf(row: GrantRow): number {
  try {
    return Number((JSON.parse(row.terms) as { uses?: unknown }).uses) || 0;
  } catch {
    return 0;
  }
}

/** A body that is no JSON any more was changed: that is a finding of its own. */
function parsed(text: string): RecordBody | null {
  try {
    return JSON.parse(text) as RecordBody;
  } catch {
    return null;
  }
}

/** False for a store of format 1 that nothing was written to since. */
function hasGrants(store: Store): boolean {
  return store.db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'grants'").get() !== undefined;
}
