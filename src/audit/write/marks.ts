import type { Mark } from '../../model/decision.ts';
import type { Connection } from './database.ts';

/** Marks of one rule and key that are looked at, newest first: more than any limit counts. */
const MAX_MARKS = 100_000;

/** Makes the marks of a decision findable. */
export function storeMarks(db: Connection, seq: number, marks: readonly Mark[]): void {
  if (marks.length === 0) return;
  const put = db.prepare('INSERT INTO marks (rule, key, at, step, weight, seq) VALUES (?, ?, ?, ?, ?, ?)');
  for (const { rule, key, at, step, weight } of marks)
    put.run(rule, key, Math.trunc(at), step, Math.round(weight), seq);
}

/** What decisions since a time (milliseconds since 1970 UTC) left behind for a rule under any of the keys, oldest first. */
export function marksOf(db: Connection, rule: string, keys: readonly string[], since: number): readonly Mark[] {
  const some = keys.map(() => '?').join(', ');
  const found = db
    .prepare(
      `SELECT rule, step, key, at, weight FROM marks WHERE rule = ? AND key IN (${some}) AND at >= ?
       ORDER BY at DESC, seq DESC LIMIT ?`,
    )
    .all(rule, ...keys, Math.trunc(since), MAX_MARKS) as Mark[];
  return found.reverse();
}
