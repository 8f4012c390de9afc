import { visible } from '../base/escape.ts';
import { LIMITS } from '../base/limits.ts';
import type { Decision } from '../model/decision.ts';

/**
 * What rules with effect `warn` or `context`, and people who allowed the call (`notes`), want the model to know beside
 * an allow, one line each; '' if nothing.
 */
export function contextFor(decision: Decision, notes: readonly string[] = []): string {
  const said = decision.rules
    .filter((hit) => hit.enforced && (hit.effect === 'warn' || hit.effect === 'context'))
    .map((hit) => [hit.message, hit.suggest || hit.remediation].filter((text) => text !== '').join(' '));
  return [...notes, ...said].map(clip).join('\n');
}

function clip(text: string): string {
  return visible(text.length > LIMITS.messageChars ? `${text.slice(0, LIMITS.messageChars - 1)}…` : text);
}
