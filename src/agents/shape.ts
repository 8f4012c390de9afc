import { resolve } from 'node:path';
import type { EventName, ToolCall, ToolResult } from '../model/tool-call.ts';
import { type Decoded, type Env, partOf } from './agent.ts';
import { aliased, type Fields, fieldsOf, numberField, own, textField, textOfResponse, without } from './fields.ts';
import { canonicalInput, lacking, toolNamed } from './tools.ts';

/** How one agent's payloads differ from the shape that most agents copied from Claude Code. */
export interface Dialect {
  /** Who sends this payload. */
  caller(fields: Fields, env: Env): { readonly agent: string; readonly version: string | null };
  /** Our name of the agent's event. */
  event(rawEvent: string): EventName;
  /** Other spellings of the common fields: ours and the agent's. The first that is there holds. */
  readonly aliases: readonly (readonly [ours: string, theirs: string])[];
  /** Which name holds if a tool's input has both ours and the agent's own. */
  prefer(agent: string): 'name' | 'alias';
  /** Server and tool behind a raw tool name; null: not a tool of an MCP server. */
  mcp(rawTool: string, fields: Fields): ToolCall['mcp'];
  /** Fields of a shell tool's input that name the directory it runs in. */
  readonly directory: readonly string[];
}

const TOOL_EVENTS: ReadonlySet<EventName> = new Set<EventName>([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PreSkillShellCommand',
]);

/** Fields that have a place of their own in a ToolCall; the others go to `detail`. */
const PLACED: ReadonlySet<string> = new Set([
  'session_id',
  'sessionId',
  'conversation_id',
  'transcript_path',
  'cwd',
  'permission_mode',
  'hook_event_name',
  'hookEventName',
  'hookName',
  'toolName',
  'toolInput',
  'tool_name',
  'tool_input',
  'tool_use_id',
  'tool_response',
  'tool_result',
  'tool_output',
  'agent_id',
  'agent_type',
  'effort',
  'error',
  'is_interrupt',
  'duration_ms',
  'timestamp',
]);

/** One hook payload in gov's words. Never throws. */
export function decodeAs(dialect: Dialect, payload: unknown, env: Env): Decoded {
  const given = fieldsOf(payload);
  if (!given) return problem('the payload is not a JSON object');
  const fields = dialect.aliases.reduce((all, [ours, theirs]) => aliased(all, { [ours]: theirs }, 'name'), given);
  const rawEvent = textField(fields, 'hook_event_name');
  if (rawEvent === null) return problem('the payload has no text `hook_event_name`');
  const session = textField(fields, 'session_id');
  if (session === null) return problem('the payload has no text `session_id`');
  const cwd = directoryOf(fields, env);
  if (cwd === null) return problem('the payload has no absolute `cwd`');

  const { agent, version } = dialect.caller(given, env);
  const event = dialect.event(rawEvent);
  const tool = TOOL_EVENTS.has(event) ? toolOf(fields, dialect, agent, partOf(event) === 'gate') : NO_TOOL;
  if (typeof tool === 'string') return problem(tool);
  const subagent = textField(fields, 'agent_id');
  const call: ToolCall = {
    agent,
    agentVersion: version,
    event,
    rawEvent,
    session,
    callId: textField(fields, 'tool_use_id'),
    ...tool,
    cwd: tool.tool === 'shell' ? resolve(cwd, textField(tool.input, ...dialect.directory) ?? '') : cwd,
    subagent: subagent === null ? null : { id: subagent, type: textField(fields, 'agent_type') },
    permissionMode: textField(fields, 'permission_mode'),
    transcript: textField(fields, 'transcript_path'),
    result: partOf(event) === 'outcome' ? resultOf(event, fields, tool.rawTool) : null,
    detail: without(fields, PLACED),
  };
  return { ok: true, call };
}

type Tool = Pick<ToolCall, 'tool' | 'rawTool' | 'mcp' | 'input'>;
const NO_TOOL: Tool = { tool: 'other', rawTool: '', mcp: null, input: {} };

/** The call's tool, or what is wrong with it. An outcome is recorded even if its input is odd: the call has been made. */
function toolOf(fields: Fields, dialect: Dialect, agent: string, strict: boolean): Tool | string {
  const rawTool = textField(fields, 'tool_name');
  if (!rawTool) return 'the payload has no text `tool_name`';
  const given = fieldsOf(own(fields, 'tool_input'));
  if (!given) return 'the payload has no object `tool_input`';
  const mcp = dialect.mcp(rawTool, fields);
  const tool = mcp ? 'mcp' : toolNamed(rawTool, given);
  const input = canonicalInput(tool, given, dialect.prefer(agent));
  return (strict && lacking(tool, rawTool, input)) || { tool, rawTool, mcp, input };
}

/** The two names in `mcp__<server>__<tool>`, or null. The server's own name may hold `__` too, then `mcp_server.name` tells where it ends. */
export function mcpOf(rawTool: string, fields: Fields): ToolCall['mcp'] {
  if (!rawTool.startsWith('mcp__')) return null;
  const rest = rawTool.slice('mcp__'.length);
  const named = textField(fieldsOf(own(fields, 'mcp_server')) ?? {}, 'name');
  const prefix = named === null ? null : `${named.replace(/[^\w-]/g, '_')}__`;
  if (named !== null && prefix !== null && rest.startsWith(prefix))
    return { server: named, tool: rest.slice(prefix.length) };
  const cut = rest.indexOf('__');
  return cut < 0 ? { server: rest, tool: '' } : { server: rest.slice(0, cut), tool: rest.slice(cut + 2) };
}

function resultOf(event: EventName, fields: Fields, rawTool: string): ToolResult {
  const error = textField(fields, 'error', 'error_message');
  const failed = event === 'PostToolUseFailure';
  const response = own(fields, 'tool_response') ?? own(fields, 'tool_result') ?? own(fields, 'tool_output');
  const shape = fieldsOf(response);
  return {
    text: failed && error !== null ? error : textOfResponse(response),
    exitCode: exitCodeOf(failed, error ?? '', shape, rawTool),
    failed,
    interrupted: own(fields, 'is_interrupt') === true || (shape !== null && own(shape, 'interrupted') === true),
    durationMs: numberField(fields, 'duration_ms') ?? numberField(fields, 'duration'),
  };
}

/** Bash fires PostToolUse only for status 0, and PostToolUseFailure with the text `Exit code N` otherwise; a command sent to the background has no status yet. */
function exitCodeOf(failed: boolean, error: string, response: Fields | null, rawTool: string): number | null {
  if (rawTool !== 'Bash' && rawTool !== 'PowerShell') return null;
  if (failed) {
    const match = /^Exit code (\d{1,3})\b/.exec(error);
    return match ? Number(match[1]) : null;
  }
  if (!response || own(response, 'backgroundTaskId') !== undefined || own(response, 'interrupted') === true)
    return null;
  return textField(response, 'stdout') === null ? null : 0;
}

/** Cursor starts user hooks in its own directory and names the workspace instead. */
function directoryOf(fields: Fields, env: Env): string | null {
  const roots = own(fields, 'workspace_roots');
  const root = Array.isArray(roots) && typeof roots[0] === 'string' ? roots[0] : null;
  const dir = textField(fields, 'cwd') || root || (fields['cwd'] === undefined ? env['CLAUDE_PROJECT_DIR'] : null);
  return dir?.startsWith('/') ? dir : null;
}

function problem(text: string): Decoded {
  return { ok: false, problem: text };
}
