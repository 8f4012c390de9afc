/** What an agent wrote down about one of its tool calls, in its own log. Everything in it is untrusted. */
export interface LoggedCall {
  readonly agent: string;
  /** The agent's session; '' where its log does not say. */
  readonly session: string;
  /** The agent's id of the call, as its hooks are given it. */
  readonly callId: string;
  /** The agent's own tool name. */
  readonly tool: string;
  /** One line of what was called; raw, not redacted. */
  readonly summary: string;
  /** Milliseconds since 1970 UTC; null where the log does not say. */
  readonly at: number | null;
  readonly cwd: string;
  /** True in the log of an agent that the session started. */
  readonly subagent: boolean;
  /**
   * `agent`: run by the agent on this machine; `server`: run by the model's provider, where no hook can be.
   */
  readonly ranBy: 'agent' | 'server';
  /**
   * `result`: it came back; `refused`: the agent did not run it (no such tool, wrong fields, interrupted);
   * `none`: the log holds no result.
   */
  readonly end: 'result' | 'refused' | 'none';
  /** What the log says about a hook that failed before this call; '' nothing. */
  readonly hookFault: string;
}
