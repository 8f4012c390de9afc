import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bash, makePlace, type Place, payload, ROOT, records, removePlace, runHook } from './place.ts';

/** `show` tells what conditions see of the session; `stop` is refused from the third call on. */
const RULES = `apiVersion: gov/v1
kind: Rules
metadata: { name: own }
rules:
  - id: own.show
    title: Shows the session
    severity: low
    each: command
    when: command.name == "show"
    effect: context
    audit:
      calls: session.calls
      denies: session.denies
      failures: session.failures
      files: session.files_changed
      lines: session.lines_changed
      young: session.age_seconds < 600
      labels: session.labels
  - id: own.stop
    title: Not after many calls
    severity: low
    each: command
    when: command.name == "stop" && session.calls >= 4
    effect: deny
  - id: own.steps
    title: A sequence
    severity: low
    sequence:
      within: 1h
      steps:
        - { as: looked, each: file, when: 'file.path == "notes.md" && file.op == "read"' }
        - { as: never, each: command, when: command.name == "never" }
    effect: deny
`;

let place: Place;
beforeEach(() => {
  place = makePlace();
  mkdirSync(join(place.govHome, 'config', 'rules'), { recursive: true });
  writeFileSync(join(place.govHome, 'config', 'rules', 'own.yaml'), RULES);
  const built = spawnSync(process.execPath, [join(ROOT, 'bin/run.js'), 'policy', 'build'], {
    cwd: place.workspace,
    env: place.env,
    encoding: 'utf8',
  });
  expect(built.stderr).toBe('');
});
afterEach(() => {
  removePlace(place);
});

const post = (stdin: string): void => void runHook(place, stdin, { launcher: join(ROOT, 'hooks', 'post-tool-use') });
interface Decided {
  readonly answer: string;
  readonly session: unknown;
  readonly shown: unknown;
}
function last(): Decided {
  const record = records(place).at(-1);
  const decision = record?.body['decision'] as { session?: unknown; rules: { id: string; audit?: unknown }[] };
  return {
    answer: record?.answer ?? '',
    session: decision.session,
    shown: decision.rules.find((r) => r.id === 'own.show')?.audit,
  };
}

test('conditions see what the session did before', () => {
  runHook(place, bash(place, 'show'));
  expect(last().shown).toEqual({ calls: 0, denies: 0, failures: 0, files: 0, lines: 0, young: true, labels: [] });

  runHook(place, bash(place, 'rm -rf /etc'));
  runHook(place, bash(place, 'cat notes.md'));
  const write = {
    tool_name: 'Write',
    tool_input: { file_path: join(place.workspace, 'a.txt'), content: 'one\ntwo\n' },
  };
  runHook(place, payload(place, { ...write, tool_use_id: 'toolu_a' }));
  post(
    payload(place, {
      ...write,
      hook_event_name: 'PostToolUse',
      tool_use_id: 'toolu_a',
      tool_response: { success: true },
    }),
  );
  runHook(place, payload(place, { tool_name: 'Write', tool_input: { file_path: '/tmp/scratch.txt', content: 'x\n' } }));
  // A question that nobody answered changed nothing; one that a person agreed to did.
  const discard = { tool_input: { command: 'git reset --hard && echo x > b.txt' } };
  runHook(place, payload(place, { ...discard, tool_use_id: 'toolu_b' }));
  runHook(place, payload(place, { ...discard, session_id: 'another' }));
  post(
    payload(place, {
      tool_input: { command: 'npm test' },
      hook_event_name: 'PostToolUseFailure',
      tool_use_id: 'toolu_c',
      error: 'Exit code 1',
    }),
  );
  runHook(place, bash(place, 'show'));
  expect(last().shown).toMatchObject({
    calls: 6,
    denies: 1,
    failures: 1,
    files: 1,
    lines: 2,
    young: true,
    labels: ['own.steps/looked'],
  });

  post(
    payload(place, {
      ...discard,
      hook_event_name: 'PostToolUse',
      tool_use_id: 'toolu_b',
      tool_response: { stdout: '' },
    }),
  );
  runHook(place, bash(place, 'show'));
  expect(last().shown).toMatchObject({ calls: 7, denies: 1, files: 2 });
});

test('what was asked for is kept with the decision, and nothing is asked for other calls', () => {
  for (const command of ['stop', 'ls', 'stop', 'ls', 'ls']) runHook(place, bash(place, command));
  expect(last()).toMatchObject({ answer: 'allow', session: undefined });
  runHook(place, bash(place, 'stop'));
  expect(last()).toMatchObject({ answer: 'deny', session: { calls: 5 } });
  runHook(place, payload(place, { tool_input: { command: 'stop' }, session_id: 'another' }));
  expect(last()).toMatchObject({ answer: 'allow', session: { calls: 0 } });
});
