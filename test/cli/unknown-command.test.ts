import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'gov-unknown-command-'));

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function gov(...args: readonly string[]): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'bin/run.js'), ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1' },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test.each([
  [['polcy'], 'there is no command `polcy`', 'did you mean `policy`?'],
  [['stauts'], 'there is no command `stauts`', 'did you mean `status`?'],
  [['audit', 'lst'], 'there is no command `audit lst`', 'did you mean `audit list`?'],
  [['policy', 'nosuch'], 'there is no command `policy nosuch`', 'see `gov policy --help`'],
  [['elevate', 'nosuch'], 'there is no command `elevate nosuch`', 'see `gov elevate --help`'],
  [['help', 'nosuch'], 'there is no command `nosuch`', 'see `gov --help`'],
  [['--help', 'nosuch'], 'there is no command `nosuch`', 'see `gov --help`'],
  [['nosuch\u001b[2J'], 'there is no command `nosuch\\x1b[2J`', 'see `gov --help`'],
  [['status', '--foo'], 'there is no flag `--foo`', 'see `gov status --help`'],
  [['status', 'foo'], 'there is no command `status foo`', 'see `gov status --help`'],
  [['stop', '--reason', 'x', 'now'], 'nothing is expected at `now`', 'see `gov stop --help`'],
  [['status', '--\u001b[2J'], 'there is no flag `--\\x1b[2J`', 'see `gov status --help`'],
  [['audit', 'show'], 'missing `ID`', 'see `gov audit show --help`'],
  [
    ['init', '--preset', 'nosuch'],
    'expected --preset=nosuch to be one of: recommended, ci, monitor, readonly, strict',
    'see `gov init --help`',
  ],
  [
    ['waiver', 'add', 'a.b', '--reason', 'r', '--value', 'a=b'],
    'missing required flag exception; missing required flag expires; missing required flag owner',
    'see `gov waiver add --help`',
  ],
])('gov %j: said in one line with one hint, and the exit code of wrong usage', (args, message, hint) => {
  expect(gov(...args)).toEqual({ status: 64, stdout: '', stderr: `gov: ${message}\n     ${hint}\n` });
});

test('wrong usage with --json is JSON', () => {
  const { status, stdout, stderr } = gov('audit', 'show', '--json');
  expect([status, stderr, JSON.parse(stdout)]).toEqual([
    64,
    '',
    { error: { code: 'usage', message: 'missing `ID`', help: 'see `gov audit show --help`' } },
  ]);
});

test.each([
  [['help'], ['--help']],
  [
    ['help', 'audit', 'list'],
    ['audit', 'list', '--help'],
  ],
  [['version'], ['--version']],
])('gov %j is gov %j', (said, meant) => {
  const run = gov(...said);
  expect(run).toEqual(gov(...meant));
  expect(run).toMatchObject({ status: 0, stderr: '' });
});
