import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  hook,
  killDaemon,
  makeWarmPlace,
  removeWarmPlace,
  served,
  startedDaemon,
  state,
  until,
  type WarmPlace,
} from './daemon-place.ts';
import { bash, configure, copyInstallation, payload, ROOT, records, runHook } from './place.ts';

const DENIED = 'rm -rf ~/other';

let place: WarmPlace;
beforeEach(() => {
  place = makeWarmPlace();
});
afterEach(() => removeWarmPlace(place));

/** An answer without what is chance: ids, codes. */
const plain = (run: { readonly stdout: string; readonly stderr: string; readonly exitCode: number | null }) => ({
  exitCode: run.exitCode,
  text: `${run.stdout}|${run.stderr}`
    .replace(/\b[0-9a-z]{20}\b/g, 'ID')
    .replace(/approve [0-9A-Z]{4}\b/g, 'approve CODE'),
});

/** The answers to the same call with and without the daemon, which must have taken part in the first. */
async function bothAnswers(stdin: string, options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {}) {
  const before = await served(place);
  const warm = await hook(place, stdin, options);
  expect(await served(place)).toBe(before + 1);
  const cold = await hook(place, stdin, { ...options, env: { ...(options.env ?? place.env), GOV_DAEMON: 'off' } });
  return { warm: plain(warm), cold: plain(cold) };
}

