import { describe, expect, test } from 'vitest';
import { openStore } from '../../../src/audit/read/store.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import { findStart, rowsOf, sessionsOf } from '../../../src/replay/session.ts';
import { callOf, draftOf, scratchPaths } from '../audit/draft.ts';
import { fillStore, START } from './place.ts';

function filled(sessions: readonly string[]) {
  const paths = scratchPaths();
  fillStore(paths, sessions);
  return openStore(paths.database);
}

test('sessions, that with the newest record first, with their counts', () => {
  const store = filled(['alpha-1', 'beta', 'alpha-10']);
  const { sessions, next } = sessionsOf(store, 10);
  store.close();
  expect(next).toBeNull();
  expect(sessions.map((s) => [s.id, s.records, s.denied, s.asked, s.lastSeq])).toEqual([
    ['alpha-10', 10, 1, 1, 30],
    ['beta', 10, 1, 1, 20],
    ['alpha-1', 10, 1, 1, 10],
  ]);
  const [first] = sessions;
  expect([first?.agent, first?.repo, first?.first, (first?.last ?? 0) > START]).toEqual([
    'claude-code',
    '/home/dev/project',
    START,
    true,
  ]);
});

test('pages of sessions', () => {
  const store = filled(['a', 'b', 'c']);
  const one = sessionsOf(store, 2);
  const two = sessionsOf(store, 2, one.next);
  store.close();
  expect([one.sessions.map((s) => s.id), two.sessions.map((s) => s.id), two.next]).toEqual([['c', 'b'], ['a'], null]);
});

test('records of one session only, though another one begins like it', () => {
  const store = filled(['alpha-1', 'alpha-10']);
  const all = rowsOf(store, 'alpha-1', 0, 100).map((r) => r.seq);
  const some = rowsOf(store, 'alpha-10', 12, 3).map((r) => r.seq);
  store.close();
  expect([all, some]).toEqual([
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    [13, 14, 15],
  ]);
});

describe('what a person names', () => {
  test.each([
    ['latest', { session: 'alpha-10', seq: null }],
    ['alpha-1', { session: 'alpha-1', seq: null }],
    ['be', { session: 'beta', seq: null }],
    ['1ke6p000007beta', { session: 'beta', seq: 17 }],
    ['1KE6P000007BETA', { session: 'beta', seq: 17 }],
  ])('%s', (wanted, want) => {
    const store = filled(['alpha-1', 'beta', 'alpha-10']);
    expect(findStart(store, wanted)).toEqual(want);
    store.close();
  });
  test.each([
    ['al', 'usage-ambiguous'],
    ['gamma', 'usage-no-session'],
    ['', 'usage-ambiguous'],
  ])('%j is refused', (wanted, code) => {
    const store = filled(['alpha-1', 'beta', 'alpha-10']);
    expect(() => findStart(store, wanted)).toThrow(expect.objectContaining({ code }));
    store.close();
  });
  test('the latest is an agent’s, whatever people did with gov since', () => {
    const paths = scratchPaths();
    const writer = openWriter(paths);
    writer.append(draftOf('ls', { call: callOf('ls', { session: 'alpha' }) }));
    writer.append(draftOf('doctor', { call: callOf('doctor', { session: '', agent: 'gov' }) }));
    writer.close();
    const store = openStore(paths.database);
    expect(findStart(store, 'latest')).toEqual({ session: 'alpha', seq: null });
    store.close();
  });
  test('nothing was recorded yet', () => {
    const paths = scratchPaths();
    const writer = openWriter(paths);
    writer.append(draftOf('ls', { call: callOf('ls', { session: '' }) }));
    writer.close();
    const store = openStore(paths.database);
    expect(findStart(store, 'latest')).toEqual({ session: '', seq: null });
    expect(sessionsOf(store, 5).sessions.map((s) => s.id)).toEqual(['']);
    store.close();
  });
});
