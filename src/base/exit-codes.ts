/**
 * What `gov` ends with. Never 2: agents read 2 from a hook as "block", so only hooks and
 * `gov check --exit-code` may end with it.
 */
export const EXIT = {
  ok: 0,
  /** Findings, failed tests, failed verification. */
  findings: 1,
  /** Hooks and `gov check --exit-code` only: the call is blocked. */
  block: 2,
  /** The store or the policy can't be read. */
  unreadable: 3,
  usage: 64,
  internal: 70,
} as const;
