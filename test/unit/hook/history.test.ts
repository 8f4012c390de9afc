import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { actDraft } from '../../../src/audit/write/act.ts';
import { keyedDigest } from '../../../src/audit/write/draft.ts';
import { openWriter, type Writer } from '../../../src/audit/write/writer.ts';
import { govPaths } from '../../../src/base/gov-paths.ts';
import { storeHistory } from '../../../src/hook/history.ts';
import type { Mark } from '../../../src/model/decision.ts';
import type { LimitAsk } from '../../../src/policy/history.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 0, 1, 12);
const DIGEST = 'a'.repeat(64);
const KEY = Buffer.alloc(32, 7);

let dir: string;
let writer: Writer;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gov-history-'));
  writer = openWriter(govPaths({ GOV_HOME: dir, HOME: dir }));
});
afterEach(() => {
  writer.close();
  rmSync(dir, { recursive: true, force: true });
});

/** A record of a session, so many minutes ago, with marks. */
function record(session: string, ago: number, event = 'PreToolUse', marks: readonly Mark[] = []): void {
  const at = NOW - ago * MINUTE;
  const draft = actDraft({ name: 'x', detail: {}, session }, at);
  const kind = event.startsWith('Post') ? 'outcome' : event === 'Stop' ? 'session' : 'decision';
  const call = { ...draft.call, event: event as 'PreToolUse', rawEvent: event };
  const decision = {
    answer: 'allow',
    effect: 'allow',
    rule: null,
    reason: '',
    rules: [],
    trace: [],
    policy: '',
  } as const;
  writer.append({ ...draft, kind, call, decision: { ...decision, marks } });
}

/** The history, and how often its store was asked and a digest was keyed. */
function history() {
  const count = { reads: 0, keyed: 0 };
  const made = storeHistory(
    (use) => {
      count.reads++;
      return writer.read(use);
    },
    (digest) => {
      count.keyed++;
      return keyedDigest(digest, KEY);
    },
  );
  return { ...made, count };
}

const ask = (more: Partial<LimitAsk>): LimitAsk => ({
  rule: 'r',
  counts: 'call',
  key: 's1',
  since: NOW - 60 * MINUTE,
  until: NOW + 1,
  calls: ['PreToolUse'],
  enough: 0,
  ...more,
});

describe('calls and minutes are counted from the records', () => {
  beforeEach(() => {
    for (const ago of [90, 61, 59, 30, 30, 1]) record('s1', ago);
    record('s1', 30, 'PermissionRequest');
    record('s1', 29, 'PostToolUse');
    record('s1', 28, 'Stop');
    record('s2', 5);
  });
  test.each<[string, Partial<LimitAsk>, number]>([
    ['calls of the last hour', {}, 4],
    ['of two hours', { since: NOW - 120 * MINUTE }, 6],
    ['of other events too', { calls: ['PreToolUse', 'PermissionRequest'] }, 5],
    ['up to a time', { until: NOW - 10 * MINUTE }, 3],
    ['of a session', { key: 's2' }, 1],
    ['of a session without records', { key: 's3' }, 0],
    ['minutes with a call', { counts: 'minutes', until: NOW }, 3],
    ['minutes of two hours', { counts: 'minutes', until: NOW, since: NOW - 120 * MINUTE }, 5],
  ])('%s', (_, more, want) => {
    expect(history().total(ask(more))).toBe(want);
  });

  test('as long as all records of the session are not too many, nothing else is looked at', () => {
    const seen = history();
    expect(seen.total(ask({ enough: 9 }))).toBeLessThanOrEqual(9);
    expect(seen.total(ask({ counts: 'minutes', enough: 720 }))).toBeLessThanOrEqual(720);
    expect(seen.total(ask({ enough: 8 }))).toBe(4);
  });

  test('a session that is younger than so many minutes is not counted', () => {
    for (let i = 0; i < 40; i++) record('young', 3);
    expect(history().total(ask({ key: 'young', counts: 'minutes', until: NOW, enough: 10 }))).toBe(3);
    expect(history().total(ask({ key: 'young', counts: 'minutes', until: NOW, enough: 2 }))).toBe(1);
  });
});

describe('what only some calls count is summed up from marks', () => {
  const mark = (key: string, ago: number, step = 'failure', weight = 1, rule = 'r'): Mark => {
    return { rule, step, key, at: NOW - ago * MINUTE, weight };
  };
  const sum = (more: Partial<LimitAsk>) => history().total(ask({ calls: null, counts: 'failure', ...more }));

  test('by rule, step, key and time', () => {
    record('s1', 1, 'PreToolUse', [
      mark('s1', 70),
      mark('s1', 50),
      mark('s1', 10, 'failure', 4),
      mark('s1', 9, 'deny'),
      mark('s2', 9),
      mark('s1', 9, 'failure', 1, 'q'),
    ]);
    expect([sum({}), sum({ counts: 'deny' }), sum({ key: 's2' }), sum({ rule: 'q' }), sum({ key: 's3' })]).toEqual([
      5, 1, 1, 1, 0,
    ]);
    record('s1', 1, 'PreToolUse', [mark('s1', 8.5, 'minutes'), mark('s1', 8.4, 'minutes'), mark('s1', 7, 'minutes')]);
    expect(sum({ counts: 'minutes' })).toBe(2);
  });

  test('a digest is looked for keyed too, but no key is asked for while none is stored so', () => {
    record('s1', 1, 'PreToolUse', [mark(`s1 ${DIGEST}`, 5)]);
    const before = history();
    const asked = ask({ calls: null, counts: 'failure', key: `s1 ${DIGEST}` });
    expect([before.total(asked), before.count.keyed]).toEqual([1, 0]);
    record('s1', 1, 'PreToolUse', [mark(`s1 ${keyedDigest(DIGEST, KEY)}`, 4)]);
    const after = history();
    expect([after.total(asked), after.count.keyed]).toEqual([2, 1]);
    expect(after.marks('r', `s1 ${DIGEST}`, 0)).toHaveLength(2);
    expect(history().total({ ...asked, key: `s2 ${DIGEST}` })).toBe(0);
  });

  test('the same marks are read once', () => {
    record('s1', 1, 'PreToolUse', [mark('s1', 5)]);
    const seen = history();
    expect(seen.marks('r', 's1', 0)).toEqual(seen.marks('r', 's1', 0));
    expect(seen.count.reads).toBe(1);
  });
});

test('a store that can’t be read is asked once', () => {
  let asked = 0;
  const broken = storeHistory(
    () => {
      asked++;
      throw new Error('locked');
    },
    () => null,
  );
  expect(() => broken.marks('r', 's1', 0)).toThrow('locked');
  expect(() => broken.total(ask({}))).toThrow('locked');
  expect(asked).toBe(1);
});
