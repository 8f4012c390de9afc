import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/audit/read/store.ts';
import { Database } from '../../src/audit/sqlite.ts';
import { openWriter } from '../../src/audit/write/writer.ts';
import { govPaths } from '../../src/base/gov-paths.ts';
import { approve, propose } from '../../src/grants/approve.ts';
import { findRequest, readRequests } from '../../src/grants/requests.ts';
import { putStop } from '../../src/grants/stop.ts';
import { loadPolicy } from '../../src/policy/load.ts';
import { bash, configure, makePlace, type Place, ROOT, records, removePlace, runHook } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => {
  removePlace(place);
});

const AT_ONCE = 64;
const USES = 5;
const COMMAND = 'rm -rf ~/other';

/** What a person does at the terminal: a grant with so many uses on the newest call that was held up. */
function grantUses(uses: number): void {
  const paths = govPaths(place.env);
  const now = Date.now();
  const policy = loadPolicy(join(ROOT, 'dist', 'policy', 'recommended.json'));
  const generous = policy.rules.map((rule) =>
    rule.elevation ? { ...rule, elevation: { ...rule.elevation, uses } } : rule,
  );
  const store = openStore(paths.database);
  const [newest] = readRequests(store, now);
  const request = findRequest(readRequests(store, now), newest?.id ?? '');
  store.close();
  const settings = { maxMs: 3_600_000, approvers: [] };
  const { terms } = propose(
    request,
    { forMs: null, uses: null, path: null, session: null, exact: null, reason: 'a test' },
    { policy: { ...policy, rules: generous }, settings, approver: 'dev', now },
  );
  const writer = openWriter(paths);
  approve(writer, terms, [], settings);
  writer.close();
}

/** Exit codes of so many hooks for the same call. All are started before the first gets its payload: they overlap. */
async function hookExits(count: number): Promise<readonly (number | null)[]> {
  const children = Array.from({ length: count }, () =>
    spawn(join(ROOT, 'hooks', 'pre-tool-use'), ['claude-code'], {
      cwd: place.workspace,
      env: place.env,
      stdio: ['pipe', 'ignore', 'ignore'],
    }),
  );
  const ends = children.map(async (child) => ((await once(child, 'close')) as [number | null])[0]);
  await Promise.all(children.map((child) => once(child, 'spawn')));
  for (const { stdin } of children) {
    stdin.on('error', () => {});
    stdin.end(bash(place, COMMAND));
  }
  return Promise.all(ends);
}

test('64 hooks at once on a grant with five uses: exactly five pass, and the chain is whole', async () => {
  expect(runHook(place, bash(place, COMMAND)).exitCode).toBe(2);
  grantUses(USES);
  const codes = await hookExits(AT_ONCE);
  expect(codes.filter((code) => code === 0)).toHaveLength(USES);
  expect(codes.filter((code) => code === 2)).toHaveLength(AT_ONCE - USES);
  const stored = records(place);
  const passed = stored.filter((record) => record.answer === 'allow');
  expect(passed).toHaveLength(USES);
  for (const record of passed) expect(JSON.stringify(record.body['decision'])).toContain('"lifted_by":"grant:');
  const acts = stored.map((record) => (record.body['call'] as { rawEvent: string }).rawEvent);
  expect(acts.filter((name) => name.startsWith('elevate-'))).toEqual(['elevate-approved', 'elevate-used']);
  const verify = spawnSync(process.execPath, [join(ROOT, 'bin', 'run.js'), 'audit', 'verify'], {
    env: place.env,
    encoding: 'utf8',
  });
  expect({ status: verify.status, stderr: verify.stderr }).toEqual({ status: 0, stderr: '' });
});

test('a grant survives restarts, and counts for nothing while the store can’t be written', () => {
  runHook(place, bash(place, COMMAND));
  grantUses(2);
  const lock = new Database(join(place.govHome, 'state', 'audit.db'));
  lock.exec('BEGIN IMMEDIATE');
  const locked = runHook(place, bash(place, COMMAND));
  lock.exec('COMMIT');
  lock.close();
  const free = runHook(place, bash(place, COMMAND));
  expect([locked.exitCode, free.exitCode]).toEqual([2, 0]);
});

describe('a person’s order stops every call, whatever else is broken', () => {
  const stopped =
    /^stopped by gov\.stopped: dev stopped all agents on this machine at .*: look first\ntry: stop here and wait;/;
  const order = (session = ''): void => {
    mkdirSync(join(place.govHome, 'state'), { recursive: true, mode: 0o700 });
    putStop(govPaths(place.env), { session, at: Date.now(), reason: 'look first', by: 'dev' });
  };
  interface Row {
    readonly name: string;
    readonly given: () => undefined | (() => void);
  }
  test.each<Row>([
    { name: 'nothing broken', given: () => undefined },
    {
      name: 'the store locked',
      given: () => {
        runHook(place, bash(place, 'ls'));
        const lock = new Database(join(place.govHome, 'state', 'audit.db'));
        lock.exec('BEGIN IMMEDIATE');
        return () => lock.close();
      },
    },
    {
      name: 'no database and no spool can be written',
      given: () => {
        mkdirSync(join(place.govHome, 'state'), { recursive: true, mode: 0o700 });
        mkdirSync(join(place.govHome, 'state', 'audit.db'));
        writeFileSync(join(place.govHome, 'state', 'spool'), '');
        return undefined;
      },
    },
    {
      name: 'no policy',
      given: () => {
        mkdirSync(join(place.govHome, 'state', 'policy'), { recursive: true });
        chmodSync(join(place.govHome, 'state'), 0o700);
        writeFileSync(join(place.govHome, 'state', 'policy', 'recommended.json'), 'broken');
        return undefined;
      },
    },
    {
      name: 'monitor mode',
      given: () => {
        configure(place, { mode: 'monitor', preset: 'recommended' });
        return undefined;
      },
    },
  ])('$name', ({ given }) => {
    const end = given();
    order();
    const started = performance.now();
    const run = runHook(place, bash(place, 'ls'));
    expect(performance.now() - started).toBeLessThan(6000);
    end?.();
    expect(run.stderr).toMatch(stopped);
    expect({ exitCode: run.exitCode, stdout: run.stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  test('of one session only its calls', () => {
    order('test-session');
    expect(runHook(place, bash(place, 'ls')).exitCode).toBe(2);
    const other = bash(place, 'ls').replace('"test-session"', '"another"');
    expect(runHook(place, other).exitCode).toBe(0);
  });

  test('gone with its file', () => {
    order();
    expect(runHook(place, bash(place, 'ls')).exitCode).toBe(2);
    rmSync(join(place.govHome, 'state', 'stop'));
    expect(runHook(place, bash(place, 'ls')).exitCode).toBe(0);
  });
});
