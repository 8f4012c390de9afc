import type { ToolCall } from '../../model/tool-call.ts';
import { type Output, partOf, SILENT, type Verdict } from '../agent.ts';

/** Codex runs a call that a hook wants to ask about: there is no question, only yes or no. */
export function canAsk(call: ToolCall): boolean {
  return call.event === 'PermissionRequest';
}

/**
 * A deny is exit code 2 with a reason on standard error: with an empty one, or with JSON that has one field too many,
 * Codex runs the call. PermissionRequest honours the same. Everything else is silence, or a word for people.
 */
export function encode(verdict: Verdict, call: ToolCall): Output {
  const held = verdict.answer === 'deny' || verdict.answer === 'halt';
  if (partOf(call.event) === 'gate' && held)
    return { stdout: '', stderr: `${verdict.reason || 'denied by gov'}\n`, exitCode: 2 };
  return verdict.notice === '' ? SILENT : { stdout: '', stderr: `${verdict.notice}\n`, exitCode: 0 };
}
