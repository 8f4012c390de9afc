import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWriter } from '../../src/audit/write/writer.ts';
import { govPaths } from '../../src/base/gov-paths.ts';
import { callOf, decisionOf, draftOf, hitOf } from '../unit/audit/draft.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'run.js');
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gov-search-cli-'));
  const writer = openWriter(govPaths({ GOV_HOME: root }));
  writer.append(draftOf('rm -rf build', { at: Date.UTC(2026, 0, 5), call: callOf('rm -rf build', { callId: 'a' }) }));
  const denied = { decision: decisionOf('deny', [hitOf('git.push-force')]), answer: 'deny', facts: null };
  writer.append(
    draftOf('git push -f', { at: Date.UTC(2026, 0, 5, 1), call: callOf('git push -f', { callId: 'b' }), ...denied }),
  );
  writer.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function gov(...args: string[]) {
  const run = spawnSync(process.execPath, [BIN, 'audit', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: root, GOV_HOME: root, NO_COLOR: '1' },
    encoding: 'utf8',
  });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

test('by path and by text', () => {
  const seqs = (...flags: string[]) =>
    (JSON.parse(gov('list', '--json', ...flags).out) as { rows: { seq: number }[] }).rows.map((row) => row.seq);
  expect(seqs('--path', 'project/build')).toEqual([1]);
  expect(seqs('--text', 'PUSH')).toEqual([2]);
});

test('SQL', () => {
  expect(gov('sql', 'SELECT seq, answer FROM decisions ORDER BY seq')).toEqual({
    code: 0,
    out: 'seq  answer\n1    allow\n2    deny\n',
    err: '',
  });
  expect(
    gov('sql', 'SELECT command, rule FROM decisions ORDER BY seq DESC', '--format', 'csv', '--limit', '1'),
  ).toEqual({
    code: 0,
    out: 'command,rule\r\ngit push -f,git.push-force\r\n',
    err: 'more: --limit\n',
  });
  expect(gov('sql', 'DELETE FROM records')).toMatchObject({
    code: 64,
    err: expect.stringContaining('only one SELECT'),
  });
  expect(gov('sql').out).toContain('decisions: one row a call that was judged\n  seq          number of the record\n');
});

test('a text in a big store: the same with its index, which erasing takes away', () => {
  const home = mkdtempSync(join(tmpdir(), 'gov-search-big-'));
  const paths = govPaths({ GOV_HOME: home });
  try {
    const writer = openWriter(paths);
    for (let i = 1; i <= 2100; i++)
      writer.append(
        draftOf(i === 7 ? 'echo needle' : `echo ${i}`, {
          at: Date.UTC(2026, 0, 5),
          call: callOf(i === 7 ? 'echo needle' : `echo ${i}`, { callId: null }),
        }),
      );
    writer.close();
    const run = (...args: string[]) => {
      const env = { PATH: process.env['PATH'] ?? '', HOME: home, GOV_HOME: home, NO_COLOR: '1' };
      const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'audit', ...args], {
        cwd: home,
        env,
        encoding: 'utf8',
      });
      return { code: status, out: stdout, err: stderr };
    };
    const seqs = (text: string) =>
      (JSON.parse(run('list', '--json', '--text', text).out) as { rows: { seq: number }[] }).rows.map((row) => row.seq);
    expect(existsSync(join(paths.state, 'search.db'))).toBe(false);
    expect(seqs('NEEDLE')).toEqual([7]);
    expect(existsSync(join(paths.state, 'search.db'))).toBe(true);
    const report = JSON.parse(run('report', '--json', '--no-coverage', '--text', 'needle').out) as {
      scope: unknown;
      totals: { records: number };
    };
    expect([report.scope, report.totals.records]).toEqual([{ text: 'needle' }, 1]);
    expect(run('export', '--format', 'csv', '--text', 'needle').out.split('\r\n')).toHaveLength(3);
    expect(run('redact', '7', '--reason', 'x', '--yes')).toMatchObject({ code: 0 });
    expect(existsSync(join(paths.state, 'search.db'))).toBe(false);
    expect(seqs('needle')).toEqual([]);
    expect(run('verify').code).toBe(0);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
