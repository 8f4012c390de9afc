import { expect, test } from 'vitest';
import { agentAbove, requirePerson } from '../../../src/register/person.ts';

test.each([
  [{}, null],
  [{ CLAUDECODE: '1' }, 'Claude Code'],
  [{ CLAUDECODE: '' }, null],
  [{ COPILOT_CLI: '1' }, 'Copilot CLI'],
  [{ GEMINI_SESSION_ID: 'x' }, 'Gemini CLI'],
  [{ AI_AGENT: 'something-new' }, 'an agent'],
])('%j is %s', (env, agent) => {
  expect(agentAbove(env)).toBe(agent);
});

test('under an agent without a terminal it is refused, at a terminal it is not', () => {
  expect(() => requirePerson('`gov init`', { CLAUDECODE: '1' }, false)).toThrowError(
    expect.objectContaining({ code: 'usage-under-agent' }),
  );
  expect(() => requirePerson('`gov init`', { CLAUDECODE: '1' }, true)).not.toThrow();
  expect(() => requirePerson('`gov init`', {}, false)).not.toThrow();
});
