/**
 * The audit store's writing side, made for many short-lived processes.
 *
 *     findNativeBinding(from?: string): string                                   (binding.ts)
 *     openWriter(paths: GovPaths, options?: WriterOptions): Writer
 *     writer.append(draft: RecordDraft): Appended        committed and durable when it returns
 *     writer.close(): void                               call it after the agent has its answer
 *
 * `append` redacts and caps the draft, then commits it to the database; if that can't be done within the budget,
 * it puts the record into the spool (`stored: 'spool'`, `fault` says why), which the next writer drains. If even
 * that fails it throws GovError `store-unwritable`, and a store that is not ours alone, or of another format, is
 * refused with `store-unsafe`, `store-newer`, `store-older` or `store-foreign`: the caller must then deny.
 *
 *     const writer = openWriter(govPaths(process.env), { nativeBinding: findNativeBinding() });
 *     const { id } = writer.append(draft);
 *     process.stdout.write(answer);
 *     writer.close();
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { GovError, messageOf } from '../../base/errors.ts';
import type { GovPaths } from '../../base/gov-paths.ts';
import type { RecordDraft } from '../../model/record.ts';
import { loadFingerprintKey } from '../../redact/fingerprint.ts';
import { makeRedactor } from '../../redact/redact.ts';
import { columnsOf, type RecordBody } from '../format/body.ts';
import { bodyHash, COLUMN_NAMES, genesisOf, recordHash, valuesOf } from '../format/chain.ts';
import { type Connection, connect, identityOf } from './database.ts';
import { bodyOf } from './draft.ts';
import { GrantGone, type Ledger, ledgerOf } from './grants.ts';
import { storeMarks } from './marks.ts';
import { prepareDirectory } from './place.ts';
import { listSpool, readSpooled, removeSpooled, setAside, spoolRecord } from './spool.ts';

export interface WriterOptions {
  /** Path of better-sqlite3's addon: `findNativeBinding()`. Without it better-sqlite3 looks for itself (not in a bundle). */
  readonly nativeBinding?: string;
  /** Milliseconds for which the database is tried before the spool is used. Default 4000. */
  readonly budgetMs?: number;
}

export interface Appended {
  readonly id: string;
  readonly stored: 'database' | 'spool';
  /** Null in the spool: the number is given when it is drained. */
  readonly seq: number | null;
  /** Lower-case hex; null in the spool. */
  readonly hash: string | null;
  /** How many secrets were taken out. */
  readonly redacted: number;
  /** Why the spool was used; '' otherwise. Worth a line on standard error. */
  readonly fault: string;
}

/**
 * What is to happen to grants (by the ledger) or to what is kept (by the connection, for `tend`) in the transaction
 * that stores the record; gives back further records that say what came of it. Whatever it throws takes the record back.
 */
export type Within = (ledger: Ledger, db: Connection) => readonly RecordDraft[];

export interface Writer {
  /** With `within` the record never goes to the spool: `GrantGone` says that the database could not be written. */
  append(draft: RecordDraft, within?: Within): Appended;
  /** Reads on the writer's own connection; throws SQLite's error. */
  read<T>(use: (db: Connection) => T): T;
  /** The secret key for digests, or null. */
  key(): Buffer | null;
  close(): void;
}

const DEFAULT_BUDGET_MS = 4000;
/** SQLite's own busy handler polls well; it is asked again until the budget is used up. */
const BUSY_MS = 2000;
/** What is only looked up, and can be done without, is waited for less. */
const READ_BUSY_MS = 250;
/** Records that one append takes over from the spool at most. */
const DRAIN_MAX = 200;

