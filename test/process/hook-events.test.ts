import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/audit/read/store.ts';
import { Database } from '../../src/audit/sqlite.ts';
import { type Verification, verifyStore } from '../../src/audit/tend/verify.ts';
import { govPaths } from '../../src/base/gov-paths.ts';
import { bash, configure, makePlace, type Place, payload, ROOT, records, removePlace, runHook } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => {
  removePlace(place);
});

const POST = join(ROOT, 'hooks', 'post-tool-use');
const EVENT = join(ROOT, 'hooks', 'event');

describe('a gate', () => {
  test('allow: silence, and a record with the facts and the policy', () => {
    expect(runHook(place, bash(place, 'echo hello'))).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(records(place)).toMatchObject([
      {
        kind: 'decision',
        answer: 'allow',
        body: {
          enforced: true,
          call: {
            agent: 'claude-code',
            session: 'test-session',
            callId: 'toolu_test',
            input: { command: 'echo hello' },
          },
          facts: { commands: [{ name: 'echo' }] },
          decision: { answer: 'allow', policy: expect.stringMatching(/^[0-9a-f]{64}$/) },
        },
      },
    ]);
  });

  test('deny: exit code 2, the rule, the reason, what to do instead, the id under which it is stored', () => {
    const run = runHook(place, bash(place, 'rm -rf ~/documents'));
    expect([run.exitCode, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toMatch(
      /^denied by \S+: .+\n(?:why: .+\n)?try: .+\na person can allow it: gov elevate approve [0-9A-Z]{4}\nref: \w{20}\n$/,
    );
    const [stored] = records(place);
    expect(stored?.answer).toBe('deny');
    expect(run.stderr).toContain(`ref: ${stored?.id}`);
    const rule = (stored?.body['decision'] as { rule: string } | undefined)?.rule;
    expect(rule).toMatch(/^\w+\.[\w-]+$/);
    expect(run.stderr).toContain(rule);
  });

  test('ask: JSON that never says allow', () => {
    const run = runHook(place, bash(place, 'git reset --hard HEAD~3'));
    expect([run.exitCode, run.stderr]).toEqual([0, '']);
    expect(JSON.parse(run.stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: expect.stringMatching(/ref: \w{20}/),
      },
    });
    expect(records(place).map((r) => r.answer)).toEqual(['ask']);
  });

  test('PermissionRequest: deny is JSON', () => {
    const run = runHook(
      place,
      payload(place, {
        hook_event_name: 'PermissionRequest',
        tool_use_id: undefined,
        tool_input: { command: 'rm -rf ~' },
      }),
    );
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stdout).hookSpecificOutput.decision).toEqual({
      behavior: 'deny',
      message: expect.stringContaining('ref: '),
    });
  });

  test('PreSkillShellCommand: a question that nobody would see is a deny', () => {
    const run = runHook(
      place,
      payload(place, { hook_event_name: 'PreSkillShellCommand', tool_input: { command: 'git reset --hard HEAD~3' } }),
    );
    expect([run.exitCode, run.stdout]).toEqual([2, '']);
    expect(records(place).map((r) => r.answer)).toEqual(['deny']);
  });

  test('monitor mode: silence, and a record of what would have been', () => {
    configure(place, { mode: 'monitor', preset: 'recommended' });
    expect(runHook(place, bash(place, 'rm -rf ~'))).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(records(place)).toMatchObject([
      { answer: 'allow', body: { enforced: false, decision: { answer: 'deny' } } },
    ]);
  });

  test.each<{ tool: string; input: (at: Place) => Record<string, unknown> }>([
    { tool: 'Write', input: () => ({ file_path: '/etc/hosts', content: 'x' }) },
    { tool: 'Edit', input: (at) => ({ file_path: join(at.home, '.bashrc'), old_string: 'a', new_string: 'b' }) },
    { tool: 'MultiEdit', input: () => ({ file_path: '/etc/hosts', edits: [{ old_string: 'a', new_string: 'b' }] }) },
    { tool: 'NotebookEdit', input: () => ({ notebook_path: '/etc/x.ipynb', new_source: 'x' }) },
    { tool: 'Monitor', input: () => ({ description: 'watch', timeout_ms: 5000, command: 'echo x; rm -rf ~' }) },
    { tool: 'SomeNewShell', input: () => ({ command: 'rm -rf ~' }) },
  ])('$tool is judged by what it does', ({ tool, input }) => {
    const run = runHook(place, payload(place, { tool_name: tool, tool_input: input(place) }));
    expect(run.exitCode === 2 || run.stdout.includes('"permissionDecision":"ask"')).toBe(true);
    expect(['deny', 'ask']).toContain(records(place)[0]?.answer);
  });

  test.each(['codex', 'gemini-cli'])('%s has its own deny', (agent) => {
    const more = agent === 'gemini-cli' ? { hook_event_name: 'BeforeTool', tool_name: 'run_shell_command' } : {};
    const run = runHook(place, payload(place, { tool_input: { command: 'rm -rf ~' }, ...more }), { agent });
    expect([run.exitCode, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toMatch(/ref: /);
    expect(records(place)).toMatchObject([{ answer: 'deny', body: { call: { agent } } }]);
  });
});

describe('what is only recorded', () => {
  test('an outcome joins its decision by the call id', () => {
    runHook(place, bash(place, 'echo hello'));
    const done = {
      hook_event_name: 'PostToolUse',
      tool_response: { stdout: 'hello', stderr: '', interrupted: false },
      duration_ms: 12,
    };
    expect(runHook(place, payload(place, done), { launcher: POST })).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(records(place)).toMatchObject([
      { kind: 'decision', body: { call: { callId: 'toolu_test' } } },
      {
        kind: 'outcome',
        answer: '',
        body: { call: { callId: 'toolu_test', result: { text: 'hello', exitCode: 0, failed: false, durationMs: 12 } } },
      },
    ]);
  });

  test('a failure with its exit code', () => {
    const failed = { hook_event_name: 'PostToolUseFailure', error: 'Exit code 3\nno such file', is_interrupt: false };
    runHook(place, payload(place, failed), { launcher: POST });
    expect(records(place)).toMatchObject([
      { kind: 'outcome', body: { call: { result: { exitCode: 3, failed: true } } } },
    ]);
  });

  test.each([
    'UserPromptSubmit',
    'UserPromptExpansion',
    'SessionStart',
    'SessionEnd',
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'Notification',
  ])('%s', (event) => {
    const text = payload(place, {
      hook_event_name: event,
      tool_name: undefined,
      tool_input: undefined,
      tool_use_id: undefined,
      prompt: 'rm -rf ~ please',
    });
    expect(runHook(place, text, { launcher: EVENT })).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(records(place)).toMatchObject([
      { kind: 'session', answer: '', body: { call: { rawEvent: event, detail: { prompt: 'rm -rf ~ please' } } } },
    ]);
  });

  test('gates are gates whichever launcher they come through', () => {
    expect(runHook(place, bash(place, 'rm -rf ~'), { launcher: EVENT }).exitCode).toBe(2);
  });
});

test('the end of a session signs where the chain ends; what is cut off later shows', () => {
  runHook(place, bash(place, 'echo hello'));
  const end = payload(place, { hook_event_name: 'SessionEnd', reason: 'exit' });
  expect(runHook(place, end, { launcher: EVENT })).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  const paths = govPaths(place.env);
  const verified = (): Verification => {
    const store = openStore(paths.database);
    try {
      return verifyStore(store, paths);
    } finally {
      store.close();
    }
  };
  expect(verified()).toMatchObject({ ok: true, notes: ['signed checkpoints: 1, up to record 2'] });
  const db = new Database(paths.database);
  db.exec('DROP TRIGGER records_stay; DROP TRIGGER bodies_stay; DELETE FROM records WHERE seq = 2');
  db.close();
  expect(verified().findings.map(({ code }) => code)).toContain('records-cut-off');
});

test('an end that can’t be signed holds nobody up', () => {
  runHook(place, bash(place, 'echo hello'));
  mkdirSync(join(place.govHome, 'state', 'checkpoint.key'));
  const end = payload(place, { hook_event_name: 'SessionEnd', reason: 'exit' });
  expect(runHook(place, end, { launcher: EVENT })).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  expect(records(place)).toHaveLength(2);
});

describe('ConfigChange', () => {
  const change = (at: Place, file: string): string =>
    payload(at, {
      hook_event_name: 'ConfigChange',
      tool_name: undefined,
      tool_input: undefined,
      tool_use_id: undefined,
      source: 'user_settings',
      file_path: file,
    });

  function registered(): string {
    const run = spawnSync(process.execPath, [join(ROOT, 'bin', 'run.js'), 'init', '--agent', 'claude-code', '--yes'], {
      env: place.env,
      cwd: place.workspace,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(run.status).toBe(0);
    return join(place.home, '.claude', 'settings.json');
  }
  const last = (): unknown => records(place).at(-1);

  test('one that takes the hooks out is refused', () => {
    const file = registered();
    writeFileSync(file, '{}');
    const run = runHook(place, change(place, file));
    expect([run.exitCode, run.stdout]).toEqual([2, '']);
    expect(last()).toMatchObject({ answer: 'deny', body: { decision: { rule: 'guard.config-change' } } });
  });

  test('one that switches all hooks off is refused', () => {
    registered();
    const local = join(place.workspace, '.claude', 'settings.local.json');
    mkdirSync(join(place.workspace, '.claude'));
    writeFileSync(local, '{"disableAllHooks": true}');
    expect(runHook(place, change(place, local)).exitCode).toBe(2);
  });

  test('any other passes', () => {
    const file = registered();
    expect(runHook(place, change(place, file))).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(last()).toMatchObject({ answer: 'allow' });
  });
});
