import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Database } from '../../src/audit/sqlite.ts';
import { hook, makeWarmPlace, removeWarmPlace, served, startedDaemon, type WarmPlace } from './daemon-place.ts';
import { makePlace, payload, ROOT, records, removePlace, runHook } from './place.ts';

const POST = join(ROOT, 'hooks', 'post-tool-use');

let place: WarmPlace;
beforeEach(() => {
  place = makeWarmPlace();
  mkdirSync(join(place.workspace, 'src'));
  writeFileSync(join(place.workspace, 'src', 'a.ts'), 'let a = 1;\n');
  const on = mode('enforce');
  expect(on, on.stderr).toMatchObject({ status: 0 });
});
afterEach(() => removeWarmPlace(place));

/** No daemon is started along the way. */
const cold = (): NodeJS.ProcessEnv => ({ ...place.env, GOV_DAEMON: 'off' });

function gov(...args: readonly string[]) {
  return spawnSync(process.execPath, [join(ROOT, 'bin', 'run.js'), ...args], {
    cwd: place.workspace,
    env: cold(),
    encoding: 'utf8',
  });
}

const mode = (word: string) =>
  gov('policy', 'mode', word, '--rule', 'evidence.read-before-edit', '--rule', 'evidence.tests-before-push');
const path = (): string => join(place.workspace, 'src', 'a.ts');
const call = (tool: string, input: object, more: object = {}): string =>
  payload(place, { tool_name: tool, tool_input: input, ...more });
const edit = (): object => ({ file_path: path(), old_string: '1', new_string: '2' });

/** How the gate answers an edit: its exit code. */
const gate = (tool = 'Edit', input: object = edit(), more: object = {}) =>
  runHook(place, call(tool, input, more), { env: cold() });

/** Tells of a call that ended. */
function ended(tool: string, input: object, stdout = 'ok', event = 'PostToolUse') {
  const response =
    event === 'PostToolUse' ? { tool_response: { stdout, stderr: '', interrupted: false } } : { error: 'x' };
  const run = runHook(place, call(tool, input, { hook_event_name: event, ...response }), {
    launcher: POST,
    env: cold(),
  });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
}

const read = (): void => ended('Read', { file_path: path() });