describe('its life', () => {
  test('the first call starts it and does not wait; the next ones are answered by it', async () => {
    expect(await hook(place, bash(place, 'ls'))).toMatchObject({ exitCode: 0, stdout: '' });
    await until(async () => (await state(place)) !== null);
    expect(await hook(place, bash(place, DENIED))).toMatchObject({ exitCode: 2 });
    expect(await served(place)).toBe(1);
    expect(records(place).map((record) => record.answer)).toEqual(['allow', 'deny']);
  });

  test.each([
    ['the environment says off', {}, { GOV_DAEMON: 'off' }],
    ['the configuration says off', { daemon: 'off' }, {}],
  ])('it is not started where %s', async (_, config, env) => {
    configure(place, config);
    expect(await hook(place, bash(place, DENIED), { env: { ...place.env, ...env } })).toMatchObject({ exitCode: 2 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(existsSync(place.daemonDir)).toBe(false);
  });

  test('there is one: a second gives up, the first goes on', async () => {
    const first = await startedDaemon(place);
    const { spawnSync } = await import('node:child_process');
    const second = spawnSync(process.execPath, [join(ROOT, 'dist', 'gov-daemon.cjs')], {
      env: place.env,
      encoding: 'utf8',
    });
    expect(second.stderr).toContain('another one is running');
    expect((await state(place))?.pid).toBe(first.pid);
  });

  test('between calls the database file is whole', async () => {
    const child = await startedDaemon(place);
    await hook(place, bash(place, DENIED));
    expect(await served(place)).toBe(1);
    const database = join(place.govHome, 'state', 'audit.db');
    await until(() => readFileSync(database).includes(DENIED) && statSync(`${database}-wal`).size === 0);
    expect(child.exitCode).toBe(null);
    await hook(place, bash(place, DENIED));
    expect([await served(place), records(place).length]).toEqual([2, 2]);
  });

  test('it ends when nobody asks, and leaves no socket', async () => {
    const child = await startedDaemon(place, ROOT, 300);
    await until(() => child.exitCode !== null);
    expect([child.exitCode, existsSync(place.socket)]).toEqual([0, false]);
  });

  test('it ends when its directory is gone', async () => {
    const child = await startedDaemon(place);
    rmSync(place.govHome, { recursive: true });
    await until(() => child.exitCode !== null);
    expect(child.exitCode).toBe(0);
  });

  test('it ends when a person switches it off, and the call is answered', async () => {
    const child = await startedDaemon(place);
    configure(place, { daemon: 'off' });
    expect(await hook(place, bash(place, DENIED))).toMatchObject({ exitCode: 2 });
    await until(() => child.exitCode !== null);
    expect(records(place)).toHaveLength(1);
  });

  test('killed, it is missed by nobody, and the next call starts another', async () => {
    const child = await startedDaemon(place);
    killDaemon(place);
    await until(() => child.signalCode !== null);
    expect(await hook(place, bash(place, DENIED))).toMatchObject({ exitCode: 2 });
    await until(async () => (await state(place)) !== null);
    expect(await hook(place, bash(place, DENIED))).toMatchObject({ exitCode: 2 });
    expect(await served(place)).toBe(1);
  });

  test('after an upgrade the old one answers nothing any more, and ends', async () => {
    const copy = copyInstallation(place);
    const child = await startedDaemon(place, copy);
    writeFileSync(join(copy, 'dist', 'build-id'), '0123456789abcdef\n');
    writeFileSync(join(place.daemonDir, 'started'), ''); // No new one: it would be of no known build either.
    const launcher = join(copy, 'hooks', 'pre-tool-use');
    expect(await hook(place, bash(place, DENIED), { launcher })).toMatchObject({ exitCode: 2 });
    await until(() => child.exitCode !== null);
    expect(records(place)).toHaveLength(1);
  });

  test('one of another installation is not asked to judge', async () => {
    const child = await startedDaemon(place, copyWithOtherBuild());
    expect(await hook(place, bash(place, DENIED))).toMatchObject({ exitCode: 2 });
    await until(() => child.exitCode !== null);
    await until(async () => (await state(place))?.build === readFileSync(join(ROOT, 'dist/build-id'), 'utf8').trim());
    expect(records(place)).toHaveLength(1);
  });

  function copyWithOtherBuild(): string {
    const copy = copyInstallation(place);
    const own = readFileSync(join(copy, 'dist', 'build-id'), 'utf8').trim();
    for (const file of ['build-id', 'gov-daemon.cjs']) {
      const path = join(copy, 'dist', file);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(own, '0123456789abcdef'));
    }
    return copy;
  }
});

describe('what holds for a hook of its own holds at the very next call', () => {
  beforeEach(() => startedDaemon(place));

  test("a person's order to stop, and its end", async () => {
    const stop = join(place.govHome, 'state', 'stop');
    await hook(place, bash(place, 'ls'));
    writeFileSync(stop, '');
    const { warm, cold } = await bothAnswers(bash(place, 'ls'));
    expect(warm.text).toContain('gov.stopped');
    expect(warm).toEqual(cold);
    rmSync(stop);
    expect((await bothAnswers(bash(place, 'ls'))).warm).toEqual({ exitCode: 0, text: '|' });
  });

  test('monitor mode, a broken configuration, another preset', async () => {
    for (const config of [{ mode: 'monitor' }, '{', { preset: 'strict' }, { preset: 'nowhere' }, {}]) {
      configure(place, config);
      const { warm, cold } = await bothAnswers(bash(place, DENIED));
      expect(warm, JSON.stringify(config)).toEqual(cold);
    }
  });

  test('another policy, a broken one, none', async () => {
    const builtin = readFileSync(join(ROOT, 'dist', 'policy', 'recommended.json'), 'utf8');
    const strict = readFileSync(join(ROOT, 'dist', 'policy', 'strict.json'), 'utf8');
    const own = join(place.govHome, 'state', 'policy', 'recommended.json');
    mkdirSync(join(own, '..'), { recursive: true, mode: 0o700 });
    const texts = [builtin, strict, `${builtin.slice(0, -40)}`, builtin.replace('"deny"', '"warn"'), '', builtin];
    for (const [i, text] of texts.entries()) {
      writeFileSync(own, text);
      const { warm, cold } = await bothAnswers(bash(place, 'rm -rf ~/other; unheard-of --x'));
      expect(warm, `text ${i}`).toEqual(cold);
      expect(warm.exitCode, `text ${i}`).toBe(2);
    }
    rmSync(own);
    expect((await bothAnswers(bash(place, 'ls'))).warm.exitCode).toBe(0);
  });

  test('the store moved away, as a rotation does', async () => {
    await hook(place, bash(place, 'ls'));
    for (const end of ['', '-wal', '-shm']) rmSync(join(place.govHome, 'state', `audit.db${end}`), { force: true });
    await hook(place, bash(place, DENIED));
    expect(await served(place)).toBe(2);
    expect(records(place).map((record) => record.answer)).toEqual(['deny']);
  });

  test.each([['-shm'], ['-wal'], ['-wal', '-shm']])('%s of the store taken away between calls', async (...ends) => {
    const database = join(place.govHome, 'state', 'audit.db');
    await hook(place, bash(place, 'ls'));
    await until(() => statSync(`${database}-wal`).size === 0);
    for (const end of ends) rmSync(`${database}${end}`);
    expect((await bothAnswers(bash(place, DENIED))).warm.exitCode).toBe(2);
    await hook(place, bash(place, 'ls'));
    killDaemon(place);
    expect(records(place).map((record) => record.answer)).toEqual(['allow', 'deny', 'deny', 'allow']);
  });

  test("the caller's directory, home and scratch space, and not the daemon's", async () => {
    const elsewhere = join(place.root, 'elsewhere');
    mkdirSync(join(elsewhere, '.git'), { recursive: true });
    const there = payload(place, { cwd: elsewhere, tool_input: { command: 'rm -rf ./src ~/other' } });
    expect((await bothAnswers(there, { cwd: elsewhere })).warm.exitCode).toBe(2);
    const env = { ...place.env, HOME: elsewhere };
    const { warm, cold } = await bothAnswers(payload(place, { cwd: place.workspace }), { env });
    expect(warm).toEqual(cold);
    const noCwd = payload(place, { cwd: undefined, tool_input: { command: DENIED } });
    for (const CLAUDE_PROJECT_DIR of [place.workspace, undefined]) {
      const answers = await bothAnswers(noCwd, { env: { ...place.env, CLAUDE_PROJECT_DIR } });
      expect(answers.warm).toEqual(answers.cold);
    }
  });

  test.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['no UTF-8', '\xff\xfe'],
    ['an event that asks for no decision', '{"hook_event_name":"Stop","session_id":"s","cwd":"/tmp"}'],
    ['an event that nobody knows', '{"hook_event_name":"Unheard","session_id":"s","cwd":"/tmp"}'],
  ])('a payload that is %s', async (_, text) => {
    const { warm, cold } = await bothAnswers(text === '\xff\xfe' ? (Buffer.from(text, 'latin1') as never) : text);
    expect(warm).toEqual(cold);
  });

  test('many sessions at once: each answer has its record', async () => {
    const calls = Array.from({ length: 60 }, (_, i) =>
      hook(place, payload(place, { session_id: `s${i}`, tool_input: { command: i % 2 ? DENIED : 'ls' } })),
    );
    const exits = (await Promise.all(calls)).map((run) => run.exitCode);
    expect(exits).toEqual(exits.map((_, i) => (i % 2 ? 2 : 0)));
    expect(records(place)).toHaveLength(60);
  });
});

