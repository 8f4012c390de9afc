// T-14: the hook can't start, dies or hangs.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bash, copyInstallation, makePlace, type Place, removePlace, runHook } from '../process/place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => removePlace(place));

const BROKEN: readonly (readonly [string, (copy: string) => void])[] = [
  ['the bundle is gone', (copy) => rmSync(join(copy, 'dist'), { recursive: true })],
  ['the bundle is no program', (copy) => writeFileSync(join(copy, 'dist', 'hook.cjs'), 'not ( javascript')],
  [
    'the bundle kills itself',
    (copy) => writeFileSync(join(copy, 'dist', 'hook.cjs'), 'process.kill(process.pid, "SIGKILL")'),
  ],
  [
    'the bundle says it is fine with an odd code',
    (copy) => writeFileSync(join(copy, 'dist', 'hook.cjs'), 'process.exit(1)'),
  ],
  ['the policies are gone', (copy) => rmSync(join(copy, 'dist', 'policy'), { recursive: true })],
];

describe('blocks when', () => {
  test.each(BROKEN)('%s', (_, breaks) => {
    const copy = copyInstallation(place);
    breaks(copy);
    const run = runHook(place, bash(place, 'echo hello'), { launcher: join(copy, 'hooks', 'pre-tool-use') });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/gov/);
  });
});

test('the untouched copy lets the same call pass', () => {
  const copy = copyInstallation(place);
  const run = runHook(place, bash(place, 'echo hello'), { launcher: join(copy, 'hooks', 'pre-tool-use') });
  expect(run).toMatchObject({ exitCode: 0, stdout: '' });
});
