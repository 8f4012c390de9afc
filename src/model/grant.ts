/** `approved`: signatures are still missing; `active`: in force; the rest are ends. */
export type GrantState = 'approved' | 'active' | 'used' | 'expired' | 'dropped' | 'revoked';

/** What a person approved. Fixed when it is approved; its digest stands in the record of the approval. */
export interface GrantTerms {
  readonly v: 1;
  /** Id of the record of the approval. */
  readonly id: string;
  /** Id of the decision or of the request that it answers. */
  readonly request: string;
  /** Rules by id, and rules by tag, that it lifts. Hard rules are never lifted. */
  readonly rules: readonly string[];
  readonly tags: readonly string[];
  /** Milliseconds since 1970 UTC; in force from `from` up to, not including, `until`. */
  readonly from: number;
  readonly until: number;
  /** How many calls it lets pass. */
  readonly uses: number;
  /** Where it holds; '' anywhere. */
  readonly session: string;
  readonly agent: string;
  readonly workspace: string;
  /** A glob that every file the lifted rule is about has to match; '' any. */
  readonly path: string;
  /** Digest of the one call that it is for, as the store keeps it (plain or keyed); '' any. */
  readonly digest: string;
  readonly reason: string;
  /** The person at the terminal. */
  readonly approver: string;
  /** Signatures of listed approvers that it needs before it is in force. */
  readonly signatures: number;
}

/** One approver's Ed25519 signature over the terms. */
export interface GrantSignature {
  readonly name: string;
  /** Raw public key, base64. */
  readonly key: string;
  /** Base64. */
  readonly signature: string;
}

export interface Grant {
  readonly terms: GrantTerms;
  readonly state: GrantState;
  readonly usesLeft: number;
  readonly signatures: readonly GrantSignature[];
  /** Number of the record of its approval. */
  readonly seq: number;
}
