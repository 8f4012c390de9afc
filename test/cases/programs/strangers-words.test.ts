import { expect, it } from 'vitest';
import { analysed } from '../../unit/shell/analysed.ts';

// Rules are also about programs that gov has no model of: their options and operands are what custom says.
it.each<[string, readonly string[], readonly string[]]>([
  ['vessel launch production', [], ['launch', 'production']],
  ['vessel launch --fast --to=production x', ['fast', 'to'], ['launch', 'x']],
  ['vessel -vf staging', ['vf', 'v', 'f'], ['staging']],
  ['vessel --env production', ['env'], ['production']],
  ['vessel -x -- --not -an option', ['x'], ['--not', '-an', 'option']],
  ['vessel - ""', [], ['-', '']],
  ['vessel', [], []],
])('%s', (text, flags, operands) => {
  const [command] = analysed(text).commands;
  expect([command?.flags, command?.operands]).toEqual([flags, operands]);
});

it('a long cluster is no load', () => {
  const [command] = analysed(`vessel -${'ab'.repeat(50_000)}`).commands;
  expect(command?.flags.length).toBeLessThan(10);
});
