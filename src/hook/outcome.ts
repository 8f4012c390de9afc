import { messageOf } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import type { Decision } from '../model/decision.ts';
import type { Facts } from '../model/facts.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { abilityAfter, toldAfter } from '../policy/told-after.ts';
import type { StoryContext } from './handle.ts';

/** What rules make of a call that has been made. */
export interface OutcomeJudged {
  readonly facts: Facts | null;
  readonly decision: Decision | null;
  readonly faults: readonly string[];
  /** For the model; '' if nothing. */
  readonly context: string;
  /** What the model is to see instead of the tool's output; null: the output as it is. */
  readonly output: string | null;
}

/**
 * Asks the rules about what a call led to; null if no rule in force could have anything to do with it. The call can't
 * be stopped any more: whatever a rule wants is said to the model, and secrets are taken out of what it sees where the
 * agent lets a hook do that. Never throws: a fault is one sentence.
 */
export function judgeOutcome(call: ToolCall, context: StoryContext): OutcomeJudged | null {
  const faults = [...context.faults];
  let facts: Facts | null = null;
  try {
    const { policy, faults: stale } = context.policy(call);
    context.mark('policy');
    if (!context.concerns?.(policy, call.event, call.result?.failed ?? false)) return null;
    faults.push(...stale);
    const redacts = context.agent.canRedact?.(call) ?? false;
    const decision = context.inTime(() => {
      facts = context.factsOf(call);
      return context.decide(policy, facts, {
        ...context.decisionParts?.(),
        now: context.now(),
        can: abilityAfter(redacts),
      });
    });
    context.mark('decide');
    const { context: said, output, stuck } = toldAfter(decision, call.result?.text ?? '', redacts);
    if (stuck) faults.push(`${call.agent} does not let a hook replace the output of ${call.rawTool}`);
    if (context.config.mode !== 'enforce') return { facts, decision, faults, context: '', output: null };
    return { facts, decision, faults, context: said, output };
  } catch (error) {
    faults.push(`rules could not be asked about this outcome: ${visible(messageOf(error)).slice(0, 300)}`);
    return { facts, decision: null, faults, context: '', output: null };
  }
}
