import { describe, expect, test } from 'vitest';
import type { Agent } from '../../../src/agents/agent.ts';
import { agentNamed } from '../../../src/agents/index.ts';
import { type HookContext, handle } from '../../../src/hook/handle.ts';
import { Overdue, within } from '../../../src/hook/watchdog.ts';
import type { Decision } from '../../../src/model/decision.ts';
import type { Facts } from '../../../src/model/facts.ts';
import type { CompiledPolicy } from '../../../src/model/policy.ts';
import type { RecordDraft } from '../../../src/model/record.ts';

const ALLOW: Decision = {
  answer: 'allow',
  effect: 'allow',
  rule: null,
  reason: '',
  rules: [],
  trace: [],
  policy: 'digest',
};
const ASK: Decision = { ...ALLOW, answer: 'ask', effect: 'ask', rule: 'p.r', reason: 'look at it' };
const POLICY = { digest: 'digest' } as CompiledPolicy;
const FACTS = {} as Facts;

/** A context in which all goes well, with some of it replaced; what was recorded is kept. */
function scene(more: Partial<HookContext> = {}): { readonly context: HookContext; readonly drafts: RecordDraft[] } {
  const drafts: RecordDraft[] = [];
  const context: HookContext = {
    part: 'gate',
    agent: agentNamed('claude-code') as Agent,
    env: {},
    config: { mode: 'enforce', preset: 'recommended' },
    faults: [],
    now: () => 1_700_000_000_000,
    elapsed: () => 5,
    inTime: (run) => within(200, run),
    isOverdue: (error) => error instanceof Overdue,
    policy: () => ({ policy: POLICY, faults: [] }),
    factsOf: () => FACTS,
    decide: () => ALLOW,
    append: (draft) => {
      drafts.push(draft);
      return { id: draft.id, stored: 'database', seq: 1, hash: '', redacted: 0, fault: '' };
    },
    mark: () => {},
    ...more,
  };
  return { context, drafts };
}

const input = (event = 'PreToolUse'): { readonly ok: true; readonly text: string } => ({
  ok: true,
  text: JSON.stringify({
    session_id: 's',
    cwd: '/w',
    hook_event_name: event,
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    prompt_id: 'p',
  }),
});
const fails = (message: string) => (): never => {
  throw new Error(message);
};

describe('whatever breaks at a gate is a deny that is recorded with its code', () => {
  test.each<{ name: string; more: Partial<HookContext>; code: string; detail: string }>([
    { name: 'no policy', more: { policy: fails('no such file') }, code: 'gov.no-policy', detail: 'no such file' },
    { name: 'the analysis throws', more: { factsOf: fails('bad luck') }, code: 'gov.fault', detail: 'bad luck' },
    { name: 'the decision throws', more: { decide: fails('worse luck') }, code: 'gov.fault', detail: 'worse luck' },
    {
      name: 'the stack overflows',
      more: {
        factsOf: function again(call): Facts {
          return { ...again(call), x: 1 } as Facts;
        },
      },
      code: 'gov.fault',
      detail: 'Maximum call stack',
    },
    {
      name: 'the analysis never ends',
      more: {
        factsOf: () => {
          for (;;);
        },
      },
      code: 'gov.deadline',
      detail: 'no answer within 200 ms',
    },
  ])('$name', ({ more, code, detail }) => {
    const { context, drafts } = scene(more);
    const output = handle(input(), context);
    expect(output).toEqual({
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^denied by ${code.replace('.', '\\.')}: .*${detail}.*\ntry: .*gov doctor.*\nref: \\w{20}\n$`),
      ),
      exitCode: 2,
    });
    expect(drafts).toMatchObject([
      {
        kind: 'decision',
        answer: 'deny',
        enforced: true,
        decision: { rule: code },
        faults: [expect.stringContaining(detail)],
      },
    ]);

    const monitor = scene({ ...more, config: { mode: 'monitor', preset: 'recommended' } });
    expect(handle(input(), monitor.context)).toMatchObject({ exitCode: 0 });
    expect(monitor.drafts).toMatchObject([
      { answer: 'allow', enforced: false, decision: { answer: 'deny', rule: code } },
    ]);
  });
});

describe('no decision leaves unrecorded', () => {
  const append = fails('disk full');
  test('an allow that can not be recorded is a deny', () => {
    expect(handle(input(), scene({ append }).context)).toEqual({
      stdout: '',
      stderr: expect.stringMatching(/^denied by gov\.not-recorded: .*disk full/),
      exitCode: 2,
    });
  });
  test('at a PermissionRequest the deny is JSON', () => {
    const output = handle(input('PermissionRequest'), scene({ append }).context);
    expect(JSON.parse(output.stdout).hookSpecificOutput.decision.behavior).toBe('deny');
  });
  test('in monitor mode it passes, and people are told', () => {
    const { context } = scene({ append, config: { mode: 'monitor', preset: 'recommended' } });
    expect(handle(input(), context)).toMatchObject({ exitCode: 0, stderr: 'gov: not recorded: disk full\n' });
  });
  test.each(['PostToolUse', 'Stop', 'UserPromptSubmit'])('%s goes on, and people are told', (event) => {
    expect(handle(input(event), scene({ append }).context)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/not recorded: disk full/),
    });
  });
  test('a record that waits in the spool is a word to people, not a deny', () => {
    const spooled: HookContext['append'] = (draft) => ({
      id: draft.id,
      stored: 'spool',
      seq: null,
      hash: null,
      redacted: 0,
      fault: 'it waits',
    });
    expect(handle(input(), scene({ append: spooled }).context)).toMatchObject({
      exitCode: 0,
      stderr: 'gov: it waits\n',
    });
  });
});

test('the record says what the agent was told: a question that reaches nobody is a deny', () => {
  const asks = { decide: () => ASK };
  const claude = scene(asks);
  handle(input(), claude.context);
  expect(claude.drafts[0]).toMatchObject({ answer: 'ask' });
  const codex = scene({ ...asks, agent: agentNamed('codex') as Agent });
  expect(handle(input(), codex.context)).toMatchObject({ exitCode: 2, stdout: '' });
  expect(codex.drafts[0]).toMatchObject({ answer: 'deny', decision: { effect: 'ask', rule: 'p.r' } });
});

test('nothing of an untrusted text reaches the terminal as a control sequence', () => {
  const { context } = scene({ factsOf: fails('\u001b[2Jgone\u202e') });
  expect(handle(input(), context).stderr).toMatch(/\\x1b\[2Jgone\\u202e/);
});
