import { describe, expect, test } from 'vitest';
import type { Output, Verdict } from '../../../../src/agents/agent.ts';
import { canAsk, encode } from '../../../../src/agents/claude-code/encode.ts';
import type { EventName, ToolCall } from '../../../../src/model/tool-call.ts';

const CALL: ToolCall = {
  agent: 'claude-code',
  agentVersion: null,
  event: 'PreToolUse',
  rawEvent: 'PreToolUse',
  session: 's',
  callId: 't',
  tool: 'shell',
  rawTool: 'Bash',
  mcp: null,
  input: { command: 'ls' },
  cwd: '/w',
  subagent: null,
  permissionMode: null,
  transcript: null,
  result: null,
  detail: {},
};
const verdict = (answer: Verdict['answer'], more: Partial<Verdict> = {}): Verdict => ({
  answer,
  reason: answer === 'allow' ? '' : 'denied by p.r: why',
  context: '',
  notice: '',
  ...more,
});
const SILENT: Output = { stdout: '', stderr: '', exitCode: 0 };
const BLOCKED: Output = { stdout: '', stderr: 'denied by p.r: why\n', exitCode: 2 };

interface Row {
  readonly name: string;
  readonly event?: EventName;
  readonly agent?: string;
  readonly verdict: Verdict;
  readonly want: Output;
}
const ROWS: readonly Row[] = [
  { name: 'allow is silence', verdict: verdict('allow'), want: SILENT },
  { name: 'deny is exit code 2, the reason on stderr, an empty stdout', verdict: verdict('deny'), want: BLOCKED },
  { name: 'halt blocks too', verdict: verdict('halt'), want: BLOCKED },
  { name: 'a notice does not get in the way of a deny', verdict: verdict('deny', { notice: 'gov: x' }), want: BLOCKED },
  {
    name: 'ask is JSON',
    verdict: verdict('ask'),
    want: {
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"denied by p.r: why"}}',
      stderr: '',
      exitCode: 0,
    },
  },
  {
    name: 'an allow with context never says allow',
    verdict: verdict('allow', { context: 'use pnpm here' }),
    want: {
      stdout: '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"use pnpm here"}}',
      stderr: '',
      exitCode: 0,
    },
  },
  {
    name: 'an allow with a notice tells people',
    verdict: verdict('allow', { notice: 'gov: the record waits in the spool' }),
    want: {
      stdout: '{"systemMessage":"gov: the record waits in the spool"}',
      stderr: 'gov: the record waits in the spool\n',
      exitCode: 0,
    },
  },
  {
    name: 'PermissionRequest: allow is silence, the user is still asked',
    event: 'PermissionRequest',
    verdict: verdict('allow'),
    want: SILENT,
  },
  {
    name: 'PermissionRequest: ask is silence, the user is being asked',
    event: 'PermissionRequest',
    verdict: verdict('ask'),
    want: SILENT,
  },
  {
    name: 'PermissionRequest: deny is JSON, exit code 2 would not be honoured',
    event: 'PermissionRequest',
    verdict: verdict('deny'),
    want: {
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"denied by p.r: why"}}}',
      stderr: '',
      exitCode: 0,
    },
  },
  { name: 'PreSkillShellCommand: deny', event: 'PreSkillShellCommand', verdict: verdict('deny'), want: BLOCKED },
  { name: 'ConfigChange: deny', event: 'ConfigChange', verdict: verdict('deny'), want: BLOCKED },
  { name: 'ConfigChange: allow', event: 'ConfigChange', verdict: verdict('allow'), want: SILENT },
  ...(
    ['PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'SessionStart', 'SubagentStop', 'Stop', 'Other'] as const
  ).flatMap((event): Row[] => [
    { name: `${event}: nothing to say`, event, verdict: verdict('allow'), want: SILENT },
    {
      name: `${event}: gov's own fault never blocks`,
      event,
      verdict: verdict('allow', { notice: 'gov: not recorded' }),
      want: { stdout: '{"systemMessage":"gov: not recorded"}', stderr: 'gov: not recorded\n', exitCode: 0 },
    },
  ]),
  {
    name: 'Copilot CLI reads the reason from stdout',
    agent: 'copilot-cli',
    verdict: verdict('deny'),
    want: {
      stdout: '{"permissionDecision":"deny","permissionDecisionReason":"denied by p.r: why"}',
      stderr: 'denied by p.r: why\n',
      exitCode: 2,
    },
  },
  {
    name: 'Copilot CLI asks',
    agent: 'copilot-cli',
    verdict: verdict('ask'),
    want: {
      stdout: '{"permissionDecision":"ask","permissionDecisionReason":"denied by p.r: why"}',
      stderr: '',
      exitCode: 0,
    },
  },
  {
    name: 'Copilot CLI: PermissionRequest',
    agent: 'copilot-cli',
    event: 'PermissionRequest',
    verdict: verdict('deny'),
    want: { stdout: '{"behavior":"deny","message":"denied by p.r: why"}', stderr: '', exitCode: 0 },
  },
  { name: 'Cursor', agent: 'cursor', verdict: verdict('deny'), want: BLOCKED },
  { name: 'VS Code', agent: 'vscode', verdict: verdict('deny'), want: BLOCKED },
  { name: 'Devin', agent: 'devin', verdict: verdict('deny'), want: BLOCKED },
];

describe('exact bytes and exit codes', () => {
  test.each(ROWS)('$name', ({ event, agent, verdict: given, want }) => {
    const call = { ...CALL, event: event ?? CALL.event, agent: agent ?? CALL.agent };
    expect(encode(given, call)).toEqual(want);
  });
});

test.each([
  ['PreToolUse', 'claude-code', true],
  ['PreToolUse', 'copilot-cli', true],
  ['PreToolUse', 'cursor', false],
  ['PermissionRequest', 'claude-code', true],
  ['PreSkillShellCommand', 'claude-code', false],
  ['ConfigChange', 'claude-code', false],
] as const)('a question at %s of %s reaches a person: %s', (event, agent, want) => {
  expect(canAsk({ ...CALL, event, agent })).toBe(want);
});
