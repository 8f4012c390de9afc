import { expect, test } from 'vitest';
import { openStore } from '../../../src/audit/read/store.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import { csvCell } from '../../../src/base/csv.ts';
import { GovError } from '../../../src/base/errors.ts';
import { parseWhen } from '../../../src/cli/when.ts';
import type { RecordDraft } from '../../../src/model/record.ts';
import { numbersOf } from '../../../src/report/numbers.ts';
import { stepName } from '../../../src/report/timeline.ts';
import { callOf, decisionOf, draftOf, hitOf, scratchPaths } from './draft.ts';

const START = Date.UTC(2026, 0, 5, 9);
const HOUR = 3_600_000;

function reportOf(drafts: readonly RecordDraft[], filter = {}) {
  const paths = scratchPaths();
  const writer = openWriter(paths);
  for (const draft of drafts) writer.append(draft);
  writer.close();
  const store = openStore(paths.database);
  try {
    return numbersOf(store, filter, { govVersion: '0', top: 10, verification: null });
  } finally {
    store.close();
  }
}

const denied = (at: number, session: string, rule = 'git.push-force', command = 'git push -f') =>
  draftOf(command, {
    at,
    call: callOf(command, { session }),
    decision: decisionOf('deny', [hitOf(rule)]),
    answer: 'deny',
  });

test('nothing in the period', () => {
  expect(reportOf([denied(START, 'a')], { since: START + 1 })).toMatchObject({
    period: { since: START + 1, until: null, first: null, last: null },
    totals: { records: 0, decisions: 0 },
    timeline: { buckets: [] },
    blocked: [],
    latency: { count: 0, p50: 0, max: 0 },
    integrity: { first_seq: 1, last_seq: 1, verified: 'not checked' },
  });
});

test('held-up calls are gathered by call and rule, most frequent first', () => {
  const report = reportOf([
    denied(START, 'a'),
    denied(START + 1, 'b'),
    denied(START + 2, 'b'),
    denied(START + 3, 'b', 'core.other', 'x'),
  ]);
  expect(
    report.blocked.map(({ summary, rule, count, sessions, last }) => ({ summary, rule, count, sessions, last })),
  ).toEqual([
    { summary: 'git push -f', rule: 'git.push-force', count: 3, sessions: 2, last: START + 2 },
    { summary: 'x', rule: 'core.other', count: 1, sessions: 1, last: START + 3 },
  ]);
});

test('an ask counts as gone on if the call has an outcome in the same session', () => {
  const ask = (session: string, callId: string) =>
    draftOf('apply', {
      call: callOf('apply', { session, callId }),
      decision: decisionOf('ask', [hitOf('infra.apply', 'ask')]),
      answer: 'ask',
    });
  const outcome = (session: string, callId: string) =>
    draftOf('', {
      kind: 'outcome',
      call: callOf('apply', { session, callId, event: 'PostToolUse' }),
      facts: null,
      decision: null,
      answer: '',
    });
  const report = reportOf([
    ask('a', '1'),
    ask('a', '2'),
    ask('b', '1'),
    outcome('a', '1'),
    outcome('a', '1'),
    outcome('c', '2'),
  ]);
  expect(report.totals).toMatchObject({ ask: 3, outcomes: 3, asks_approved: 1 });
  expect(report.asked).toMatchObject([{ summary: 'apply', count: 3, approved: 1 }]);
});

test('the prompt of the agent that repeats a question is no question of its own', () => {
  const at = (event: string, callId: string | null, command = 'apply') =>
    draftOf(command, {
      call: callOf(command, { session: 'a', event, callId } as object),
      decision: decisionOf('ask', [hitOf('infra.apply', 'ask')]),
      answer: 'ask',
    });
  const outcome = draftOf('', {
    kind: 'outcome',
    call: callOf('apply', { session: 'a', callId: '1', event: 'PostToolUse' }),
    facts: null,
    decision: null,
    answer: '',
  });
  const report = reportOf([
    at('PreToolUse', '1'),
    at('PermissionRequest', null),
    outcome,
    at('PreToolUse', '2', 'other'),
    at('PermissionRequest', '2', 'other'),
    // Nothing was asked before these.
    at('PermissionRequest', null),
    at('PermissionRequest', '3', 'third'),
  ]);
  expect(report.totals).toMatchObject({ records: 7, decisions: 4, ask: 4, repeats: 2, asks_approved: 1 });
  expect(report.asks).toEqual({ went_on: 1, approved: 0, refused: 0, not_seen_again: 3 });
  expect(report.asked.map((held) => [held.summary, held.count, held.approved])).toEqual([
    ['apply', 2, 1],
    ['third', 1, 0],
    ['other', 1, 0],
  ]);
  expect(report.rules).toMatchObject([{ rule: 'infra.apply', fired: 4, ask: 4 }]);
});

