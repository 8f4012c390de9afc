import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWriter } from '../../src/audit/write/writer.ts';
import { govPaths } from '../../src/base/gov-paths.ts';
import { callOf, draftOf } from '../unit/audit/draft.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'run.js');
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gov-prune-cli-'));
  const writer = openWriter(govPaths({ GOV_HOME: root }));
  for (let i = 1; i <= 6; i++)
    writer.append(draftOf(`step ${i}`, { at: Date.UTC(2026, 0, i), call: callOf(`step ${i}`, { callId: `c${i}` }) }));
  writer.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function gov(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const run = spawnSync(process.execPath, [BIN, 'audit', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: root, GOV_HOME: root, NO_COLOR: '1', ...env },
    encoding: 'utf8',
  });
  const out = run.stdout.replaceAll(root, '<root>').replace(/audit-[0-9a-f]{8}-/g, 'audit-<chain>-');
  return {
    code: run.status,
    out: out.replace(/\b[0-9a-f]{64}\b/g, '<hash>').replace(/[\d.]+ MB/g, '<n> MB'),
    err: run.stderr,
  };
}

test('a prefix goes into an archive; both verify; an agent may not', () => {
  const wish = ['prune', '--before', '2026-01-04'];
  expect(gov([...wish, '--yes'], { CLAUDECODE: '1' })).toMatchObject({
    code: 64,
    err: expect.stringContaining('Claude Code'),
  });
  expect(gov(wish)).toMatchObject({ code: 64, err: expect.stringContaining('--yes') });
  expect(gov([...wish, '--dry-run'])).toEqual({ code: 0, err: '', out: '3 records go: 1 to 3\n' });
  expect(gov([...wish, '--yes'])).toEqual({
    code: 0,
    err: '',
    out: `3 records go: 1 to 3
archive <root>/state/archive/audit-<chain>-1-3.jsonl
sha256  <hash>
store   <n> MB before, <n> MB now
`,
  });
  const verified = gov(['verify']);
  expect(verified.code).toBe(0);
  expect(verified.out).toContain(`intact: 4 records (4 to 7), every hash recomputed
  note: records up to 3 were pruned; their archive has SHA-256 <hash>
`);
  const again = gov([
    'prune',
    '--keep',
    '2',
    '--max-size',
    '1GB',
    '--yes',
    '--json',
    '--archive',
    join(root, 'elsewhere'),
  ]);
  const { done } = JSON.parse(again.out) as { done: { first: number; last: number; archive: string } };
  expect(done).toMatchObject({ first: 4, last: 5, archive: '<root>/elsewhere/audit-<chain>-4-5.jsonl' });
});

test('a record is erased', () => {
  const erased = gov(['redact', '6', '--reason', 'a name', '--yes', '--json']);
  expect(JSON.parse(erased.out)).toMatchObject({ erased: [{ seq: 6 }] });
  expect(gov(['verify']).code).toBe(0);
  const shown = gov(['show', '6']);
  expect([shown.code, shown.out.includes('step 6')]).toEqual([0, false]);
  expect(shown.out).toContain('[erased]');
});

test.each([
  [['prune'], 'say what is to go'],
  [['prune', '--max-size', 'big'], '`big` is not a size'],
  [['prune', '--keep', 'soon'], '`soon` is not a time'],
])('%j is refused', (args, why) => {
  expect(gov(args)).toMatchObject({ code: 64, err: expect.stringContaining(why) });
});
