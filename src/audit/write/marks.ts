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
  const found = db
    .prepare(
      `SELECT rule, step, key, at, weight FROM marks WHERE rule = ? AND key IN (${keys.map(() => '?').join(', ')})
     AND at >= ? ORDER BY at DESC, seq DESC, rowid DESC LIMIT ?`,
    )
    .all(rule, ...keys, Math.trunc(since), MAX_MARKS) as Mark[];
  return found.reverse();
}

function one(db: Connection, sql: string, ...values: readonly (string | number)[]): number {
  return db
    .prepare(sql)
    .pluck()
    .get(...values) as number;
}

/** The marks of one rule and step that are summed up: times in milliseconds since 1970 UTC, `until` not included. */
export interface Counted {
  readonly rule: string;
  readonly step: string;
  readonly keys: readonly string[];
  readonly since: number;
  readonly until: number;
}

/** The sum of their weights. */
export function sumOfMarks(db: Connection, { rule, step, keys, since, until }: Counted): number {
  return one(
    db,
    `SELECT coalesce(sum(weight), 0) FROM marks
     WHERE rule = ? AND key IN (${keys.map(() => '?').join(', ')}) AND at >= ? AND at < ? AND step = ?`,
    rule,
    ...keys,
    Math.trunc(since),
    Math.trunc(until),
    step,
  );
}

/** In how many minutes of the clock there is one. */
export function minutesOfMarks(db: Connection, { rule, step, keys, since, until }: Counted): number {
  return one(
    db,
    `SELECT count(DISTINCT at / 60000) FROM marks
     WHERE rule = ? AND key IN (${keys.map(() => '?').join(', ')}) AND at >= ? AND at < ? AND step = ?`,
    rule,
    ...keys,
    Math.trunc(since),
    Math.trunc(until),
    step,
  );
}

/** True if the rule has a mark whose key begins so. */
export function isMarked(db: Connection, rule: string, beginning: string): boolean {
  const first = db.prepare('SELECT 1 FROM marks WHERE rule = ? AND key >= ? AND key < ? LIMIT 1');
  return first.get(rule, beginning, `${beginning}~`) !== undefined;
}
