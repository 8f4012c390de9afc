import { afterEach, beforeEach, expect, test } from 'vitest';
import { codeOf } from '../../../src/base/ids.ts';
import { type Governed, governed } from '../../support/governed.ts';
import { compileBuiltin } from '../../support/policy.ts';

const STRICT = compileBuiltin('strict');
const UNKNOWN = { command: 'some-unknown-program --now' } as const;

let place: Governed;
beforeEach(() => {
  place = governed();
  place.policy = STRICT;
});
afterEach(() => {
  place.close();
});

test('the question about what no rule allows names a code, and the grant lifts this very call', () => {
  const asked = place.call(UNKNOWN);
  expect([asked.answer, asked.text]).toEqual([
    'ask',
    expect.stringContaining(`gov elevate approve ${codeOf(asked.id)}`),
  ]);
  const { terms } = place.approve(codeOf(asked.id));
  expect([terms.rules, terms.digest === '']).toEqual([['ordinary.nothing-else'], false]);
  expect([place.call(UNKNOWN).answer, place.call({ command: 'another-program' }).answer]).toEqual(['allow', 'ask']);
});

test('uses end, and what another rule objects to takes that rule as well', () => {
  const { terms } = place.approve(codeOf(place.call(UNKNOWN).id), { uses: 1 });
  expect(terms.uses).toBe(1);
  expect([1, 2].map(() => place.call(UNKNOWN).answer)).toEqual(['allow', 'ask']);
  const both = place.approve(codeOf(place.call({ command: 'some-program; git reset --hard' }).id));
  expect(both.terms.rules).toEqual(expect.arrayContaining(['git.discard-changes', 'ordinary.nothing-else']));
  expect(place.call({ command: 'some-program; git reset --hard' }).answer).toBe('allow');
});
