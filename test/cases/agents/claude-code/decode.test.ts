import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decode } from '../../../../src/agents/claude-code/decode.ts';

const HERE = import.meta.dirname;
const ENV = { AI_AGENT: 'claude-code_2-1-332_harness', CLAUDECODE: '1' };
const COPILOT_ENV = { COPILOT_CLI: '1', COPILOT_CLI_BINARY_VERSION: '1.0.102' };

function payloads(dir: string): string[] {
  return readdirSync(join(HERE, 'payloads', dir)).filter((name) => name.endsWith('.json'));
}
const payload = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(HERE, 'payloads', file), 'utf8'));
const call = (file: string): unknown => JSON.parse(readFileSync(join(HERE, 'calls', file), 'utf8'));
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('payloads of the real client become the calls written beside them', () => {
  test.each(payloads(''))('%s', (file) => {
    expect(asJson(decode(payload(file), ENV))).toEqual(call(file));
  });
});

describe("payloads of Copilot CLI, which reads Claude Code's settings", () => {
  test.each(payloads('copilot'))('%s', (file) => {
    expect(asJson(decode(payload(join('copilot', file)), COPILOT_ENV))).toEqual(call(join('copilot', file)));
  });
});

const BASE = {
  session_id: 's',
  cwd: '/w',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
};

describe('what a decision needs is there, or the payload is a problem', () => {
  test.each<{ name: string; payload: unknown; problem: string }>([
    { name: 'a list', payload: [], problem: 'the payload is not a JSON object' },
    { name: 'null', payload: null, problem: 'the payload is not a JSON object' },
    { name: 'a text', payload: 'PreToolUse', problem: 'the payload is not a JSON object' },
    { name: 'nothing in it', payload: {}, problem: 'the payload has no text `hook_event_name`' },
    {
      name: 'event of another type',
      payload: { ...BASE, hook_event_name: 1 },
      problem: 'the payload has no text `hook_event_name`',
    },
    {
      name: 'no session',
      payload: { ...BASE, session_id: undefined },
      problem: 'the payload has no text `session_id`',
    },
    {
      name: 'session of another type',
      payload: { ...BASE, session_id: {} },
      problem: 'the payload has no text `session_id`',
    },
    { name: 'relative directory', payload: { ...BASE, cwd: 'w' }, problem: 'the payload has no absolute `cwd`' },
    {
      name: 'directory of another type',
      payload: { ...BASE, cwd: ['/w'] },
      problem: 'the payload has no absolute `cwd`',
    },
    { name: 'no tool', payload: { ...BASE, tool_name: undefined }, problem: 'the payload has no text `tool_name`' },
    { name: 'empty tool', payload: { ...BASE, tool_name: '' }, problem: 'the payload has no text `tool_name`' },
    {
      name: 'no input',
      payload: { ...BASE, tool_input: undefined },
      problem: 'the payload has no object `tool_input`',
    },
    {
      name: 'input is a text',
      payload: { ...BASE, tool_input: 'ls' },
      problem: 'the payload has no object `tool_input`',
    },
    {
      name: 'input is a list',
      payload: { ...BASE, tool_input: ['ls'] },
      problem: 'the payload has no object `tool_input`',
    },
    {
      name: 'no command',
      payload: { ...BASE, tool_input: { description: 'x' } },
      problem: 'the input of `Bash` has no text `command`',
    },
    {
      name: 'command of another type',
      payload: { ...BASE, tool_input: { command: ['rm', '-rf', '/'] } },
      problem: 'the input of `Bash` has no text `command`',
    },
    {
      name: 'command inherited',
      payload: { ...BASE, tool_input: JSON.parse('{"__proto__":{"command":"ls"}}') },
      problem: 'the input of `Bash` has no text `command`',
    },
    {
      name: 'Monitor without anything',
      payload: { ...BASE, tool_name: 'Monitor', tool_input: {} },
      problem: 'the input of `Monitor` has no text `command`',
    },
    {
      name: 'Write without a path',
      payload: { ...BASE, tool_name: 'Write', tool_input: { content: 'x' } },
      problem: 'the input of `Write` has no text `file_path`',
    },
    {
      name: 'Write without content',
      payload: { ...BASE, tool_name: 'Write', tool_input: { file_path: '/w/a' } },
      problem: 'the input of `Write` has no text `content`',
    },
    {
      name: 'Read of a number',
      payload: { ...BASE, tool_name: 'Read', tool_input: { file_path: 3 } },
      problem: 'the input of `Read` has no text `file_path`',
    },
    {
      name: 'WebFetch without a URL',
      payload: { ...BASE, tool_name: 'WebFetch', tool_input: {} },
      problem: 'the input of `WebFetch` has no text `url` or `query` or `prompt`',
    },
  ])('$name', ({ payload: given, problem }) => {
    expect(decode(given, ENV)).toEqual({ ok: false, problem });
  });
});

