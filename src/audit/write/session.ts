import type { Connection } from './database.ts';

/** How many records of any kind a session has. Only the index is read, so that this costs next to nothing. */
export function recordsOf(db: Connection, session: string): number {
  return db.prepare('SELECT count(*) FROM records WHERE session = ?').pluck().get(session) as number;
}

/** Time of a session's first record, milliseconds since 1970 UTC; null without any. */
export function beginOf(db: Connection, session: string): number | null {
  const at = db.prepare('SELECT at FROM records WHERE session = ? ORDER BY seq LIMIT 1').pluck().get(session);
  return typeof at === 'number' ? at : null;
}

/** Calls of a session: at which events, from when up to, not including, when (milliseconds since 1970 UTC). */
export interface Calls {
  readonly session: string;
  readonly events: readonly string[];
  readonly since: number;
  readonly until: number;
}

/** How many calls were decided on. */
export function callsOf(db: Connection, calls: Calls): number {
  return count(db, 'count(*)', calls);
}

/** In how many minutes of the clock a call was decided on. */
export function minutesOf(db: Connection, calls: Calls): number {
  return count(db, 'count(DISTINCT at / 60000)', calls);
}

/** Events at which a call is announced, once. */
const ANNOUNCED = "'PreToolUse', 'PreSkillShellCommand'";

/** How many calls of a session were announced. */
export function announcedOf(db: Connection, session: string): number {
  const sql = `SELECT count(*) FROM records WHERE session = ? AND kind = 'decision' AND event IN (${ANNOUNCED})`;
  return db.prepare(sql).pluck().get(session) as number;
}

/** How many calls of a session were refused. */
export function deniesOf(db: Connection, session: string): number {
  const sql = `SELECT count(*) FROM records WHERE session = ? AND kind = 'decision' AND answer IN ('deny', 'halt')
    AND event IN (${ANNOUNCED})`;
  return db.prepare(sql).pluck().get(session) as number;
}

/** How many calls of a session were made and failed. */
export function failuresOf(db: Connection, session: string): number {
  const sql = `SELECT count(*) FROM records r LEFT JOIN bodies b USING (seq) WHERE r.session = ? AND r.kind = 'outcome'
    AND (r.event = 'PostToolUseFailure' OR coalesce(b.body ->> '$.call.result.failed', 0))`;
  return db.prepare(sql).pluck().get(session) as number;
}

/** How many calls of a session were let pass, up to `most`, if none has an outcome; null if one has. */
export function unheardOf(db: Connection, session: string, most: number): number | null {
  const heard = db.prepare("SELECT 1 FROM records WHERE session = ? AND kind = 'outcome' LIMIT 1").get(session);
  if (heard !== undefined) return null;
  const sql = `SELECT count(*) FROM (SELECT 1 FROM records WHERE session = ? AND kind = 'decision' AND answer = 'allow'
    AND event IN (${ANNOUNCED}) LIMIT ?)`;
  return db.prepare(sql).pluck().get(session, most) as number;
}

/** What the calls of a session that were let pass are known to change, without temporary files. */
export function changesOf(db: Connection, session: string): { readonly files: number; readonly lines: number } {
  const sql = `SELECT count(DISTINCT coalesce(f.value ->> '$.real', f.value ->> '$.path')) AS files,
      coalesce(sum((f.value ->> '$.added') + (f.value ->> '$.removed')), 0) AS lines
    FROM records r JOIN bodies b USING (seq), json_each(b.body, '$.facts.files') f
    WHERE r.session = ? AND r.kind = 'decision' AND r.event IN (${ANNOUNCED})
      AND (r.answer = 'allow' OR r.answer = 'ask' AND r.call_id <> '' AND EXISTS (
        SELECT 1 FROM records o WHERE o.call_id = r.call_id AND o.session = r.session AND o.kind = 'outcome'))
      AND f.value ->> '$.op' NOT IN ('read', 'list', 'exec')
      AND coalesce(f.value ->> '$.zone', '') NOT IN ('temp', 'device')`;
  return db.prepare(sql).get(session) as { files: number; lines: number };
}

function count(db: Connection, what: string, { session, events, since, until }: Calls): number {
  const from = Math.trunc(since);
  // The session's index knows no times: where the time begins among all records is one look into another index.
  const sql = `SELECT ${what} FROM records INDEXED BY records_session
    WHERE session = ? AND seq >= coalesce((SELECT seq FROM records INDEXED BY records_at WHERE at >= ? ORDER BY at LIMIT 1), 0)
      AND at >= ? AND at < ? AND kind = 'decision' AND event IN (${events.map(() => '?').join(', ')})`;
  return db
    .prepare(sql)
    .pluck()
    .get(session, from, from, Math.trunc(until), ...events) as number;
}
