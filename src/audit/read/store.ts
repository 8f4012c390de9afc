/**
 * The audit store's reading side: never writes, never holds a transaction longer than one page.
 *
 *     openStore(file, options?): Store
 *     store.list(filter, page) · store.show(idOrPrefix) · store.each(filter) · store.head() · store.close()
 */

import { readFileSync, statSync } from 'node:fs';
import { GovError, messageOf } from '../../base/errors.ts';
import { readCode } from '../../base/ids.ts';
import type { Columns, RecordBody } from '../format/body.ts';
import { COLUMN_NAMES, genesisOf } from '../format/chain.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from '../format/schema.ts';
import { type Connection, Database } from '../sqlite.ts';
import { type Filter, whereOf } from './filter.ts';

/** One record as lists see it. */
export interface Row extends Columns {
  readonly seq: number;
  /** 1: it waited in the spool. */
  readonly spooled: number;
  /** Lower-case hex. */
  readonly hash: string;
}

/** One record with all it says; `body` is null if it was erased. */
export interface Entry {
  readonly row: Row;
  readonly prev_hash: string;
  readonly body: RecordBody | null;
  /** Other records of the same call (its outcome, or the decision an outcome belongs to), in sequence. */
  readonly related: readonly Row[];
  /** What became of the call, if this record is its decision and the outcome was recorded. */
  readonly outcome: RecordBody | null;
}

interface Page {
  /** At most so many rows. */
  readonly limit: number;
  /** Newest first (default) or oldest first. */
  readonly order?: 'newest' | 'oldest';
  /** Where the previous page ended: its `next`. */
  readonly cursor?: number | null;
}

export interface Listing {
  readonly rows: readonly Row[];
  /** The cursor of the next page; null at the end. */
  readonly next: number | null;
}

/** Both ends of the chain; hashes in lower-case hex. */
interface Ends {
  readonly chain: string;
  readonly created: string;
  readonly first: number;
  readonly last: number;
  /** Hash of the last record, or of the genesis in an empty store. */
  readonly head: string;
  readonly head_at: number | null;
}

export interface Store {
  readonly file: string;
  readonly db: Connection;
  list(filter: Filter, page: Page): Listing;
  /** By id, unique prefix of an id, short code, or sequence number. Throws `usage-no-record`, `usage-ambiguous`. */
  show(id: string): Entry;
  /** Rows in sequence, read in pages. */
  each(filter: Filter): Generator<Row>;
  ends(): Ends;
  close(): void;
}

export interface StoreOptions {
  readonly nativeBinding?: string;
}

const SELECT = `seq, spooled, ${COLUMN_NAMES.join(', ')}, lower(hex(hash)) AS hash`;
const PAGE_ROWS = 2000;

/** Opens a store for reading. Throws `store-missing`, `store-unreadable`, `store-foreign`, `store-newer`. */
export function openStore(file: string, options: StoreOptions = {}): Store {
  const db = reading(file, () => open(file, options));
  try {
    reading(file, () => refuse(db, file));
  } catch (error) {
    db.close();
    throw error;
  }
  const guarded = <T>(read: () => T): T => reading(file, read);
  return {
    file,
    db,
    list: (filter, page) => guarded(() => list(db, filter, page)),
    show: (id) => guarded(() => show(db, id)),
    *each(filter) {
      let cursor: number | null = null;
      do {
        const page: Listing = guarded(() => list(db, filter, { limit: PAGE_ROWS, order: 'oldest', cursor }));
        yield* page.rows;
        cursor = page.next;
      } while (cursor !== null);
    },
    ends: () => guarded(() => endsOf(db)),
    close: () => {
      db.close();
    },
  };
}

