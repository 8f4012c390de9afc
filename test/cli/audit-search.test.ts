import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
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
