import { expect, test } from 'vitest';
import { callsInTranscript } from '../../../src/agents/claude-code/transcript.ts';

const AT = '2026-01-05T09:00:00.250Z';
const SESSION = 'a6a37e17-5302-4878-a704-65b728e82ae9';

function used(id: string, name: string, input: unknown, over: Record<string, unknown> = {}): string {
  const content = [
    { type: 'text', text: 'next' },
    { type: 'tool_use', id, name, input },
  ];
  return JSON.stringify({
    type: 'assistant',
    isSidechain: false,
    sessionId: SESSION,
    cwd: '/src/shop',
    version: '2.1.332',
    timestamp: AT,
    message: { role: 'assistant', content },
    ...over,
  });
}

function answered(id: string, content: unknown, isError = false): string {
  const block = { tool_use_id: id, type: 'tool_result', content, is_error: isError };
  return JSON.stringify({
    type: 'user',
    sessionId: SESSION,
    timestamp: AT,
    message: { role: 'user', content: [block] },
  });
}

const CALL = {
  agent: 'claude-code',
  session: SESSION,
  callId: 'toolu_1',
  tool: 'Bash',
  summary: 'ls -l',
  at: Date.parse(AT),
  cwd: '/src/shop',
  subagent: false,
  ranBy: 'agent',
  end: 'result',
  hookFault: '',
};
const LS = used('toolu_1', 'Bash', { command: 'ls -l', description: 'list' });

test.each([
  ['a call with its result', [LS, answered('toolu_1', 'a.txt')], [CALL]],
  ['a call that is still running', [LS], [{ ...CALL, end: 'none' }]],
  ['a last line that is half written', [LS, answered('toolu_1', 'x').slice(0, 60)], [{ ...CALL, end: 'none' }]],
  ['a tool that failed', [LS, answered('toolu_1', 'ls: no such file', true)], [CALL]],
  [
    'wrong fields: the client did not run it',
    [LS, answered('toolu_1', '<tool_use_error>InputValidationError: Bash failed due to …</tool_use_error>', true)],
    [{ ...CALL, end: 'refused' }],
  ],
  [
    'no such tool',
    [LS, answered('toolu_1', [{ type: 'text', text: '<tool_use_error>Error: No such tool available: X' }], true)],
    [{ ...CALL, end: 'refused' }],
  ],
  [
    'a tool that only prints what the client says of calls that it did not run',
    [LS, answered('toolu_1', '<tool_use_error>InputValidationError: …', false)],
    [CALL],
  ],
  [
    'the same call twice: a resumed session copies its past',
    [LS, LS, answered('toolu_1', 'a'), answered('toolu_1', 'a')],
    [CALL],
  ],
  [
    'a subagent, and a file',
    [
      used('toolu_1', 'Edit', { old_string: 'a', file_path: '/src/shop/a.ts' }, { isSidechain: true }),
      answered('toolu_1', ''),
    ],
    [{ ...CALL, tool: 'Edit', summary: '/src/shop/a.ts', subagent: true }],
  ],
  [
    'a tool of the provider',
    [
      JSON.stringify({
        type: 'assistant',
        message: {
          content: [{ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } }],
        },
      }),
    ],
    [
      {
        ...CALL,
        session: '',
        callId: 'srvtoolu_1',
        tool: 'web_search',
        summary: 'x',
        at: null,
        cwd: '',
        ranBy: 'server',
        end: 'none',
      },
    ],
  ],
  [
    'a hook that failed',
    [
      LS,
      JSON.stringify({
        type: 'attachment',
        attachment: {
          type: 'hook_non_blocking_error',
          hookName: 'PreToolUse:Bash',
          hookEvent: 'PreToolUse',
          toolUseID: 'toolu_1',
          stderr: 'sh: node: not found\n',
        },
      }),
      answered('toolu_1', 'a'),
    ],
    [{ ...CALL, hookFault: 'hook_non_blocking_error: sh: node: not found' }],
  ],
  [
    'requests that the client keeps beside the messages are no calls',
    [JSON.stringify({ type: 'api-request-blob', message: { content: [{ type: 'tool_use', id: 'x', name: 'Bash' }] } })],
    [],
  ],
  [
    'damaged lines and foreign shapes',
    ['', '{"tool', '[]', 'null', '{"type":"assistant","message":{"content":[null,1,{"type":"tool_use","id":7}]}}'],
    [],
  ],
])('%s', (_, lines, want) => {
  expect(callsInTranscript(lines)).toEqual(want);
});