test('what was only watched is told apart', () => {
  const watched = draftOf('x', { decision: decisionOf('deny', [hitOf('a.b')]), answer: 'allow', enforced: false });
  expect(reportOf([watched, draftOf('y')]).totals).toMatchObject({ allow: 2, watched: 1, deny: 0 });
});

test('rules: fired, decided, what they led to', () => {
  const both = draftOf('x', { decision: decisionOf('deny', [hitOf('a.x'), hitOf('b.y', 'ask')]), answer: 'deny' });
  const one = draftOf('x', { decision: decisionOf('ask', [hitOf('b.y', 'ask')]), answer: 'ask' });
  expect(reportOf([both, one]).rules).toEqual([
    { rule: 'b.y', fired: 2, decided: 1, deny: 0, ask: 1, sessions: 1 },
    { rule: 'a.x', fired: 1, decided: 1, deny: 1, ask: 0, sessions: 1 },
  ]);
});

test.each([
  ['hour', 5 * HOUR, 6, '2026-01-05 09:00'],
  ['day', 10 * 24 * HOUR, 11, '2026-01-05'],
  ['week', 100 * 24 * HOUR, 15, '2026-01-05'],
  ['month', 800 * 24 * HOUR, 27, '2026-01'],
] as const)('steps of a %s', (step, span, count, name) => {
  const { timeline } = reportOf([denied(START, 'a'), denied(START + span, 'a')]);
  expect(timeline.step).toBe(step);
  expect(timeline.buckets).toHaveLength(count);
  expect(stepName(timeline.buckets[0]!.start, step)).toBe(name);
  expect(timeline.buckets.reduce((sum, b) => sum + b.deny, 0)).toBe(2);
});

test('percentiles are by nearest rank', () => {
  const report = reportOf(Array.from({ length: 100 }, (_, i) => draftOf('x', { latencyMs: i + 1 })));
  expect(report.latency).toEqual({ count: 100, p50: 50, p95: 95, p99: 99, max: 100 });
});

test.each([
  ['=1+1', "'=1+1"],
  ['@x', "'@x"],
  ['-rf', "'-rf"],
  ['  =1+1', "'  =1+1"],
  ['\u00a0=1', "'\u00a0=1"],
  ['＝1+1', "'＝1+1"],
  ['a=1', 'a=1'],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['a\r\nb', 'a\\r\\nb'],
  ['plain', 'plain'],
])('CSV cell %j', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

const NOW = Date.UTC(2026, 0, 15, 12, 30);
test.each([
  ['now', NOW],
  ['today', Date.UTC(2026, 0, 15)],
  ['yesterday', Date.UTC(2026, 0, 14)],
  ['90s', NOW - 90_000],
  ['30m', NOW - 30 * 60_000],
  ['2h', NOW - 2 * HOUR],
  ['2 hours ago', NOW - 2 * HOUR],
  ['7d', NOW - 7 * 24 * HOUR],
  ['2w', NOW - 14 * 24 * HOUR],
  ['2026-01-05', Date.UTC(2026, 0, 5)],
  ['2026-01-05 09:30', Date.UTC(2026, 0, 5, 9, 30)],
  ['2026-01-05T09:30:00Z', Date.UTC(2026, 0, 5, 9, 30)],
  ['2026-01-05T09:30:00.250+02:00', Date.UTC(2026, 0, 5, 7, 30, 0, 250)],
])('time %s', (text, at) => {
  expect(parseWhen(text, NOW)).toBe(at);
});

test.each(['', 'soon', '7', '2026-13-01', '2026-1-5', '-2h', '1e9d'])('not a time: %j', (text) => {
  expect(() => parseWhen(text, NOW)).toThrow(GovError);
});
