import { sha256 } from '../../base/digest.ts';
import type { Grant, GrantSignature, GrantState, GrantTerms } from '../../model/grant.ts';

/** A row of the table `grants`. */
export interface GrantRow {
  readonly id: string;
  readonly seq: number;
  readonly state: GrantState;
  readonly until: number;
  readonly uses_left: number;
  readonly terms: string;
  readonly signatures: string;
}

/** Terms as they are stored, signed and digested: JSON with the members in this order. */
export function termsText(terms: GrantTerms): string {
  const { v, id, request, rules, tags, from, until, uses, session, agent, workspace, path, digest } = terms;
  const { reason, approver, signatures } = terms;
  return JSON.stringify({
    v,
    id,
    request,
    rules,
    tags,
    from,
    until,
    uses,
    session,
    agent,
    workspace,
    path,
    digest,
    reason,
    approver,
    signatures,
  });
}

/** What the record of an approval holds of the terms: 64 hex digits. */
export function termsDigest(text: string): string {
  return sha256(text);
}

/** The grant in a row; null if the row is none of ours. */
export function grantIn(row: GrantRow): Grant | null {
  try {
    const terms = JSON.parse(row.terms) as GrantTerms;
    const signatures = JSON.parse(row.signatures) as readonly GrantSignature[];
    if (terms.v !== 1 || terms.id !== row.id || terms.until !== row.until || row.uses_left > terms.uses) return null;
    return { terms, state: row.state, usesLeft: row.uses_left, signatures, seq: row.seq };
  } catch {
    return null;
  }
}
