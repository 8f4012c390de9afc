/**
 * An index of what was said in calls, so that a text is found among a million records without reading them all. It lies
 * beside the store in a file of its own: the evidence stays append-only, and hooks know nothing of it. Commands that look
 * for a text extend it first. It only names candidates, which the filter looks at itself; without it the same is found.
 *
 *     openSearchIndex(store, file): SearchIndex | null
 *     index.extend(from, onProgress?) · index.candidates(text, from): number[] | null · index.close()
 *     dropSearchIndex(file)
 */

import { closeSync, constants, fsyncSync, lstatSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GovPaths } from '../../base/gov-paths.ts';
import { SAID } from '../read/filter.ts';
import type { Store } from '../read/store.ts';
import { type Connection, Database } from '../sqlite.ts';

export interface SearchIndex {
  /** How many of the records from a number on, up to the newest, are not in it yet. */
  missing(from: number): number;
  /** Takes in the records from a number on. Tells how many are done, of how many. Throws SQLite's error. */
  extend(from: number, onProgress?: (done: number, all: number) => void): void;
  /** Numbers of the records from one on that may hold the text, in sequence; null: it can't tell, or they are too many to name. */
  candidates(text: string, from: number): readonly number[] | null;
  close(): void;
}

/** Where the index of a user's store lies. */
export function searchIndexFile(paths: GovPaths): string {
  return join(dirname(paths.database), 'search.db');
}

/** Raised when what is indexed, or how, changes: an older index is made anew. */
const VERSION = 2;
const CHUNK = 5000;
/** More candidates than this are no help. */
const MOST = 100_000;
const MOST_TRIGRAMS = 48;

/** Opens the index of a store, or begins one. Null where none can be kept: a copy, a read-only directory, another's file. */
export function openSearchIndex(store: Store, file: string): SearchIndex | null {
  const { first, last } = store.ends();
  if (last === 0) return null;
  for (let tries = 0; tries < 2; tries++) {
    let db: Connection | null = null;
    try {
      db = begin(file, store);
      if (db !== null) return indexOn(store, db, first, last);
      dropSearchIndex(file); // Of another chain or version, or of records that are gone.
    } catch (error) {
      db?.close();
      if (!/^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(String((error as { code?: unknown }).code))) return null;
      dropSearchIndex(file);
    }
  }
  return null;
}

/** Null: it is not the index of these records. */
function begin(file: string, store: Store): Connection | null {
  const { chain } = store.ends();
  const { O_CREAT, O_RDWR, O_NOFOLLOW } = constants;
  closeSync(openSync(file, O_CREAT | O_RDWR | O_NOFOLLOW, 0o600));
  const db = new Database(file, { timeout: 2000 });
  db.exec('PRAGMA journal_mode=DELETE; PRAGMA synchronous=FULL; PRAGMA trusted_schema=OFF; BEGIN IMMEDIATE');
  if (db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) {
    // Neither texts nor places are stored, only which three-letter pieces a record holds.
    db.exec(`CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
      CREATE VIRTUAL TABLE said USING fts5(text, content='', columnsize=0, detail=none, tokenize='trigram');`);
    const put = db.prepare('INSERT INTO meta VALUES (?, ?)');
    for (const pair of [
      ['version', VERSION],
      ['chain', chain],
      ['low', 0],
      ['high', 0],
      ['head', ''],
    ])
      put.run(...pair);
  }
  const meta = metaOf(db);
  db.exec('COMMIT');
  // After an older copy of the store was put back, other records may stand under the same numbers.
  const same = meta['high'] === 0 || hashOf(store, Number(meta['high'])) === meta['head'];
  if (meta['version'] === VERSION && meta['chain'] === chain && same) return db;
  db.close();
  return null;
}

/** Of the record of a number, which vouches for all before it; null: there is none. */
function hashOf(store: Store, seq: number): string | null {
  return (store.db.prepare('SELECT hex(hash) FROM records WHERE seq = ?').pluck().get(seq) as string) ?? null;
}

function metaOf(db: Connection): Readonly<Record<string, unknown>> {
  return Object.fromEntries(db.prepare('SELECT key, value FROM meta').raw().all() as [string, unknown][]);
}

