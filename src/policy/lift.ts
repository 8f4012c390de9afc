import { type Decision, EFFECTS, type RuleHit } from '../model/decision.ts';

/** Strictness of an effect: 0 is the strictest. */
function rank(effect: RuleHit['effect']): number {
  return EFFECTS.indexOf(effect);
}

/**
 * The hits that a person would have to lift for this call to be let pass or asked about less: those of rules that hold
 * it up. Empty if nothing holds it up, or if a hard rule does, which nothing lifts.
 */
export function liftableHits(decision: Decision): readonly RuleHit[] {
  if (decision.answer === 'allow') return [];
  const holding = decision.rules.filter(
    (hit) => hit.enforced && hit.lifted_by === '' && rank(hit.effect) <= rank('ask'),
  );
  if (holding.some((hit) => hit.level === 'hard' && rank(hit.effect) <= rank(decision.effect))) return [];
  return holding.filter((hit) => hit.level !== 'hard');
}

/** True if the first answer holds a call up less than the second. */
export function isMilder(a: Decision['answer'], b: Decision['answer']): boolean {
  return rank(a) > rank(b);
}
