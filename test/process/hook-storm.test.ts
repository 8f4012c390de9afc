import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePlace, type Place, payload, ROOT, records, removePlace, runHook } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => {
  removePlace(place);
});

const AT_ONCE = 32;
const ROUNDS = 20;

/** A session for each round: one that is denied again and again would be paused. */
const sessionOf = (id: string): string => id.split('-').slice(0, 2).join('-');

/** One hook process; `killAfter` ends node and launcher with SIGKILL after so many milliseconds. Gives back whether it answered. */
async function hook(id: string, killAfter: number | null): Promise<boolean> {
  const child = spawn(join(ROOT, 'hooks', 'pre-tool-use'), ['claude-code'], {
    cwd: place.workspace,
    env: place.env,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(
    payload(place, {
      session_id: sessionOf(id),
      tool_use_id: id,
      tool_input: { command: id.endsWith('0') ? 'rm -rf ~' : 'echo hello' },
    }),
  );
  const timer =
    killAfter === null ? null : setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), killAfter);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (timer) clearTimeout(timer);
  if (signal === null)
    expect({ code, fault: /denied by gov\./.test(stderr) ? stderr : '' }).toEqual({
      code: id.endsWith('0') ? 2 : 0,
      fault: '',
    });
  return signal === null;
}

test('many hooks at once, some killed: every answered call is recorded once, and the chain is whole', async () => {
  const answered: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ids = Array.from({ length: AT_ONCE }, (_, i) => `call-${round}-${i}`);
    const done = await Promise.all(ids.map((id, i) => hook(id, i % 6 === 5 ? 40 + 37 * i : null)));
    ids.forEach((id, i) => {
      if (done[i]) answered.push(id);
    });
  }
  runHook(place, payload(place, { tool_use_id: 'last' }));
  const stored = records(place).map((record) => String((record.body['call'] as { callId: string }).callId));
  const spool = join(place.govHome, 'state', 'spool');
  const waiting = existsSync(spool)
    ? readdirSync(spool, { withFileTypes: true }).filter((entry) => entry.isFile())
    : [];
  expect(waiting.map((entry) => readFileSync(join(spool, entry.name), 'utf8').slice(0, 80))).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
  expect(answered.filter((id) => !stored.includes(id))).toEqual([]);
  const verify = spawnSync(process.execPath, [join(ROOT, 'bin', 'run.js'), 'audit', 'verify'], {
    env: place.env,
    encoding: 'utf8',
  });
  expect({ status: verify.status, stderr: verify.stderr }).toEqual({ status: 0, stderr: '' });
}, 300_000);
