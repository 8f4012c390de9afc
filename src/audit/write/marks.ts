import type { Mark } from '../../model/decision.ts';
import type { Connection } from './database.ts';

/** Records that are looked at for marks, newest first. */
const MAX_RECORDS = 5000;

/** What decisions since a time (milliseconds since 1970 UTC) left behind for later ones, oldest first. */
export function marksSince(db: Connection, since: number): readonly Mark[] {
  const found = db
    .prepare(
      `SELECT json_extract(b.body, '$.decision.marks')
       FROM (SELECT seq FROM records WHERE at >= ? ORDER BY seq DESC LIMIT ?) r JOIN bodies b USING (seq)
       WHERE instr(b.body, '"marks":[') > 0 ORDER BY seq`,
    )
    .pluck()
    .all(since, MAX_RECORDS) as (string | null)[];
  return found.flatMap((text) => (text === null ? [] : (JSON.parse(text) as Mark[]).filter((m) => m.at >= since)));
}
