import { expect, it } from 'vitest';
import { factsOf } from '../../../src/facts/facts.ts';
import type { ToolCall } from '../../../src/model/tool-call.ts';
import { globalsOf } from '../../../src/policy/scope.ts';
import { succeeded } from '../../../src/policy/succeeded.ts';
import { fixtureWorld } from '../../../src/world/fixture.ts';

const world = fixtureWorld({ home: '/home/dev', workspace: '/home/dev/repo' });

/** What is said of `pytest` in a shell call. */
function told(command: string, more: Partial<ToolCall> = {}, input: Record<string, unknown> = {}): boolean | null {
  const failed = more.event === 'PostToolUseFailure';
  const call: ToolCall = {
    agent: 'claude-code',
    agentVersion: null,
    event: 'PostToolUse',
    rawEvent: 'PostToolUse',
    session: 's',
    callId: null,
    tool: 'shell',
    rawTool: 'Bash',
    mcp: null,
    input: { command, ...input },
    cwd: '/home/dev/repo',
    subagent: null,
    permissionMode: null,
    transcript: null,
    result: { text: '', exitCode: failed ? 1 : 0, failed, interrupted: false, durationMs: null },
    detail: {},
    ...more,
  };
  const facts = factsOf(call, world);
  const asked = facts.commands.find((c) => c.name === 'pytest');
  if (!asked) throw new Error(`no pytest in ${command}`);
  return succeeded(asked, globalsOf(facts, 0));
}

it.each<[string, boolean | null]>([
  ['pytest', true],
  ['pytest -q 2>&1', true],
  ['pytest > log.txt 2>&1', true],
  ['pytest;', true],
  ['cd app && pytest', true],
  ['pytest && git push', true],
  ['(cd app && pytest)', true],
  ['timeout 60 pytest', true],
  ["bash -c 'pytest'", true],
  ['echo x | pytest', true],
  ['make || exit 1; pytest', true],
  ['set -e; pytest; git status', true],
  ['set -o pipefail; pytest | tail', true],
  ['pytest -k "a|b; c"', true],
  ['pytest | tail -5', null],
  ['pytest || true', null],
  ['pytest; git status', null],
  ['pytest\ngit status', null],
  ['pytest &', null],
  ['! pytest', null],
  ['ls || pytest', null],
  ['if pytest; then echo ok; fi', null],
  ['echo $(pytest)', null],
  ['echo `pytest`', null],
  ["bash -c 'pytest; true'", null],
  ['set -e; pytest && ls; git status', null],
])('%s: %s', (command, want) => {
  expect(told(command)).toBe(want);
});

it.each<[string, Partial<ToolCall>, Record<string, unknown>, boolean | null]>([
  ['before the call', { event: 'PreToolUse', result: null }, {}, null],
  ['after it failed', { event: 'PostToolUseFailure' }, {}, false],
  [
    'where the agent gives no exit code',
    { result: { text: '', exitCode: null, failed: false, interrupted: false, durationMs: null } },
    {},
    null,
  ],
  [
    'where the exit code says that it failed',
    { result: { text: '', exitCode: 2, failed: false, interrupted: false, durationMs: null } },
    {},
    false,
  ],
  ['in the background', {}, { run_in_background: true }, null],
  [
    'after it was interrupted',
    { result: { text: '', exitCode: null, failed: false, interrupted: true, durationMs: null } },
    {},
    null,
  ],
])('%s', (_name, more, input, want) => {
  expect(told('pytest', more, input)).toBe(want);
});

it('a call of several that failed does not say which', () => {
  expect(told('make && pytest', { event: 'PostToolUseFailure' })).toBe(null);
});
