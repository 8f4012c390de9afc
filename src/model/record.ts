import type { Decision } from './decision.ts';
import type { Facts } from './facts.ts';
import type { ToolCall } from './tool-call.ts';

/** `decision`: a call was judged; `outcome`: what became of it; `session`: a session event; `gov`: gov's own acts (prune, grant, config, internal faults). */
export type RecordKind = 'decision' | 'outcome' | 'session' | 'gov';

/** What the writer is given; sequence, previous hash and hash are the store's. */
export interface RecordDraft {
  /** Time-ordered id that people can type: `makeId()`. */
  readonly id: string;
  readonly kind: RecordKind;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly call: ToolCall;
  readonly facts: Facts | null;
  readonly decision: Decision | null;
  readonly enforced: boolean;
  /** What the agent was really told: `allow`, `ask`, `deny`, `halt`, or '' where nothing was asked. */
  readonly answer: string;
  /** Milliseconds from start of the process or request to the answer. */
  readonly latencyMs: number;
  /** Internal faults on the way: one line each. */
  readonly faults: readonly string[];
  readonly govVersion: string;
}
