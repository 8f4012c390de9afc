import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { govPaths } from '../../src/base/gov-paths.ts';
import { layersOf } from '../../src/rulebook/layers.ts';
import { publishLayers } from '../../src/rulebook/publish.ts';
import { bash, configure, makePlace, type Place, payload, ROOT, records, removePlace, runHook } from './place.ts';

const RULES = `apiVersion: gov/v1
kind: Rules
metadata: { name: mine }
rules:
  - id: mine.read-then-send
    title: Upload after reading the plan
    severity: high
    sequence:
      within: 30m
      steps:
        - { as: read, on: [PostToolUse], each: file, when: 'file.op == "read" && file.path.endsWith("plan.md")' }
        - { as: send, on: [PreToolUse], each: command, when: 'command.name == "fortune"' }
    effect: deny
  - id: mine.same-failure
    title: The same call keeps failing
    severity: low
    on: [PreToolUse]
    when: "true"
    limit: { count: 2, window: 10m, key: event.call_digest, counts: failure }
    effect: deny
  - id: mine.too-many
    title: Too many games
    severity: low
    on: [PreToolUse]
    each: command
    when: command.name == "cowsay"
    limit: { count: 2, window: 10m, counts: call }
    effect: deny
  - id: mine.secret-in-output
    title: Secret in the output
    severity: high
    on: [PostToolUse]
    when: secrets(result.text).size() > 0
    effect: redact
    fallback: [context]
    message: Secrets in this output were taken out.
  - id: mine.word
    title: A word about the output
    severity: low
    on: [PostToolUse]
    when: result.text.contains("deprecated")
    effect: context
    message: Something here is deprecated.
`;

let place: Place;
beforeEach(() => {
  place = makePlace();
  mkdirSync(join(place.govHome, 'config', 'rules'), { recursive: true });
  writeFileSync(join(place.govHome, 'config', 'rules', 'mine.yaml'), RULES);
  const paths = govPaths(place.env);
  expect(publishLayers(paths, null, layersOf(paths, '/nonexistent'))).toMatchObject({ ok: true });
});
afterEach(() => {
  removePlace(place);
});

const POST = join(ROOT, 'hooks', 'post-tool-use');

const gate = (command: string, session = 's1') =>
  runHook(place, payload(place, { session_id: session, tool_input: { command } }));

function outcome(more: Readonly<Record<string, unknown>>, agent = 'claude-code') {
  const base = { session_id: 's1', hook_event_name: 'PostToolUse' };
  return runHook(place, payload(place, { ...base, ...more }), { launcher: POST, agent });
}

const output = (stdout: string) => ({
  tool_input: { command: 'make' },
  tool_response: { stdout, stderr: '', interrupted: false },
});

describe('a sequence', () => {
  const readPlan = (session = 's1') =>
    outcome({
      session_id: session,
      tool_name: 'Read',
      tool_input: { file_path: join(place.workspace, 'plan.md') },
      tool_response: { type: 'text', file: { content: 'x' } },
    });

  test('stops its last step once the others were seen', () => {
    expect(gate('fortune').exitCode).toBe(0);
    readPlan();
    const run = gate('fortune');
    expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining('mine.read-then-send')]);
  });
  test('of another session does not count', () => {
    readPlan('s2');
    expect(gate('fortune').exitCode).toBe(0);
  });
});

