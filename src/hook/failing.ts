import { type Decision, EFFECTS } from '../model/decision.ts';
import type { CompiledPolicy } from '../model/policy.ts';
import { type FaultCode, faultDecision } from './faults.ts';

const CODE: FaultCode = 'gov.only-spooled';

/**
 * The decision as it is while its record can only be put into the spool: what would pass is asked about or denied, if
 * the policy says so (`defaults.audit.on_failure`). `reachable` makes a deny of a question that reaches nobody.
 */
export function whileFailing(
  decision: Decision,
  policy: CompiledPolicy | null,
  reachable: (decision: Decision) => Decision,
): Decision {
  const effect = policy?.auditFailure;
  if (!effect || EFFECTS.indexOf(decision.answer) <= EFFECTS.indexOf(effect)) return decision;
  const fault = faultDecision(CODE, '', decision.policy);
  // What rules said stays in the record.
  const { rules, trace, session, evidence, marks } = decision;
  return reachable({
    ...fault,
    answer: effect,
    effect,
    rules,
    trace,
    ...(session ? { session } : {}),
    ...(evidence ? { evidence } : {}),
    ...(marks ? { marks } : {}),
  });
}
