import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellsOf, cutTo, padTo, wrapTo } from '../../../src/replay/term/cells.ts';
import { clipped, countOf, durationOf, offsetOf, shown, shownLines, timeOf } from '../../../src/replay/text.ts';

describe('what a record says is shown so that it can do no harm and hide nothing', () => {
  test.each([
    ['plain text', 'rm -rf build', 'rm -rf build'],
    ['escape sequences', 'a\u001b[2J\u0007', 'a\\x1b[2J\\x07'],
    ['line feeds', 'a\nb', 'a\\nb'],
    ['bidi overrides', 'a\u202eb\u2066', 'a\\u202eb\\u2066'],
    ['zero width', 'a\u200bb\ufeff', 'a\\u200bb\\ufeff'],
    ['tag characters, which carry hidden ASCII', 'a\u{e0041}b', 'a\\u{e0041}b'],
    ['variation selectors that carry data', 'a\u{e0100}', 'a\\u{e0100}'],
    ['the selector that makes an emoji of a sign goes', '⚠\ufe0f on', '⚠ on'],
    ['fillers that look like nothing', 'a\u3164\u115f', 'a\\u3164\\u115f'],
    ['halves of characters', 'a\ud800b', 'a\\ud800b'],
    ['accents stay', 'e\u0301', 'e\u0301'],
    ['a pile of accents does not', 'e\u0301\u0301\u0301\u0301', 'e\u0301\u0301\u0301\\u0301'],
    ['other scripts', '価格を ✨', '価格を ✨'],
  ])('%s', (_name, text, want) => {
    expect(shown(text)).toBe(want);
    expect(shown(want)).toBe(want);
  });

  test('nothing invisible is left, and what was escaped stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const out = shown(text);
        expect(out).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/u);
        expect(shown(out)).toBe(out);
      }),
    );
  });

  test('lines', () => expect(shownLines('a\r\nb\tc\n')).toEqual(['a', 'b    c', '']));
});

test.each([
  [0, '0:00.0'],
  [3_449, '0:03.4'],
  [61_000, '1:01.0'],
  [3_600_000, '1:00:00'],
  [90_061_000, '25:01:01'],
  [-5, '0:00.0'],
])('offset %d', (ms, want) => expect(offsetOf(ms)).toBe(want));

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1.0 s'],
  [9_960, '10 s'],
  [90_000, '1.5 min'],
  [5_400_000, '1.5 h'],
  [180_000_000, '2.1 d'],
])('duration %d', (ms, want) => expect(durationOf(ms)).toBe(want));

test('times and counts', () => {
  expect(timeOf(Date.UTC(2026, 0, 5, 9, 30))).toBe('2026-01-05 09:30:00');
  expect(timeOf(Number.NaN)).toBe('unknown time');
  expect(countOf(1234567)).toBe('1,234,567');
  expect(clipped('abcdef', 4)).toBe('abc…');
  expect(clipped('✨✨✨', 3)).toBe('✨✨✨');
});

describe('cells', () => {
  test.each([
    ['abc', 3],
    ['価格', 4],
    ['✨', 2],
    ['⚠', 1],
    ['e\u0301', 1],
    ['ﾊﾝ', 2],
    ['한글', 4],
    ['▸●─', 3],
    ['🇩🇪', 4],
  ])('%s', (text, want) => expect(cellsOf(text)).toBe(want));

  test.each([
    ['abcdef', 4, 'abc…'],
    ['abcd', 4, 'abcd'],
    ['価格を', 5, '価格…'],
    ['価格を', 4, '価…'],
    ['価格を', 6, '価格を'],
    ['x価', 2, 'x…'],
    ['abc', 0, ''],
  ])('%s cut to %d', (text, cells, want) => expect(cutTo(text, cells)).toBe(want));

  test.each(['\u00a0', '\u2003', '\u3000'])('white space %j is no space to break at', (space) => {
    expect(wrapTo(space, 4)).toEqual([space]);
    expect(wrapTo(`ab${space} cd`, 4)).toEqual([`ab${space}`, 'cd']);
  });

  test('cutting, filling and wrapping keep to the width, and wrapping loses nothing but spaces', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.integer({ min: 2, max: 40 }), (raw, cells) => {
        const text = shown(raw);
        expect(cellsOf(cutTo(text, cells))).toBeLessThanOrEqual(cells);
        expect(cellsOf(padTo(text, cells))).toBe(cells);
        const lines = wrapTo(text, cells);
        for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(cells);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });
});
