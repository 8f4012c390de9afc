import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWriter } from '../../src/audit/write/writer.ts';
import { govPaths } from '../../src/base/gov-paths.ts';
import { callOf, draftOf } from '../unit/audit/draft.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'run.js');
const START = Date.UTC(2026, 0, 5, 9);
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gov-coverage-cli-'));
  const writer = openWriter(govPaths({ GOV_HOME: join(root, 'gov') }));
  writer.append(draftOf('ls', { at: START, call: callOf('ls', { callId: 'toolu_seen' }) }));
  writer.close();
  const project = join(root, '.claude', 'projects', '-src-shop');
  mkdirSync(join(project, 'session-1', 'subagents'), { recursive: true });
  writeFileSync(join(project, 'session-1.jsonl'), line('toolu_seen', 'ls', 1) + line('toolu_2', 'rm -rf build', 2));
  writeFileSync(join(project, 'session-1', 'subagents', 'agent-a1.jsonl'), line('toolu_3', 'make', 3, true));
  writeFileSync(join(project, 'session-1', 'subagents', 'agent-a1.meta.json'), '{}');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function line(id: string, command: string, minutes: number, isSidechain = false): string {
  const entry = {
    type: 'assistant',
    isSidechain,
    sessionId: 'session-1',
    cwd: '/src/shop',
    timestamp: new Date(START + minutes * 60_000).toISOString(),
    message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }] },
  };
  return `${JSON.stringify(entry)}\n`;
}

function coverage(...args: string[]): { readonly code: number | null; readonly out: string; readonly err: string } {
  const env = { PATH: process.env['PATH'] ?? '', HOME: root, GOV_HOME: join(root, 'gov'), NO_COLOR: '1' };
  const run = spawnSync(process.execPath, [BIN, 'audit', 'coverage', ...args], { cwd: root, env, encoding: 'utf8' });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

test('lists the calls that went around the hook, those of subagents too', () => {
  const { code, out, err } = coverage();
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatchInlineSnapshot(`
    "2 of 3 calls went around the hook (2 logs)
      recorded 1, not run 0, without a record but explained 0
           2  not-recorded: its session is recorded, the call is not: the hook did not run, broke, or was stopped

    session                               calls  recorded  explained  ungoverned
    session-1                                 3         1          0           2

    2026-01-05 09:03:00  Bash  make  [not-recorded] subagent
    2026-01-05 09:02:00  Bash  rm -rf build  [not-recorded]
    not provable: the agent’s own log is believed: a call that the agent did not write down is not seen
    not provable: logs that the agent deleted (its own retention) can’t be compared
    "
  `);
});

test('as a gate', () => {
  expect(coverage('--gate').code).toBe(1);
  expect(coverage('--gate', '--until', '2026-01-05T09:01:30Z').code).toBe(0);
  const one = coverage('--gate', '--json', '--transcript', join(root, '.claude/projects/-src-shop/session-1.jsonl'));
  expect(one.code).toBe(1);
  expect(JSON.parse(one.out)).toMatchObject({
    transcripts: 1,
    calls: 2,
    recorded: 1,
    ungoverned: 1,
    uncovered: [{ call_id: 'toolu_2', tool: 'Bash', summary: 'rm -rf build', reason: 'not-recorded', excused: false }],
  });
});

test('a log that is not there', () => {
  const { code, err } = coverage('--transcript', 'none.jsonl');
  expect(code).toBe(64);
  expect(err).toContain("the agent's log `none.jsonl` can't be read");
});
