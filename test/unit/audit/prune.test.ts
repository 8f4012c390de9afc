import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { termsDigest, termsText } from '../../../src/audit/format/grant.ts';
import { openStore } from '../../../src/audit/read/store.ts';
import { Database } from '../../../src/audit/sqlite.ts';
import { eraseBodies } from '../../../src/audit/tend/erase.ts';
import { type PruneWish, planPrune, prune } from '../../../src/audit/tend/prune.ts';
import { verifyArchive, verifyStore } from '../../../src/audit/tend/verify.ts';
import { actDraft } from '../../../src/audit/write/act.ts';
import { makeCheckpoint } from '../../../src/audit/write/checkpoint.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import type { GovPaths } from '../../../src/base/gov-paths.ts';
import type { GrantState, GrantTerms } from '../../../src/model/grant.ts';
import { callOf, draftOf, scratchPaths } from './draft.ts';

const DAY = 86_400_000;
const T = Date.UTC(2026, 0, 5);
const NOW = T + 100 * DAY;
let paths: GovPaths;

/** One record a day, the first at T. */
beforeEach(() => {
  paths = scratchPaths();
  fill(10, 0);
});

function fill(count: number, from: number): void {
  const writer = openWriter(paths);
  for (let i = 0; i < count; i++)
    writer.append(
      draftOf(`step ${from + i}`, {
        at: T + (from + i) * DAY,
        call: callOf(`step ${from + i}`, { callId: `c${from + i}` }),
      }),
    );
  writer.close();
}

function withStore<R>(use: (store: ReturnType<typeof openStore>) => R): R {
  const store = openStore(paths.database);
  try {
    return use(store);
  } finally {
    store.close();
  }
}
const verify = () => withStore((store) => verifyStore(store, paths));
const plan = (wish: PruneWish, now = NOW) => withStore((store) => planPrune(store, wish, now));
const pruneNow = (wish: PruneWish, now = NOW) => prune(paths, plan(wish, now), { now, by: 'dev' });

function sqlite(...statements: string[]): void {
  const db = new Database(paths.database);
  try {
    for (const sql of statements) db.exec(sql);
  } finally {
    db.close();
  }
}

/** Takes guards away, changes, puts them back: only hashes can tell. */
function tamper(sql: string): void {
  const db = new Database(paths.database);
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  db.exec(sql);
  for (const trigger of triggers) db.exec(trigger.sql);
  db.close();
}

test.each<readonly [string, PruneWish, number, readonly [number, boolean]]>([
  ['by time', { before: T + 4 * DAY }, NOW, [4, false]],
  ['by number', { keep: 3 }, NOW, [7, false]],
  ['the wish that takes most', { before: T + 4 * DAY, keep: 3 }, NOW, [7, false]],
  ['more than there is', { keep: 100 }, NOW, [0, false]],
  ['before the first', { before: T - DAY }, NOW, [0, false]],
  ['all', { keep: 0 }, NOW, [10, false]],
  ['never the last day', { keep: 0 }, T + 9.5 * DAY, [9, true]],
  ['nothing is as small as one byte', { maxBytes: 1 }, NOW, [10, false]],
  ['small enough already', { maxBytes: 1e9 }, NOW, [0, false]],
])('what goes: %s', (_, wish, now, [records, held]) => {
  const found = plan(wish, now);
  expect([found.first, found.last, found.records, found.held !== '']).toEqual([1, records, records, held]);
});

test('a size is reached by the oldest, in proportion', () => {
  const writer = openWriter(paths);
  for (let i = 0; i < 200; i++) writer.append(draftOf(`x ${'y'.repeat(2000)}`, { at: T + 20 * DAY + i }));
  writer.close();
  const size = statSync(paths.database).size;
  const half = pruneNow({ maxBytes: size / 2 });
  expect(half.records).toBeGreaterThan(80);
  expect(half.records).toBeLessThan(150);
  expect(half.bytes[1]).toBeLessThan(size * 0.62);
  expect(verify()).toMatchObject({ ok: true, verified_from: half.last + 1 });
});

