import { describe, expect, test } from 'vitest';
import { findTokens } from '../../../src/redact/formats.ts';

const TOKENS = [
  `ghp_${'a1B2c3D4e5'.repeat(4)}`,
  'AKIAIOSFODNN7EXAMPLQ',
  `1//0${'a1B2c3D4e5'.repeat(4)}`,
  `glpat-${'a1B2c3D4e5'.repeat(2)}`,
  `SK${'0123456789abcdef'.repeat(2)}`,
];
const AROUND: readonly (readonly [string, string])[] = [
  ['', ''],
  ['{"a":"', '"}'],
  ['ä€😀 ', ' ä'],
  [`${'x'.repeat(5000)} `, ` ${'y'.repeat(5000)}`],
];
const NONE = ['', 'g', 'AK', 'gh', 'key', 'a path/to/what lies', '€€€', `${'sk'.repeat(100)}`];

const found = () => TOKENS.flatMap((token) => AROUND.map(([a, b]) => [...findTokens(a + token + b)].length));

// A process that stays looks for the beginnings of tokens in another way than a new one.
describe('tokens are found by the first texts of a process and by later ones', () => {
  const first = found();
  for (let i = 0; i < 300; i++) [...findTokens('some text')];
  const later = found();

  test('the same', () => {
    expect(first).toEqual(TOKENS.flatMap(() => AROUND.map(() => 1)));
    expect(later).toEqual(first);
  });
  test.each(NONE)('none in %j', (text) => expect([...findTokens(text)]).toEqual([]));
});
