// T-10: a record is changed, removed or inserted afterwards.

import { beforeEach, expect, test } from 'vitest';
import { openStore } from '../../src/audit/read/store.ts';
import { Database } from '../../src/audit/sqlite.ts';
import { type Verification, verifyStore } from '../../src/audit/tend/verify.ts';
import { openWriter } from '../../src/audit/write/writer.ts';
import type { GovPaths } from '../../src/base/gov-paths.ts';
import { decisionOf, draftOf, hitOf, scratchPaths } from '../unit/audit/draft.ts';

let paths: GovPaths;
beforeEach(() => {
  paths = scratchPaths();
  const writer = openWriter(paths);
  writer.append(draftOf('ls'));
  writer.append(draftOf('rm -rf /etc', { answer: 'deny', decision: decisionOf('deny', [hitOf('fs.delete-outside')]) }));
  writer.append(draftOf('npm test'));
  writer.close();
});

function attempt(sql: string): string {
  const db = new Database(paths.database);
  try {
    db.exec(sql);
    return 'done';
  } catch (error) {
    return (error as Error).message;
  } finally {
    db.close();
  }
}

function verified(): Verification {
  const store = openStore(paths.database);
  try {
    return verifyStore(store, paths);
  } finally {
    store.close();
  }
}

test.each([
  ['UPDATE', "UPDATE records SET answer = 'allow' WHERE seq = 2"],
  ['DELETE', 'DELETE FROM records WHERE seq = 2'],
  ['INSERT OR REPLACE', 'INSERT OR REPLACE INTO records SELECT * FROM records WHERE seq = 2'],
])('%s is refused by the store itself', (_, sql) => {
  expect(attempt(sql)).not.toBe('done');
  expect(verified().ok).toBe(true);
});

test('with the triggers taken away it works, and verification names the record', () => {
  const db = new Database(paths.database);
  const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all() as string[];
  for (const name of triggers) db.exec(`DROP TRIGGER ${name}`);
  db.exec("UPDATE records SET answer = 'allow' WHERE seq = 2");
  db.close();
  const result = verified();
  expect(result.ok).toBe(false);
  expect(JSON.stringify(result)).toContain('"seq":2');
});
