import { type Filter, whereOf } from '../audit/read/filter.ts';
import type { Store } from '../audit/read/store.ts';

/** What most rows have in common with many others; counted once for each different one. */
export interface Shape {
  readonly kind: string;
  readonly event: string;
  readonly agent: string;
  readonly tool: string;
  readonly answer: string;
  readonly enforced: number;
  readonly rule: string;
  readonly rules: readonly string[];
  readonly programs: readonly string[];
  readonly repo: string;
  readonly policy: string;
  readonly faulty: number;
  readonly spooled: number;
}

/** One record as the numbers need it. */
export interface CountedRow {
  readonly at: number;
  readonly latency: number;
  readonly session: string;
  /** The same object for equal shapes. */
  readonly shape: Shape;
  /** Call id of outcomes and of calls that were held up; '' for others. */
  readonly call: string;
  /** Of calls that were held up; '' for others. */
  readonly id: string;
  readonly summary: string;
}

const CELL = '\u001f';
const LINE = '\u001e';
const CHUNK = 5000;

// Rows come as one text for each chunk: making a million JavaScript rows costs more than all the counting.
// Columns hold no control characters (they are stored visible), so that these can separate them.
const LINES = `SELECT group_concat(line, char(30)) FROM (
  SELECT concat_ws(char(31), at, latency_us, session,
    CASE WHEN answer IN ('ask', 'deny', 'halt') OR kind = 'outcome' THEN call_id ELSE '' END,
    CASE WHEN answer IN ('ask', 'deny', 'halt') THEN id || char(31) || summary ELSE char(31) END,
    kind, event, agent, tool, answer, enforced, rule, rules, programs, repo, policy, faulty, spooled) AS line
  FROM records WHERE seq >= ? AND seq < ? %s ORDER BY seq)`;

/** The rows that the filter lets through, in sequence. */
export function* countedRows(store: Store, filter: Filter): Generator<CountedRow> {
  const { where, values } = whereOf(filter);
  const [first, last] = rangeOf(store, filter);
  const select = store.db.prepare(LINES.replace('%s', where.map((clause) => `AND ${clause}`).join(' '))).pluck();
  const shapes = new Map<string, Shape>();
  const sessions = new Map<string, string>();
  for (let from = first; from <= last; from += CHUNK) {
    const text = select.get(from, Math.min(from + CHUNK, last + 1), ...values) as string | null;
    if (text === null) continue;
    for (const line of text.split(LINE)) yield rowOf(line, shapes, sessions);
  }
}

/** The sequence numbers between which the period lies, by the index on time. */
function rangeOf(store: Store, filter: Filter): readonly [number, number] {
  const { where, values } = whereOf({ since: filter.since, until: filter.until });
  const row = store.db
    .prepare(`SELECT min(seq), max(seq) FROM records ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}`)
    .raw()
    .get(...values) as [number | null, number | null];
  return [Math.max(row[0] ?? 1, (filter.after ?? 0) + 1), row[1] ?? 0];
}

function rowOf(line: string, shapes: Map<string, Shape>, sessions: Map<string, string>): CountedRow {
  const ends: number[] = [];
  for (let at = line.indexOf(CELL); at >= 0 && ends.length < 6; at = line.indexOf(CELL, at + 1)) ends.push(at);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = ends;
  const key = line.slice(f + 1);
  let shape = shapes.get(key);
  if (shape === undefined) {
    const own = copyOf(key);
    shape = shapeOf(own);
    shapes.set(own, shape);
  }
  const name = line.slice(b + 1, c);
  let session = sessions.get(name);
  if (session === undefined) {
    session = copyOf(name);
    sessions.set(session, session);
  }
  return {
    at: Number(line.slice(0, a)),
    latency: Number(line.slice(a + 1, b)),
    session,
    call: line.slice(c + 1, d),
    id: copyOf(line.slice(d + 1, e)),
    summary: copyOf(line.slice(e + 1, f)),
    shape,
  };
}

/** A text of its own: a slice of a chunk would keep the whole chunk in memory for as long as it is kept itself. */
function copyOf(slice: string): string {
  return slice === '' ? '' : Buffer.from(slice).toString();
}

function shapeOf(key: string): Shape {
  const [
    kind = '',
    event = '',
    agent = '',
    tool = '',
    answer = '',
    enforced,
    rule = '',
    rules = '',
    programs = '',
    repo = '',
    policy = '',
    faulty,
    spooled,
  ] = key.split(CELL);
  return {
    kind,
    event,
    agent,
    tool,
    answer,
    enforced: Number(enforced),
    rule,
    rules: namesOf(rules),
    programs: namesOf(programs),
    repo,
    policy,
    faulty: Number(faulty),
    spooled: Number(spooled),
  };
}

function namesOf(list: string): readonly string[] {
  return list === '' ? [] : list.slice(1, -1).split(' ');
}
