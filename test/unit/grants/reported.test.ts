import { afterEach, beforeEach, expect, test } from 'vitest';
import { refuse } from '../../../src/grants/person-said.ts';
import { findRequest, readRequests } from '../../../src/grants/requests.ts';
import { numbersOf } from '../../../src/report/numbers.ts';
import { type Governed, governed } from '../../support/governed.ts';

let place: Governed;
beforeEach(() => {
  place = governed();
});
afterEach(() => place.close());

const report = () => place.store((store) => numbersOf(store, {}, { govVersion: '0', top: 10, verification: null }));
const codeOf = (text: string): string => /gov elevate approve (\w+)/.exec(text)?.[1] ?? '';

test('calls that were held up and approved with gov elevate: asked, and went on', () => {
  const ASKED = 'git reset --hard HEAD~1';
  const first = place.call({ command: ASKED, callId: '1' });
  expect(first.answer).toBe('ask');
  expect(report().asks).toEqual({ went_on: 0, approved: 0, refused: 0, not_seen_again: 1 });
  place.approve(codeOf(first.text));
  expect(report().asks).toEqual({ went_on: 0, approved: 1, refused: 0, not_seen_again: 0 });
  expect(place.call({ command: ASKED, callId: '2' }).answer).toBe('allow');
  expect(report()).toMatchObject({
    totals: { ask: 1, allow: 1, asks_approved: 1 },
    asks: { went_on: 1, approved: 0, refused: 0, not_seen_again: 0 },
    asked: [{ summary: ASKED, count: 1, approved: 1 }],
  });
});

test('of what was blocked, too', () => {
  const blocked = place.call({ command: 'rm -rf /home/dev/other', callId: '1' });
  expect(blocked.answer).toBe('deny');
  place.approve(codeOf(blocked.text));
  expect(report().blocked).toMatchObject([{ count: 1, approved: 0 }]);
  place.call({ command: 'rm -rf /home/dev/other', callId: '2' });
  expect(report()).toMatchObject({ totals: { deny: 1, allow: 1 }, blocked: [{ count: 1, approved: 1 }] });
});

test('a no counts as refused', () => {
  const asked = place.call({ command: 'git reset --hard HEAD~1', callId: '1' });
  const request = findRequest(
    place.store((store) => readRequests(store, place.clock.now)),
    codeOf(asked.text),
  );
  refuse(place.writer, request, { by: 'dev', note: '', cwd: '/' }, place.clock.now);
  expect(report().asks).toEqual({ went_on: 0, approved: 0, refused: 1, not_seen_again: 0 });
});
