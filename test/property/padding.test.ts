import { describe, expect, it } from 'vitest';
import { PADDINGS } from '../../bench/paddings.mjs';
import { SHAPES } from '../../bench/shapes.mjs';
import { judge } from '../support/judge.ts';

const HARM = 'rm -rf /home/dev/work';
/** Short, longer than most lists that are gone through one by one, longer than those that are kept whole. */
const LENGTHS = [40, 2_500, 25_000];

/** No length of a list hides what stands in it: it is blocked, or asked about once the list is too long. */
describe('padding hides nothing', () => {
  it.each(Object.entries(PADDINGS))('in %s', (_, make) => {
    const answers = LENGTHS.map((length) => judge(make(length, HARM)).answer);
    expect(answers).not.toContain('allow');
  });
});

describe('a text longer than is kept hides nothing', () => {
  it.each([
    'a script written and run',
    'a script written, copied and sourced',
    'cat into a shell',
    'a variable as a command',
    'make',
    'npm run',
    'python -c',
    'a python script written and run',
    'SQL',
  ])('%s', (name) => {
    expect(judge(PADDINGS[name]?.(600_000, HARM) ?? '').answer).not.toBe('allow');
  });
});

describe('a command is found behind, or asked about with, any shape of text', () => {
  it.each(Object.entries(SHAPES))('%s', (_, make) => {
    const answers = [400, 20_000].map((length) => judge(make(length, HARM)).answer);
    expect(answers).not.toContain('allow');
  });
});

/** Without harm the same lists pass while they are short: that they are asked about says something. */
describe('harmless lists pass', () => {
  it.each([
    'printf into a shell',
    'a script written and run',
    'xargs',
    'for',
    'while read',
    'make',
    'python -c',
    'ed',
    'SQL',
  ])('%s', (name) => {
    const make = PADDINGS[name];
    const text = make?.(40, 'touch build/x').replace('drop table users', 'select 1') ?? '';
    expect([text, judge(text).answer]).toEqual([text, 'allow']);
  });
});
