import type { Store } from './store.ts';

/** What the newest pruning left behind: up to where records were taken out, and what the next one follows. */
export interface Pruned {
  /** Number, hash and time of the last record that was taken out. */
  readonly until_seq: number;
  readonly until_hash: string;
  readonly until_at: number;
  /** SHA-256 of the archive that they went into. */
  readonly archive_sha256: string;
}

/**
 * The pruning that the store's first record rests on; null if nothing was pruned. It stands in the body of a record of
 * the chain, so it can't be changed without breaking the chain.
 */
export function prunedOf(store: Pick<Store, 'db'>): Pruned | null {
  if (((store.db.prepare('SELECT min(seq) FROM records').pluck().get() as number | null) ?? 1) <= 1) return null;
  const body = store.db
    .prepare(
      `SELECT b.body FROM records r JOIN bodies b USING (seq)
       WHERE r.kind = 'gov' AND r.summary = 'audit-prune' ORDER BY r.seq DESC LIMIT 1`,
    )
    .pluck()
    .get();
  if (typeof body !== 'string') return null;
  try {
    const { call } = JSON.parse(body) as { call: { agent: string; detail: Partial<Pruned> } };
    const { until_seq, until_hash, until_at, archive_sha256 } = call.detail;
    const whole =
      call.agent === 'gov' &&
      Number.isSafeInteger(until_seq) &&
      Number.isSafeInteger(until_at) &&
      /^[0-9a-f]{64}$/.test(until_hash ?? '') &&
      typeof archive_sha256 === 'string';
    return whole ? (call.detail as Pruned) : null;
  } catch {
    return null;
  }
}
