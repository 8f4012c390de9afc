import type { EventName } from '../../model/tool-call.ts';
import type { Decoded, Env } from '../agent.ts';
import { type Dialect, decodeAs, mcpOf } from '../shape.ts';

/** Codex 0.171 (`codex app-server generate-json-schema`): names as in Claude Code, fewer of them. */
const EVENTS: ReadonlySet<string> = new Set<EventName>([
  'PreToolUse',
  'PostToolUse',
  'PermissionRequest',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'SubagentStart',
  'SubagentStop',
  'Stop',
]);

const DIALECT: Dialect = {
  // The hook's environment holds no version; the payload names the model only.
  caller: () => ({ agent: 'codex', version: null }),
  event: (raw) => (EVENTS.has(raw) ? (raw as EventName) : 'Other'),
  aliases: [],
  prefer: () => 'name',
  mcp: mcpOf,
  // `cwd` is the directory of the very call already.
  directory: [],
};

/** One hook payload of Codex in gov's words. */
export function decode(payload: unknown, env: Env): Decoded {
  return decodeAs(DIALECT, payload, env);
}
