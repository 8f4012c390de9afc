import type { Decision, RuleEffect } from '../model/decision.ts';
import type { ToolCall } from '../model/tool-call.ts';
import type { Agent } from './agent.ts';

type Asks = Pick<Agent, 'canAsk'>;

/** What this agent can be made to do before a call; rules fall back from the rest. Changing input or output is not among it. */
export function abilityBefore(call: ToolCall, agent: Asks): (effect: RuleEffect) => boolean {
  return (effect) => effect !== 'redact' && effect !== 'modify' && (effect !== 'ask' || agent.canAsk(call));
}

/** The decision, but a question that would not reach anybody is a deny. */
export function reachable(decision: Decision, call: ToolCall, agent: Asks): Decision {
  return decision.answer === 'ask' && !agent.canAsk(call) ? { ...decision, answer: 'deny' } : decision;
}
