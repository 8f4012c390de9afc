import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { findNativeBinding } from '../../../src/audit/write/binding.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import { draftOf, scratchPaths } from './draft.ts';

test('appended records are stored in sequence, in a file of mode 0600', () => {
  const paths = scratchPaths();
  const writer = openWriter(paths, { nativeBinding: findNativeBinding() });
  const a = writer.append(draftOf('ls -la'));
  const b = writer.append(draftOf('rm -rf build'));
  writer.close();
  const db = new Database(paths.database, { readonly: true });
  const rows = db.prepare('SELECT seq, id, summary, programs, hex(hash) AS hash FROM records ORDER BY seq').all();
  db.close();
  expect(rows).toEqual([
    { seq: 1, id: a.id, summary: 'ls -la', programs: ' ls ', hash: a.hash?.toUpperCase() },
    { seq: 2, id: b.id, summary: 'rm -rf build', programs: ' rm ', hash: b.hash?.toUpperCase() },
  ]);
  expect(statSync(paths.database).mode & 0o777).toBe(0o600);
  expect(statSync(paths.state).mode & 0o777).toBe(0o700);
});
