import type { Columns } from '../audit/format/body.ts';
import type { Row, Store } from '../audit/read/store.ts';
import { GovError } from '../base/errors.ts';

/** One session as lists show it. */
export interface SessionSummary {
  /** The agent's own id; '' for records that belong to none. */
  readonly id: string;
  readonly agent: string;
  /** Workspace of its first record. */
  readonly repo: string;
  /** Milliseconds since 1970 UTC. */
  readonly first: number;
  readonly last: number;
  readonly lastSeq: number;
  readonly records: number;
  readonly asked: number;
  /** Denied and halted. */
  readonly denied: number;
}

export interface SessionPage {
  readonly sessions: readonly SessionSummary[];
  /** Cursor of the next page; null at the end. */
  readonly next: number | null;
}

/** What a timeline needs of a record. */
export type StepRow = Pick<Row, (typeof STEP_COLUMNS)[number]>;

const STEP_COLUMNS = [
  'seq',
  'id',
  'kind',
  'at',
  'event',
  'tool',
  'raw_tool',
  'answer',
  'enforced',
  'effect',
  'rule',
  'rules',
  'call_id',
  'programs',
  'repo',
  'summary',
  'latency_us',
  'faulty',
] as const satisfies readonly ('seq' | keyof Columns)[];

// A loose scan: each step jumps to the next session in the index, whatever the number of records.
const SESSIONS = `WITH RECURSIVE s(id) AS (
  SELECT min(session) FROM records
  UNION ALL SELECT (SELECT min(session) FROM records WHERE session > s.id) FROM s WHERE s.id IS NOT NULL
), t(id, first, last) AS (
  SELECT id, (SELECT min(seq) FROM records WHERE session = s.id), (SELECT max(seq) FROM records WHERE session = s.id)
  FROM s WHERE id IS NOT NULL
)
SELECT id, first, last FROM t WHERE last < ? ORDER BY last DESC LIMIT ?`;

/** Sessions, that with the newest record first. */
export function sessionsOf(store: Store, limit: number, cursor: number | null = null): SessionPage {
  const found = store.db.prepare(SESSIONS).all(cursor ?? Number.MAX_SAFE_INTEGER, limit + 1) as Span[];
  const next = found.length > limit ? (found[limit - 1]?.last ?? null) : null;
  const spans = found.slice(0, limit);
  const ends = store.db.prepare('SELECT at, agent, repo FROM records WHERE seq = ?');
  const count = store.db.prepare('SELECT count(*) FROM records WHERE session = ?').pluck();
  const endAt = (seq: number) => ends.get(seq) as { at: number; agent: string; repo: string } | undefined;
  const rows = spans.map(({ id, first, last }) => {
    const [from, to] = [endAt(first), endAt(last)];
    const place = { agent: from?.agent ?? '', repo: from?.repo ?? '', first: from?.at ?? 0, last: to?.at ?? 0 };
    return { id, ...place, lastSeq: last, records: count.get(id) as number };
  });
  const held = heldOf(store, Math.min(...rows.map((row) => Math.min(row.first, row.last))));
  const of = (id: string, answers: readonly string[]): number =>
    answers.reduce((sum, answer) => sum + (held.get(`${answer} ${id}`) ?? 0), 0);
  const sessions = rows.map((row) => ({ ...row, asked: of(row.id, ['ask']), denied: of(row.id, ['deny', 'halt']) }));
  return { sessions, next };
}

interface Span {
  readonly id: string;
  readonly first: number;
  readonly last: number;
}

/** How often each answer other than allow was given in each session, from a moment on. */
function heldOf(store: Store, since: number): ReadonlyMap<string, number> {
  const rows = store.db
    .prepare(
      "SELECT answer, session, count(*) FROM records WHERE answer NOT IN ('allow', '') AND at >= ? GROUP BY 1, 2",
    )
    .raw()
    .all(Number.isFinite(since) ? since : 0) as [string, string, number][];
  return new Map(rows.map(([answer, session, n]) => [`${answer} ${session}`, n]));
}

/** Records of one session in sequence, at most `limit` after `after`. */
export function rowsOf(store: Store, session: string, after: number, limit: number): readonly StepRow[] {
  return store.db
    .prepare(
      `SELECT ${STEP_COLUMNS.join(', ')} FROM records WHERE session = ? AND seq > ? AND seq <= (SELECT max(seq) FROM records) ORDER BY seq LIMIT ?`,
    )
    .all(session, after, limit) as StepRow[];
}

/** Where to begin: a session, and the record in it that was asked for. */
export interface Start {
  readonly session: string;
  readonly seq: number | null;
}

/**
 * What a person means by `latest` (of agents: what people did with gov itself is passed over), a session's id, the unique beginning of one, or a record's id.
 * Throws `usage-no-session`, `usage-ambiguous`.
 */
export function findStart(store: Store, wanted: string): Start {
  if (wanted === 'latest') {
    const session = store.db
      .prepare("SELECT session FROM records WHERE agent <> 'gov' ORDER BY seq DESC LIMIT 1")
      .pluck()
      .get();
    if (typeof session !== 'string')
      throw new GovError({ code: 'usage-no-session', message: 'no session has been recorded yet' });
    return { session, seq: null };
  }
  const like = store.db
    .prepare('SELECT DISTINCT session FROM records WHERE session >= ? AND session < ? LIMIT 6')
    .pluck()
    .all(wanted, `${wanted}\u{10ffff}`) as string[];
  if (like.includes(wanted)) return { session: wanted, seq: null };
  if (like.length === 1 && wanted !== '') return { session: like[0] as string, seq: null };
  if (like.length === 0) {
    const records = store.db
      .prepare('SELECT session, seq FROM records WHERE id >= ? AND id < ? LIMIT 2')
      .all(wanted.toLowerCase(), `${wanted.toLowerCase()}~`) as { session: string; seq: number }[];
    const [only] = records;
    if (records.length === 1 && only !== undefined) return { session: only.session, seq: only.seq };
    throw new GovError({
      code: 'usage-no-session',
      message: `no session and no record begins with \`${wanted}\``,
      help: '`gov replay` lists the sessions; `latest` is the newest one',
    });
  }
  throw new GovError({
    code: 'usage-ambiguous',
    message: `several sessions begin with \`${wanted}\``,
    help: `${like.slice(0, 5).join(', ')}${like.length > 5 ? ', …' : ''}`,
  });
}
