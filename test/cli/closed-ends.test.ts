import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const RUN = join(ROOT, 'bin', 'run.js');

let dir: string;
let env: NodeJS.ProcessEnv;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'gov-ends-'));
  const workspace = join(dir, 'work');
  const rules = join(dir, 'gov', 'config', 'rules');
  mkdirSync(workspace);
  mkdirSync(rules, { recursive: true, mode: 0o700 });
  env = { PATH: process.env['PATH'], HOME: dir, GOV_HOME: join(dir, 'gov'), GOV_DAEMON: 'off', NO_COLOR: '1' };
  writeFileSync(
    join(rules, 'own.yaml'),
    'apiVersion: gov/v1\nkind: Rules\nmetadata: { name: own, owners: [me] }\nrules:\n  - { id: own.ls, title: T, severity: low, mode: shadow, each: command, when: command.name == "ls", effect: deny, tests: { match: [ls], no_match: [pwd] } }\n',
  );
  expect(spawnSync(process.execPath, [RUN, 'policy', 'build'], { env }).status).toBe(0);
  for (let i = 0; i < 40; i++) {
    const call = { session_id: 's', cwd: workspace, hook_event_name: 'PreToolUse', tool_name: 'Bash' };
    const input = JSON.stringify({ ...call, tool_input: { command: `ls ${'x'.repeat(4000)}` }, tool_use_id: `t${i}` });
    spawnSync(join(ROOT, 'hooks', 'pre-tool-use'), ['claude-code'], { env, input, cwd: workspace });
  }
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('a reader that has enough of an export is no fault', () => {
  const line = 'set -o pipefail; "$0" "$1" audit export --format jsonl | head -c 10';
  const run = spawnSync('bash', ['-c', line, process.execPath, RUN], { env, encoding: 'utf8' });
  expect([run.status, run.stdout.length, run.stderr]).toEqual([0, 10, '']);
});

test('the viewer ends quietly where standard input is a file', { timeout: 30_000 }, async () => {
  const child = spawn('/bin/sh', ['-c', 'exec "$0" "$1" replay --web < /dev/null', process.execPath, RUN], { env });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  await new Promise((done) => child.stdout.once('data', done));
  child.kill('SIGTERM');
  expect(await new Promise((done) => child.once('exit', done))).toBe(0);
  expect(said).toBe('The viewer: this address works once, enter prints another, ctrl-c ends.\n');
});

test('a rule in the shadow says what it would have done', () => {
  const run = spawnSync(process.execPath, [RUN, 'audit', 'show', 'latest'], { env, encoding: 'utf8' });
  expect(run.stdout).toContain('deny    own.ls v1 (user, low, soft) would have denied (not enforced)\n');
});
