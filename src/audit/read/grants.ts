import type { Grant } from '../../model/grant.ts';
import type { RecordBody } from '../format/body.ts';
import { type GrantRow, grantIn } from '../format/grant.ts';
import type { Store } from './store.ts';

/** All grants, newest first. Empty for a store of a version that had none. */
export function readGrants(store: Store): readonly Grant[] {
  if (store.db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'grants'").get() === undefined) return [];
  const rows = store.db.prepare('SELECT * FROM grants ORDER BY seq DESC').all() as GrantRow[];
  return rows.map(grantIn).filter((grant) => grant !== null);
}

/** Bodies of gov's own acts whose name begins so, since a time, oldest first. */
export function readActs(store: Store, prefix: string, since: number): readonly RecordBody[] {
  return bodies(
    store,
    "r.kind = 'gov' AND r.at >= ? AND r.summary >= ? AND r.summary < ? ORDER BY r.seq",
    since,
    prefix,
    `${prefix}~`,
  );
}

/** Bodies of decisions that held a call up since a time, newest first. */
export function readHeld(store: Store, since: number, limit: number): readonly RecordBody[] {
  return bodies(
    store,
    "r.answer NOT IN ('allow', '') AND r.at >= ? AND r.kind = 'decision' ORDER BY r.at DESC LIMIT ?",
    since,
    limit,
  );
}

function bodies(store: Store, where: string, ...values: readonly (string | number)[]): readonly RecordBody[] {
  const texts = store.db
    .prepare(`SELECT b.body FROM records r JOIN bodies b USING (seq) WHERE ${where}`)
    .pluck()
    .all(...values) as string[];
  return texts.flatMap((text) => {
    try {
      return [JSON.parse(text) as RecordBody];
    } catch {
      return []; // `verify` says that it was changed.
    }
  });
}
