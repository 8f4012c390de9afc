import { visible } from '../base/escape.ts';
import { codeOf } from '../base/ids.ts';
import type { Decision, RuleHit } from '../model/decision.ts';
import { liftableHits } from './lift.ts';
import { oneLine } from './wording.ts';

const VERB = { halt: 'stopped', deny: 'denied', ask: 'needs approval', allow: 'allowed' } as const;

/**
 * What the agent (and the person who reads along) is told: which rule, what, why, what to do instead, and the id
 * by which a person finds the record, or allows it where that can be done. Always about this call, never the tool.
 * `notes`: what a person said about it, one line each.
 */
export function agentMessage(decision: Decision, ref: string, notes: readonly string[] = []): string {
  const hit = decidingHit(decision);
  const lines: string[] = [];
  if (hit) {
    lines.push(`${VERB[decision.answer]} by ${hit.pack ? `${hit.pack}/` : ''}${hit.id}: ${hit.message}`);
    const why = whyOf(hit);
    if (why) lines.push(`why: ${why}`);
    const attempt = hit.suggest || hit.remediation;
    if (attempt) lines.push(`try: ${visible(attempt)}`);
  } else {
    lines.push(`${VERB[decision.answer]}: ${decision.reason}`);
  }
  lines.push(...notes.map(oneLine));
  if (ref && liftableHits(decision).length > 0) lines.push(`a person can allow it: gov elevate approve ${codeOf(ref)}`);
  if (ref) lines.push(`ref: ${ref}`);
  return lines.join('\n');
}

/** Why the rule exists, and what it found unless its message has said so. */
function whyOf(hit: RuleHit): string {
  const title = hit.title === hit.message ? '' : (hit.title ?? '');
  // The kind of an effect is a word of the rule language; `delete /etc/x` is for people.
  const found = hit.subject.replace(/^[a-z]+(?:-[a-z]+)+ /, '');
  const name = found.replace(/^[a-z]+ /, '');
  const said = name === '…' || /^\w*$/.test(found) || hit.message.includes(name);
  return oneLine([title, said ? '' : found].filter((text) => text !== '').join(': '));
}

/** The hit of the rule that decided, or null. */
function decidingHit(decision: Decision): RuleHit | null {
  return (
    decision.rules.find(
      (h) => h.id === decision.rule && h.effect === decision.effect && h.enforced && h.lifted_by === '',
    ) ?? null
  );
}
