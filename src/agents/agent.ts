import type { Answer } from '../model/decision.ts';
import type { EventName, ToolCall } from '../model/tool-call.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** What a hook process leaves behind: all that an agent can see of it. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
  /** The only two ends of a hook: 0 goes on (or see stdout), 2 blocks. */
  readonly exitCode: 0 | 2;
}

/** Nothing to say: the agent's own permission flow goes on. Never the word "allow", which would remove the user's own prompts. */
export const SILENT: Output = { stdout: '', stderr: '', exitCode: 0 };

/** What is to be told, before it takes an agent's form. */
export interface Verdict {
  readonly answer: Answer;
  /** For the model: never empty unless the answer is `allow`. */
  readonly reason: string;
  /** For the model, beside an `allow`: what rules with effect `warn` or `context` say. */
  readonly context: string;
  /** For people: gov's own faults. */
  readonly notice: string;
  /** After a call: what the model is to see instead of the tool's output. Only where `canRedact` says yes. */
  readonly output?: string;
}

/** A payload in gov's own words, or one sentence on why it can't be understood. */
export type Decoded = { readonly ok: true; readonly call: ToolCall } | { readonly ok: false; readonly problem: string };

/**
 * What an event is to gov. `gate`: gov answers it, and a fault blocks; `outcome`: a call has been made;
 * `session`: it is only recorded. A fault never blocks the last two.
 */
export type EventPart = 'gate' | 'outcome' | 'session';

/** One coding agent: how its hook payloads read and how it wants its answers. */
export interface Agent {
  readonly name: string;
  /** Never throws. A payload that lacks what a decision needs is a problem, never a guess. */
  decode(payload: unknown, env: Env): Decoded;
  /** True if an `ask` about this call reaches a person; otherwise the hook turns it into a deny before it is recorded. */
  canAsk(call: ToolCall): boolean;
  /** True if the output of this call, which has been made, can be replaced. Absent: never. */
  canRedact?(call: ToolCall): boolean;
  /** The exact bytes and exit code that make this agent do what the verdict says. */
  encode(verdict: Verdict, call: ToolCall): Output;
}

const PARTS: ReadonlyMap<EventName, EventPart> = new Map<EventName, EventPart>([
  ['PreToolUse', 'gate'],
  ['PermissionRequest', 'gate'],
  ['PreSkillShellCommand', 'gate'],
  ['ConfigChange', 'gate'],
  ['PostToolUse', 'outcome'],
  ['PostToolUseFailure', 'outcome'],
]);

/** What gov does with an event: see `EventPart`. */
export function partOf(event: EventName): EventPart {
  return PARTS.get(event) ?? 'session';
}
