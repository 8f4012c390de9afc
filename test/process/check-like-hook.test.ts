import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlace, type Place, payload, ROOT, records, removePlace, runHook } from './place.ts';

const RULES = `apiVersion: gov/v1
kind: Rules
metadata: { name: own }
rules:
  - id: own.secret-in-file
    title: A secret is written to a file
    severity: high
    each: file
    when: secrets(file.content).size() > 0
    effect: deny
  - id: own.question
    title: A question
    severity: high
    each: command
    when: command.name == "question"
    effect: ask
    fallback: [warn]
  - id: own.replacement
    title: Nothing that can be done before a call
    severity: high
    each: command
    when: command.name == "replacement"
    effect: redact
    fallback: [deny]
`;

let place: Place;

function gov(...args: string[]): string {
  const env = { ...place.env, NO_COLOR: '1' };
  const run = spawnSync(process.execPath, [join(ROOT, 'bin/run.js'), ...args], {
    cwd: place.workspace,
    env,
    encoding: 'utf8',
  });
  return run.stdout;
}

beforeAll(() => {
  place = makePlace();
  mkdirSync(join(place.govHome, 'config', 'rules'), { recursive: true });
  writeFileSync(join(place.govHome, 'config', 'rules', 'own.yaml'), RULES);
  gov('policy', 'build');
});
afterAll(() => removePlace(place));

const KEY = `AKIA${'QWERTYUIOPASDFGH'}`;

test.each<[agent: string, tool: string, input: object, want: string, rule: string | null]>([
  ['claude-code', 'Write', { file_path: 'a.txt', content: `key = ${KEY}` }, 'deny', 'own.secret-in-file'],
  ['claude-code', 'Write', { file_path: 'a.txt', content: 'key = none' }, 'allow', null],
  ['claude-code', 'Bash', { command: 'question' }, 'ask', 'own.question'],
  ['codex', 'Bash', { command: 'question' }, 'allow', 'own.question'],
  ['claude-code', 'Bash', { command: 'replacement' }, 'deny', 'own.replacement'],
  ['codex', 'Bash', { command: 'git reset --hard' }, 'deny', 'git.discard-changes'],
  ['claude-code', 'Bash', { command: 'git reset --hard' }, 'ask', 'git.discard-changes'],
])('`gov check` answers %s on %s %j as its hook does: %s by %s', (agent, tool, input, want, rule) => {
  const checked = JSON.parse(
    gov('check', '--json', '--agent', agent, '--tool', tool, '--input', JSON.stringify(input)),
  );
  runHook(place, payload(place, { tool_name: tool, tool_input: input }), { agent });
  const last = records(place).at(-1);
  const decision = last?.body['decision'] as { rules: { id: string; effect: string }[] };
  const fired = (rules: readonly { id: string; effect: string }[]): string[] => rules.map((r) => `${r.id} ${r.effect}`);
  expect([checked.decision, fired(checked.rules)]).toEqual([last?.answer, fired(decision.rules)]);
  expect([checked.decision, checked.rules[0]?.id ?? null]).toEqual([want, rule]);
});
