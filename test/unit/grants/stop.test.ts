import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { actDraft } from '../../../src/audit/write/act.ts';
import { stateOf } from '../../../src/grants/session-state.ts';
import { liftStop, putStop, stopFile, stopFor, stopsInForce } from '../../../src/grants/stop.ts';
import { type Governed, governed, START } from '../../support/governed.ts';

let place: Governed;
beforeEach(() => {
  place = governed();
  place.writer.append(actDraft({ name: 'test', detail: {} }, START));
});
afterEach(() => {
  place.close();
});

const order = (session: string) => ({ session, at: START, reason: 'look first', by: 'dev' });

test('an order for all stops every session, one for a session only that, and taking it back frees them', () => {
  const stopped = (): boolean[] => ['s1', 's2'].map((session) => stopFor(place.paths, session) !== null);
  expect(stopped()).toEqual([false, false]);
  putStop(place.paths, order('s1'));
  expect(stopped()).toEqual([true, false]);
  putStop(place.paths, order(''));
  expect(stopped()).toEqual([true, true]);
  expect(stopsInForce(place.paths).map((stop) => stop.session)).toEqual(['', 's1']);
  for (const stop of stopsInForce(place.paths)) if (stop.session === '') liftStop(stop);
  expect(stopped()).toEqual([true, false]);
  for (const stop of stopsInForce(place.paths)) liftStop(stop);
  expect(stopped()).toEqual([false, false]);
  expect(readdirSync(place.paths.state).filter((name) => name.startsWith('stop'))).toEqual([]);
});

describe('the file’s presence is enough', () => {
  test.each<[string, (file: string) => void]>([
    ['empty', (file) => writeFileSync(file, '')],
    ['not JSON', (file) => writeFileSync(file, 'stop!')],
    ['JSON of another shape', (file) => writeFileSync(file, '{"at":"soon","reason":7}')],
    ['a time that is none', (file) => writeFileSync(file, '{"at":1e300}')],
    ['a directory', (file) => mkdirSync(file)],
    ['a link to nothing', (file) => symlinkSync('/nowhere', file)],
  ])('%s', (_, make) => {
    make(stopFile(place.paths, ''));
    expect(stopFor(place.paths, 's1')).toEqual({ session: '', at: null, reason: '', by: '' });
    expect(place.call({ command: 'ls' })).toMatchObject({ answer: 'deny' });
    for (const stop of stopsInForce(place.paths)) liftStop(stop);
    expect(place.call({ command: 'ls' })).toMatchObject({ answer: 'allow' });
  });
});

test('the agent is told to stop and wait, whatever the call; it is recorded', () => {
  putStop(place.paths, order(''));
  const { text, answer } = place.call({ command: 'ls' });
  expect(answer).toBe('deny');
  expect(text.split('\n').slice(0, 2)).toEqual([
    'stopped by gov.stopped: dev stopped all agents on this machine at 2026-01-01T12:00:00Z: look first',
    'try: stop here and wait; every call is blocked until the person runs `gov resume`; tell them how far you are',
  ]);
});

test('no grant lifts an order', () => {
  const held = place.call({ command: 'rm -rf ~/other' });
  place.approve(held.id);
  place.clock.now += 1000;
  putStop(place.paths, order('s1'));
  expect(place.call({ command: 'rm -rf ~/other' })).toMatchObject({ answer: 'deny', lifted: [] });
  rmSync(stopFile(place.paths, 's1'));
  expect(place.call({ command: 'rm -rf ~/other' }).answer).toBe('allow');
});

test.each([
  [{ stopped: true, tripped: true, granted: true }, 'stopped'],
  [{ stopped: false, tripped: true, granted: true }, 'paused'],
  [{ stopped: false, tripped: false, granted: true }, 'elevated'],
  [{ stopped: false, tripped: false, granted: false }, 'active'],
] as const)('%j is %s', (signs, state) => {
  expect(stateOf(signs)).toBe(state);
});
