import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/audit/read/store.ts';
import { coverageOf } from '../../../src/audit/tend/coverage.ts';
import { actDraft } from '../../../src/audit/write/act.ts';
import { bodyOf } from '../../../src/audit/write/draft.ts';
import { spoolRecord } from '../../../src/audit/write/spool.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import type { GovPaths } from '../../../src/base/gov-paths.ts';
import type { LoggedCall } from '../../../src/model/transcript.ts';
import { makeRedactor } from '../../../src/redact/redact.ts';
import { callOf, draftOf, scratchPaths } from './draft.ts';

const T = Date.UTC(2026, 0, 5, 9);
const MINUTE = 60_000;
const NOW = T + 600 * MINUTE;

function logged(callId: string, minutes: number | null, over: Partial<LoggedCall> = {}): LoggedCall {
  return {
    agent: 'claude-code',
    session: 'session-1',
    callId,
    tool: 'Bash',
    summary: `run ${callId}`,
    at: minutes === null ? null : T + minutes * MINUTE,
    cwd: '/src',
    subagent: false,
    ranBy: 'agent',
    end: 'result',
    hookFault: '',
    ...over,
  };
}

/** gov: registered at 10, one decision at 20, an outcome alone at 21, removed at 30, registered again at 40. */
function filled(): GovPaths {
  const paths = scratchPaths();
  const writer = openWriter(paths);
  const act = (name: string, minutes: number): void => {
    writer.append(actDraft({ name, detail: { agent: 'claude-code' } }, T + minutes * MINUTE));
  };
  act('doctor', 1);
  act('init', 10);
  writer.append(draftOf('ls', { at: T + 20 * MINUTE, call: callOf('ls', { callId: 'seen' }) }));
  writer.append(
    draftOf('ls', {
      at: T + 21 * MINUTE,
      kind: 'outcome',
      decision: null,
      answer: '',
      call: callOf('ls', { callId: 'late' }),
    }),
  );
  act('uninstall', 30);
  act('init', 40);
  writer.close();
  return paths;
}

const CASES: readonly (readonly [string, LoggedCall, string])[] = [
  ['recorded', logged('seen', 20), 'recorded'],
  ['only its outcome is recorded', logged('late', 21), 'outcome-only ungoverned'],
  ['before the registration', logged('a', 9), 'before-registration excused'],
  ['in between', logged('a', 25), 'not-recorded ungoverned'],
  ['without a time', logged('a', null), 'not-recorded ungoverned'],
  ['while gov was removed', logged('a', 35), 'not-registered ungoverned'],
  ['while gov was removed for another agent', logged('a', 35, { agent: 'other' }), 'not-recorded ungoverned'],
  ['after it came back', logged('a', 45), 'not-recorded ungoverned'],
  ['a session that no hook saw', logged('a', 45, { session: 'other' }), 'session-unknown ungoverned'],
  ['a session that a hook saw later', logged('a', 15), 'before-session ungoverned'],
  ['the hook failed', logged('a', 45, { hookFault: 'exit 1' }), 'hook-failed ungoverned'],
  ['run by the provider', logged('a', 45, { ranBy: 'server' }), 'no-hook-possible excused'],
  ['not run by the agent', logged('a', 45, { end: 'refused' }), 'not run'],
  ['judged, and then not run', logged('seen', 20, { end: 'refused' }), 'recorded'],
  ['no result long ago: it may have run', logged('a', 45, { end: 'none' }), 'not-recorded ungoverned'],
  ['just begun', logged('a', 600, { end: 'none' }), 'pending'],
  ['waits in the spool', logged('spooled', 45), 'recorded'],
  ['before the period', logged('a', -100), 'not counted'],
];

test.each(CASES)('%s', (_, call, want) => {
  const paths = filled();
  mkdirSync(paths.spool, { mode: 0o700 });
  const draft = draftOf('ls', { call: callOf('ls', { callId: 'spooled' }) });
  spoolRecord(
    paths.spool,
    draft.id,
    bodyOf(
      draft,
      makeRedactor(() => null),
    ).text,
  );
  const store = openStore(paths.database);
  const c = coverageOf(store, [call], { now: NOW, since: T - 10 * MINUTE, limit: 10, spool: paths.spool });
  store.close();
  const [found] = c.uncovered;
  const said =
    found !== undefined
      ? `${found.reason} ${found.excused ? 'excused' : 'ungoverned'}`
      : c.pending > 0
        ? 'pending'
        : c.not_run > 0
          ? 'not run'
          : c.recorded > 0
            ? 'recorded'
            : 'not counted';
  expect(said).toBe(want);
  expect(c.recorded + c.not_run + c.excused + c.ungoverned).toBe(c.calls);
});

test('counts by session and reason; a call in two logs counts once; nothing raw is shown', () => {
  const paths = filled();
  const store = openStore(paths.database);
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
  const calls = [
    logged('seen', 20),
    logged('seen', 20, { session: 'copy' }),
    logged('b', 50, { summary: `curl -H "Authorization: Bearer ${secret}"\u001b[2J`, subagent: true }),
    logged('c', 51, { session: 'other' }),
    logged('d', 5),
  ];
  const c = coverageOf(store, calls, { now: NOW, limit: 2 });
  store.close();
  expect({ ...c, uncovered: c.uncovered.map((u) => [u.call_id, u.reason]), limits: c.limits.length }).toEqual({
    calls: 4,
    recorded: 1,
    not_run: 0,
    pending: 0,
    excused: 1,
    ungoverned: 2,
    reasons: [
      { reason: 'before-registration', calls: 1, meaning: expect.any(String) },
      { reason: 'not-recorded', calls: 1, meaning: expect.any(String) },
      { reason: 'session-unknown', calls: 1, meaning: expect.any(String) },
    ],
    sessions: [
      {
        agent: 'claude-code',
        session: 'other',
        calls: 1,
        recorded: 0,
        not_run: 0,
        excused: 0,
        ungoverned: 1,
        first: T + 51 * MINUTE,
        last: T + 51 * MINUTE,
      },
      {
        agent: 'claude-code',
        session: 'session-1',
        calls: 3,
        recorded: 1,
        not_run: 0,
        excused: 1,
        ungoverned: 1,
        first: T + 5 * MINUTE,
        last: T + 50 * MINUTE,
      },
    ],
    uncovered: [
      ['c', 'session-unknown'],
      ['b', 'not-recorded'],
    ],
    limits: 2,
  });
  expect(c.uncovered[1]?.summary).not.toContain(secret.slice(0, 12));
  expect(JSON.stringify(c)).not.toContain('\\u001b');
});
