import { expect, test } from 'vitest';
import { folded } from '../../../src/cli/check-explain.ts';

test.each<[string, number, readonly string[]]>([
  ['one two three four', 0, ['  one two three four']],
  ['one two three four', 10, ['  one two three four']],
  ['one two three four five six', 22, ['  one two three four', '  five six']],
  ['exactly at its edge here', 25, ['  exactly at its edge', '  here']],
  ['exactly at its edge here', 26, ['  exactly at its edge here']],
  ['a_word_that_is_longer_than_the_line b', 24, ['  a_word_that_is_longer_than_the_line', '  b']],
  ['', 80, ['  ']],
])('%j in %d columns', (text, columns, want) => {
  expect(folded('  ', text, columns)).toEqual(want);
});
