import { visible } from '../base/escape.ts';
import { LIMITS } from '../base/limits.ts';
import type { Decision } from '../model/decision.ts';

/** What rules with effect `warn` or `context` want the model to know beside an allow, one line a rule; '' if nothing. */
export function contextFor(decision: Decision): string {
  return decision.rules
    .filter((hit) => hit.enforced && (hit.effect === 'warn' || hit.effect === 'context'))
    .map((hit) => clip([hit.message, hit.suggest || hit.remediation].filter((text) => text !== '').join(' ')))
    .join('\n');
}

function clip(text: string): string {
  return visible(text.length > LIMITS.messageChars ? `${text.slice(0, LIMITS.messageChars - 1)}…` : text);
}
