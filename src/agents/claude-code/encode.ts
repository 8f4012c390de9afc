import type { ToolCall } from '../../model/tool-call.ts';
import { type Output, partOf, SILENT, type Verdict } from '../agent.ts';

/**
 * PreToolUse can ask (Cursor accepts the word there and ignores it); at a PermissionRequest the user is being asked
 * already. PreSkillShellCommand and ConfigChange know only exit code 2.
 */
export function canAsk(call: ToolCall): boolean {
  return call.event === 'PermissionRequest' || (call.event === 'PreToolUse' && call.agent !== 'cursor');
}

/** Since 2.1 the client takes another output of Bash, in the shape of its own; not of a call that failed. */
export function canRedact(call: ToolCall): boolean {
  return call.agent === 'claude-code' && call.event === 'PostToolUse' && call.rawTool === 'Bash';
}

/** The verdict in the caller's own form. A pure allow is silence. */
export function encode(verdict: Verdict, call: ToolCall): Output {
  if (partOf(call.event) === 'outcome') return after(verdict, call);
  if (partOf(call.event) !== 'gate') return told(verdict);
  if (verdict.answer === 'allow') return allowed(verdict, call);
  if (call.agent === 'copilot-cli') return forCopilot(verdict, call);
  if (call.agent === 'cursor') return blocked(verdict.reason);
  switch (call.event) {
    case 'PermissionRequest':
      return forPermissionRequest(verdict);
    case 'PreToolUse':
      return verdict.answer === 'ask' ? asking(verdict) : blocked(verdict.reason);
    default:
      return blocked(verdict.reason);
  }
}

/**
 * Exit code 2 with the reason on standard error and nothing on standard output: with it, versions before 2.1.295 run
 * the call if standard output holds JSON of another shape.
 */
function blocked(reason: string): Output {
  return { stdout: '', stderr: line(reason), exitCode: 2 };
}

/** The user is asked, with the reason; a run without a user is refused. Only JSON can say it. */
function asking(verdict: Verdict): Output {
  return json({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'ask',
      permissionDecisionReason: verdict.reason,
    },
  });
}

/** Exit code 2 is not honoured here; a deny needs JSON. The user is being asked already, so an ask is silence. */
function forPermissionRequest(verdict: Verdict): Output {
  if (verdict.answer === 'ask') return SILENT;
  const decision = { behavior: 'deny', message: verdict.reason };
  return json({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
}

/** What rules want the model to know goes as context: no `permissionDecision`, so the user's own prompts stay. */
function allowed(verdict: Verdict, call: ToolCall): Output {
  if (call.event !== 'PreToolUse' || call.agent === 'copilot-cli' || call.agent === 'cursor') return told(verdict);
  if (verdict.context === '') return told(verdict);
  return {
    stdout: JSON.stringify({
      ...(verdict.notice === '' ? {} : { systemMessage: verdict.notice }),
      hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: verdict.context },
    }),
    stderr: line(verdict.notice),
    exitCode: 0,
  };
}

/**
 * Events that gov records only. Exit code 2 would erase the user's prompt (UserPromptSubmit), make the agent go on
 * for ever (Stop, SubagentStop) or talk to the model of gov's own faults (PostToolUse): people are told instead.
 */
function told(verdict: Verdict): Output {
  if (verdict.notice === '') return SILENT;
  return { stdout: JSON.stringify({ systemMessage: verdict.notice }), stderr: line(verdict.notice), exitCode: 0 };
}

/** What rules say of a call that has been made: context for the model, and for Bash another output. */
function after(verdict: Verdict, call: ToolCall): Output {
  if (call.agent !== 'claude-code' || (verdict.context === '' && verdict.output === undefined)) return told(verdict);
  const { output } = verdict;
  return {
    stdout: JSON.stringify({
      ...(verdict.notice === '' ? {} : { systemMessage: verdict.notice }),
      hookSpecificOutput: {
        hookEventName: call.rawEvent,
        ...(verdict.context === '' ? {} : { additionalContext: verdict.context }),
        ...(output === undefined ? {} : { updatedToolOutput: { stdout: output, stderr: '', interrupted: false } }),
      },
    }),
    stderr: line(verdict.notice),
    exitCode: 0,
  };
}

/** Copilot CLI blocks on exit code 2 but shows the model only what stands on standard output. */
function forCopilot(verdict: Verdict, call: ToolCall): Output {
  if (call.event === 'PermissionRequest')
    return verdict.answer === 'ask' ? SILENT : json({ behavior: 'deny', message: verdict.reason });
  const ask = verdict.answer === 'ask' && call.event === 'PreToolUse';
  const decision = ask ? 'ask' : 'deny';
  return {
    stdout: JSON.stringify({ permissionDecision: decision, permissionDecisionReason: verdict.reason }),
    stderr: ask ? '' : line(verdict.reason),
    exitCode: ask ? 0 : 2,
  };
}

function json(value: unknown): Output {
  return { stdout: JSON.stringify(value), stderr: '', exitCode: 0 };
}

function line(text: string): string {
  return text === '' ? '' : `${text}\n`;
}
