import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visible, visibleJson, visibleLines } from '../../../src/base/escape.ts';

const ROWS: readonly (readonly [string, string])[] = [
  ['plain text, ünïcode, 漢字 and 👍🏽 stay', 'plain text, ünïcode, 漢字 and 👍🏽 stay'],
  ['a\nb\tc\rd', 'a\\nb\\tc\\rd'],
  ['\u001b[2J', '\\x1b[2J'],
  ['\u009b2J', '\\x9b2J'],
  ['a\u202eb', 'a\\u202eb'],
  ['a\u200bb', 'a\\u200bb'],
  ['hangul\u3164filler', 'hangul\\u3164filler'],
  ['tags \u{e0072}\u{e006d}', 'tags \\u{e0072}\\u{e006d}'],
];

test.each(ROWS)('%j', (text, want) => {
  expect(visible(text)).toBe(want);
});

test('line feeds stay where lines are meant', () => {
  expect(visibleLines('a\nb\u0007')).toBe('a\nb\\x07');
});

test('what is visible once stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(visible(visible(text))).toBe(visible(text));
    }),
  );
});

test('JSON is spelled without what a terminal acts on or hides, and says the same', () => {
  const value = { 'a\u202e': 'x\u001b[2J\u007f\u009b\u200b\n\u{e0041}\ud800', n: [1, null] };
  for (const indent of [0, 2]) {
    const json = visibleJson(JSON.stringify(value, null, indent));
    expect(json).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e\u{e0041}]/u);
    expect(JSON.parse(json)).toEqual(value);
  }
  expect(visibleJson('{"a": "é\u2009語 \u{1f600}"}')).toBe('{"a": "é\u2009語 \u{1f600}"}');
});
