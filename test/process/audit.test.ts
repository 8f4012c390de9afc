import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/audit/read/store.ts';
import { Database } from '../../src/audit/sqlite.ts';
import { rowsInArchive } from '../../src/audit/tend/archive.ts';
import { planPrune, prune } from '../../src/audit/tend/prune.ts';
import { govPaths } from '../../src/base/gov-paths.ts';
import { appenders } from './audit/appenders.ts';

const { dir, home, start, look, drain, run } = appenders('gov-storm-');

test('64 processes at once, 50 records each: each record once, in one chain', async () => {
  const { env, paths } = home('storm');
  const runs = Array.from({ length: 64 }, (_, i) => start(env, 50, `p${i}`, 30_000));
  const results = await Promise.all(runs.map((run) => run.done));
  const acknowledged = results.flatMap((r) => r.acknowledged);
  expect(results.flatMap((r) => r.failures)).toEqual([]);
  expect(acknowledged).toHaveLength(3200);
  const last = drain(env);
  const { stored, result } = look(paths);
  expect(result.findings).toEqual([]);
  expect([...stored].sort()).toEqual([...acknowledged, last].sort());
}, 180_000);

test('32 processes, a third of them killed at any moment: what was acknowledged is there, in one chain', async () => {
  const { env, paths } = home('kill');
  // Some in the middle of their work, some before they have written anything.
  const runs = Array.from({ length: 32 }, (_, i) => start(env, 20, `p${i}`, 8000, i % 3 === 0 ? 1 + (i % 15) : 21));
  runs[31]?.child.kill('SIGKILL');
  const acknowledged = (await Promise.all(runs.map((run) => run.done))).flatMap((r) => r.acknowledged);
  expect(acknowledged.length).toBeLessThan(31 * 20);
  const last = drain(env);
  const { stored, result } = look(paths);
  expect(result.findings).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
  expect([...acknowledged, last].filter((id) => !stored.includes(id))).toEqual([]);
  // A process may die between the commit and its acknowledgement: one record each, not more.
  expect(stored.length - acknowledged.length - 1).toBeLessThanOrEqual(12);
});

test('processes killed while they write to the spool', async () => {
  const { env, paths } = home('spool');
  drain(env);
  const lock = new Database(paths.database);
  lock.exec('BEGIN IMMEDIATE');
  const runs = Array.from({ length: 8 }, (_, i) => start(env, 40, `p${i}`, 1, i % 2 === 0 ? 5 + i : 41));
  const acknowledged = (await Promise.all(runs.map((run) => run.done))).flatMap((r) => r.acknowledged);
  lock.exec('COMMIT');
  lock.close();
  expect(acknowledged.length).toBeGreaterThan(100);
  // One append takes over a bounded number.
  for (let i = 0; i < 4; i++) drain(env);
  const { stored, result } = look(paths);
  expect(result.findings).toEqual([]);
  expect(readdirSync(paths.spool).filter((name) => name.endsWith('.json'))).toEqual([]);
  expect(acknowledged.filter((id) => !stored.includes(id))).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
});

const isRoot = process.getuid?.() === 0 && process.platform === 'linux';

/** Runs `use` on a mounted file system of so many kilobytes; false if mounting is not allowed here. */
function onSmallDisk(name: string, kilobytes: number, use: (where: string) => void): boolean {
  const where = join(dir, name);
  mkdirSync(where, { mode: 0o700 });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=700`, 'tmpfs', where], { stdio: 'ignore' });
  } catch {
    return false;
  }
  try {
    use(where);
  } finally {
    execFileSync('umount', [where]);
  }
  return true;
}

test.runIf(isRoot)('a full disk: nothing is acknowledged that is not kept, and the caller is told to deny', () => {
  const ran = onSmallDisk('full', 600, (where) => {
    const env = { PATH: process.env['PATH'], HOME: where, GOV_HOME: where };
    const out = run(env, 2000);
    const lines = out.trim().split('\n');
    expect(lines.at(-1)).toBe('failed store-unwritable');
    const acknowledged = lines.slice(0, -1).map((line) => line.split(' ')[0] ?? '');
    expect(acknowledged.length).toBeGreaterThan(5);
    const paths = govPaths(env);
    const stored = look(paths).stored;
    const spooled = existsSync(paths.spool) ? readdirSync(paths.spool).map((name) => name.slice(0, 20)) : [];
    expect(acknowledged.filter((id) => !stored.includes(id) && !spooled.includes(id))).toEqual([]);
  });
  if (!ran) console.warn('mounting is not allowed here: the full disk was not tried');
});

test.runIf(isRoot)('a read-only file system: the caller is told to deny', () => {
  onSmallDisk('readonly', 2000, (where) => {
    const env = { PATH: process.env['PATH'], HOME: where, GOV_HOME: where };
    expect(run(env, 1)).toMatch(/ database\n$/);
    execFileSync('mount', ['-o', 'remount,ro', where]);
    expect(run(env, 1)).toBe('failed store-unwritable\n');
    expect(look(govPaths(env))).toMatchObject({ stored: [expect.any(String)], result: { ok: true } });
  });
});

test('a file where the state directory should be', () => {
  const where = join(dir, 'file');
  mkdirSync(where);
  writeFileSync(join(where, 'state'), '');
  expect(run({ PATH: process.env['PATH'], HOME: where, GOV_HOME: where }, 1)).toBe('failed store-unsafe\n');
});

test('pruning while others append: each record is in the store or in an archive, once', async () => {
  const { env, paths } = home('prune');
  drain(env);
  const runs = Array.from({ length: 4 }, (_, i) => start(env, 100, `p${i}`));
  const archived: string[] = [];
  for (let round = 0; round < 40 && archived.length < 250; round++) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    const now = Date.now() + 2 * 86_400_000; // so that these records are old enough
    const store = openStore(paths.database);
    const plan = planPrune(store, { keep: 3 }, now);
    store.close();
    if (plan.records === 0) continue;
    const { archive } = prune(paths, plan, { now, by: 'test' });
    for (const row of rowsInArchive(archive)) archived.push(String(row.values[0]));
  }
  const results = await Promise.all(runs.map((run) => run.done));
  expect(results.flatMap((r) => r.failures)).toEqual([]);
  const last = drain(env);
  const { stored, result } = look(paths);
  expect(result.findings).toEqual([]);
  expect(result.verified_from).toBeGreaterThan(1);
  const all = [...archived, ...stored];
  expect(new Set(all).size).toBe(all.length);
  const acknowledged = results.flatMap((r) => r.acknowledged);
  expect(acknowledged).toHaveLength(400);
  expect([...acknowledged, last].filter((id) => !all.includes(id))).toEqual([]);
});
