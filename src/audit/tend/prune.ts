/**
 * Makes the store smaller: the oldest records go into an archive with their proofs and out of the database, and a
 * record of the chain says what the first one that is left follows. Nothing else can take records out.
 *
 *     planPrune(store, wish, now): PrunePlan
 *     prune(paths, plan, options): Pruning
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { GovError, messageOf } from '../../base/errors.ts';
import type { GovPaths } from '../../base/gov-paths.ts';
import { erasedIn } from '../read/erased.ts';
import { prunedOf } from '../read/pruned.ts';
import { openStore, type Store } from '../read/store.ts';
import { actDraft } from '../write/act.ts';
import { GrantGone } from '../write/grants.ts';
import { openWriter, type WriterOptions } from '../write/writer.ts';
import { rowsInArchive, writeArchive } from './archive.ts';
import { unguarded } from './guards.ts';
import { dropSearchIndex, searchIndexFile } from './search-index.ts';
import { verifyStore } from './verify.ts';
import { verifyRows } from './verify-rows.ts';

/** What is to go; several wishes: the one that takes most. */
export interface PruneWish {
  /** Records before this time, milliseconds since 1970 UTC. */
  readonly before?: number | undefined;
  /** All but so many of the newest. */
  readonly keep?: number | undefined;
  /** The oldest, until the database is at most so big. */
  readonly maxBytes?: number | undefined;
}

export interface PrunePlan {
  readonly first: number;
  /** Number of the last record that goes; `first - 1`: none. */
  readonly last: number;
  readonly records: number;
  /** Why fewer go than was wished; '' all that was wished. */
  readonly held: string;
}

/** Limits and sequences of rules look back into the records; windows are a day at most. */
const LOOK_BACK_MS = 24 * 3_600_000;

/** Decides which records go: always a prefix, never one of the last day, nor one that a grant in force rests on. */
export function planPrune(store: Store, wish: PruneWish, now: number): PrunePlan {
  const { first, last } = store.ends();
  const before = (at: number): number => {
    const found = store.db.prepare('SELECT min(seq) FROM records WHERE at >= ?').pluck().get(at) as number | null;
    return (found ?? last + 1) - 1;
  };
  const wished = Math.max(
    first - 1,
    wish.before === undefined ? 0 : before(wish.before),
    wish.keep === undefined ? 0 : last - wish.keep,
    wish.maxBytes === undefined ? 0 : overSize(store, wish.maxBytes),
  );
  const bounds: readonly (readonly [number, string])[] = [
    [before(now - LOOK_BACK_MS), 'records of the last 24 hours stay: limits and sequences count them'],
    [liveGrant(store, last, now), 'records from the approval of a grant in force on stay'],
  ];
  const [bound, held] = bounds.reduce((a, b) => (b[0] < a[0] ? b : a));
  const cut = Math.max(first - 1, Math.min(wished, bound));
  return { first, last: cut, records: first === 0 ? 0 : cut - first + 1, held: cut < wished ? held : '' };
}

