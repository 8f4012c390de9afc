import { readdirSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { openStore } from '../../../src/audit/read/store.ts';
import { Database } from '../../../src/audit/sqlite.ts';
import { verifyStore } from '../../../src/audit/tend/verify.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import { draftOf, scratchPaths } from './draft.ts';

// As on a network file system: none can be mounted here.
const { safe } = vi.hoisted(() => ({ safe: { now: false } }));
vi.mock('../../../src/audit/write/place.ts', async (original) => ({
  ...(await original<typeof import('../../../src/audit/write/place.ts')>()),
  walIsSafe: () => safe.now,
}));

function modeOf(file: string): unknown {
  const db = new Database(file, { readonly: true });
  try {
    return db.pragma('journal_mode', { simple: true });
  } finally {
    db.close();
  }
}

test('where a write-ahead log can corrupt, there is none, and the store works all the same', () => {
  safe.now = false;
  const paths = scratchPaths();
  const [a, b] = [openWriter(paths), openWriter(paths)];
  for (let i = 0; i < 5; i++) {
    a.append(draftOf(`a ${i}`));
    expect(readdirSync(paths.state).filter((name) => /-(?:wal|shm)$/.test(name))).toEqual([]);
    b.append(draftOf(`b ${i}`));
  }
  a.close();
  b.close();
  expect(modeOf(paths.database)).toBe('delete');
  const store = openStore(paths.database);
  expect(verifyStore(store, paths)).toMatchObject({ ok: true, records: 10, notes: [] });
  store.close();
});

test('a store that comes from elsewhere with one loses it at the first record', () => {
  safe.now = true;
  const paths = scratchPaths();
  const first = openWriter(paths);
  first.append(draftOf('there'));
  first.close();
  expect(modeOf(paths.database)).toBe('wal');
  safe.now = false;
  const second = openWriter(paths);
  expect(second.append(draftOf('here'))).toMatchObject({ stored: 'database', seq: 2 });
  second.close();
  expect(modeOf(paths.database)).toBe('delete');
});
