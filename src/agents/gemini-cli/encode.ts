import type { ToolCall } from '../../model/tool-call.ts';
import { type Output, partOf, SILENT, type Verdict } from '../agent.ts';

/** Without a terminal a question hangs Gemini CLI until it is killed, so none is asked. */
export function canAsk(): boolean {
  return false;
}

/**
 * A deny is exit code 2 with a reason on standard error and nothing on standard output: JSON there would decide
 * whatever the exit code, and with no output at all the call runs.
 */
export function encode(verdict: Verdict, call: ToolCall): Output {
  if (partOf(call.event) === 'gate' && verdict.answer !== 'allow')
    return { stdout: '', stderr: `${verdict.reason || 'denied by gov'}\n`, exitCode: 2 };
  if (call.rawEvent === 'AfterTool' && verdict.context !== '')
    return {
      stdout: JSON.stringify({
        hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: verdict.context },
      }),
      stderr: verdict.notice === '' ? '' : `${verdict.notice}\n`,
      exitCode: 0,
    };
  return verdict.notice === '' ? SILENT : { stdout: '', stderr: `${verdict.notice}\n`, exitCode: 0 };
}