/** Opens the store for appending. Nothing is opened before the first `append`, except that the state directory is checked. */
export function openWriter(paths: GovPaths, options: WriterOptions = {}): Writer {
  prepareDirectory(paths.state);
  const budget = options.budgetMs ?? DEFAULT_BUDGET_MS;
  const redactor = makeRedactor(() => loadFingerprintKey(join(paths.state, 'fingerprint.key')));
  let db: Connection | null = null;
  let identity = '';

  const drop = (): void => {
    try {
      db?.close();
    } catch {
      // A connection that can't be closed is of no use either way.
    }
    db = null;
  };

  const connection = (busyMs: number): Connection => {
    if (db !== null && identityOf(paths.database) !== identity) drop();
    if (db === null) {
      db = connect(paths.database, options.nativeBinding, busyMs);
      identity = identityOf(paths.database);
    }
    return db;
  };

  return {
    read(use) {
      const open = connection(BUSY_MS);
      open.pragma(`busy_timeout=${READ_BUSY_MS}`);
      try {
        return use(open);
      } finally {
        open.pragma(`busy_timeout=${BUSY_MS}`);
      }
    },
    key: () => redactor.key(),
    append(draft, within) {
      const { body, text } = bodyOf(draft, redactor);
      const redacted = body.redactions.reduce((sum, r) => sum + r.count, 0);
      const prepared = preparedOf({ body, text });
      const deadline = performance.now() + budget;
      let fault: unknown;
      do {
        try {
          const left = Math.max(1, Math.ceil(deadline - performance.now()));
          const then = (db: Connection) =>
            within?.(ledgerOf(db), db).map((next) => preparedOf(bodyOf(next, redactor))) ?? [];
          const row = commit(connection(Math.min(BUSY_MS, left)), prepared, paths.spool, then);
          return { id: body.id, stored: 'database', ...row, redacted, fault: '' };
        } catch (error) {
          if (error instanceof GrantGone) throw error;
          drop();
          if (error instanceof GovError && error.code !== 'store-unwritable') throw error;
          fault = error;
        }
      } while (isBusy(fault) && performance.now() < deadline);
      if (within) throw new GrantGone('', fault);
      spoolOrThrow(paths.spool, body.id, text, fault);
      const why = `the audit database can't be written (${messageOf(fault)}); the record waits in the spool`;
      return { id: body.id, stored: 'spool', seq: null, hash: null, redacted, fault: why };
    },
    close: drop,
  };
}

interface Prepared {
  readonly body: RecordBody;
  readonly text: string;
  readonly salt: string;
  readonly bodyHash: string;
}

function preparedOf({ body, text }: { readonly body: RecordBody; readonly text: string }): Prepared {
  const salt = randomBytes(16).toString('hex');
  return { body, text, salt, bodyHash: bodyHash(salt, text) };
}

/** `then` runs when the record is in, and gives what follows it in the same transaction. */
function commit(
  db: Connection,
  record: Prepared,
  spool: string,
  then: (db: Connection) => readonly Prepared[],
): { seq: number; hash: string } {
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
        .get(waiting.body.id);
      if (known === undefined) {
        head = insert(preparedOf(waiting), head, 1);
        drained.push(name);
      } else if (known === waiting.text || known === null) drained.push(name);
      else damaged.push(name); // Another record by the same id.
    }
    head = insert(record, head, 0);
    const own = head;
    for (const next of then(db)) head = insert(next, head, 0);
    db.exec('COMMIT');
    for (const name of drained) removeSpooled(spool, name);
    for (const name of damaged) setAside(spool, name);
    return { seq: own.seq, hash: own.hash };
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
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
  const chain = db.prepare("SELECT value FROM meta WHERE key = 'chain'").pluck().get();
  return { seq: 0, hash: genesisOf(String(chain)) };
}

const INSERT_RECORD = `INSERT INTO records (seq, spooled, ${COLUMN_NAMES.join(', ')}, body_hash, prev_hash, hash) VALUES (?${', ?'.repeat(COLUMN_NAMES.length + 4)})`;

function inserter(db: Connection): (record: Prepared, head: Head, spooled: 0 | 1) => Head {
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

function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown })?.code;
  return typeof code === 'string' && /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code);
}

function spoolOrThrow(dir: string, id: string, text: string, fault: unknown): void {
  try {
    spoolRecord(dir, id, text);
  } catch (cause) {
    if (cause instanceof GovError && cause.code === 'store-unsafe') throw cause;
    throw new GovError({
      code: 'store-unwritable',
      message: `the decision can't be recorded: ${messageOf(fault)}; nor in the spool: ${messageOf(cause)}`,
      help: 'free space or make the state directory writable; `gov doctor` shows where it is',
      cause,
    });
  }
}
