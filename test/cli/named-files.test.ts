import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'gov-named-files-'));
writeFileSync(join(home, 'text.db'), 'no database\n');

function gov(args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'bin/run.js'), ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, GOV_HOME: join(home, 'gov'), NO_COLOR: '1' },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** 3: a store or a policy that can't be read; 64: anything else that the command line names wrongly. */
describe('a file that is not there is said in the same words by every command', () => {
  test.each<[number, readonly string[]]>([
    [3, ['policy', 'check', 'gone']],
    [3, ['policy', 'lint', 'gone']],
    [3, ['policy', 'fmt', 'gone']],
    [3, ['policy', 'test', 'gone']],
    [3, ['policy', 'watch', 'gone']],
    [3, ['policy', 'diff', './gone', '.']],
    [3, ['policy', 'diff', 'gone.json', '.']],
    [3, ['policy', 'replay', '--against', 'gone.yaml']],
    [3, ['audit', 'verify', 'gone']],
    [3, ['audit', 'verify', 'gone.jsonl']],
    [64, ['check', '--batch', 'gone']],
    [64, ['policy', 'eval', '--event', 'gone']],
    [64, ['policy', 'import', 'gone']],
  ])('%d: gov %j', (want, args) => {
    const named = args.find((arg) => arg.includes('gone')) as string;
    expect(gov(args)).toEqual({
      status: want,
      stdout: '',
      stderr: `gov: there is no file \`${named}\`\n     it was looked for at \`${join(home, named)}\`\n`,
    });
  });

  test.each<[number, readonly string[], string]>([
    [3, ['audit', 'verify', '/nowhere/audit.db'], 'there is no file `/nowhere/audit.db`'],
    [3, ['audit', 'verify', '.'], '`.` is a directory'],
    [64, ['check', '--batch', '.'], '`.` is a directory'],
    [3, ['audit', 'verify', 'text.db'], '`text.db` is not an audit store of gov'],
  ])('%d: gov %j', (want, args, said) => {
    const run = gov(args);
    expect([run.status, run.stdout, run.stderr.split('\n')[0]]).toEqual([want, '', `gov: ${said}`]);
  });
});

test.each([
  [['check', '--preset', 'gone', '--', 'ls']],
  [['policy', 'list', '--preset', 'gone']],
  [['policy', 'check', '--preset', 'gone']],
  [['policy', 'diff', 'gone', '.']],
  [['policy', 'replay', '--preset', 'gone']],
])('gov %j: no such preset, and which there are', (args) => {
  expect(gov(args)).toEqual({
    status: 64,
    stdout: '',
    stderr: 'gov: there is no preset `gone`\n     one of recommended, ci, monitor, readonly, strict\n',
  });
});
