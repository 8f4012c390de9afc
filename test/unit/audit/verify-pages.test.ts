import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COLUMN_NAMES, genesisOf } from '../../../src/audit/format/chain.ts';
import { openStore } from '../../../src/audit/read/store.ts';
import { Database } from '../../../src/audit/sqlite.ts';
import { eraseBodies } from '../../../src/audit/tend/erase.ts';
import { verifyStore } from '../../../src/audit/tend/verify.ts';
import { pageLook } from '../../../src/audit/tend/verify-pages.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import { type GovPaths, govPaths } from '../../../src/base/gov-paths.ts';
import { callOf, decisionOf, draftOf, hitOf, scratchPaths } from './draft.ts';

const RECORDS = 300;
const MIDDLE = 200;

/** Some pages of records, so that one can be damaged with whole ones before and behind it. */
function makeStore(paths: GovPaths): GovPaths {
  const writer = openWriter(paths);
  for (let i = 1; i <= RECORDS; i++) {
    // What JSON and SQLite could write differently, and clocks that go back.
    const command = `echo ${i} "é語\u{1f600}\u2028\u0007\u202e\u007f" \\ /`;
    const at = Date.UTC(2026, 0, 5) + (i % 50 === 0 ? -1 : i) * 1000;
    const call = callOf(command, { session: 's"\\/é\u2028', callId: `call-${i}` });
    writer.append(draftOf(command, { at, call, decision: decisionOf('deny', [hitOf('a.b')]), answer: 'deny' }));
  }
  writer.close();
  return paths;
}

/** Changes the file as somebody with a tool would, and puts the guards back. */
function tamper(paths: GovPaths, sql: string): void {
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

/** How many records the quick look takes for whole, from the first on. */
function seenWhole(paths: GovPaths): number {
  const store = openStore(paths.database);
  try {
    const { chain, last } = store.ends();
    const look = pageLook(store, last);
    let end = { seq: 0, hash: genesisOf(chain), clock: 0 };
    while (end.seq < last) {
      const page = look(end);
      if (page === null) break;
      end = page.end;
    }
    return end.seq;
  } finally {
    store.close();
  }
}

function verify(paths: GovPaths) {
  const store = openStore(paths.database);
  try {
    return verifyStore(store, paths);
  } finally {
    store.close();
  }
}

describe('the quick look', () => {
  const dir = mkdtempSync(join(tmpdir(), 'gov-pages-'));
  const paths = govPaths({ GOV_HOME: dir, HOME: dir });
  beforeAll(() => {
    makeStore(paths);
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  test('takes all that was written for whole, and counts as the closer look does', () => {
    expect(seenWhole(paths)).toBe(RECORDS);
    const result = verify(paths);
    expect(result).toMatchObject({ ok: true, records: RECORDS, findings: [] });
    // Every fiftieth stands before the one ahead of it.
    expect(result.notes).toEqual(['times the clock went backwards: 6; order is that of the sequence numbers']);
  });

  test('tells how far it is', () => {
    const told: (readonly [number, number])[] = [];
    const store = openStore(paths.database);
    verifyStore(store, undefined, [], (done, all) => told.push([done, all]));
    store.close();
    expect(told).toEqual([0, 128, 256].map((done) => [done, RECORDS]));
  });

  const numeric = ['at', 'enforced', 'latency_us', 'faulty'];
  const changes: readonly (readonly [string, string])[] = [
    ...COLUMN_NAMES.map((name): [string, string] => [
      name,
      `UPDATE records SET ${name} = ${name} ${numeric.includes(name) ? '+ 1' : "|| 'x'"} WHERE seq = ${MIDDLE}`,
    ]),
    // A text that ends where C ends it must not pass for the one before.
    ...COLUMN_NAMES.filter((name) => !numeric.includes(name)).map((name): [string, string] => [
      `${name}, behind a NUL`,
      `UPDATE records SET ${name} = ${name} || char(0) || 'x' WHERE seq = ${MIDDLE}`,
    ]),
    ['spooled', `UPDATE records SET spooled = 1 WHERE seq = ${MIDDLE}`],
    ['body_hash', `UPDATE records SET body_hash = zeroblob(32) WHERE seq = ${MIDDLE}`],
    ['prev_hash', `UPDATE records SET prev_hash = zeroblob(32) WHERE seq = ${MIDDLE}`],
    ['hash', `UPDATE records SET hash = zeroblob(32) WHERE seq = ${MIDDLE}`],
    ['body', `UPDATE bodies SET body = replace(body, 'deny', 'allow') WHERE seq = ${MIDDLE}`],
    ['body, behind a NUL', `UPDATE bodies SET body = body || char(0) WHERE seq = ${MIDDLE}`],
    ['salt', `UPDATE bodies SET salt = zeroblob(16) WHERE seq = ${MIDDLE}`],
    ['no body', `DELETE FROM bodies WHERE seq = ${MIDDLE}`],
    ['no record', `DELETE FROM records WHERE seq = ${MIDDLE}`],
    ['no record and no body', `DELETE FROM records WHERE seq = ${MIDDLE}; DELETE FROM bodies WHERE seq = ${MIDDLE}`],
    ['number', `UPDATE records SET seq = 999 WHERE seq = ${MIDDLE}; UPDATE bodies SET seq = 999 WHERE seq = ${MIDDLE}`],
  ];
  test.each(changes)('sees a change in the middle: %s', (name, sql) => {
    const own = scratchPaths();
    mkdirSync(own.state, { mode: 0o700 });
    const db = new Database(paths.database);
    db.exec(`VACUUM INTO '${own.database}'`);
    db.close();
    tamper(own, sql);
    expect(seenWhole(own)).toBeLessThan(MIDDLE);
    const result = verify(own);
    expect(result.ok).toBe(false);
    const [first] = result.findings.filter((finding) => finding.seq !== null);
    expect([MIDDLE, MIDDLE + 1], JSON.stringify(first)).toContain(first?.seq);
    if ((COLUMN_NAMES as readonly string[]).includes(name)) expect(first?.columns).toEqual([name]);
  });
});

test('what was erased on purpose is no finding, and what was changed behind it is found', () => {
  const paths = makeStore(scratchPaths());
  const store = openStore(paths.database);
  const entry = store.show(String(MIDDLE));
  store.close();
  eraseBodies(paths, entry, { now: Date.UTC(2026, 0, 6), by: 'dev', reason: 'a name' });
  expect(seenWhole(paths)).toBeLessThan(MIDDLE);
  expect(verify(paths)).toMatchObject({ ok: true, records: RECORDS + 1 });
  tamper(paths, `UPDATE records SET answer = 'allow' WHERE seq = ${RECORDS - 1}`);
  const result = verify(paths);
  expect(result).toMatchObject({ ok: false, wrong: 1, records: RECORDS + 1 });
  expect(result.findings).toMatchObject([{ code: 'record-changed', seq: RECORDS - 1, columns: ['answer'] }]);
});
