import type { Env } from '../agent.ts';
import { type Fields, own, textField } from '../fields.ts';

/** Agents that read Claude Code's settings files and so call its hooks, each with payloads and answers of its own. */
export type Caller = 'claude-code' | 'copilot-cli' | 'cursor' | 'vscode' | 'devin';

/**
 * Who really calls a hook that was registered for Claude Code. The payload decides first: an environment is inherited,
 * so an agent started from another agent's shell carries the markers of both.
 */
export function callerOf(payload: Fields, env: Env): Caller {
  if (own(payload, 'cursor_version') !== undefined || own(payload, 'conversation_id') !== undefined) return 'cursor';
  if (own(payload, 'hookEventName') !== undefined) return 'vscode';
  // Claude Code names its own session and transcript in every payload and gives no time; Copilot the reverse.
  const hasOwnMarks = textField(payload, 'transcript_path') !== null || textField(payload, 'prompt_id') !== null;
  if (env['COPILOT_CLI'] && !hasOwnMarks && own(payload, 'timestamp') !== undefined) return 'copilot-cli';
  if (textField(payload, 'tool_name') === 'exec') return 'devin';
  return 'claude-code';
}

/** The client's version as its hook environment tells it: `AI_AGENT=claude-code_2-1-332_harness`, `COPILOT_CLI_BINARY_VERSION`, `CURSOR_VERSION`. */
export function versionOf(caller: Caller, env: Env, payload: Fields): string | null {
  if (caller === 'copilot-cli') return env['COPILOT_CLI_BINARY_VERSION'] ?? null;
  if (caller === 'cursor') return textField(payload, 'cursor_version') ?? env['CURSOR_VERSION'] ?? null;
  if (caller !== 'claude-code') return null;
  const match = /^claude-code_(\d+)-(\d+)-(\d+)(?:_|$)/.exec(env['AI_AGENT'] ?? '');
  return match ? `${match[1]}.${match[2]}.${match[3]}` : null;
}