describe('where it is required', () => {
  test.each([
    ['by the configuration', { daemon: 'require' }, {}],
    ['by the configuration, whatever the environment says', { daemon: 'require' }, { GOV_DAEMON: 'off' }],
    ['by the environment', { daemon: 'off' }, { GOV_DAEMON: 'require' }],
  ])('%s, nothing passes without it', async (_, config, more) => {
    configure(place, config);
    const run = await hook(place, bash(place, 'ls'), { env: { ...place.env, ...more } });
    expect(run.stderr).toContain('gov.no-daemon');
    expect(run.exitCode).toBe(2);
    expect(records(place)).toMatchObject([{ answer: 'deny' }]);
  });

  test('it answers, and what it leaves to a hook is answered by one', async () => {
    configure(place, { daemon: 'require' });
    await startedDaemon(place);
    expect(await hook(place, bash(place, 'ls'))).toMatchObject({ exitCode: 0 });
    expect(await hook(place, bash(place, `echo ${'x'.repeat(300_000)}`))).toMatchObject({ exitCode: 0 });
    expect(await served(place)).toBe(1);
  });

  test('events that are only recorded pass', () => {
    configure(place, { daemon: 'require' });
    const launcher = join(ROOT, 'hooks', 'event');
    const run = runHook(place, payload(place, { hook_event_name: 'Stop' }), { launcher, env: place.cold });
    expect(run.exitCode).toBe(0);
  });
});
