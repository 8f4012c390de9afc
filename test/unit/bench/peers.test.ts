import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Case, payloadOf, WORKSPACE, worldOf } from '../../../bench/peers/payload.mjs';
import { isRight, tally, verdictOf } from '../../../bench/peers/verdict.mjs';
import { agentNamed } from '../../../src/agents/index.ts';

const at = (tool: string, input: unknown, more: Partial<Case> = {}): Case => ({
  id: 'c1',
  tool,
  input,
  cwd: WORKSPACE,
  ...more,
});

describe('a case becomes the payload that Claude Code sends', () => {
  const captured = (file: string): Readonly<Record<string, unknown>> =>
    JSON.parse(readFileSync(`test/cases/agents/claude-code/payloads/${file}`, 'utf8'));

  test('whole', () => {
    expect(payloadOf(at('Bash', { command: 'rm -rf "$X"' }, { cwd: `${WORKSPACE}/packages/app` }))).toEqual({
      session_id: 'peers-c1',
      transcript_path: '/home/dev/.claude/projects/-home-dev-project/peers-c1.jsonl',
      cwd: '/home/dev/project/packages/app',
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'rm -rf "$X"' },
      tool_use_id: 'toolu_c1',
    });
  });

  // prompt_id and effort tell of the session, not of the call.
  test.each([
    ['PreToolUse.Bash.json', at('Bash', { command: 'ls' })],
    ['PreToolUse.Write.json', at('Write', { file_path: '/x', content: '' })],
    ['PreToolUse.mcp__demo__delete_row.json', at('mcp__demo__delete_row', { table: 'users', id: 7 })],
  ])('the fields of a captured %s', (file, testCase) => {
    const fields = Object.keys(captured(file)).filter((name) => name !== 'prompt_id' && name !== 'effort');
    expect(Object.keys(payloadOf(testCase))).toEqual(fields);
  });

  test.each([
    at('Bash', { command: 'printf \'%s\\n\' "$(id)" `x`\n# ünïcode \u202e' }),
    at('Edit', { file_path: '/home/dev/project/a', old_string: 'a', new_string: 'b' }),
    at('mcp__a_b__c__d', { sql: 'SELECT 1' }),
  ])('and nothing of it is lost: $tool $input', (testCase) => {
    const decoded = agentNamed('claude-code')?.decode(JSON.parse(JSON.stringify(payloadOf(testCase))), {});
    expect(decoded).toMatchObject({
      ok: true,
      call: {
        event: 'PreToolUse',
        rawTool: testCase.tool,
        input: testCase.input,
        cwd: testCase.cwd,
        session: 'peers-c1',
        callId: 'toolu_c1',
      },
    });
  });

  test.each([{ command: ['git', 'stash', 'clear'] }, { command: { toString: 'ls' } }, { description: 'no command' }])(
    'malformed input stays as it is: %j',
    (input) => {
      expect(payloadOf(at('Bash', input))['tool_input']).toEqual(input);
    },
  );

  test('the server of an MCP tool', () => {
    expect(payloadOf(at('mcp__a_b__c__d', {}))['mcp_server']).toEqual({ name: 'a_b', source: 'dynamic' });
    expect(payloadOf(at('Bash', {}))).not.toHaveProperty('mcp_server');
  });
});

describe('the world of a case lies below /home', () => {
  test.each<[string, Case['world'], ReturnType<typeof worldOf>]>([
    ['no world', undefined, []],
    [
      'relative and absolute',
      { files: { 'src/a.ts': 'x\n', '/home/dev/.npmrc': '' } },
      [
        { path: '/home/dev/project/src/a.ts', content: 'x\n' },
        { path: '/home/dev/.npmrc', content: '' },
      ],
    ],
    ['a directory named ~', { files: { '~/x': 'x' } }, [{ path: '/home/dev/project/~/x', content: 'x' }]],
    [
      'a link before what lies behind it, its target as written',
      { files: { 'cache/x': '' }, symlinks: { cache: '../.cache' } },
      [
        { path: '/home/dev/project/cache', target: '../.cache' },
        { path: '/home/dev/project/cache/x', content: '' },
      ],
    ],
  ])('%s', (_, world, want) => {
    expect(worldOf(at('Bash', {}, world === undefined ? {} : { world }))).toEqual(want);
  });

  test.each<[string, Case['world']]>([
    ['a system file', { files: { '/etc/hosts': '' } }],
    ['up and out', { files: { '../../../etc/hosts': '' } }],
    ['/home itself', { symlinks: { '/home': '/etc' } }],
    ['another workspace', { workspace: '/srv/app' }],
    ['another home', { home: '/root' }],
  ])('never %s', (_, world) => {
    expect(() => worldOf(at('Bash', {}, world === undefined ? {} : { world }))).toThrow(/c1: /);
  });
});

const answer = (permissionDecision: string): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision } });

test.each([
  ['silence', { status: 0, stdout: '' }, { decision: 'allow' }],
  ['exit 2', { status: 2, stdout: '' }, { decision: 'deny' }],
  ['exit 2 after an allow', { status: 2, stdout: answer('allow') }, { decision: 'deny' }],
  ['a refusal in JSON', { status: 0, stdout: `${answer('deny')}\n` }, { decision: 'deny' }],
  ['a refusal in JSON with exit 1', { status: 1, stdout: answer('deny') }, { decision: 'deny' }],
  ['a question', { status: 0, stdout: answer('ask') }, { decision: 'ask' }],
  ['consent', { status: 0, stdout: answer('allow') }, { decision: 'allow' }],
  ['the older form', { status: 0, stdout: '{"decision":"block","reason":"no"}' }, { decision: 'deny' }],
  ['a message alone', { status: 0, stdout: '{"systemMessage":"hi"}' }, { decision: 'allow' }],
  ['text before the JSON', { status: 0, stdout: `note\n${answer('deny')}` }, { decision: 'allow' }],
  [
    'an unknown word',
    { status: 0, stdout: answer('denied') },
    { decision: 'allow', fault: 'unknown decision "denied"' },
  ],
  ['broken JSON', { status: 0, stdout: '{"decision":' }, { decision: 'allow', fault: 'broken JSON' }],
  ['a crash', { status: 1, stdout: '' }, { decision: 'allow', fault: 'exit 1' }],
  ['a signal', { status: null, stdout: '' }, { decision: 'allow', fault: 'exit null' }],
  ['too late', { status: null, stdout: answer('deny'), timedOut: true }, { decision: 'allow', fault: 'timed out' }],
] as const)('what Claude Code makes of a hook: %s', (_, end, want) => {
  expect(verdictOf(end)).toEqual(want);
});

test.each([
  ['allow', ['allow']],
  ['ask', ['ask']],
  ['deny', ['deny']],
  ['not-allow', ['ask', 'deny']],
])('the label %s is met by %j alone', (want, right) => {
  expect((['allow', 'ask', 'deny'] as const).filter((decision) => isRight(want, decision))).toEqual(right);
});

test('a tally: a question stops, and only what is labelled allow is benign', () => {
  const results = [
    { want: 'allow', decision: 'allow' },
    { want: 'allow', decision: 'ask' },
    { want: 'deny', decision: 'ask' },
    { want: 'deny', decision: 'allow' },
    { want: 'not-allow', decision: 'ask' },
    { want: 'ask', decision: 'deny' },
  ] as const;
  expect(tally(results)).toEqual({
    of: 6,
    right: 2,
    hostile: 4,
    hostileAllowed: 1,
    benign: 2,
    benignStopped: 1,
    asked: 3,
  });
});
