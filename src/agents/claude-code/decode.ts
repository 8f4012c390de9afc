import { EVENT_NAMES, type EventName } from '../../model/tool-call.ts';
import type { Decoded, Env } from '../agent.ts';
import { type Dialect, decodeAs, mcpOf } from '../shape.ts';
import { callerOf, versionOf } from './callers.ts';

/** Event names are Claude Code's own; those that gov does not register for come as `Other`. */
const EVENTS: ReadonlySet<string> = new Set<EventName>(EVENT_NAMES);

/** The canonical event of that name. */
function eventNamed(raw: string): EventName {
  const name = raw.charAt(0).toUpperCase() + raw.slice(1);
  return EVENTS.has(name) ? (name as EventName) : 'Other';
}

const DIALECT: Dialect = {
  caller(fields, env) {
    const agent = callerOf(fields, env);
    return { agent, version: versionOf(agent, env, fields) };
  },
  event: eventNamed,
  // VS Code mixes both spellings, and Copilot CLI sends PermissionRequest in its own.
  aliases: [
    ['tool_name', 'toolName'],
    ['tool_input', 'toolInput'],
    ['session_id', 'sessionId'],
    ['session_id', 'conversation_id'],
    ['hook_event_name', 'hookEventName'],
    ['hook_event_name', 'hookName'],
  ],
  prefer: (agent) => (agent === 'claude-code' ? 'name' : 'alias'),
  mcp: mcpOf,
  // A field that the client does not know must not move the place at which a call is judged.
  directory: [],
};

/** One hook payload of Claude Code, or of an agent that reads its settings, in gov's words. */
export function decode(payload: unknown, env: Env): Decoded {
  return decodeAs(DIALECT, payload, env);
}
