import { messageOf } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import type { Decision } from '../model/decision.ts';

/** Codes of decisions that no rule took: gov itself could not do its work. Stable; they stand in records and messages. */
const FAULTS = {
  'gov.bad-payload': 'the hook got a payload that it does not understand',
  'gov.no-policy': "the policy can't be read",
  'gov.no-daemon': 'the daemon is required here, and none answered',
  'gov.deadline': 'the analysis took too long',
  'gov.fault': 'gov met an internal fault',
  'gov.only-spooled':
    "the audit database can't be written, and the policy lets no call pass without it; the record waits in the spool",
  'gov.not-recorded': "the decision can't be recorded",
} as const;

export type FaultCode = keyof typeof FAULTS;

/** The decision to deny because of a fault. */
export function faultDecision(code: FaultCode, detail: string, policy: string): Decision {
  const reason = detail === '' ? FAULTS[code] : `${FAULTS[code]}: ${detail}`;
  return { answer: 'deny', effect: 'deny', rule: code, reason, rules: [], trace: [], policy };
}

/** The code of a decision that was taken because of a fault, or null. */
export function faultCodeOf(decision: Decision): FaultCode | null {
  return decision.rule !== null && Object.hasOwn(FAULTS, decision.rule) ? (decision.rule as FaultCode) : null;
}

/** What an agent is told about a fault: it is not the call's doing, and trying another way won't help. */
export function faultText(reason: string, code: FaultCode, asks = false): string {
  const verb = asks ? 'needs approval' : 'denied';
  return `${verb} by ${code}: ${reason}\ntry: this is no fault of the call; tell the person to run \`gov doctor\``;
}

/** What was thrown, as one line that fits into a message. */
export function oneLine(error: unknown): string {
  const text = visible(typeof error === 'string' ? error : messageOf(error));
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}