test('records go into an archive, the rest verifies from there, and the chain goes on', () => {
  const headBefore = verify().head;
  const done = pruneNow({ before: T + 4 * DAY });
  const after = verify();
  expect(after).toMatchObject({ ok: true, findings: [], first: 5, last: 11, records: 7, verified_from: 5 });
  expect(after.notes).toContainEqual(expect.stringContaining(done.sha256));
  fill(2, 20);
  expect(verify()).toMatchObject({ ok: true, first: 5, last: 13 });

  const lines = readFileSync(done.archive, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([1, 2, 3, 4]);
  expect(statSync(done.archive).mode & 0o777).toBe(0o600);
  expect(statSync(join(done.archive, '..')).mode & 0o777).toBe(0o700);
  expect(verifyArchive(done.archive)).toMatchObject({ ok: true, records: 4, first: 1, last: 4 });
  const record = withStore((store) => store.show('11'));
  expect(record.body?.call).toMatchObject({
    rawEvent: 'audit-prune',
    detail: { first_seq: 1, until_seq: 4, records: 4, archive_sha256: done.sha256, by: 'dev' },
  });
  expect(record.prev_hash).toBe(headBefore);
});

test('a second pruning goes on where the first ended, and takes its record too', () => {
  pruneNow({ before: T + 4 * DAY });
  fill(3, 110);
  const second = pruneNow({ keep: 2 }, NOW + 100 * DAY);
  expect(second).toMatchObject({ first: 5, last: 12, records: 8 });
  expect(verify()).toMatchObject({ ok: true, first: 13, last: 15, verified_from: 13 });
  expect(verifyArchive(second.archive)).toMatchObject({ ok: true, first: 5, last: 12 });
});

test('everything may go but the record of the pruning', () => {
  pruneNow({ keep: 0 });
  expect(verify()).toMatchObject({ ok: true, records: 1, first: 11, last: 11 });
});

describe('afterwards', () => {
  beforeEach(() => {
    pruneNow({ before: T + 4 * DAY });
  });

  test('the guards are back', () => {
    for (const sql of [
      'DELETE FROM records WHERE seq = 5',
      'DELETE FROM bodies WHERE seq = 5',
      "UPDATE records SET rule = 'x'",
    ])
      expect(() => sqlite(sql)).toThrow(/never/);
    expect(verify().ok).toBe(true);
  });

  test.each([
    [
      'one more record taken away at the front',
      'DELETE FROM records WHERE seq = 5; DELETE FROM bodies WHERE seq = 5',
      'records-missing',
    ],
    [
      'the record of the pruning taken away',
      'DELETE FROM records WHERE seq = 11; DELETE FROM bodies WHERE seq = 11',
      'records-missing',
    ],
    [
      'a record of the pruning that claims more',
      'DELETE FROM records WHERE seq = 5; UPDATE bodies SET body = replace(body, \'"until_seq":4\', \'"until_seq":5\') WHERE seq = 11',
      'body-changed',
    ],
  ])('%s is found', (_, sql, code) => {
    tamper(sql);
    const result = verify();
    expect(result.ok).toBe(false);
    expect(result.findings.map((finding) => finding.code)).toContain(code);
  });
});

test('a plan by which nothing goes is refused', () => {
  expect(() => pruneNow({ keep: 100 })).toThrow(expect.objectContaining({ code: 'usage-prune' }));
  expect(verify()).toMatchObject({ ok: true, last: 10 });
});

test('nothing is pruned from a store that was tampered with', () => {
  tamper("UPDATE records SET answer = 'deny' WHERE seq = 9");
  expect(() => pruneNow({ before: T + 4 * DAY })).toThrow(/not what was written/);
  expect(withStore((store) => store.ends().first)).toBe(1);
});

test('nothing is pruned if the archive can’t be written', () => {
  writeFileSync(join(paths.state, 'archive'), 'a file');
  expect(() => pruneNow({ before: T + 4 * DAY })).toThrow(/archive/);
  expect(verify()).toMatchObject({ ok: true, first: 1, last: 10 });
});

test('an archive that was changed is found', () => {
  const { archive } = pruneNow({ before: T + 4 * DAY });
  writeFileSync(archive, readFileSync(archive, 'utf8').replace('step 2', 'step 7'));
  expect(verifyArchive(archive)).toMatchObject({ ok: false, findings: [{ seq: 3 }] });
});

test('checkpoints about pruned records still fit, and a cut tail is still found', () => {
  withStore((store) => makeCheckpoint(store.ends(), paths, NOW));
  pruneNow({ keep: 3 });
  withStore((store) => makeCheckpoint(store.ends(), paths, NOW));
  expect(verify().ok).toBe(true);
  pruneNow({ keep: 1 });
  expect(verify().ok).toBe(true);
});

describe('grants', () => {
  function grant(state: GrantState, at: number): void {
    const writer = openWriter(paths);
    const act = actDraft({ name: 'elevate-approved', detail: {} }, at);
    const terms: GrantTerms = {
      v: 1,
      id: act.id,
      request: 'r',
      rules: ['a.b'],
      tags: [],
      from: at,
      until: at + DAY,
      uses: 1,
      session: '',
      agent: '',
      workspace: '',
      path: '',
      digest: '',
      reason: 'because',
      approver: 'dev',
      signatures: 0,
    };
    const detail = { terms: termsDigest(termsText(terms)) };
    writer.append({ ...actDraft({ name: 'elevate-approved', detail }, at), id: act.id }, (ledger) => {
      ledger.put({ terms, state, usesLeft: 1, signatures: [] });
      return [];
    });
    writer.close();
  }

  test('one in force holds its approval, and what follows', () => {
    grant('active', T + 11 * DAY);
    fill(3, 20);
    expect(plan({ keep: 0 })).toMatchObject({ last: 10, held: expect.stringContaining('grant') });
  });

  test('one that is over goes without a finding', () => {
    grant('revoked', T + 11 * DAY);
    pruneNow({ keep: 0 });
    expect(verify()).toMatchObject({ ok: true, first: 12 });
  });
});

describe('erasing', () => {
  const erase = (id: string) =>
    eraseBodies(
      paths,
      withStore((store) => store.show(id)),
      { now: NOW, by: 'dev', reason: 'a name' },
    );

  test('the text is gone from the file, the chain still verifies', () => {
    const writer = openWriter(paths);
    const call = callOf('notify marzipan-7', { callId: 'c99' });
    writer.append(draftOf('notify marzipan-7', { at: T + 20 * DAY, call, facts: null }));
    writer.append(
      draftOf('', {
        at: T + 20 * DAY,
        kind: 'outcome',
        call: { ...call, event: 'PostToolUse' },
        facts: null,
        decision: null,
        answer: '',
      }),
    );
    writer.close();
    expect(
      readFileSync(paths.database).includes('marzipan-7') ||
        readFileSync(`${paths.database}-wal`).includes('marzipan-7'),
    ).toBe(true);

    expect(erase('11').erased.map(({ seq }) => seq)).toEqual([11, 12]);

    for (const file of [paths.database, `${paths.database}-wal`])
      if (statSync(file, { throwIfNoEntry: false }))
        expect(readFileSync(file).includes('marzipan-7'), file).toBe(false);
    expect(verify()).toMatchObject({ ok: true, findings: [], notes: ['bodies erased: 2; their hashes are intact'] });
    expect(withStore((store) => store.show('11'))).toMatchObject({
      body: null,
      row: { summary: '[erased]', answer: 'allow' },
    });
    expect(withStore((store) => store.show('13')).body?.call).toMatchObject({
      rawEvent: 'audit-redact',
      detail: { reason: 'a name', by: 'dev', erased: [{ seq: 11 }, { seq: 12 }] },
    });
  });

  test.each([
    ['what is left of it changed', "UPDATE records SET answer = 'deny' WHERE seq = 3", 3],
    ['its summary changed', "UPDATE records SET summary = 'ls' WHERE seq = 3", 3],
    ['a body put in its place', "INSERT INTO bodies VALUES (3, x'00', '{}')", 3],
    [
      'another one erased without a record',
      "UPDATE records SET summary = '[erased]' WHERE seq = 4; DELETE FROM bodies WHERE seq = 4",
      4,
    ],
  ])('%s is found', (_, sql, seq) => {
    erase('3');
    expect(verify().ok).toBe(true);
    tamper(sql);
    expect(verify().findings).toMatchObject([{ seq }]);
  });

  test('gov’s own acts and what is gone already are refused', () => {
    const { id } = erase('3');
    expect(() => erase(id)).toThrow(/done with gov itself/);
    expect(() => erase('3')).toThrow(/gone already/);
  });

  test('an erased record can be pruned', () => {
    erase('3');
    const done = pruneNow({ keep: 5 });
    expect(verify()).toMatchObject({ ok: true, first: 7 });
    expect(readFileSync(done.archive, 'utf8')).toContain('[erased]');
  });
});

test.each([
  ['no JSON', 'x\n'],
  ['not there', null],
])('an archive that is none: %s', (_, content) => {
  const file = join(paths.state, 'a.jsonl');
  if (content !== null) writeFileSync(file, content);
  expect(() => verifyArchive(file)).toThrow(expect.objectContaining({ code: 'store-unreadable' }));
});
