import { visible } from '../base/escape.ts';
import type { Decision, RuleHit } from '../model/decision.ts';

const VERB = { halt: 'stopped', deny: 'denied', ask: 'needs approval', allow: 'allowed' } as const;

/**
 * What the agent (and the person who reads along) is told: which rule, what, why, what to do instead, and the id
 * by which a person finds the record. Always about this call, never about the tool.
 */
export function agentMessage(decision: Decision, ref: string): string {
  const hit = decidingHit(decision);
  const lines: string[] = [];
  if (hit) {
    lines.push(`${VERB[decision.answer]} by ${hit.pack ? `${hit.pack}/` : ''}${hit.id}: ${hit.message}`);
    if (hit.subject) lines.push(`why: ${hit.subject}`);
    const attempt = hit.suggest || hit.remediation;
    if (attempt) lines.push(`try: ${visible(attempt)}`);
  } else {
    lines.push(`${VERB[decision.answer]}: ${decision.reason}`);
  }
  if (ref) lines.push(`ref: ${ref}`);
  return lines.join('\n');
}

/** The hit of the rule that decided, or null. */
function decidingHit(decision: Decision): RuleHit | null {
  return (
    decision.rules.find(
      (h) => h.id === decision.rule && h.effect === decision.effect && h.enforced && h.lifted_by === '',
    ) ?? null
  );
}
