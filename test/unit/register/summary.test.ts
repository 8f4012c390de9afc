import { expect, test } from 'vitest';
import { changeSummary } from '../../../src/register/summary.ts';

const NO_PROTO = '{"__proto__": 1}';

test.each<[name: string, before: string | null, after: string | null, want: readonly string[]]>([
  [
    'a new file',
    null,
    '{\n"hooks": {\n"A": [1],\n"B": [1]}}',
    ['+ hooks for 2 events: A, B', '4 lines added, 0 removed'],
  ],
  ['a file that goes', '{"hooks": {"A": [1]}}', null, ['- hooks for 1 event: A', '0 lines added, 1 removed']],
  [
    'beside others',
    '{"x": 1,\n"hooks": {"A": [1], "C": [1, 2], "D": [1]},\n"y": 1}',
    '{"x": 1,\n"hooks": {"A": [1, 2], "C": [1], "D": [2]},\n"z": 1}',
    [
      '+ hooks for 1 event: A',
      '- hooks for 1 event: C',
      '~ hooks for 1 event: D',
      '- y',
      '+ z',
      '2 lines added, 2 removed; everything else stays as it is',
    ],
  ],
  ['what is no JSON', '{', '{}', ['1 line added, 1 removed; everything else stays as it is']],
  ['names of prototypes', '{}', NO_PROTO, ['+ __proto__', '1 line added, 1 removed; everything else stays as it is']],
  [
    'control characters in names',
    '{}',
    '{"\\u001b[2J": 1, "hooks": {"\\u202e": [1]}}',
    ['+ \\x1b[2J', '+ hooks for 1 event: \\u202e', '1 line added, 1 removed; everything else stays as it is'],
  ],
])('%s', (_, before, after, want) => {
  expect(changeSummary(before, after)).toEqual(want);
});
