import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { killDaemon, makeWarmPlace, removeWarmPlace, startedDaemon, until, type WarmPlace } from './daemon-place.ts';
import { configure, copyInstallation, ROOT } from './place.ts';

let place: WarmPlace;
let fake: Server | null = null;
beforeEach(() => {
  place = makeWarmPlace();
});
afterEach(async () => {
  fake?.close();
  fake = null;
  await removeWarmPlace(place);
});

/** What a command prints as JSON; while it runs, this process goes on answering. */
function gov(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<unknown> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(ROOT, 'bin', 'run.js'), ...args, '--json'], {
      cwd: place.workspace,
      env: { ...place.env, ...env },
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.on('close', () => resolve(JSON.parse(text)));
  });
}

interface Found {
  readonly id: string;
  readonly state: string;
  readonly message: string;
  readonly fix: string;
}

async function found(env: NodeJS.ProcessEnv = {}): Promise<readonly Found[]> {
  const { checks } = (await gov(['doctor'], env)) as { readonly checks: readonly Found[] };
  return checks.filter(({ id }) => id.startsWith('daemon'));
}

const NAMES = (checks: readonly Found[]) => checks.map(({ id, state }) => `${state} ${id}`);

test('none runs: that is as it should be, unless it is required', async () => {
  expect(await found()).toEqual([
    { id: 'daemon', state: 'ok', message: 'not running: the next call starts it', fix: '' },
  ]);
  expect(NAMES(await found({ GOV_DAEMON: 'off' }))).toEqual(['ok daemon']);
  configure(place, { daemon: 'require' });
  const required = await found();
  expect(NAMES(required)).toEqual(['bad daemon-required']);
  expect(required[0]?.fix).toContain('gov daemon start');
});

test('one runs: doctor and status say which; of another build, what happens to it', async () => {
  const child = await startedDaemon(place);
  const [check] = await found();
  expect(check).toMatchObject({ id: 'daemon', state: 'ok', fix: '' });
  expect(check?.message).toContain(`process ${child.pid}`);
  const status = await gov(['status']);
  expect(status).toMatchObject({ daemon: { mode: 'auto', socket: 'answers', current: true, running: { served: 0 } } });
  killDaemon(place);
  await until(() => child.signalCode !== null);
  expect(NAMES(await found())).toEqual(['warn daemon-stale']);

  const copy = copyInstallation(place);
  writeFileSync(join(copy, 'dist', 'build-id'), '0123456789abcdef\n');
  const bundle = join(copy, 'dist', 'gov-daemon.cjs');
  const { readFileSync } = await import('node:fs');
  const own = readFileSync(join(ROOT, 'dist', 'build-id'), 'utf8').trim();
  writeFileSync(bundle, readFileSync(bundle, 'utf8').replaceAll(own, '0123456789abcdef'));
  await startedDaemon(place, copy);
  expect(NAMES(await found())).toEqual(['warn daemon-build']);
});

test('one that does not answer', async () => {
  mkdirSync(place.daemonDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(place.daemonDir, 'pid'), '4242\n');
  fake = createServer(() => {});
  await new Promise<void>((resolve) => fake?.listen(place.socket, resolve));
  const [check] = await found();
  expect(check).toMatchObject({ id: 'daemon-silent', state: 'warn', fix: 'end it: kill -9 4242' });
  expect(await gov(['status'])).toMatchObject({ daemon: { socket: 'silent', running: null } });
});

test('what keeps launchers from asking it', async () => {
  mkdirSync(place.daemonDir, { recursive: true });
  chmodSync(place.daemonDir, 0o755);
  expect(await found()).toMatchObject([
    { id: 'daemon-directory', state: 'warn', fix: `chmod 700 '${place.daemonDir}'` },
  ]);
  configure(place, { daemon: 'require' });
  expect(NAMES(await found())).toEqual(['bad daemon-directory', 'bad daemon-required']);
});

test('`gov daemon stop` comes back when it has ended', async () => {
  const child = await startedDaemon(place);
  const run = spawnSync(process.execPath, [join(ROOT, 'bin', 'run.js'), 'daemon', 'stop'], { env: place.env });
  expect(run.status).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 0));
  // The store is closed: nobody else holds its files.
  const { existsSync } = await import('node:fs');
  expect(existsSync(join(place.govHome, 'state', 'audit.db-wal'))).toBe(false);
  await until(() => child.exitCode !== null, 500);
});

test('a file of the store by another name is not opened as a policy of the project', async () => {
  await startedDaemon(place);
  const { hook, served } = await import('./daemon-place.ts');
  const { bash, records } = await import('./place.ts');
  await hook(place, bash(place, 'ls'));
  mkdirSync(join(place.workspace, '.gov'));
  const database = join(place.govHome, 'state', 'audit.db');
  linkSync(database, join(place.workspace, '.gov', 'rules.yaml'));
  linkSync(database, join(place.workspace, '.git', 'index'));
  linkSync(join(place.daemonDir, 'lock'), join(place.workspace, '.gov', 'more.yml'));
  for (const command of ['rm README.md', 'ls', 'rm -rf src']) await hook(place, bash(place, command));
  expect(await served(place)).toBe(4);
  // Its locks are as they were: a second daemon finds that one is running.
  const second = spawnSync(process.execPath, [join(ROOT, 'dist', 'gov-daemon.cjs')], {
    env: place.env,
    encoding: 'utf8',
    timeout: 10_000,
  });
  expect(second.stderr).toContain('another one is running');
  expect(records(place)).toHaveLength(4);
});
