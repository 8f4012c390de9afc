/**
 * The audit store's writing side, made for many short-lived processes.
 *
 *     findNativeBinding(from?: string): string | undefined                            (binding.ts)
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
import { join } from 'node:path';
import { GovError, messageOf } from '../../base/errors.ts';
import type { GovPaths } from '../../base/gov-paths.ts';
import type { RecordDraft } from '../../model/record.ts';
import { loadFingerprintKey } from '../../redact/fingerprint.ts';
import { makeRedactor } from '../../redact/redact.ts';
import type { RecordBody } from '../format/body.ts';
import { commitAll, commitOne, type Prepared, preparedOf } from './commit.ts';
import { type Connection, connect, identityOf, keepStatements } from './database.ts';
import { bodyOf } from './draft.ts';
import { GrantGone, type Ledger, ledgerOf } from './grants.ts';
import { prepareDirectory } from './place.ts';
import { spoolRecord } from './spool.ts';

export interface WriterOptions {
  /** Path of better-sqlite3's addon: `findNativeBinding()`. Without it better-sqlite3 looks for itself (not in a bundle). */
  readonly nativeBinding?: string | undefined;
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
  /** The same call's record, if one by this id was there already: nothing was added, and that one holds. */
  readonly earlier?: RecordBody;
}

/** One record of several that share a commit. */
interface AppendItem {
  readonly draft: RecordDraft;
  readonly within?: Within;
}

/**
 * What is to happen to grants (by the ledger) or to what is kept (by the connection, for `tend`) in the transaction
 * that stores the record; gives back further records that say what came of it. Whatever it throws takes the record back.
 */
export type Within = (ledger: Ledger, db: Connection) => readonly RecordDraft[];

export interface Writer {
  /** With `within` the record never goes to the spool: `GrantGone` says that the database could not be written. */
  /** `spooled`: the record that is put into the spool in its place, if it comes to that. */
  append(draft: RecordDraft, within?: Within, spooled?: RecordDraft): Appended;
  /**
   * Several records in one commit, for a process that serves many. What concerns one record alone (a use that is gone)
   * stands in its place; if the commit can't be made now this throws, and nothing is stored, not even in the spool.
   */
  appendAll(items: readonly AppendItem[]): readonly (Appended | GrantGone)[];
  /** Reads on the writer's own connection; throws SQLite's error. */
  read<T>(use: (db: Connection) => T): T;
  /** What `run` reads is one state of the store, up to its first `append`; much cheaper than each look by itself. */
  together<T>(run: () => T): T;
  /**
   * Folds the write-ahead log into the database, as far as nobody stands in the way; nobody is waited for. `whole`: the log
   * is empty then, so that a copy of the database file is whole.
   */
  fold(whole: boolean): void;
  /** The secret key for digests, or null. */
  key(): Buffer | null;
  close(): void;
}

const DEFAULT_BUDGET_MS = 4000;
/** SQLite's own busy handler polls well; it is asked again until the budget is used up. */
const BUSY_MS = 2000;
/** What is only looked up, and can be done without, is waited for less. */
const READ_BUSY_MS = 250;
/** A process that serves many stands still while it waits; whoever asked it can still do the work alone. */
const HURRIED_BUSY_MS = 400;

/** Opens the store for appending. Nothing is opened before the first `append`, except that the state directory is checked. */
export function openWriter(paths: GovPaths, options: WriterOptions = {}): Writer {
  prepareDirectory(paths.state);
  const budget = options.budgetMs ?? DEFAULT_BUDGET_MS;
  const redactor = makeRedactor(() => loadFingerprintKey(join(paths.state, 'fingerprint.key')));
  let db: Connection | null = null;
  let identity = '';
  let waits = 0;
  let reading = false;

  const drop = (): void => {
    try {
      db?.close();
    } catch {
      // A connection that can't be closed is of no use either way.
    }
    db = null;
    reading = false;
  };

  const endReading = (): void => {
    if (reading && db?.inTransaction) db.exec('COMMIT');
    reading = false;
  };

  const connection = (busyMs: number, opening = busyMs): Connection => {
    endReading();
    if (db !== null && identityOf(paths.database) !== identity) drop();
    if (db === null) {
      db = connect(paths.database, options.nativeBinding, opening);
      keepStatements(db);
      identity = identityOf(paths.database);
      waits = opening;
    }
    if (waits !== busyMs) {
      waits = busyMs;
      db.exec(`PRAGMA busy_timeout=${busyMs}`);
    }
    return db;
  };

  const afterOf = (within: Within | undefined) =>
    within &&
    ((db: Connection): readonly Prepared[] =>
      within(ledgerOf(db), db).map((next) => preparedOf(bodyOf(next, redactor))));

  return {
    read: (use) => use(reading && db !== null ? db : connection(READ_BUSY_MS, BUSY_MS)),
    together(run) {
      try {
        const open = connection(READ_BUSY_MS, BUSY_MS);
        open.exec('BEGIN');
        reading = true;
      } catch {
        // Each look by itself will say what is wrong.
      }
      try {
        return run();
      } finally {
        endReading();
      }
    },
    fold(whole) {
      if (db === null) return;
      endReading();
      waits = 0;
      db.exec(`PRAGMA busy_timeout=0; PRAGMA wal_checkpoint(${whole ? 'TRUNCATE' : 'PASSIVE'})`);
    },
    key: () => redactor.key(),
    append(draft, within, spooled) {
      const { body, text } = bodyOf(draft, redactor);
      const redacted = redactedIn(body.redactions);
      const prepared = preparedOf({ body, text });
      const after = afterOf(within);
      const deadline = performance.now() + budget;
      let fault: unknown;
      do {
        try {
          const left = Math.max(1, Math.ceil(deadline - performance.now()));
          const row = commitOne(connection(Math.min(BUSY_MS, left)), { record: prepared, after }, paths.spool);
          return { id: body.id, stored: 'database', ...row, redacted, fault: '' };
        } catch (error) {
          if (error instanceof GrantGone) throw error;
          drop();
          if (error instanceof GovError && error.code !== 'store-unwritable') throw error;
          fault = error;
        }
      } while (isBusy(fault) && performance.now() < deadline);
      if (within) throw new GrantGone('', fault);
      spoolOrThrow(paths.spool, body.id, spooled ? bodyOf(spooled, redactor).text : text, fault);
      const why = `the audit database can't be written (${messageOf(fault)}); the record waits in the spool`;
      return { id: body.id, stored: 'spool', seq: null, hash: null, redacted, fault: why };
    },
    appendAll(items) {
      const made = items.map(({ draft, within }) => {
        const record = preparedOf(bodyOf(draft, redactor));
        return { record, after: afterOf(within) };
      });
      try {
        const open = connection(HURRIED_BUSY_MS);
        const rows = commitAll(open, made, paths.spool);
        return rows.map((row, i) => {
          if (row instanceof GrantGone) return row;
          const { id, redactions } = (made[i] as (typeof made)[number]).record.body;
          return { id, stored: 'database', ...row, redacted: redactedIn(redactions), fault: '' };
        });
      } catch (error) {
        drop();
        throw error;
      }
    },
    close: drop,
  };
}

function redactedIn(redactions: RecordBody['redactions']): number {
  return redactions.reduce((sum, r) => sum + r.count, 0);
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
