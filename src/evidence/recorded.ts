import type { AskedEvidence } from '../model/decision.ts';
import type { EvidenceAsk } from '../policy/scope.ts';

/**
 * The answers that a record holds, so that its decision can be taken again without a look at the machine. What was not
 * asked then is answered by `otherwise`; without it, it is not known.
 */
export function recordedEvidence(
  asked: readonly AskedEvidence[],
  otherwise: (ask: EvidenceAsk) => boolean | null = () => null,
): (ask: EvidenceAsk) => boolean | null {
  return (ask) => {
    const found = asked.find((one) => one.kind === ask.kind && one.key === ask.key);
    return found ? found.holds : otherwise(ask);
  };
}