/** The first and last record that are in it; what lies between is in it too. 0, 0: none. */
function spanOf(db: Connection): { readonly low: number; readonly high: number } {
  const { low, high } = metaOf(db);
  return { low: Number(low), high: Number(high) };
}

// `json_tree` of the call alone: of the whole body it takes three times as long, most of that for facts.
const JSON_BODY = "CASE WHEN json_valid(b.body) THEN b.body ELSE '{}' END";
const SELECT = `SELECT b.seq, concat_ws(char(10), ${JSON_BODY} ->> '$.decision.reason',
    (SELECT group_concat(t.atom, char(10)) FROM json_tree(${JSON_BODY}, '$.call') t WHERE t.atom IS NOT NULL AND ${SAID}))
  FROM bodies b WHERE b.seq BETWEEN ? AND ? ORDER BY b.seq`;

function indexOn(store: Store, db: Connection, first: number, last: number): SearchIndex {
  const select = store.db.prepare(SELECT).raw();
  const put = db.prepare('INSERT INTO said (rowid, text) VALUES (?, ?)');
  const set = db.prepare('UPDATE meta SET value = ? WHERE key = ?');

  /** The records that are next to be taken in: those behind the newest first, then further back. Null: none. */
  const next = (from: number): readonly [number, number] | null => {
    const { low, high } = spanOf(db);
    if (high === 0) return from <= last ? [Math.max(from, last - CHUNK + 1), last] : null;
    if (high < last) return [high + 1, Math.min(high + CHUNK, last)];
    return from < low ? [Math.max(from, low - CHUNK), low - 1] : null;
  };
  const missing = (from: number): number => {
    const start = Math.max(from, first);
    const { low, high } = spanOf(db);
    if (high === 0) return Math.max(0, last - start + 1);
    return Math.max(0, last - high) + Math.max(0, low - start);
  };

  return {
    missing,
    extend(from, onProgress = () => {}) {
      const start = Math.max(from, first);
      const all = missing(start);
      for (;;) {
        // What another process has taken in meanwhile is seen only under the lock.
        db.exec('BEGIN IMMEDIATE');
        try {
          const range = next(start);
          if (range !== null) {
            for (const [seq, text] of select.iterate(...range) as Iterable<[number, string]>) put.run(seq, text);
            const { low, high } = spanOf(db);
            set.run(high === 0 ? range[0] : Math.min(low, range[0]), 'low');
            const newest = Math.max(high, range[1]);
            set.run(newest, 'high');
            set.run(hashOf(store, newest), 'head');
          }
          db.exec('COMMIT');
          if (range === null) return;
        } catch (error) {
          if (db.inTransaction) db.exec('ROLLBACK');
          throw error;
        }
        onProgress(all - missing(start), all);
      }
    },
    candidates(text, from) {
      const query = matchOf(text);
      const { low, high } = spanOf(db);
      if (query === null || high < last || low > Math.max(from, first)) return null;
      const found = db
        .prepare('SELECT rowid FROM said WHERE said MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ?')
        .pluck()
        .all(query, from, last, MOST + 1) as number[];
      return found.length > MOST ? null : found;
    },
    close: () => db.close(),
  };
}

/** What every text that holds this one matches, in FTS5's language; null for a text too short to tell. */
function matchOf(text: string): string | null {
  const letters = [...text];
  if (letters.length < 3 || letters.includes('\0')) return null;
  const pieces = new Set(letters.slice(2).map((_, i) => letters.slice(i, i + 3).join('')));
  const terms = [...pieces].slice(0, MOST_TRIGRAMS).map((piece) => `"${piece.replaceAll('"', '""')}"`);
  return terms.join(' AND ');
}

/** Takes the index away, its bytes overwritten first. It is made anew when a text is looked for. Never throws if there is none. */
export function dropSearchIndex(file: string): void {
  for (const path of [file, `${file}-journal`]) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    // What a symbolic link leads to is not ours to overwrite, nor was it ever written to.
    if (stat.isFile()) wipe(path, stat.size);
    unlinkSync(path);
  }
}

function wipe(path: string, size: number): void {
  const zeros = Buffer.alloc(64 * 1024);
  const fd = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    for (let at = 0; at < size; at += zeros.length) writeSync(fd, zeros, 0, Math.min(zeros.length, size - at), at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
