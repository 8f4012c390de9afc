import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'gov-looking-'));
const work = join(home, 'work');
const rules = join(home, 'gov', 'config', 'rules');
const env = { PATH: process.env['PATH'] ?? '', HOME: home, GOV_HOME: join(home, 'gov'), NO_COLOR: '1' };

function gov(...args: string[]): { code: number | null; out: string } {
  const done = spawnSync(process.execPath, [join(ROOT, 'bin/run.js'), ...args], { cwd: work, env, encoding: 'utf8' });
  return { code: done.status, out: done.stdout };
}

const MINE = `apiVersion: gov/v1
kind: Rules
metadata: { name: mine, owners: [me] }
params: { names: { type: "list<string>", default: [fortune], tunable: append } }
rules:
  - id: mine.games
    title: Games
    severity: low
    each: command
    when: command.name in params.names
    limit: { count: 2, window: 1h, counts: call }
    effect: deny
    fallback: [ask]
    message_expr: '"no " + command.name'
    suggest: '"echo " + command.name'
    exceptions: { one: { fields: { text: command.text }, comps: { text: glob } } }
    elevation: { max: 90m, uses: 2 }
    audit: { name: command.name }
    tags: [games]
  - id: mine.note
    title: Note
    severity: low
    each: command
    when: command.name == "cowsay"
    effect: context
    message: Cows say little.
  - id: mine.after
    title: Secrets in output
    severity: low
    on: [PostToolUse]
    when: secrets(result.text).size() > 0
    effect: redact
    fallback: [context]
    message: Secrets were taken out.
  - id: mine.lifted
    title: Lifted
    severity: low
    each: command
    when: command.name == "ddate"
    effect: deny
    exceptions: { any: { fields: { name: command.name } } }
---
apiVersion: gov/v1
kind: Waivers
waivers:
  - { id: W-9, rule: mine.lifted, exception: any, values: [{ name: ddate }], reason: r, owner: o, expires: 2099-01-01T00:00:00Z }
`;

beforeAll(() => {
  mkdirSync(join(work, '.git'), { recursive: true });
  mkdirSync(join(work, '.gov'));
  mkdirSync(rules, { recursive: true });
  writeFileSync(join(rules, 'mine.yaml'), MINE);
  expect(gov('policy', 'build').code).toBe(0);
});
afterAll(() => rmSync(home, { recursive: true }));

it('gov policy show tells all of a rule', () => {
  const { out } = gov('policy', 'show', 'mine.games');
  for (const line of [
    'limit         2 (call) in 1h, by event.session',
    "else          ask, for agents that can't do it",
    'message       "no " + command.name\n              or: Games',
    'suggests      "echo " + command.name',
    'exception     one: text (glob): command.text',
    'elevation     at most 90m, 2 uses, session, exact, 1 approver',
    'records       name: command.name',
    'tags          games',
  ])
    expect(out).toContain(`${line}\n`);
});

it('gov policy diff tells of parameters and waivers', () => {
  const other = join(home, 'other.yaml');
  writeFileSync(other, MINE.replace('[fortune]', '[fortune, sl]').replace('owner: o', 'owner: p'));
  const { out } = gov('policy', 'diff', join(rules, 'mine.yaml'), other);
  expect(out).toContain('params.mine.names: ["fortune"] → ["fortune","sl"]\n');
  expect(out).toMatch(/^waivers\.W-9: .*"owner":"o".* → .*"owner":"p"/m);
});

it('explain, eval and check say what lifted a rule', () => {
  expect(gov('policy', 'explain', '--', 'ddate').out).toContain('mine.lifted: deny because match, lifted by W-9');
  expect(gov('check', '--explain', '--', 'ddate').out).toContain('(lifted by W-9)');
  expect(JSON.parse(gov('check', '--json', '--', 'ddate').out)).toMatchObject({
    decision: 'allow',
    rules: [{ id: 'mine.lifted', lifted_by: 'W-9' }],
  });
});

describe('gov policy eval gives the bytes of the agent', () => {
  const evaluated = (more: object): string => {
    const file = join(home, 'event.json');
    writeFileSync(file, JSON.stringify({ session_id: 's', cwd: work, tool_name: 'Bash', ...more }));
    return gov('policy', 'eval', '--event', file).out;
  };
  it('of a call that passes with a note', () => {
    const out = evaluated({ hook_event_name: 'PreToolUse', tool_input: { command: 'cowsay' } });
    expect(out).toContain('Cows say little.');
  });
  it('of a call that was made', () => {
    const out = evaluated({
      hook_event_name: 'PostToolUse',
      tool_input: { command: 'cat x' },
      tool_response: { stdout: 'key AKIAABCDEFGHIJKLMNOP', stderr: '', interrupted: false },
    });
    expect(out).toContain('Secrets were taken out.');
    expect(out).toContain('<redacted:aws-key-id>');
    expect(out).not.toContain('AKIA');
  });
});

describe('files of a checkout are checked as those of a project', () => {
  const checked = (name: string, text: string) => {
    writeFileSync(join(work, '.gov', name), text);
    const run = gov('policy', 'check', join('.gov', name));
    rmSync(join(work, '.gov', name));
    return run;
  };
  it('which may not allow', () => {
    const rule = '{ id: p.a, title: T, severity: low, each: command, when: "true", effect: allow }';
    const { code, out } = checked(
      'a.yaml',
      `apiVersion: gov/v1\nkind: Rules\nmetadata: { name: p }\nrules: [${rule}]\n`,
    );
    expect([code, out.split('\n')[0]]).toEqual([1, 'error[overlay-not-permitted]: a project may not allow anything']);
  });
  it('and may change what stands in the layers of this user', () => {
    const overlay = 'apiVersion: gov/v1\nkind: Overlay\ntarget: mine\nparams: { names: [sl] }\n';
    expect(checked('b.yaml', overlay)).toMatchObject({
      code: 0,
      out: expect.stringContaining('accepted params.names'),
    });
  });
});
