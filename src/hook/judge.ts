import { abilityBefore, reachable } from '../agents/ability.ts';
import type { Decision } from '../model/decision.ts';
import type { Facts } from '../model/facts.ts';
import type { CompiledPolicy } from '../model/policy.ts';
import type { ToolCall } from '../model/tool-call.ts';
import type { DecisionContext } from '../policy/decide.ts';
import { type FaultCode, faultDecision, oneLine } from './faults.ts';
import type { StoryContext } from './handle.ts';
import { refusalFor, withGrants } from './lifted.ts';

export interface Judged {
  readonly facts: Facts | null;
  readonly decision: Decision;
  readonly faults: readonly string[];
  /** Ids of the grants of which the decision takes a use. */
  readonly takes: readonly string[];
  /** What a person said about this call, one line each. */
  readonly notes: readonly string[];
  /** The policy that it was taken by; null if there was none. */
  readonly policy: CompiledPolicy | null;
}

/** The decision on a call; `gone`: ids of grants that can't be used any more. Whatever breaks on the way becomes a decision to deny. */
export function judge(call: ToolCall, context: StoryContext, gone: readonly string[]): Judged {
  let facts: Facts | null = null;
  let policy: CompiledPolicy | null = null;
  let { faults } = context;
  const failed = (code: FaultCode, error: unknown, digest: string): Judged => ({
    facts,
    decision: faultDecision(code, oneLine(error), digest),
    faults: [...faults, `${code}: ${oneLine(error)}`],
    takes: [],
    notes: [],
    policy,
  });
  if (context.barred) return failed(context.barred.code, context.barred.why, '');
  try {
    const inForce = context.policy(call);
    ({ policy } = inForce);
    faults = [...faults, ...inForce.faults];
    context.mark('policy');
  } catch (error) {
    return failed('gov.no-policy', error, '');
  }
  const by = policy;
  try {
    return context.inTime(() => {
      facts = context.factsOf(call);
      context.mark('facts');
      const given = facts;
      const plain = { ...context.decisionParts?.(), now: context.now(), can: abilityBefore(call, context.agent) };
      const take = (on: DecisionContext): Decision => reachable(context.decide(by, given, on), call, context.agent);
      const decision = take(plain);
      context.mark('decide');
      if (context.config.mode !== 'enforce' || !context.grants)
        return { facts, decision, faults, takes: [], notes: [], policy };
      const lifted = withGrants(
        decision,
        () => context.grants?.(given, gone) ?? null,
        (grant) => take({ ...plain, grant }),
      );
      const refusal = refusalFor(lifted.decision, by, (rules) => context.refused?.(given, rules) ?? '');
      return {
        facts,
        ...lifted,
        policy,
        notes: refusal === '' ? lifted.notes : [refusal],
        faults: lifted.fault === '' ? faults : [...faults, lifted.fault],
      };
    });
  } catch (error) {
    return failed(context.isOverdue(error) ? 'gov.deadline' : 'gov.fault', error, by.digest);
  }
}
