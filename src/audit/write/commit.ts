import { randomBytes } from 'node:crypto';
import { columnsOf, type RecordBody } from '../format/body.ts';
import { bodyHash, COLUMN_NAMES, genesisOf, recordHash, valuesOf } from '../format/chain.ts';
import type { Connection } from './database.ts';
import { GrantGone } from './grants.ts';
import { storeMarks } from './marks.ts';
import { listSpool, readSpooled, removeSpooled, setAside } from './spool.ts';

/** Records that one commit takes over from the spool at most. */
const DRAIN_MAX = 200;

/** A record that is ready to be stored. */
export interface Prepared {
  readonly body: RecordBody;
  readonly text: string;
  readonly salt: string;
  readonly bodyHash: string;
}

export function preparedOf({ body, text }: { readonly body: RecordBody; readonly text: string }): Prepared {
  const salt = randomBytes(16).toString('hex');
  return { body, text, salt, bodyHash: bodyHash(salt, text) };
}

/** A record with what happens once it is in; that gives what follows it in the same transaction. */
export interface Entry {
  readonly record: Prepared;
  readonly after?: ((db: Connection) => readonly Prepared[]) | undefined;
}

/** Where a record stands in the chain. `earlier`: that of the same call, which was there already. */
export interface Row {
  readonly seq: number;
  readonly hash: string;
  readonly earlier?: RecordBody;
}

/** Stores one record. Throws what `after` or SQLite throws; nothing is stored then. */
export function commitOne(db: Connection, entry: Entry, spool: string): Row {
  let row: Row | undefined;
  try {
    inTransaction(db, spool, (head, insert) => {
      row = addTo(db, entry, head, insert).own;
    });
  } catch (error) {
    const earlier = isConstraint(error) ? earlierRow(db, entry.record.body) : null;
    if (earlier === null) throw error;
    row = earlier;
  }
  return row as Row;
}

/**
 * Stores many records in one transaction. In the place of one that failed by itself, since a grant that it rests on is
 * used up, stands that error; anything else is thrown, and nothing is stored.
 */
export function commitAll(db: Connection, entries: readonly Entry[], spool: string): readonly (Row | GrantGone)[] {
  const rows: (Row | GrantGone)[] = [];
  inTransaction(db, spool, (start, insert) => {
    let head = start;
    for (const entry of entries) {
      // A savepoint makes SQLite keep a copy of each page that is changed: only what may be taken back needs one.
      if (entry.after) db.exec('SAVEPOINT entry');
      try {
        const added = addTo(db, entry, head, insert);
        ({ head } = added);
        rows.push(added.own);
      } catch (error) {
        if (entry.after) db.exec('ROLLBACK TO entry');
        // A row that was refused is not there; one that is there was the beginning of something that failed.
        const earlier = isConstraint(error) && headOf(db).seq === head.seq ? earlierRow(db, entry.record.body) : null;
        if (earlier === null && !(error instanceof GrantGone)) throw error;
        rows.push(earlier ?? (error as GrantGone));
      }
      if (entry.after) db.exec('RELEASE entry');
    }
  });
  return rows;
}

function addTo(db: Connection, { record, after }: Entry, start: Head, insert: Insert): { own: Head; head: Head } {
  const own = insert(record, start, 0);
  let head = own;
  for (const next of after?.(db) ?? []) head = insert(next, head, 0);
  return { own, head };
}

