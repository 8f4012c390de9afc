import { describe, expect, test } from 'vitest';
import type { Output, Verdict } from '../../../src/agents/agent.ts';
import { agentNamed } from '../../../src/agents/index.ts';
import type { EventName, ToolCall } from '../../../src/model/tool-call.ts';

const CALL: ToolCall = {
  agent: '',
  agentVersion: null,
  event: 'PreToolUse',
  rawEvent: '',
  session: 's',
  callId: null,
  tool: 'shell',
  rawTool: 'x',
  mcp: null,
  input: {},
  cwd: '/w',
  subagent: null,
  permissionMode: null,
  transcript: null,
  result: null,
  detail: {},
};
const SILENT: Output = { stdout: '', stderr: '', exitCode: 0 };
const BLOCKED: Output = { stdout: '', stderr: 'denied by p.r: why\n', exitCode: 2 };
const verdict = (answer: Verdict['answer'], more: Partial<Verdict> = {}): Verdict => ({
  answer,
  reason: answer === 'allow' ? '' : 'denied by p.r: why',
  context: '',
  notice: '',
  ...more,
});

interface Row {
  readonly agent: string;
  readonly event: EventName;
  readonly verdict: Verdict;
  readonly want: Output;
}
const noticed = verdict('allow', { notice: 'gov: not recorded' });
const NOTICE: Output = { stdout: '', stderr: 'gov: not recorded\n', exitCode: 0 };

describe('exact bytes and exit codes', () => {
  test.each<Row>([
    { agent: 'codex', event: 'PreToolUse', verdict: verdict('allow'), want: SILENT },
    { agent: 'codex', event: 'PreToolUse', verdict: verdict('deny'), want: BLOCKED },
    { agent: 'codex', event: 'PreToolUse', verdict: verdict('halt'), want: BLOCKED },
    // With an empty reason Codex and Gemini CLI would run the call.
    {
      agent: 'codex',
      event: 'PreToolUse',
      verdict: verdict('deny', { reason: '' }),
      want: { ...BLOCKED, stderr: 'denied by gov\n' },
    },
    { agent: 'codex', event: 'PermissionRequest', verdict: verdict('deny'), want: BLOCKED },
    { agent: 'codex', event: 'PermissionRequest', verdict: verdict('ask'), want: SILENT },
    { agent: 'codex', event: 'PreToolUse', verdict: verdict('allow', { context: 'use pnpm' }), want: SILENT },
    { agent: 'codex', event: 'PostToolUse', verdict: noticed, want: NOTICE },
    { agent: 'codex', event: 'Stop', verdict: noticed, want: NOTICE },
    { agent: 'gemini-cli', event: 'PreToolUse', verdict: verdict('allow'), want: SILENT },
    { agent: 'gemini-cli', event: 'PreToolUse', verdict: verdict('deny'), want: BLOCKED },
    { agent: 'gemini-cli', event: 'PreToolUse', verdict: verdict('ask'), want: BLOCKED },
    {
      agent: 'gemini-cli',
      event: 'PreToolUse',
      verdict: verdict('halt', { reason: '' }),
      want: { ...BLOCKED, stderr: 'denied by gov\n' },
    },
    { agent: 'gemini-cli', event: 'PostToolUse', verdict: noticed, want: NOTICE },
    { agent: 'gemini-cli', event: 'Stop', verdict: noticed, want: NOTICE },
  ])('$agent $event $verdict.answer', ({ agent, event, verdict: given, want }) => {
    expect(agentNamed(agent)?.encode(given, { ...CALL, event })).toEqual(want);
  });
});

test.each([
  ['codex', 'PreToolUse', false],
  ['codex', 'PermissionRequest', true],
  ['gemini-cli', 'PreToolUse', false],
] as const)('a question of %s at %s reaches a person: %s', (agent, event, want) => {
  expect(agentNamed(agent)?.canAsk({ ...CALL, event })).toBe(want);
});

test('Gemini CLI runs a command in the directory that the call names', () => {
  const payload = {
    session_id: 's',
    cwd: '/w',
    hook_event_name: 'BeforeTool',
    timestamp: 'now',
    tool_name: 'run_shell_command',
    tool_input: { command: 'rm -rf build', dir_path: '../other' },
  };
  const decoded = agentNamed('gemini-cli')?.decode(payload, {});
  expect(decoded?.ok && decoded.call.cwd).toBe('/other');
});
