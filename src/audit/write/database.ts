import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { GovError } from '../../base/errors.ts';
import { genesisOf } from '../format/chain.ts';
import { ADDED_OBJECTS, APPLICATION_ID, SCHEMA_VERSION, schemaObjects } from '../format/schema.ts';
import { type Connection, Database, type Statement } from '../sqlite.ts';
import { addonIn } from './binding.ts';
import { prepareFile, walIsSafe } from './place.ts';

export type { Connection, Statement } from '../sqlite.ts';

/**
 * Opens the store for appending, and creates it on first use. A store of format 1 gets the tables that were added
 * since; records are never rewritten. Throws `store-newer`, `store-older`, `store-foreign`, `store-unsafe`, or
 * SQLite's own error.
 */
export function connect(file: string, nativeBinding: string | undefined, busyMs: number): Connection {
  prepareFile(file);
  // It takes the addon itself, too, which its types do not say.
  const addon = nativeBinding === undefined ? {} : { nativeBinding: addonIn(nativeBinding) as unknown as string };
  const db = new Database(file, { timeout: busyMs, ...addon });
  try {
    // better-sqlite3 is compiled with synchronous=NORMAL for WAL: a power cut could take back an acknowledged record.
    db.exec('PRAGMA synchronous=FULL; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON');
    if (process.platform === 'darwin') db.exec('PRAGMA fullfsync=1; PRAGMA checkpoint_fullfsync=1');
    const wal = walIsSafe(file);
    // A store made elsewhere keeps its WAL mode in its header; here it would corrupt.
    if (!wal) db.exec('PRAGMA journal_mode=DELETE');
    let version = versionOf(db);
    if (version < SCHEMA_VERSION) {
      if (version === 0) create(db, wal);
      else if (version === 1) addTables(db);
      version = versionOf(db);
    }
    refuseOther(db, version);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** From here on a statement is compiled once. Whoever asks for the same text wants the same of it (`pluck`). */
export function keepStatements(db: Connection): void {
  const kept = new Map<string, Statement>();
  const prepare = db.prepare.bind(db) as (sql: string) => Statement;
  db.prepare = ((sql: string) => {
    let statement = kept.get(sql);
    if (!statement) {
      statement = prepare(sql);
      kept.set(sql, statement);
    }
    return statement;
  }) as typeof db.prepare;
}

/** Device and inode, to notice that the file was replaced under a long-lived connection. */
export function identityOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.dev}:${stat.ino}`;
}

export function versionOf(db: Connection): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** Throws unless the store is one that this version knows. */
export function refuseOther(db: Connection, version = versionOf(db)): void {
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID)
    throw new GovError({
      code: 'store-foreign',
      message: `\`${db.name}\` is not an audit store of gov`,
      help: 'move that file away; a new store is created on first use',
    });
  if (version > SCHEMA_VERSION)
    throw new GovError({
      code: 'store-newer',
      message: `the audit store has format ${version}, this gov knows up to ${SCHEMA_VERSION}`,
      help: 'update gov; its older version must not write to this store',
    });
  if (version < SCHEMA_VERSION)
    throw new GovError({
      code: 'store-older',
      message: `the audit store has format ${version}, this gov writes ${SCHEMA_VERSION}`,
      help: 'move it away to start a new one; it stays readable for the version that wrote it',
    });
}

/** From format 1 to 2: two tables more. One transaction, so that no other process sees half of it. */
function addTables(db: Connection): void {
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) return; // Refused by the caller.
  inTransaction(db, () => {
    if (versionOf(db) !== 1) return;
    for (const [, sql] of ADDED_OBJECTS) db.exec(sql);
    db.pragma('user_version=2');
  });
}

function inTransaction(db: Connection, run: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    run();
    db.exec('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function create(db: Connection, wal: boolean): void {
  if (db.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined && versionOf(db) === 0) return; // Not empty and not ours: refused by the caller.
  if (wal) db.exec('PRAGMA journal_mode=WAL; PRAGMA journal_size_limit=67108864');
  const chain = randomBytes(16).toString('hex');
  inTransaction(db, () => {
    // Another process may have been first while this one waited.
    if (versionOf(db) !== 0) return;
    for (const sql of schemaObjects(genesisOf(chain)).values()) db.exec(sql);
    const put = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
    put.run('chain', chain);
    put.run('created', new Date().toISOString());
    db.pragma(`application_id=${APPLICATION_ID}`);
    db.pragma(`user_version=${SCHEMA_VERSION}`);
  });
}