describe('a limit', () => {
  test('of calls', () => {
    expect(Array.from({ length: 4 }, () => gate('cowsay hi').exitCode)).toEqual([0, 0, 2, 2]);
    expect(gate('cowsay hi', 's2').exitCode).toBe(0);
  });
  test('of all calls of a session, of files and of lines', () => {
    const budgets = (more: string) => `  - id: mine.budget
    title: Budget
    severity: low
    on: [PreToolUse]
    when: "true"
    limit: ${more}
    effect: deny
`;
    const under = (more: string, calls: readonly Readonly<Record<string, unknown>>[], session: string) => {
      writeFileSync(
        join(place.govHome, 'config', 'rules', 'mine.yaml'),
        RULES.slice(0, RULES.indexOf('  - id')) + budgets(more),
      );
      expect(publishLayers(govPaths(place.env), null, layersOf(govPaths(place.env), '/nonexistent'))).toMatchObject({
        ok: true,
      });
      return calls.map((call) => runHook(place, payload(place, { session_id: session, ...call })).exitCode);
    };
    const shell = (command: string) => ({ tool_input: { command } });
    const write = (name: string, content: string) => ({
      tool_name: 'Write',
      tool_input: { file_path: join(place.workspace, name), content },
    });
    const calls = [shell('ls'), shell('make'), shell('ls'), shell('ls')];
    expect(under('{ count: 2, window: 1h, counts: call }', calls, 's1')).toEqual([0, 0, 2, 2]);
    const files = [write('a', ''), write('b', ''), write('a', ''), shell('touch c'), shell('ls')];
    expect(under('{ count: 2, window: 1h, counts: files }', files, 's2')).toEqual([0, 0, 0, 2, 0]);
    const lines = [write('a', 'x\n'.repeat(20)), write('b', 'x\n'.repeat(20)), write('c', 'x\n')];
    expect(under('{ count: 30, window: 1h, counts: lines }', lines, 's3')).toEqual([0, 2, 0]);
    expect(under('{ count: 2, window: 1h, counts: minutes }', calls, 's4')).toEqual([0, 0, 0, 0]);
  });
  test('of failures', () => {
    const fail = () =>
      outcome({ hook_event_name: 'PostToolUseFailure', tool_input: { command: 'make' }, error: 'Exit code 2\nno' });
    expect(gate('make').exitCode).toBe(0);
    fail();
    expect(gate('make').exitCode).toBe(0);
    fail();
    expect(gate('make').exitCode).toBe(2);
    expect(gate('make clean').exitCode).toBe(0);
  });
});

describe('the output of a call', () => {
  const SECRET = `token ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

  test('loses its secrets where the agent lets a hook replace it', () => {
    const run = outcome(output(SECRET));
    expect(run.exitCode).toBe(0);
    const { hookSpecificOutput } = JSON.parse(run.stdout);
    expect(hookSpecificOutput).toMatchObject({
      hookEventName: 'PostToolUse',
      additionalContext: 'Secrets in this output were taken out.',
      updatedToolOutput: { stderr: '', interrupted: false },
    });
    expect(hookSpecificOutput.updatedToolOutput.stdout).toMatch(/^token /);
    expect(run.stdout).not.toContain('a1B2c3D4e5F6');
    expect(records(place).at(-1)).toMatchObject({
      kind: 'outcome',
      answer: '',
      body: { decision: { effect: 'redact', rule: 'mine.secret-in-output' } },
    });
  });

  test('elsewhere the model is told', () => {
    const { tool_response } = output(SECRET);
    const run = outcome({ tool_name: 'Read', tool_input: { file_path: join(place.workspace, 'a') }, tool_response });
    expect(JSON.parse(run.stdout).hookSpecificOutput).toEqual({
      hookEventName: 'PostToolUse',
      additionalContext: 'Secrets in this output were taken out.',
    });
  });

  test('may be worth a word', () => {
    expect(JSON.parse(outcome(output('x is deprecated')).stdout).hookSpecificOutput).toEqual({
      hookEventName: 'PostToolUse',
      additionalContext: 'Something here is deprecated.',
    });
    expect(outcome(output('fine'))).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  test('is only recorded in monitor mode', () => {
    configure(place, { mode: 'monitor', preset: 'monitor' });
    expect(outcome(output(SECRET)).stdout).toBe('');
    expect(records(place).at(-1)?.body).toMatchObject({ decision: { rule: 'mine.secret-in-output' } });
  });
});

test('without rules about outcomes they are recorded and not judged', () => {
  const paths = govPaths(place.env);
  writeFileSync(join(place.govHome, 'config', 'rules', 'mine.yaml'), '');
  publishLayers(paths, null, layersOf(paths, '/nonexistent'));
  outcome(output('x'));
  expect(records(place)[0]?.body).toMatchObject({ kind: 'outcome', facts: null, decision: null });
  expect(runHook(place, bash(place, 'echo hello')).exitCode).toBe(0);
});
