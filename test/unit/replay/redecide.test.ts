import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/audit/read/store.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import { makeId } from '../../../src/base/ids.ts';
import type { Decision } from '../../../src/model/decision.ts';
import type { RecordDraft } from '../../../src/model/record.ts';
import { decide } from '../../../src/policy/decide.ts';
import { redecide } from '../../../src/replay/redecide.ts';
import { factsFor } from '../../support/judge.ts';
import { callOf, scratchPaths } from '../audit/draft.ts';
import { compiled, HEAD } from '../rulebook/compiled.ts';

const AT = Date.UTC(2026, 0, 1, 12);

const policyOf = (rules: string) => compiled(`${HEAD}${rules}`).policy;
const DENIES = policyOf(
  '  - { id: p.f, title: T, severity: low, each: command, when: \'command.name == "fortune"\', effect: deny }\n',
);
const SILENT = policyOf('  - { id: p.f, title: T, severity: low, each: command, when: "false", effect: deny }\n');
const LIMITS = policyOf(
  '  - { id: p.l, title: T, severity: low, each: command, when: \'command.name == "fortune"\', effect: deny, limit: { count: 1, window: 1h, counts: call } }\n',
);

/** A store with one record for each command, decided with a policy; null: a call that could not be judged. */
function recorded(policy: typeof DENIES, commands: readonly (string | null)[]) {
  const paths = scratchPaths();
  const writer = openWriter(paths);
  for (const [i, command] of commands.entries()) {
    const at = AT + i * 60_000;
    const facts = command === null ? null : factsFor(command);
    const fault: Decision = {
      answer: 'deny',
      effect: 'deny',
      rule: 'gov.deadline',
      reason: '',
      rules: [],
      trace: [],
      policy: '',
    };
    const decision = facts ? decide(policy, facts, { now: at }) : fault;
    const draft: RecordDraft = {
      id: makeId(at),
      kind: 'decision',
      at,
      call: callOf(command ?? 'ls'),
      facts,
      decision,
      enforced: true,
      answer: decision.answer,
      latencyMs: 1,
      faults: [],
      govVersion: '0',
    };
    writer.append(draft);
  }
  writer.close();
  return openStore(paths.database);
}

describe('recorded decisions, taken again', () => {
  it.each<[string, typeof DENIES, typeof DENIES, object]>([
    ['with the same rules', DENIES, DENIES, { unchanged: 3, stricter: 0, milder: 0 }],
    ['with stricter rules', SILENT, DENIES, { unchanged: 1, stricter: 2, newly_denied: 2, newly_asked: 0, milder: 0 }],
    ['with milder rules', DENIES, SILENT, { unchanged: 1, milder: 2, newly_allowed: 2, stricter: 0 }],
    ['with a limit: earlier calls of the record count', SILENT, LIMITS, { unchanged: 2, stricter: 1, newly_denied: 1 }],
  ])('%s', (_name, then, now, counts) => {
    const store = recorded(then, ['fortune', 'ls', 'fortune again']);
    expect(redecide(store, {}, now).counts).toMatchObject({ records: 3, decided: 3, undecidable: 0, ...counts });
    store.close();
  });

  it('what was milder comes first', () => {
    const store = recorded(DENIES, ['cowsay', 'fortune']);
    const swapped = policyOf(
      '  - { id: p.c, title: T, severity: low, each: command, when: \'command.name == "cowsay"\', effect: ask }\n',
    );
    expect(redecide(store, {}, swapped).changes.map((c) => [c.change, c.then, c.now, c.thenRule, c.nowRule])).toEqual([
      ['milder', 'deny', 'allow', 'p.f', ''],
      ['stricter', 'allow', 'ask', '', 'p.c'],
    ]);
    store.close();
  });

  it('a call that could not be judged then can not be judged now, and that is said', () => {
    const store = recorded(DENIES, [null, 'ls']);
    const { undecidable, counts } = redecide(store, {}, SILENT);
    expect(undecidable.map((u) => u.why)).toEqual(['no facts: gov.deadline']);
    expect(counts).toMatchObject({ records: 2, decided: 1, undecidable: 1, unchanged: 1 });
    store.close();
  });

  it('only those that are asked for', () => {
    const store = recorded(DENIES, ['fortune', 'fortune', 'fortune']);
    expect(redecide(store, { since: AT + 60_000 }, SILENT).counts.records).toBe(2);
    store.close();
  });
});

describe('evidence', () => {
  const KINDS =
    'apiVersion: gov/v1\nkind: Library\nevidence: { done: { established: [{ each: command, when: \'command.name == "make"\' }] } }\n';
  const REQUIRES = compiled(
    KINDS,
    `${HEAD}  - { id: p.r, title: T, severity: low, each: command, when: 'command.name == "fortune"', requires: 'evidence("done", event.workspace)', effect: deny }\n`,
  ).policy;
  const RESULT = { text: '', exitCode: 0, failed: false, interrupted: false, durationMs: null };

  /** `make`, what became of it as a policy that asks for nothing records it, and `fortune`. */
  function store(failed: boolean, asked?: boolean) {
    const paths = scratchPaths();
    const writer = openWriter(paths);
    const put = (at: number, more: Partial<RecordDraft>, command: string, over: object = {}): void => {
      const call = callOf(command, { session: 's', callId: `toolu-${command}`, ...over });
      const base = { id: makeId(at), kind: 'decision' as const, at, call, facts: null, decision: null, enforced: true };
      writer.append({ ...base, answer: 'allow', latencyMs: 1, faults: [], govVersion: '0', ...more });
    };
    const decided = (command: string): Partial<RecordDraft> => {
      const facts = factsFor(command);
      const decision = decide(SILENT, facts, { now: AT });
      const key = facts.event.workspace;
      const evidence = asked === undefined ? {} : { evidence: [{ kind: 'done', key, holds: asked }] };
      return { facts, decision: { ...decision, ...evidence } };
    };
    put(AT, decided('make'), 'make');
    const result = { ...RESULT, failed };
    put(AT + 1000, { kind: 'outcome', answer: '' }, 'make', { event: 'PostToolUse', result });
    put(AT + 2000, decided('fortune'), 'fortune');
    writer.close();
    return openStore(paths.database);
  }

  it.each<[string, boolean, boolean | undefined, number]>([
    ['is told by outcomes that were recorded without facts', false, undefined, 0],
    ['a call that failed established nothing', true, undefined, 1],
    ['what was asked for then holds as it was answered then', true, true, 0],
    ['also where it was missing', false, false, 1],
  ])('%s', (_name, failed, asked, denied) => {
    const { counts } = redecide(store(failed, asked), {}, REQUIRES);
    expect([counts.records, counts.newly_denied]).toEqual([2, denied]);
  });
});
