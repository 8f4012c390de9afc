import { messageOf } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import type { GrantsInForce } from '../grants/in-force.ts';
import { type Decision, EFFECTS } from '../model/decision.ts';
import type { CompiledPolicy, CompiledRule } from '../model/policy.ts';
import type { DecisionContext } from '../policy/decide.ts';
import { isMilder, liftableHits } from '../policy/lift.ts';

/** What a person said to an earlier request about this call, where rules that can be lifted still hold it up; '' nothing. */
export function refusalFor(
  decision: Decision,
  policy: CompiledPolicy,
  refused: (rules: readonly CompiledRule[]) => string,
): string {
  const held = new Set(liftableHits(decision).map((hit) => hit.id));
  if (held.size === 0) return '';
  try {
    return refused(policy.rules.filter((rule) => held.has(rule.id)));
  } catch {
    return ''; // It only says more about a deny that stands without it.
  }
}

/** A decision with the grants of which it takes a use. */
export interface Lifted {
  readonly decision: Decision;
  /** Ids. */
  readonly takes: readonly string[];
  /** Why grants could not be looked at; '' otherwise. */
  readonly fault: string;
  /** What the people who lifted rules want the agent to know. */
  readonly notes: readonly string[];
}

/**
 * The decision, taken again with the grants that are in force if one could matter; without any the store is not even
 * asked. A grant counts, and is used, only where it makes the answer milder.
 */
export function withGrants(
  decision: Decision,
  grants: () => GrantsInForce | null,
  again: (grant: NonNullable<DecisionContext['grant']>) => Decision,
): Lifted {
  const unlifted = { decision, takes: [], fault: '', notes: [] };
  if (liftableHits(decision).length === 0) return unlifted;
  let found: GrantsInForce | null;
  try {
    found = grants();
  } catch (error) {
    return { ...unlifted, fault: visible(`grants can't be read: ${messageOf(error)}`) };
  }
  if (found === null) return unlifted;
  const lifted = again(found.grant);
  if (!isMilder(lifted.answer, decision.answer)) return unlifted;
  const names = namesIn(lifted);
  return { decision: lifted, takes: found.toTake(names), fault: '', notes: found.notes(names) };
}

/** Names of what lifted a rule that would have held the call up. */
function namesIn(decision: Decision): readonly string[] {
  const holds = (effect: (typeof EFFECTS)[number]): boolean => EFFECTS.indexOf(effect) <= EFFECTS.indexOf('ask');
  return decision.rules.filter((hit) => hit.enforced && holds(hit.effect)).map((hit) => hit.lifted_by);
}
