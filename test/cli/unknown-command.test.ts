import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'gov-unknown-command-'));

test.each([
  [['polcy'], 'polcy'],
  [['policy', 'nosuch'], 'policy nosuch'],
  [['elevate', 'nosuch'], 'elevate nosuch'],
])('gov %j: said, and the exit code of wrong usage', (args, name) => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'bin/run.js'), ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1' },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([64, `gov: there is no command \`${name}\`\n     see \`gov --help\`\n`]);
});
