import { expect, test } from 'vitest';
import { Overdue, within } from '../../../src/hook/watchdog.ts';

test('gives back what the function gives back', () => {
  expect(within(1000, () => 42)).toBe(42);
});

test('passes on what the function throws', () => {
  expect(() =>
    within(1000, () => {
      throw new RangeError('mine');
    }),
  ).toThrow(RangeError);
});

test('ends an endless loop', () => {
  const started = performance.now();
  expect(() =>
    within(50, () => {
      for (;;);
    }),
  ).toThrow(Overdue);
  expect(performance.now() - started).toBeLessThan(2000);
});

test('ends a regular expression that backtracks', () => {
  expect(() => within(50, () => /^(a+)+$/.test(`${'a'.repeat(40)}!`))).toThrow(Overdue);
});

test('can be used again afterwards', () => {
  expect(() =>
    within(20, () => {
      for (;;);
    }),
  ).toThrow(Overdue);
  expect(within(1000, () => 'still here')).toBe('still here');
});