describe('a file is read before it is changed', () => {
  test('not read: the agent is told what to do', () => {
    const { exitCode, stderr } = gate();
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Read it first');
    expect(stderr).toContain('src/a.ts');
  });

  test.each<[string, () => void, number]>([
    ['read', read, 0],
    ['printed by a shell', () => ended('Bash', { command: 'head -5 src/a.ts' }), 0],
    ['written by the agent itself', () => ended('Write', { file_path: path(), content: 'x' }), 0],
    ['the read failed', () => ended('Read', { file_path: path() }, '', 'PostToolUseFailure'), 2],
    ['counted, not printed', () => ended('Bash', { command: 'wc -l src/a.ts' }), 2],
    [
      'changed by somebody else since',
      () => {
        read();
        writeFileSync(path(), 'let a = 3;\n');
      },
      2,
    ],
    [
      'read again after that',
      () => {
        read();
        writeFileSync(path(), 'let a = 3;\n');
        read();
      },
      0,
    ],
  ])('%s', (_name, before, want) => {
    before();
    expect(gate().exitCode).toBe(want);
  });

  test('by another session it does not count', () => {
    read();
    expect(gate('Edit', edit(), { session_id: 'other' }).exitCode).toBe(2);
  });

  test('a new file needs no reading', () => {
    expect(gate('Edit', { ...edit(), file_path: join(place.workspace, 'new.ts') }).exitCode).toBe(0);
  });

  test('an agent whose calls never end, as far as gov hears, is not nagged', () => {
    for (const n of [1, 2, 3]) expect(gate('Bash', { command: `echo ${n}` }).exitCode).toBe(0);
    expect(gate().exitCode).toBe(0);
    expect(records(place).at(-1)?.body).toMatchObject({ decision: { evidence: [{ kind: 'read', holds: null }] } });
  });

  test('a path that looks like a secret is found all the same', () => {
    const secret = join(place.workspace, 'src', 'ghp_0123456789abcdefghijABCDEFGHIJ012345.ts');
    writeFileSync(secret, '1');
    ended('Read', { file_path: secret });
    expect(gate('Edit', { ...edit(), file_path: secret }).exitCode).toBe(0);
  });

  test('the records say what was asked, and what established it; the decision can be explained from them', () => {
    read();
    expect(gate().exitCode).toBe(0);
    writeFileSync(path(), 'let a = 5;\n');
    const [outcome, decision] = records(place).slice(-2);
    expect(outcome?.body).toMatchObject({
      decision: { marks: [{ rule: 'evidence:read', step: expect.stringMatching(/^\+\d+:\d+:\d+$/) }] },
    });
    expect(decision?.body).toMatchObject({ decision: { evidence: [{ kind: 'read', key: path(), holds: true }] } });
    expect(gov('audit', 'show', String(outcome?.id)).stdout).toContain('establishes read');
    expect(gov('audit', 'show', String(decision?.id)).stdout).toContain(`there: read ${path()}`);
    expect(gov('policy', 'explain', '--rule', 'evidence.read-before-edit', String(decision?.id)).stdout).toContain(
      'true     requires evidence("read"',
    );
    expect(gov('audit', 'verify')).toMatchObject({ status: 0 });
  });

  test('a mark that no record tells of is found', () => {
    read();
    const db = new Database(join(place.govHome, 'state', 'audit.db'));
    const put = db.prepare(
      "INSERT INTO marks SELECT rule, 'x', at, step, weight, seq FROM marks WHERE rule = 'evidence:read'",
    );
    expect(put.run().changes).toBe(1);
    db.close();
    const { status, stdout } = gov('audit', 'verify', '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ findings: [{ code: 'evidence-forged' }], wrong: 1 });
  });

  test('gov check has no session: what is advisory stays silent, and says what is not known', () => {
    const run = gov('check', '--json', '--explain', '--tool', 'Edit', '--input', JSON.stringify(edit()));
    expect(JSON.parse(run.stdout)).toMatchObject({ decision: 'allow' });
  });
});

describe('tests before a push', () => {
  const change = (): void => ended('Write', { file_path: path(), content: 'x' });
  const push = () => gate('Bash', { command: 'git push origin topic' });
  const npmTest = (event = 'PostToolUse'): void => ended('Bash', { command: 'npm test' }, 'ok', event);

  test.each<[string, () => void, number]>([
    ['nobody ever ran tests here', change, 0],
    [
      'changed since',
      () => {
        npmTest();
        change();
      },
      2,
    ],
    [
      'passed since',
      () => {
        change();
        npmTest();
      },
      0,
    ],
    [
      'failed since',
      () => {
        change();
        npmTest('PostToolUseFailure');
      },
      2,
    ],
  ])('%s', (_name, before, want) => {
    before();
    const { exitCode, stderr } = push();
    expect(exitCode).toBe(want);
    if (want === 2) expect(stderr).toContain('Run the tests, then push');
  });
});

test('the daemon answers the same, also for a read whose record shares the commit', async () => {
  await startedDaemon(place);
  expect((await hook(place, call('Edit', edit()))).exitCode).toBe(2);
  const before = await served(place);
  const response = { tool_response: { stdout: 'ok', stderr: '', interrupted: false } };
  const told = call('Read', { file_path: path() }, { hook_event_name: 'PostToolUse', ...response });
  await hook(place, told, { launcher: POST });
  const answers = await Promise.all([1, 2, 3, 4].map(() => hook(place, call('Edit', edit()))));
  expect(answers.map((a) => a.exitCode)).toEqual([0, 0, 0, 0]);
  expect(await served(place)).toBe(before + 5);
  writeFileSync(path(), 'let a = 7;\n');
  expect((await hook(place, call('Edit', edit()))).exitCode).toBe(2);
});

test('where no rule in force asks for evidence, outcomes are recorded as before', () => {
  const plain = makePlace();
  try {
    const told = payload(plain, {
      hook_event_name: 'PostToolUse',
      tool_name: 'Read',
      tool_input: { file_path: '/etc/hosts' },
      tool_response: { stdout: 'ok', stderr: '', interrupted: false },
    });
    expect(runHook(plain, told, { launcher: POST })).toMatchObject({ exitCode: 0 });
    expect(records(plain).at(-1)?.body).toMatchObject({ kind: 'outcome', facts: null, decision: null });
  } finally {
    removePlace(plain);
  }
});