function inTransaction(db: Connection, spool: string, run: (head: Head, insert: Insert) => void): void {
  const listing = listSpool(spool);
  const drained: string[] = [];
  const damaged: string[] = [];
  // INVARIANT: head and insert are one write transaction; a deferred one would fork the chain or lose records.
  db.exec('BEGIN IMMEDIATE');
  try {
    let head = headOf(db);
    const insert = inserter(db);
    for (const name of listing.waiting.slice(0, DRAIN_MAX)) {
      const waiting = readSpooled(spool, name);
      if (waiting === null) {
        damaged.push(name);
        continue;
      }
      const known = db
        .prepare('SELECT b.body FROM records r LEFT JOIN bodies b USING (seq) WHERE r.id = ?')
        .pluck()
        .get(waiting.body.id) as string | null | undefined;
      if (known === undefined) {
        head = insert(preparedOf(waiting), head, 1);
        drained.push(name);
      } else if (known === null || known === waiting.text || isSameCall(storedBody(known), waiting.body))
        drained.push(name);
      else damaged.push(name); // Another record by the same id.
    }
    run(head, insert);
    db.exec('COMMIT');
    for (const name of drained) removeSpooled(spool, name);
    for (const name of damaged) setAside(spool, name);
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/**
 * The record that a call has already: an agent's call that was answered, but whose answer was lost on the way, is asked
 * about again under the same id.
 */
function earlierRow(db: Connection, body: RecordBody): Row | null {
  const found = db
    .prepare('SELECT r.seq, lower(hex(r.hash)) AS hash, b.body FROM records r JOIN bodies b USING (seq) WHERE r.id = ?')
    .get(body.id) as { seq: number; hash: string; body: string } | undefined;
  if (found === undefined) return null;
  const earlier = storedBody(found.body);
  return earlier !== null && isSameCall(earlier, body) ? { seq: found.seq, hash: found.hash, earlier } : null;
}

/** Null if it was damaged: then it is the record of no call, and does not hold up those that come. */
function storedBody(text: string): RecordBody | null {
  try {
    return JSON.parse(text) as RecordBody;
  } catch {
    return null;
  }
}

function isSameCall(one: RecordBody | null, other: RecordBody): boolean {
  if (one === null) return false;
  const signs = ({ id, kind, call }: RecordBody): string =>
    JSON.stringify([
      id,
      kind,
      call.agent,
      call.session,
      call.rawEvent,
      call.rawTool,
      call.callId,
      call.cwd,
      call.input,
    ]);
  return signs(one) === signs(other);
}

interface Head {
  readonly seq: number;
  readonly hash: string;
}

function headOf(db: Connection): Head {
  const row = db.prepare('SELECT seq, lower(hex(hash)) AS hash FROM records ORDER BY seq DESC LIMIT 1').get() as
    | Head
    | undefined;
  if (row !== undefined) return row;
  return { seq: 0, hash: genesisOf(chainOf(db)) };
}

function chainOf(db: Connection): string {
  return String(db.prepare("SELECT value FROM meta WHERE key = 'chain'").pluck().get());
}

/** Where the chain ends now. Throws SQLite's error. */
export function chainEnd(db: Connection): { readonly chain: string; readonly last: number; readonly head: string } {
  const { seq, hash } = headOf(db);
  return { chain: chainOf(db), last: seq, head: hash };
}

const INSERT_RECORD = `INSERT INTO records (seq, spooled, ${COLUMN_NAMES.join(', ')}, body_hash, prev_hash, hash) VALUES (?${', ?'.repeat(COLUMN_NAMES.length + 4)})`;

type Insert = (record: Prepared, head: Head, spooled: 0 | 1) => Head;

function inserter(db: Connection): Insert {
  const row = db.prepare(INSERT_RECORD);
  const body = db.prepare('INSERT INTO bodies (seq, salt, body) VALUES (?, ?, ?)');
  return (record, head, spooled) => {
    const seq = head.seq + 1;
    const values = valuesOf(columnsOf(record.body));
    const hash = recordHash(seq, spooled, values, record.bodyHash, head.hash);
    row.run(seq, spooled, ...values, bytes(record.bodyHash), bytes(head.hash), bytes(hash));
    body.run(seq, bytes(record.salt), record.text);
    storeMarks(db, seq, record.body.decision?.marks ?? []);
    return { seq, hash };
  };
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

function isConstraint(error: unknown): boolean {
  const code = (error as { code?: unknown })?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_CONSTRAINT');
}
