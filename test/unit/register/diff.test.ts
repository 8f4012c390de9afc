import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from '../../../src/register/diff.ts';

const text = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => `${from + i}`).join('\n');

test.each([
  { name: 'equal', before: 'a\nb', after: 'a\nb', want: [] },
  { name: 'from nothing', before: '', after: 'a', want: ['-', '+a'] },
  { name: 'one line changed', before: 'a\nb\nc', after: 'a\nx\nc', want: [' a', '-b', '+x', ' c'] },
  {
    name: 'only what is near',
    before: text(0, 20),
    after: text(0, 20).replace('\n10', '\n10\nnew'),
    want: [' 8', ' 9', ' 10', '+new', ' 11', ' 12', ' 13'],
  },
  {
    name: 'two places',
    before: text(0, 30),
    after: `new\n${text(0, 30)}\nend`,
    want: ['+new', ' 0', ' 1', ' 2', '…', ' 27', ' 28', ' 29', '+end'],
  },
])('$name', ({ before, after, want }) => {
  expect(diffLines(before, after)).toEqual(want);
});

test('what is taken away and what is added account for the whole change', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 });
  fc.assert(
    fc.property(lines, lines, (a, b) => {
      const diff = diffLines(a.join('\n'), b.join('\n'));
      const count = (mark: string): number => diff.filter((line) => line.startsWith(mark)).length;
      const length = (list: string[]): number => list.join('\n').split('\n').length;
      expect(count('+') - count('-')).toBe(length(b) - length(a));
    }),
  );
});
