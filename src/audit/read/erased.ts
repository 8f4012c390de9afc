import type { Store } from './store.ts';

/** A record whose body and summary were erased, as the record of the erasure tells. */
export interface Erased {
  readonly seq: number;
  readonly id: string;
  /** Hash of the erased record, which the next one follows. */
  readonly hash: string;
  /** Digest of what is left of it. */
  readonly rest: string;
}

/** What stands in place of an erased summary. */
export const ERASED_SUMMARY = '[erased]';

/** Every erasure that the chain tells of, by the sequence number of what was erased. */
export function erasedIn(store: Pick<Store, 'db'>): ReadonlyMap<number, Erased> {
  const bodies = store.db
    .prepare(
      `SELECT b.body FROM records r JOIN bodies b USING (seq)
       WHERE r.kind = 'gov' AND r.summary = 'audit-redact' ORDER BY r.seq`,
    )
    .pluck()
    .all() as string[];
  const found = new Map<number, Erased>();
  for (const text of bodies) for (const erased of listIn(text)) found.set(erased.seq, erased);
  return found;
}

function listIn(text: string): readonly Erased[] {
  try {
    const { call } = JSON.parse(text) as { call: { detail: { erased?: unknown } } };
    return Array.isArray(call.detail.erased) ? (call.detail.erased as Erased[]) : [];
  } catch {
    return []; // `verify` says that it was changed.
  }
}
