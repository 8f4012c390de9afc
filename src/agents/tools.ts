import type { ToolName } from '../model/tool-call.ts';
import { aliased, type Fields, textField } from './fields.ts';

/**
 * What a tool is, by its raw name. Names of several agents share one table: some agents read another agent's
 * settings and call the hook with their own names.
 */
const TOOLS: ReadonlyMap<string, ToolName> = new Map<string, ToolName>([
  // Claude Code (sdk-tools.d.ts); Monitor runs a shell command too.
  ['Bash', 'shell'],
  ['PowerShell', 'shell'],
  ['Monitor', 'shell'],
  ['Read', 'read'],
  ['NotebookRead', 'read'],
  ['Write', 'write'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Grep', 'search'],
  ['Glob', 'search'],
  ['LS', 'search'],
  ['WebFetch', 'fetch'],
  ['WebSearch', 'fetch'],
  ['Agent', 'task'],
  ['Task', 'task'],
  // Codex
  ['apply_patch', 'edit'],
  ['view_image', 'read'],
  ['spawn_agent', 'task'],
  ['exec_command', 'shell'],
  ['local_shell', 'shell'],
  ['shell', 'shell'],
  // Gemini CLI, Qwen Code
  ['run_shell_command', 'shell'],
  ['read_file', 'read'],
  ['write_file', 'write'],
  ['replace', 'edit'],
  ['edit', 'edit'],
  ['notebook_edit', 'edit'],
  ['list_directory', 'search'],
  ['glob', 'search'],
  ['grep_search', 'search'],
  ['search_file_content', 'search'],
  ['read_many_files', 'search'],
  ['web_fetch', 'fetch'],
  ['google_web_search', 'fetch'],
  ['invoke_agent', 'task'],
  ['agent', 'task'],
  // Copilot CLI, Cursor, VS Code, Devin
  ['bash', 'shell'],
  ['powershell', 'shell'],
  ['Shell', 'shell'],
  ['exec', 'shell'],
  ['runTerminalCommand', 'shell'],
  ['run_in_terminal', 'shell'],
  ['view', 'read'],
  ['create', 'write'],
  ['createFile', 'write'],
  ['create_file', 'write'],
  ['replace_string_in_file', 'edit'],
  ['grep', 'search'],
  ['task', 'task'],
]);

const EDITOR_COMMANDS: ReadonlyMap<string, ToolName> = new Map<string, ToolName>([
  ['view', 'read'],
  ['create', 'write'],
  ['str_replace', 'edit'],
  ['insert', 'edit'],
  ['undo_edit', 'edit'],
]);

/** Our word for an agent's tool. A tool that is not known but takes a command is taken for a shell: new ones keep appearing. */
export function toolNamed(rawTool: string, input: Fields): ToolName {
  if (/^mcp__/.test(rawTool)) return 'mcp';
  const known = TOOLS.get(rawTool);
  if (known) return known;
  // Anthropic's text editor tool says in `command` what it does to `path`.
  if (/^str_replace_|text_editor/.test(rawTool))
    return EDITOR_COMMANDS.get(textField(input, 'command') ?? '') ?? 'other';
  return textField(input, 'command', 'command_line') === null ? 'other' : 'shell';
}

/** The field names of canonical tool inputs, and what agents call them otherwise. */
const ALIASES: Readonly<Partial<Record<ToolName, readonly Readonly<Record<string, string>>[]>>> = {
  shell: [{ command: 'command_line' }, { command: 'cmd' }],
  read: [
    { file_path: 'path' },
    { file_path: 'notebook_path' },
    { file_path: 'filePath' },
    { file_path: 'absolute_path' },
  ],
  write: [
    { file_path: 'path', content: 'file_text' },
    { file_path: 'filePath', content: 'contents' },
  ],
  edit: [
    { file_path: 'notebook_path', new_string: 'new_source' },
    { file_path: 'path', old_string: 'old_str', new_string: 'new_str' },
    { file_path: 'filePath', old_string: 'oldString', new_string: 'newString' },
  ],
  search: [{ path: 'dir_path' }, { path: 'target_directory' }],
};

/**
 * A tool's input under canonical field names (`command`; `file_path`, `content`, `old_string`, `new_string`; `path`,
 * `pattern`; `url`), all original fields kept. `prefer` says which name the agent itself goes by.
 */
export function canonicalInput(tool: ToolName, input: Fields, prefer: 'name' | 'alias' = 'name'): Fields {
  return (ALIASES[tool] ?? []).reduce((fields, names) => aliased(fields, names, prefer), input);
}

/** Fields a decision can't do without, per tool; one of each group must be a text. */
const NEEDED: Readonly<Partial<Record<ToolName, readonly (readonly string[])[]>>> = {
  shell: [['command']],
  read: [['file_path']],
  write: [['file_path'], ['content']],
  edit: [['file_path']],
  fetch: [['url', 'query', 'prompt']],
};

/** One sentence on what the canonical input lacks, or null. */
export function lacking(tool: ToolName, rawTool: string, input: Fields): string | null {
  // Monitor watches a socket instead of a command's output if it is given `ws`.
  if (rawTool === 'Monitor' && textField(input, 'command') === null && Object.hasOwn(input, 'ws')) return null;
  // A patch names its files in its text, not in a field.
  if (rawTool === 'apply_patch') return textField(input, 'command', 'input') === null ? lack(rawTool, 'command') : null;
  for (const group of NEEDED[tool] ?? [])
    if (textField(input, ...group) === null) return lack(rawTool, group.join('` or `'));
  return null;
}

function lack(rawTool: string, field: string): string {
  return `the input of \`${rawTool}\` has no text \`${field}\``;
}
