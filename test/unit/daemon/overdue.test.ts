import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const dir = mkdtempSync(join(tmpdir(), 'gov-overdue-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** Runs a program that has a watchdog which looks all the time and lets work take 200 ms. */
function run(program: string) {
  const module = join(import.meta.dirname, '../../../dist/daemon/overdue.js');
  const text = `import { startWatchdog } from ${JSON.stringify(module)};
    const watchdog = startWatchdog(200, 0);
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    await wait(300);
    ${program}
    process.exit(7);`;
  const file = join(dir, 'program.mjs');
  writeFileSync(file, text);
  const { status, signal } = spawnSync(process.execPath, [file], { timeout: 30_000 });
  return signal ?? status;
}

test.each([
  ['work that never ends is ended', 'watchdog.busy(); for (;;);', 'SIGKILL'],
  ['work that waits for too long, too', 'watchdog.busy(); await wait(5000);', 'SIGKILL'],
  ['doing nothing is no work', 'watchdog.busy(); watchdog.idle(); await wait(600);', 7],
  [
    'short work, however often, is let be',
    'for (const end = Date.now() + 3000; Date.now() < end;) { watchdog.busy(); watchdog.idle(); }',
    7,
  ],
])('%s', (_, program, want) => {
  expect(run(program)).toBe(want);
});
