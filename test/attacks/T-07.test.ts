// T-07: malformed input.
import { afterAll, describe, expect, test } from 'vitest';
import { makePlace, removePlace, runHook } from '../process/place.ts';
import { judge } from '../support/judge.ts';

const place = makePlace();
afterAll(() => removePlace(place));

describe('a tool input that is not of the shape of its tool', () => {
  test.each([
    ['an array', { command: ['rm', '-rf', '/etc'] }],
    ['an object', { command: { toString: 'rm -rf /etc' } }],
    ['a number', { command: 7 }],
    ['null', { command: null }],
    ['missing', { description: 'x' }],
  ])('command is %s', (_, input) => {
    expect(judge(null, { input }).answer).toBe('deny');
  });
});

describe('a payload that is no payload', () => {
  test.each([
    ['nothing', ''],
    ['half of one', '{"session_id":"s","cwd":"/tmp","hook_event_name":"PreTool'],
    ['a list', '[]'],
    ['a text', '"rm -rf /"'],
    ['no tool', '{"session_id":"s","cwd":"/tmp","hook_event_name":"PreToolUse"}'],
    [
      'names that reach into prototypes',
      '{"__proto__":{"tool_name":"Read"},"hook_event_name":"PreToolUse","constructor":1}',
    ],
  ])('%s', (_, stdin) => {
    const run = runHook(place, stdin);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).not.toBe('');
  });
});
