import { visible } from '../base/escape.ts';
import type { Stop } from '../grants/stop.ts';
import type { Decision } from '../model/decision.ts';

/** The decision of a person who stopped everything. Its rule is no rule of a pack: nothing lifts it but `gov resume`. */
export function stopDecision(stop: Stop): Decision {
  const whom = stop.session === '' ? 'all agents on this machine' : 'this session';
  const who = stop.by === '' ? 'a person' : stop.by;
  const when = stop.at === null ? '' : ` at ${new Date(stop.at).toISOString().slice(0, 19)}Z`;
  const reason = visible(`${who} stopped ${whom}${when}${stop.reason === '' ? '' : `: ${stop.reason}`}`);
  return { answer: 'deny', effect: 'halt', rule: 'gov.stopped', reason, rules: [], trace: [], policy: '' };
}

/** What the agent is told: no other call will pass either, so there is nothing to try. */
export function stopText(decision: Decision, ref: string): string {
  return [
    `stopped by gov.stopped: ${decision.reason}`,
    'try: stop here and wait; every call is blocked until the person runs `gov resume`; tell them how far you are',
    `ref: ${ref}`,
  ].join('\n');
}