describe('tools by name', () => {
  const bash = { command: 'ls' };
  const edit = { file_path: '/w/a', old_string: 'a', new_string: 'b' };
  test.each<{ tool: string; input: Record<string, unknown>; want: string; mcp?: unknown }>([
    { tool: 'Bash', input: bash, want: 'shell' },
    { tool: 'PowerShell', input: bash, want: 'shell' },
    { tool: 'Monitor', input: bash, want: 'shell' },
    { tool: 'Read', input: { file_path: '/w/a' }, want: 'read' },
    { tool: 'Write', input: { file_path: '/w/a', content: '' }, want: 'write' },
    { tool: 'Edit', input: edit, want: 'edit' },
    { tool: 'MultiEdit', input: { file_path: '/w/a', edits: [] }, want: 'edit' },
    { tool: 'NotebookEdit', input: { notebook_path: '/w/a.ipynb', new_source: '' }, want: 'edit' },
    { tool: 'Grep', input: { pattern: 'x' }, want: 'search' },
    { tool: 'Glob', input: { pattern: 'x' }, want: 'search' },
    { tool: 'WebFetch', input: { url: 'https://a.example' }, want: 'fetch' },
    { tool: 'WebSearch', input: { query: 'x' }, want: 'fetch' },
    { tool: 'Agent', input: {}, want: 'task' },
    { tool: 'Task', input: {}, want: 'task' },
    { tool: 'Skill', input: { skill: 'x' }, want: 'other' },
    { tool: 'SomethingNew', input: { text: 'x' }, want: 'other' },
    { tool: 'SomethingNewThatRunsCommands', input: bash, want: 'shell' },
    {
      tool: 'mcp__demo__delete_row',
      input: { command: 'x' },
      want: 'mcp',
      mcp: { server: 'demo', tool: 'delete_row' },
    },
    { tool: 'mcp__demo', input: {}, want: 'mcp', mcp: { server: 'demo', tool: '' } },
  ])('$tool is $want', ({ tool, input, want, mcp }) => {
    const decoded = decode({ ...BASE, tool_name: tool, tool_input: input }, ENV);
    expect(decoded.ok && { tool: decoded.call.tool, mcp: decoded.call.mcp }).toEqual({ tool: want, mcp: mcp ?? null });
  });

  test("a server's own name may hold the separator", () => {
    const decoded = decode(
      { ...BASE, tool_name: 'mcp__my__db__drop', tool_input: {}, mcp_server: { name: 'my__db', source: 'user' } },
      ENV,
    );
    expect(decoded.ok && decoded.call.mcp).toEqual({ server: 'my__db', tool: 'drop' });
  });

  test('an outcome is taken even if its input is odd', () => {
    const decoded = decode({ ...BASE, hook_event_name: 'PostToolUse', tool_input: {}, tool_response: 'x' }, ENV);
    expect(decoded.ok && decoded.call.result).toEqual({
      text: 'x',
      exitCode: null,
      failed: false,
      interrupted: false,
      durationMs: null,
    });
  });
});

describe('who calls', () => {
  const pre = {
    session_id: 's',
    cwd: '/w',
    hook_event_name: 'PreToolUse',
    tool_name: 'Read',
    tool_input: { path: '/w/a' },
  };
  test.each<{ name: string; payload: Record<string, unknown>; env: Record<string, string>; want: string }>([
    { name: 'Claude Code', payload: { ...pre, transcript_path: '/t' }, env: ENV, want: 'claude-code' },
    {
      name: "Claude Code in Copilot's shell",
      payload: { ...pre, transcript_path: '/t' },
      env: { ...ENV, ...COPILOT_ENV },
      want: 'claude-code',
    },
    {
      name: "Copilot CLI in Claude Code's shell",
      payload: { ...pre, timestamp: 'now' },
      env: { ...ENV, ...COPILOT_ENV },
      want: 'copilot-cli',
    },
    { name: 'Cursor', payload: { ...pre, cursor_version: '3.1', conversation_id: 'c' }, env: {}, want: 'cursor' },
    {
      name: 'VS Code',
      payload: { sessionId: 's', hookEventName: 'PreToolUse', cwd: '/w', tool_name: 'readFile', tool_input: {} },
      env: {},
      want: 'vscode',
    },
    {
      name: 'Devin',
      payload: { ...pre, tool_name: 'exec', tool_input: { command: 'ls', shell_id: '1' } },
      env: {},
      want: 'devin',
    },
    { name: 'by hand', payload: pre, env: {}, want: 'claude-code' },
  ])('$name', ({ payload: given, env, want }) => {
    const decoded = decode(given, env);
    expect(decoded.ok && decoded.call.agent).toBe(want);
  });

  test('a decoy field does not hide what another agent acts on', () => {
    const decoded = decode(
      { ...pre, timestamp: 'now', tool_input: { path: '/etc/passwd', file_path: '/w/harmless' } },
      COPILOT_ENV,
    );
    expect(decoded.ok && decoded.call.input['file_path']).toBe('/etc/passwd');
  });

  test('Cursor names the workspace instead of a directory', () => {
    const decoded = decode(
      { ...pre, cwd: undefined, cursor_version: '3.1', workspace_roots: ['/w/one', '/w/two'] },
      {},
    );
    expect(decoded.ok && decoded.call.cwd).toBe('/w/one');
  });
});
