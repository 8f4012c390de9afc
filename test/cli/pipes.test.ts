import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Files of a workspace that the analysis of some call reads. */
const READ = [
  '.git/index',
  '.git/config',
  '.git/HEAD',
  '.gitignore',
  'Makefile',
  'package.json',
  'compose.yaml',
  'x.sh',
  'x.py',
  'x.patch',
];

let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'gov-pipes-'));
  for (const file of READ) {
    mkdirSync(dirname(join(work, file)), { recursive: true });
    spawnSync('mkfifo', [join(work, file)]);
  }
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

test.each([
  'rm -rf dist',
  'git status',
  'git push',
  'git apply x.patch',
  'make',
  'npm test',
  'docker compose up',
  'sh x.sh',
  '. ./x.sh',
  'python3 x.py',
])(
  'a pipe in the place of a file is not waited for: %s',
  (command) => {
    const run = spawnSync(process.execPath, [join(ROOT, 'bin', 'run.js'), 'check', '--json', '--', command], {
      cwd: work,
      env: { PATH: process.env['PATH'], HOME: work, GOV_HOME: join(work, 'gov'), GOV_DAEMON: 'off' },
      encoding: 'utf8',
      timeout: 15_000,
    });
    expect([run.signal, run.status]).toEqual([null, 0]);
    expect(JSON.parse(run.stdout)).toHaveProperty('decision');
  },
  20_000,
);
