/** Our canonical names of what an agent's tool does, whatever the agent calls it. */
export const TOOL_NAMES = ['shell', 'read', 'write', 'edit', 'search', 'fetch', 'mcp', 'task', 'other'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** Our canonical event names (those of Claude Code, which most agents copied). `Other`: an event gov has no name for. */
export const EVENT_NAMES = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PreSkillShellCommand',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'ConfigChange',
  'SessionStart',
  'SessionEnd',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'Other',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** What an agent is about to do or has done, decoded from its own protocol. Everything in it is untrusted. */
export interface ToolCall {
  readonly agent: string;
  readonly agentVersion: string | null;
  readonly event: EventName;
  /** The agent's own event name. */
  readonly rawEvent: string;
  readonly session: string;
  /** The agent's id of the call (`tool_use_id`), which joins a PostToolUse to its PreToolUse. */
  readonly callId: string | null;
  readonly tool: ToolName;
  /** The agent's own tool name, e.g. `Bash`. */
  readonly rawTool: string;
  readonly mcp: { readonly server: string; readonly tool: string } | null;
  readonly input: Readonly<Record<string, unknown>>;
  /** Absolute directory in which the call runs. */
  readonly cwd: string;
  readonly subagent: { readonly id: string; readonly type: string | null } | null;
  readonly permissionMode: string | null;
  readonly transcript: string | null;
  /** Post events only. */
  readonly result: ToolResult | null;
  /** The events' other fields that are worth a record (prompt, source, reason, file_path …). */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface ToolResult {
  readonly text: string;
  readonly exitCode: number | null;
  readonly failed: boolean;
  readonly interrupted: boolean;
  readonly durationMs: number | null;
}
