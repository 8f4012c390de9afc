/** How a session stands: the strongest of what holds for it. */
export type SessionState = 'active' | 'elevated' | 'paused' | 'stopped';

/** What decides the state. All of it stands in the chain: orders, approvals, the breaker's decisions. */
export interface SessionSigns {
  /** A person's order holds. */
  readonly stopped: boolean;
  /** Its newest decision is the breaker's: a `limit` rule held the call up. */
  readonly tripped: boolean;
  /** A grant holds for it. */
  readonly granted: boolean;
}

export function stateOf({ stopped, tripped, granted }: SessionSigns): SessionState {
  return stopped ? 'stopped' : tripped ? 'paused' : granted ? 'elevated' : 'active';
}
