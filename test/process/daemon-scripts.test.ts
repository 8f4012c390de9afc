import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './place.ts';

// The scripts with which these are measured at length, here over a sample.
test.each([
  ['warm and cold answers and records are the same', 'warm-equals-cold.mjs', ['--every', '25']],
  [
    'killed at random moments: every call has its answer, once',
    'daemon-kill.mjs',
    ['--calls', '200', '--clients', '8'],
  ],
])('%s', { timeout: 240_000 }, (_, script, args) => {
  const env = { PATH: process.env['PATH'] };
  const run = spawnSync(process.execPath, [join(ROOT, 'bench', script), ...args], { env, encoding: 'utf8' });
  expect(run.stdout + run.stderr).toMatch(/ 0 differences|every call got the right answer/);
  expect(run.status).toBe(0);
});
