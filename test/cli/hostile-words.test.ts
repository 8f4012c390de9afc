import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const EVIL = '\u001b[2J\u202e\u200b';

let root: string;
let cwd: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gov-words-'));
  cwd = join(root, `a\n${EVIL}b`);
  mkdirSync(cwd);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What no word of a command line, and no name of the directory it is typed in, may bring to a terminal. */
const RAW = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/;

test.each<readonly string[]>([
  ['check', '--json', '--', `echo ${EVIL}`],
  ['check', '--explain', '--', `cat ${EVIL}/x`],
  ['check', '--cwd', `/x${EVIL}`, '--', 'ls'],
  ['check', '--tool', EVIL, '--', 'ls'],
  ['audit', 'verify', `${EVIL}x`],
  ['audit', 'verify', `${EVIL}x`, '--json'],
  ['audit', 'show', EVIL],
  ['audit', '--since', EVIL],
  ['audit', 'export', '--output', `/nonexistent/${EVIL}`],
  ['policy', 'check', `/nonexistent/${EVIL}`],
  ['policy', 'show', EVIL],
  ['replay', EVIL],
  ['elevate', 'approve', EVIL],
  ['init', '--agent', 'claude-code', '--scope', 'project', '--dry-run'],
  ['init', '--agent', EVIL],
  [EVIL],
  [`--${EVIL}`],
])('gov %j', (...args) => {
  const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'bin', 'run.js'), ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: root, GOV_HOME: join(root, 'gov'), GOV_DAEMON: 'off' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(stdout + stderr).not.toBe('');
  expect(RAW.exec(stdout + stderr)).toBeNull();
});
