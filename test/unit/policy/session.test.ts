import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../src/model/facts.ts';
import { decide } from '../../../src/policy/decide.ts';
import { type History, memoryHistory } from '../../../src/policy/history.ts';
import { command, facts, file, NOW, policyOf, rule } from './facts.ts';

const ONLY = (when: string, more = 'effect: deny') => policyOf(rule('x.y', 'command', when, more));
const named = (name: string) => facts({ commands: [command(name)] });

/** A history that knows one session, and what was asked of it. */
function asked(values: Readonly<Record<string, unknown>>, fault?: Error): History & { readonly asked: string[] } {
  const seen: string[] = [];
  return {
    ...memoryHistory(),
    asked: seen,
    session: (session) => (fact) => {
      seen.push(`${session}.${fact}`);
      if (fault) throw fault;
      return values[fact] ?? null;
    },
  };
}

describe('facts about the session', () => {
  const WHEN = 'command.name == "deploy" && session.calls > 10 && session.calls < 100 && session.denies == 0';
  it.each<[string, Facts, Record<string, unknown>, string, readonly string[], unknown]>([
    ['are not looked up for a call that they do not matter for', named('ls'), { calls: 50 }, 'allow', [], undefined],
    [
      'are looked up once each, as far as they are read, and kept in the decision',
      named('deploy'),
      { calls: 50, denies: 0 },
      'deny',
      ['s1.calls', 's1.denies'],
      { calls: 50, denies: 0 },
    ],
    ['that settle it leave the others alone', named('deploy'), { calls: 3 }, 'allow', ['s1.calls'], { calls: 3 }],
    [
      'that are not known leave the rule unsure',
      named('deploy'),
      { calls: 50 },
      'ask',
      ['s1.calls', 's1.denies'],
      { calls: 50, denies: null },
    ],
  ])('%s', (_name, given, values, answer, looked, kept) => {
    const history = asked(values);
    const d = decide(ONLY(WHEN), given, { now: NOW, history });
    expect([d.answer, history.asked, d.session]).toEqual([answer, looked, kept]);
  });

  it.each([
    ['effect: deny\nlevel: hard', 'deny'],
    ['effect: deny', 'ask'],
    ['effect: deny\non_error: skip', 'allow'],
  ])('that can not be looked up are an error of the rule: %j', (more, answer) => {
    const history = asked({}, new Error('the store is locked'));
    expect(decide(ONLY('session.calls > 1', more), named('ls'), { now: NOW, history }).answer).toBe(answer);
  });

  it('without a session are unknown', () => {
    expect(decide(ONLY('session.calls > 1'), named('ls'), { now: NOW }).answer).toBe('ask');
    expect(
      decide(ONLY('session.calls > 1', 'effect: deny\non_dynamic: ignore'), named('ls'), { now: NOW }).answer,
    ).toBe('allow');
  });

  it('that were recorded hold when the decision is taken again', () => {
    const again = { now: NOW, history: asked({ calls: 1 }), session: { calls: 50 } };
    expect(decide(ONLY('session.calls > 10'), named('ls'), again).answer).toBe('deny');
  });
});

it('labels are the steps of sequences that the session went through', () => {
  const sequence = (id: string, key: string) =>
    `id: ${id}\ntitle: T\nseverity: low\nsequence:\n  within: 1h\n  ${key}\n  steps:\n    - { as: first, each: command, when: command.name == "one" }\n    - { as: second, each: command, when: command.name == "two" }\n    - { as: last, each: command, when: command.name == "never" }\neffect: deny`;
  const policy = policyOf(
    sequence('a.b', 'key: event.session'),
    sequence('a.other', 'key: event.user'),
    rule('c.d', 'command', '"a.b/first" in session.labels && session.labels.size() == 1'),
  );
  const history = memoryHistory();
  const go = (name: string, session: string) => {
    const given = { ...named(name), event: { ...named(name).event, session } };
    const d = decide(policy, given, { now: NOW, history });
    history.add(d.marks ?? []);
    history.saw(given, NOW, d.answer);
    return d.answer;
  };
  expect(['ls', 'one', 'ls'].map((name) => go(name, 's1'))).toEqual(['allow', 'allow', 'deny']);
  expect(go('ls', 's2')).toBe('allow');
});

describe('a session in memory', () => {
  const history = memoryHistory();
  const change = (real: string, zone: 'workspace' | 'temp' = 'workspace') =>
    file('write', real, { zone, added: 3, removed: 1 });
  const at = (name: string, more: Partial<Facts> = {}): Facts => {
    const plain = facts(more);
    return { ...plain, event: { ...plain.event, name: name as Facts['event']['name'] } };
  };
  const result = { text: '', exitCode: 1, failed: true, interrupted: false, durationMs: null };
  history.saw(at('SessionStart'), NOW - 90_500);
  history.saw(
    at('PreToolUse', { files: [change('/w/a'), change('/tmp/x', 'temp'), file('read', '/w/r')] }),
    NOW - 60_000,
  );
  history.saw(at('PermissionRequest', { files: [change('/w/a')] }), NOW - 59_000, 'ask');
  history.saw(at('PostToolUseFailure', { result }), NOW - 58_000);
  history.saw(at('PreToolUse', { files: [change('/w/a'), change('/w/b')] }), NOW - 30_000);
  history.saw(at('PreToolUse', { files: [change('/w/c')] }), NOW - 20_000, 'deny');
  it.each([
    ['calls', 3],
    ['denies', 1],
    ['failures', 1],
    ['files_changed', 2],
    ['lines_changed', 12],
    ['age_seconds', 90],
  ] as const)('%s: %d', (fact, want) => {
    expect(history.session?.('s1', NOW)(fact)).toBe(want);
    expect(history.session?.('another', NOW)(fact)).toBe(0);
  });
});
