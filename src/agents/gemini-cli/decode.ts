import type { EventName, ToolCall } from '../../model/tool-call.ts';
import type { Decoded, Env } from '../agent.ts';
import { type Fields, fieldsOf, own, textField } from '../fields.ts';
import { type Dialect, decodeAs } from '../shape.ts';

/** Gemini CLI 0.61 (docs/hooks/reference.md in its package). */
const EVENTS: ReadonlyMap<string, EventName> = new Map<string, EventName>([
  ['BeforeTool', 'PreToolUse'],
  ['AfterTool', 'PostToolUse'],
  ['BeforeAgent', 'UserPromptSubmit'],
  ['AfterAgent', 'Stop'],
  ['SessionStart', 'SessionStart'],
  ['SessionEnd', 'SessionEnd'],
]);

const DIALECT: Dialect = {
  caller: () => ({ agent: 'gemini-cli', version: null }),
  event: (raw) => EVENTS.get(raw) ?? 'Other',
  aliases: [],
  prefer: () => 'name',
  mcp: mcpOf,
  directory: ['dir_path'],
};

/** `mcp_<server>_<tool>` can't be split by itself; `mcp_context` names both. */
function mcpOf(rawTool: string, fields: Fields): ToolCall['mcp'] {
  const context = fieldsOf(own(fields, 'mcp_context'));
  if (!context && !rawTool.startsWith('mcp_')) return null;
  const rest = rawTool.replace(/^mcp_/, '');
  const server = context && textField(context, 'server_name');
  const tool = context && textField(context, 'tool_name');
  return { server: server ?? rest.split('_')[0] ?? '', tool: tool ?? rest };
}

/** One hook payload of Gemini CLI in gov's words. */
export function decode(payload: unknown, env: Env): Decoded {
  return decodeAs(DIALECT, payload, env);
}