function liveGrant(store: Store, last: number, now: number): number {
  if (store.db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'grants'").get() === undefined) return last;
  const seq = store.db
    .prepare("SELECT min(seq) FROM grants WHERE state IN ('approved', 'active') OR (state = 'used' AND until > ?)")
    .pluck()
    .get(now);
  return typeof seq === 'number' ? seq - 1 : last;
}

/** Where to cut so that about `maxBytes` are left: each record counts in proportion to its text. */
function overSize(store: Store, maxBytes: number): number {
  const pages = ['page_count', 'freelist_count', 'page_size'].map((name) =>
    Number(store.db.pragma(name, { simple: true })),
  );
  const [count = 0, free = 0, size = 0] = pages;
  const used = (count - free) * size;
  if (used <= maxBytes) return 0;
  const weights = store.db.prepare(
    'SELECT r.seq, coalesce(length(b.body), 0) + 600 FROM records r LEFT JOIN bodies b USING (seq) ORDER BY r.seq',
  );
  const all = Number(store.db.prepare('SELECT sum(length(body) + 600) FROM bodies').pluck().get() ?? 0);
  let excess = all * (1 - maxBytes / used);
  for (const [seq, weight] of weights.raw().iterate() as Iterable<[number, number]>) {
    excess -= weight;
    if (excess <= 0) return seq;
  }
  return store.ends().last;
}

export interface PruneOptions {
  readonly now: number;
  readonly by: string;
  /** Directory of the archive; default: `archive` beside the store. */
  readonly archiveDir?: string | undefined;
  readonly writer?: WriterOptions;
}

export interface Pruning extends PrunePlan {
  readonly archive: string;
  readonly sha256: string;
  /** Id of the record of the pruning. */
  readonly id: string;
  /** Bytes of the database before and after. */
  readonly bytes: readonly [number, number];
}

/**
 * Archives and takes out what the plan says. Throws `usage-prune` if that is nothing, `store-not-intact` if the store does not verify: what is wrong is
 * evidence and stays. If it fails on the way, every record is still there.
 */
export function prune(paths: GovPaths, plan: PrunePlan, options: PruneOptions): Pruning {
  if (plan.records < 1) throw new GovError({ code: 'usage-prune', message: 'there is no record that may go' });
  const { archive, sha256, until } = archived(paths, plan, options);
  const bytes = sizeOf(paths.database);
  const detail = {
    ...until,
    first_seq: plan.first,
    records: plan.records,
    archive,
    archive_sha256: sha256,
    by: options.by,
  };
  const index = searchIndexFile(paths);
  dropSearchIndex(index);
  const writer = openWriter(paths, options.writer);
  try {
    const { id } = writer.append(actDraft({ name: 'audit-prune', detail }, options.now), (_, db) => {
      db.pragma('secure_delete=ON');
      const found = db
        .prepare('SELECT count(*), (SELECT lower(hex(hash)) FROM records WHERE seq = ?) FROM records WHERE seq <= ?')
        .raw()
        .get(plan.last, plan.last);
      if (JSON.stringify(found) !== JSON.stringify([plan.records, until.until_hash])) throw changed(paths.database);
      unguarded(db, ['records_stay', 'bodies_stay'], () => {
        db.prepare('DELETE FROM bodies WHERE seq <= ?').run(plan.last);
        db.prepare('DELETE FROM records WHERE seq <= ?').run(plan.last);
      });
      return [];
    });
    writer.read((db) => {
      try {
        db.exec('VACUUM');
        db.pragma('wal_checkpoint(TRUNCATE)');
      } catch {
        // Somebody else is reading or writing: the pages are used again for new records.
      }
    });
    return { ...plan, archive, sha256, id, bytes: [bytes, sizeOf(paths.database)] };
  } catch (error) {
    if (!(error instanceof GrantGone)) throw error;
    const { cause } = error;
    throw new GovError({
      code: 'store-unwritable',
      message: `nothing was pruned: ${messageOf(cause)}`,
      help: 'every record is still in the store; try again',
      cause,
    });
  } finally {
    // Again: somebody may have looked for a text meanwhile.
    dropSearchIndex(index);
    writer.close();
  }
}

function archived(paths: GovPaths, plan: PrunePlan, options: PruneOptions) {
  const store = openStore(
    paths.database,
    options.writer?.nativeBinding ? { nativeBinding: options.writer.nativeBinding } : {},
  );
  try {
    const verification = verifyStore(store, paths);
    if (!verification.ok)
      throw new GovError({
        code: 'store-not-intact',
        message: `the store is not what was written: ${verification.findings[0]?.message ?? ''}`,
        help: 'run `gov audit verify`; nothing is pruned, since what is wrong is evidence',
      });
    const row = store.db
      .prepare('SELECT seq AS until_seq, lower(hex(hash)) AS until_hash, at AS until_at FROM records WHERE seq = ?')
      .get(plan.last) as { until_seq: number; until_hash: string; until_at: number };
    const { chain } = store.ends();
    const name = `audit-${chain.slice(0, 8)}-${plan.first}-${plan.last}.jsonl`;
    const archive = join(options.archiveDir ?? join(paths.state, 'archive'), name);
    const sha256 = writeArchive(store, plan.last, archive);
    const pruned = prunedOf(store);
    const base = pruned === null ? {} : { base: { seq: pruned.until_seq, hash: pruned.until_hash } };
    const check = verifyRows(rowsInArchive(archive), chain, { ...base, erased: erasedIn(store) });
    if (check.records !== plan.records || check.findings.length > 0) throw changed(archive);
    return { archive, sha256, until: row };
  } finally {
    store.close();
  }
}

function changed(what: string): GovError {
  return new GovError({
    code: 'store-not-intact',
    message: `\`${what}\` does not hold what was verified; nothing was pruned`,
    help: 'run `gov audit verify`',
  });
}

function sizeOf(file: string): number {
  return [file, `${file}-wal`].reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}
