import { GovError } from '../../base/errors.ts';
import type { Grant, GrantSignature, GrantState } from '../../model/grant.ts';
import { type GrantRow, grantIn, termsDigest, termsText } from '../format/grant.ts';
import type { Connection } from './database.ts';
import { storeMarks } from './marks.ts';

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
  /** Makes a person's answer, which the newest record tells of, findable by what it is about. */
  answered(keys: readonly string[], answer: 'yes' | 'no', at: number): void;
}

/** Under this name a person's answers stand among the marks; no rule can be called so. */
const ANSWERS = 'gov.answers';

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
    answered(keys, answer, at) {
      const seq = db.prepare('SELECT max(seq) FROM records').pluck().get() as number;
      storeMarks(
        db,
        seq,
        keys.map((key) => ({ rule: ANSWERS, step: answer, key, at, weight: 1 })),
      );
    },
  };
}

/** A grant with what the chain says about its time. */
export interface KnownGrant extends Grant {
  /** The newest time of any record since its approval, milliseconds since 1970 UTC. */
  readonly newest: number;
  /** What the person who approved it wants the agent to know; '' nothing. */
  readonly note: string;
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
    const approval = grant === null ? null : approvalOf(db, row);
    if (grant === null || approval === null) return [];
    const newest = db.prepare('SELECT max(at) FROM records WHERE seq >= ?').pluck().get(row.seq) as number;
    return [{ ...grant, newest, note: approval.note }];
  });
}

/** True if the record of its approval says the same. */
export function isApproved(db: Connection, row: Pick<GrantRow, 'id' | 'seq' | 'terms'>): boolean {
  return approvalOf(db, row) !== null;
}

/** What the record of its approval says beside the terms; null if it does not say the same as the row. */
function approvalOf(db: Connection, row: Pick<GrantRow, 'id' | 'seq' | 'terms'>): { readonly note: string } | null {
  const act = actIn(db, "r.seq = ? AND r.id = ? AND r.kind = 'gov'", row.seq, row.id);
  if (act?.rawEvent !== 'elevate-approved' || act.detail['terms'] !== termsDigest(row.terms)) return null;
  return { note: textOf(act.detail['note']) };
}

/** A person's answer to a request. */
export interface Answered {
  /** What it was found by. */
  readonly key: string;
  readonly answer: 'yes' | 'no';
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly by: string;
  readonly note: string;
}

/** False while no person ever said yes or no to anything here. */
export function isAnythingAnswered(db: Connection): boolean {
  return db.prepare('SELECT 1 FROM marks WHERE rule = ? LIMIT 1').get(ANSWERS) !== undefined;
}

/** The newest answer about any of the keys since a time; null without one, or if no record tells of it. */
export function newestAnswer(db: Connection, keys: readonly string[], since: number): Answered | null {
  const some = keys.map(() => '?').join(', ');
  const found = db
    .prepare(
      `SELECT key, step, at, seq FROM marks WHERE rule = ? AND key IN (${some}) AND at >= ? ORDER BY at DESC, seq DESC LIMIT 1`,
    )
    .get(ANSWERS, ...keys, since) as { key: string; step: string; at: number; seq: number } | undefined;
  if (found === undefined) return null;
  const { key, step, at, seq } = found;
  if (step === 'yes') return { key, answer: 'yes', at, by: '', note: '' };
  const act = actIn(db, "r.seq = ? AND r.kind = 'gov'", seq);
  if (act?.rawEvent !== 'elevate-denied') return null;
  return { key, answer: 'no', at, by: textOf(act.detail['by']), note: textOf(act.detail['reason']) };
}

interface ActCall {
  readonly rawEvent: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The call of the one record that the condition names; null if its body is gone or unreadable. */
function actIn(db: Connection, where: string, ...values: readonly (string | number)[]): ActCall | null {
  const body = db
    .prepare(`SELECT b.body FROM records r JOIN bodies b USING (seq) WHERE ${where}`)
    .pluck()
    .get(...values);
  if (typeof body !== 'string') return null;
  try {
    return (JSON.parse(body) as { call: ActCall }).call;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
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
