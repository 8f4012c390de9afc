import { describe, expect, it } from 'vitest';
import type { Facts } from '../../src/model/facts.ts';
import { decide } from '../../src/policy/decide.ts';
import { factsFor } from '../support/judge.ts';
import { compileBuiltin } from '../support/policy.ts';

const policy = compileBuiltin('recommended');
const LENGTH = 100_000;

/** What makes patterns backtrack, or lists be gone through again and again, in each place that rules look at. */
const STRETCHES = [
  'a',
  '/',
  './',
  '../',
  '*',
  '?',
  '[',
  '.',
  '-',
  ' ',
  '\\\\',
  '=',
  '@',
  ':',
  '%',
  'aA',
  'a/',
  '{',
  '~',
  '$',
];
const PLACES: readonly (readonly [string, (stretch: string) => string])[] = [
  ['an argument', (s) => `rm -rf '${s}!'`],
  ['a name', (s) => `'${s}!' x`],
  ['a target', (s) => `echo x > '${s}!'`],
  ['an address', (s) => `curl 'https://e.example/${s}!'`],
  ['a message', (s) => `git commit -m '${s}!'`],
  ['a variable', (s) => `A='${s}!' make`],
];

/** CPU milliseconds of a decision on facts that are there, the least of some. */
function cost(facts: Facts): number {
  const times = Array.from({ length: 4 }, () => {
    const before = process.cpuUsage();
    decide(policy, facts, { now: 0 });
    return process.cpuUsage(before).user / 1000;
  });
  return Math.min(...times);
}

describe('no command makes a rule slow', () => {
  it.each(PLACES)('by %s', (_, make) => {
    const slow = STRETCHES.map((s) => {
      const text = make(s.repeat(LENGTH / s.length).slice(0, LENGTH));
      return [s, cost(factsFor(text))] as const;
    }).filter(([, ms]) => ms >= 50);
    expect(slow).toEqual([]);
  });
});