function open(file: string, options: StoreOptions): Connection {
  if (statSync(file, { throwIfNoEntry: false }) === undefined)
    throw new GovError({
      code: 'store-missing',
      message: `nothing has been recorded yet: there is no audit store at \`${file}\``,
      help: 'it is created by the first tool call that a hook sees; `gov doctor` shows whether hooks are in place',
    });
  const binding = options.nativeBinding === undefined ? {} : { nativeBinding: options.nativeBinding };
  let db = new Database(file, { readonly: true, fileMustExist: true, ...binding });
  try {
    db.pragma('user_version');
  } catch (error) {
    // A copy on a read-only medium: WAL mode needs an index file beside it that can't be made there.
    if ((error as { code?: unknown }).code !== 'SQLITE_CANTOPEN' || sizeOf(`${file}-wal`) > 0) throw error;
    db.close();
    const bytes = readFileSync(file);
    bytes.fill(1, 18, 20); // The header's read and write versions: 1 is a rollback journal.
    db = new Database(bytes, { readonly: true, ...binding });
  }
  db.pragma('query_only=ON');
  db.pragma('trusted_schema=OFF');
  return db;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function refuse(db: Connection, file: string): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (Number(db.pragma('application_id', { simple: true })) !== APPLICATION_ID)
    throw new GovError({
      code: 'store-foreign',
      message: `\`${file}\` is not an audit store of gov`,
      help: 'name the file that `gov status` shows',
    });
  if (version > SCHEMA_VERSION)
    throw new GovError({
      code: 'store-newer',
      message: `the audit store has format ${version}, this gov knows up to ${SCHEMA_VERSION}`,
      help: 'update gov',
    });
}

/** Runs a read and turns SQLite's errors into `store-unreadable`, which says what it means. */
export function reading<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (error instanceof GovError || typeof code !== 'string' || !/^(?:SQLITE_|E[A-Z]+$)/.test(code)) throw error;
    throw new GovError({
      code: 'store-unreadable',
      message: `the audit store \`${file}\` can't be read: ${messageOf(error)}`,
      help: 'run `gov audit verify`; keep the file, it is evidence',
      cause: error,
    });
  }
}

function list(db: Connection, filter: Filter, page: Page): Listing {
  const newest = (page.order ?? 'newest') === 'newest';
  const { where, values } = whereOf(filter);
  const clauses = [...where];
  const bound = [...values];
  if (page.cursor !== undefined && page.cursor !== null) {
    clauses.push(newest ? 'seq < ?' : 'seq > ?');
    bound.push(page.cursor);
  }
  const sql = `SELECT ${SELECT} FROM records ${clauses.length > 0 ? `WHERE ${clauses.join(' AND ')}` : ''} ORDER BY seq ${newest ? 'DESC' : 'ASC'} LIMIT ?`;
  const rows = db.prepare(sql).all(...bound, page.limit + 1) as Row[];
  const more = rows.length > page.limit;
  if (more) rows.pop();
  return { rows, next: more ? (rows[rows.length - 1]?.seq ?? null) : null };
}

function show(db: Connection, id: string): Entry {
  const row = rowOf(db, id);
  const stored = db
    .prepare(
      'SELECT lower(hex(r.prev_hash)) AS prev, b.body FROM records r LEFT JOIN bodies b USING (seq) WHERE seq = ?',
    )
    .get(row.seq) as { prev: string; body: string | null };
  const related =
    row.call_id === ''
      ? []
      : (db
          .prepare(
            `SELECT ${SELECT} FROM records WHERE call_id = ? AND call_id <> '' AND session = ? AND seq <> ? ORDER BY seq LIMIT 50`,
          )
          .all(row.call_id, row.session, row.seq) as Row[]);
  const after = row.kind === 'decision' ? related.find((other) => other.kind === 'outcome') : undefined;
  const outcome =
    after === undefined ? undefined : db.prepare('SELECT body FROM bodies WHERE seq = ?').pluck().get(after.seq);
  return {
    row,
    prev_hash: stored.prev,
    body: parsed(stored.body),
    related,
    outcome: typeof outcome === 'string' ? parsed(outcome) : null,
  };
}

