import { GovError } from '../../base/errors.ts';
import type { Grant, GrantSignature, GrantState } from '../../model/grant.ts';
import { type GrantRow, grantIn, termsDigest, termsText } from '../format/grant.ts';
import type { Connection } from './database.ts';

/** Thrown when a grant that a decision rests on can't be used any more: the call has to be judged without it. */
export class GrantGone extends GovError {
  /** Id of the grant; '' if none can be used. */
  readonly grant: string;

  constructor(grant: string, cause?: unknown) {
    super({ code: 'store-grant-gone', message: `the grant \`${grant}\` can't be used any more`, cause });
    this.grant = grant;
  }
}

/** The grants within one transaction of the store. */
export interface Ledger {
  /** Adds a grant; its approval must be the newest record. */
  put(grant: Omit<Grant, 'seq'>): void;
  /** Takes one use and gives back how many are left. Throws `GrantGone`. */
  take(id: string, now: number): number;
  /** Ends a grant or adds to it. Throws `GrantGone` if it has ended already. */
  change(id: string, state: GrantState, signatures?: readonly GrantSignature[]): void;
}

export function ledgerOf(db: Connection): Ledger {
  const orGone = (id: string, sql: string, ...values: readonly (string | number)[]): void => {
    if (db.prepare(sql).run(...values).changes !== 1) throw new GrantGone(id);
  };
  return {
    put({ terms, state, usesLeft, signatures }) {
      db.prepare(
        `INSERT INTO grants (id, seq, state, until, uses_left, terms, signatures)
         VALUES (?, (SELECT max(seq) FROM records), ?, ?, ?, ?, ?)`,
      ).run(terms.id, state, terms.until, usesLeft, termsText(terms), JSON.stringify(signatures));
    },
    take(id, now) {
      const sql = `UPDATE grants SET uses_left = uses_left - 1, state = iif(uses_left = 1, 'used', state)
        WHERE id = ? AND state = 'active' AND uses_left > 0 AND until > ?`;
      orGone(id, sql, id, now);
      return db.prepare('SELECT uses_left FROM grants WHERE id = ?').pluck().get(id) as number;
    },
    change(id, state, signatures) {
      const sql = `UPDATE grants SET state = ?${signatures ? ', signatures = ?' : ''}
        WHERE id = ? AND state IN ('approved', 'active')`;
      orGone(id, sql, state, ...(signatures ? [JSON.stringify(signatures)] : []), id);
    },
  };
}

/** A grant with what the chain says about its time. */
export interface KnownGrant extends Grant {
  /** The newest time of any record since its approval, milliseconds since 1970 UTC. */
  readonly newest: number;
}

/**
 * Grants whose end is not yet recorded; with `used` also those whose last use was taken and that would still be in
 * time. SECURITY: a row counts only if the record of its approval holds the digest of its terms.
 */
export function unendedGrants(db: Connection, now: number, used: boolean): readonly KnownGrant[] {
  const sql = `SELECT * FROM grants WHERE state IN ('approved', 'active') ${used ? "OR (state = 'used' AND until > ?)" : ''}`;
  const rows = db.prepare(sql).all(...(used ? [now] : [])) as GrantRow[];
  return rows.flatMap((row) => {
    const grant = grantIn(row);
    if (grant === null || !isApproved(db, row)) return [];
    const newest = db.prepare('SELECT max(at) FROM records WHERE seq >= ?').pluck().get(row.seq) as number;
    return [{ ...grant, newest }];
  });
}

/** True if the record of its approval says the same. */
export function isApproved(db: Connection, row: Pick<GrantRow, 'id' | 'seq' | 'terms'>): boolean {
  const body = db
    .prepare("SELECT b.body FROM records r JOIN bodies b USING (seq) WHERE r.seq = ? AND r.id = ? AND r.kind = 'gov'")
    .pluck()
    .get(row.seq, row.id);
  if (typeof body !== 'string') return false;
  try {
    const { call } = JSON.parse(body) as { call: { rawEvent: string; detail: { terms?: unknown } } };
    return call.rawEvent === 'elevate-approved' && call.detail.terms === termsDigest(row.terms);
  } catch {
    return false;
  }
}

/**
 * The digests of calls for which this grant gave a use to a PreToolUse of the session since `since`: an agent asks
 * about the same call again before it runs it (PermissionRequest).
 */
export function callsLetPass(db: Connection, grant: string, session: string, since: number): readonly string[] {
  const rows = db
    .prepare(
      `SELECT b.body FROM records r JOIN bodies b USING (seq)
       WHERE r.session = ? AND r.at >= ? AND r.kind = 'decision' AND r.event = 'PreToolUse' ORDER BY r.seq DESC LIMIT 50`,
    )
    .pluck()
    .all(session, since) as string[];
  return rows.flatMap((text) => {
    const body = JSON.parse(text) as {
      facts: { event: { call_digest: string } } | null;
      decision: { answer: string; rules: readonly { lifted_by: string }[] } | null;
    };
    const lifted = body.decision?.rules.some((hit) => hit.lifted_by === grant) ?? false;
    return lifted && body.facts ? [body.facts.event.call_digest] : [];
  });
}
