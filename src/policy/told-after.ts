import { visible } from '../base/escape.ts';
import { LIMITS } from '../base/limits.ts';
import type { Decision, RuleEffect, RuleHit } from '../model/decision.ts';
import { redactText } from '../redact/redact.ts';

/** What a hook says of a call that has been made. */
export interface ToldAfter {
  /** For the model; '' if nothing. */
  readonly context: string;
  /** What the model is to see instead of the tool's output; null: the output as it is. */
  readonly output: string | null;
  /** The output should be replaced, and the agent does not let a hook do that. */
  readonly stuck: boolean;
}

/** What a decision about an outcome makes of it; `redacts`: the agent lets a hook replace what the model sees. */
export function toldAfter(decision: Decision, text: string, redacts: boolean): ToldAfter {
  const hits = decision.rules.filter((hit) => hit.enforced && hit.lifted_by === '' && hit.effect !== 'allow');
  const replaces = hits.some((hit) => hit.effect === 'redact');
  return {
    context: [...new Set(hits.map(lineOf))].join('\n'),
    output: replaces && redacts ? redactText(text) : null,
    stuck: replaces && !redacts,
  };
}

/** What an agent can be made to do after a call; rules fall back from the rest. */
export function abilityAfter(redacts: boolean): (effect: RuleEffect) => boolean {
  return (effect) => effect !== 'modify' && (effect !== 'redact' || redacts);
}

function lineOf(hit: RuleHit): string {
  const text = [hit.message, hit.suggest || hit.remediation].filter((part) => part !== '').join(' ');
  return visible(text.length > LIMITS.messageChars ? `${text.slice(0, LIMITS.messageChars - 1)}…` : text);
}
