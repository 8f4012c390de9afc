import { once } from 'node:events';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStore } from '../../src/audit/read/store.ts';
import { Database } from '../../src/audit/sqlite.ts';
import { makeCheckpoint } from '../../src/audit/write/checkpoint.ts';
import type { GovPaths } from '../../src/base/gov-paths.ts';
import { appenders } from './audit/appenders.ts';

const { home, start, look, drain } = appenders('gov-files-');

/** A process that holds the store open: it has appended `hold` records, and appends one more for each `go`. */
async function holding(env: NodeJS.ProcessEnv, count: number, hold: number) {
  const { child, done } = start(env, count, 'held', 2000, count + 1, hold);
  let seen = 0;
  const acknowledged = async (n: number): Promise<void> => {
    while (seen < n) {
      const [chunk] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
      seen += chunk.toString().split('\n').length - 1;
    }
  };
  await acknowledged(hold);
  return {
    child,
    done,
    go: async (): Promise<void> => {
      child.stdin?.write('.');
      await acknowledged(seen + 1);
    },
  };
}

function removed(paths: GovPaths, ...ends: readonly string[]): void {
  for (const end of ends) rmSync(paths.database + end, { force: true });
}

test('the write-ahead log deleted while the store is open: nothing that was acknowledged is lost', async () => {
  const { env, paths } = home('wal-open');
  const held = await holding(env, 3, 2);
  removed(paths, '-wal');
  // Others can't read what only the holder still has: theirs waits in the spool.
  const other = drain(env);
  expect(readdirSync(paths.spool)).toEqual([`${other}.json`]);
  await held.go();
  const { acknowledged, failures } = await held.done;
  expect(failures).toEqual([]);
  const last = drain(env);
  const { stored, result } = look(paths);
  expect(result.findings).toEqual([]);
  expect([...stored].sort()).toEqual([...acknowledged, other, last].sort());
});

test('a process killed, and its write-ahead log deleted: the chain goes on, and a checkpoint shows what is gone', async () => {
  const { env, paths } = home('wal-crash');
  drain(env); // closed in order: this one is in the database file
  const held = await holding(env, 9, 4);
  const store = openStore(paths.database);
  expect(makeCheckpoint(store.ends(), paths, Date.now()).seq).toBe(5);
  store.close();
  held.child.kill('SIGKILL');
  await held.done;
  removed(paths, '-wal', '-shm');
  drain(env);
  expect(look(paths).result).toMatchObject({ last: 2, findings: [{ code: 'records-cut-off', seq: 5 }] });
});

test('the database replaced by an older copy while it is open: what is lost shows by the checkpoint', async () => {
  const { env, paths } = home('older-copy');
  for (let i = 0; i < 3; i++) drain(env);
  const copy = `${paths.database}.copy`;
  copyFileSync(paths.database, copy);
  for (let i = 0; i < 5; i++) drain(env);
  const store = openStore(paths.database);
  makeCheckpoint(store.ends(), paths, Date.now());
  store.close();
  removed(paths, '', '-wal', '-shm');
  copyFileSync(copy, paths.database);
  expect(look(paths).result).toMatchObject({ last: 3, findings: [{ code: 'records-cut-off', seq: 8 }] });
  drain(env);
  expect(look(paths).result).toMatchObject({ last: 4, findings: [{ code: 'records-cut-off', seq: 8 }] });
});

test('a process holds the write lock and dies: the next one goes on', async () => {
  const { env, paths } = home('dead-lock');
  const first = drain(env);
  const held = await holding(env, 9, 1);
  const lock = new Database(paths.database);
  lock.exec('BEGIN IMMEDIATE');
  held.child.stdin?.write('.'); // it waits for the lock
  await new Promise((resolve) => setTimeout(resolve, 100));
  held.child.kill('SIGKILL');
  const { acknowledged } = await held.done;
  lock.exec('ROLLBACK');
  lock.close();
  const last = drain(env);
  const { stored, result } = look(paths);
  expect(result.findings).toEqual([]);
  expect(stored).toEqual([first, ...acknowledged, last]);
});