/** A body that is no JSON any more is shown as missing; `verify` says that it was changed. */
function parsed(body: string | null): RecordBody | null {
  if (body === null) return null;
  try {
    return JSON.parse(body) as RecordBody;
  } catch {
    return null;
  }
}

/** The newest call that was decided on; what people did with gov itself is passed over. */
function latest(db: Connection): Row {
  const sql = `SELECT ${SELECT} FROM records WHERE agent <> 'gov' AND kind = 'decision' ORDER BY seq DESC LIMIT 1`;
  const row = db.prepare(sql).get() as Row | undefined;
  if (row !== undefined) return row;
  throw new GovError({ code: 'usage-no-record', message: 'no call has been recorded yet' });
}

function rowOf(db: Connection, wanted: string): Row {
  const id = wanted.trim().toLowerCase();
  if (id === 'latest') return latest(db);
  const rows = db
    .prepare(`SELECT ${SELECT} FROM records WHERE id >= ? AND id < ? ORDER BY id LIMIT 6`)
    .all(id, `${id}~`) as Row[];
  const exact = rows.find((row) => row.id === id);
  const only = exact ?? (rows.length === 1 ? rows[0] : undefined);
  if (only !== undefined && id !== '') return only;
  const named = withCode(db, wanted);
  if (/^[0-9]{1,15}$/.test(id)) {
    const bySeq = db.prepare(`SELECT ${SELECT} FROM records WHERE seq = ?`).get(Number(id)) as Row | undefined;
    if (bySeq !== undefined && named.length === 0) return bySeq;
    if (bySeq !== undefined) named.push(bySeq);
  }
  const [sole] = named;
  if (sole !== undefined && named.length === 1) return sole;
  if (named.length > 0) throw ambiguous(wanted, 'are called', named);
  if (rows.length === 0 || id === '')
    throw new GovError({
      code: 'usage-no-record',
      message: `no record has the id \`${wanted}\``,
      help: '`gov audit list` shows the ids; a prefix is enough, or the code in a message',
    });
  throw ambiguous(wanted, 'begin with', rows);
}

/** Decisions and requests with the short code that a message names, newest first, a handful at most. */
function withCode(db: Connection, text: string): Row[] {
  const code = readCode(text);
  if (code === null) return [];
  return db
    .prepare(
      `SELECT ${SELECT} FROM records WHERE id IN (SELECT id FROM records WHERE substr(id, -${code.length}) = ?)
         AND (kind = 'decision' OR (kind = 'gov' AND summary = 'elevate-request')) ORDER BY seq DESC LIMIT 6`,
    )
    .all(code.toLowerCase()) as Row[];
}

function ambiguous(wanted: string, how: string, rows: readonly Row[]): GovError {
  const some = rows.slice(0, 5).map((row) => `${row.id} ${row.summary.slice(0, 50)}`);
  return new GovError({
    code: 'usage-ambiguous',
    message: `several records ${how} \`${wanted}\``,
    help: `${some.join('\n     ')}${rows.length > 5 ? '\n     …' : ''}`,
  });
}

function endsOf(db: Connection): Ends {
  const meta = new Map(
    (db.prepare('SELECT key, value FROM meta').raw().all() as [string, string][]).map(([key, value]) => [key, value]),
  );
  const chain = meta.get('chain') ?? '';
  const first = db.prepare('SELECT min(seq) FROM records').pluck().get() as number | null;
  const last = db.prepare('SELECT seq, lower(hex(hash)) AS hash, at FROM records ORDER BY seq DESC LIMIT 1').get() as
    | { seq: number; hash: string; at: number }
    | undefined;
  return {
    chain,
    created: meta.get('created') ?? '',
    first: first ?? 0,
    last: last?.seq ?? 0,
    head: last?.hash ?? genesisOf(chain),
    head_at: last?.at ?? null,
  };
}
