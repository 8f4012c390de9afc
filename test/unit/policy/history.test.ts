import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../src/model/facts.ts';
import type { CompiledPolicy } from '../../../src/model/policy.ts';
import { decide } from '../../../src/policy/decide.ts';
import { memoryHistory } from '../../../src/policy/history.ts';
import { command, facts, file, NOW, policyOf } from './facts.ts';

const MINUTE = 60_000;

const SEQUENCE = policyOf(`id: secrets.read-then-send
title: Upload after a secret was read
severity: critical
sequence:
  within: 30m
  steps:
    - { as: read, on: [PostToolUse], each: file, when: 'file.op == "read" && file.secret' }
    - { as: pack, on: [PreToolUse], each: command, when: command.name == "tar" }
    - { as: send, on: [PreToolUse], each: command, when: command.sends_data }
effect: deny`);

const post = (given: Facts): Facts => ({ ...given, event: { ...given.event, name: 'PostToolUse' } });
const read = post(facts({ files: [file('read', '/home/dev/project/.env', { secret: true })] }));
const pack = facts({ commands: [command('tar')] });
const send = facts({ commands: [command('curl', { sends_data: true })] });
const inSession = (given: Facts, session: string): Facts => ({ ...given, event: { ...given.event, session } });

/** The last decision after events, each so many minutes before. */
function answerAfter(policy: CompiledPolicy, ...events: [Facts, number][]) {
  const history = memoryHistory();
  const decisions = events.map(([given, ago]) => {
    const d = decide(policy, given, { now: NOW - ago * MINUTE, history });
    history.add(d.marks ?? []);
    history.saw(given, NOW - ago * MINUTE);
    return d;
  });
  return decisions[decisions.length - 1]?.answer;
}

describe('a sequence', () => {
  it.each<[string, [Facts, number][], string]>([
    [
      'in order',
      [
        [read, 5],
        [pack, 3],
        [send, 0],
      ],
      'deny',
    ],
    [
      'out of order',
      [
        [pack, 5],
        [read, 3],
        [send, 0],
      ],
      'allow',
    ],
    [
      'a step is missing',
      [
        [read, 5],
        [send, 0],
      ],
      'allow',
    ],
    ['the last step alone', [[send, 0]], 'allow'],
    [
      'too long ago',
      [
        [read, 31],
        [pack, 3],
        [send, 0],
      ],
      'allow',
    ],
    [
      'just in time',
      [
        [read, 30],
        [pack, 3],
        [send, 0],
      ],
      'deny',
    ],
    [
      'repeated steps',
      [
        [pack, 9],
        [read, 8],
        [read, 7],
        [pack, 6],
        [send, 0],
      ],
      'deny',
    ],
    [
      'another session',
      [
        [inSession(read, 's2'), 5],
        [pack, 3],
        [send, 0],
      ],
      'allow',
    ],
    [
      'the steps themselves pass',
      [
        [read, 5],
        [pack, 0],
      ],
      'allow',
    ],
  ])('%s', (_name, events, want) => {
    expect(answerAfter(SEQUENCE, ...events)).toBe(want);
  });
});

const limit = (more: string) =>
  policyOf(`id: loop.limit
title: Too many
severity: low
level: advisory
when: "true"
limit: ${more}
effect: halt`);

const failed = post(facts({ result: { text: '', exitCode: 1, failed: true, interrupted: false, durationMs: null } }));
const worked = post(facts({ result: { text: '', exitCode: 0, failed: false, interrupted: false, durationMs: null } }));
const edit = (lines: number) => facts({ files: [file('write', '/home/dev/project/a', { added: lines })] });
const times = (n: number, given: Facts): [Facts, number][] => Array.from({ length: n }, () => [given, 1]);

describe('a limit', () => {
  const failures = limit('{ count: 3, window: 10m, key: event.call_digest, counts: failure }');
  const calls = limit('{ count: 3, window: 10m, counts: call }');
  const lines = limit('{ count: 100, window: 10m, counts: lines }');
  const files = limit('{ count: 3, window: 10m, counts: files }');
  const minutes = limit('{ count: 3, window: 10m, counts: minutes }');
  const npm = limit('{ count: 3, window: 10m, counts: call }\nprograms: [npm]');
  const npmMinutes = limit('{ count: 3, window: 10m, counts: minutes }\nprograms: [npm]');
  const run = facts({ commands: [command('npm')] });
  const temp = { zone: 'temp' } as const;
  const at = (name: string): string => `/home/dev/project/${name}`;
  const change = (...names: string[]): [Facts, number] => [facts({ files: names.map((n) => file('write', at(n))) }), 1];
  it.each<[string, CompiledPolicy, [Facts, number][], string]>([
    ['failures: enough', failures, [...times(3, failed), [facts(), 0]], 'halt'],
    ['failures: not yet', failures, [...times(2, failed), [facts(), 0]], 'allow'],
    ['failures: success does not count', failures, [...times(3, worked), [facts(), 0]], 'allow'],
    [
      'failures: too long ago',
      failures,
      [
        [failed, 11],
        [failed, 11],
        [failed, 1],
        [facts(), 0],
      ],
      'allow',
    ],
    ['failures: another call', failures, [...times(3, failed), [facts({ event: { call_digest: 'd2' } }), 0]], 'allow'],
    ['calls: the last that is fine', calls, times(3, facts()), 'allow'],
    ['calls: one more', calls, times(4, facts()), 'halt'],
    [
      'lines: exactly',
      lines,
      [
        [edit(60), 1],
        [edit(40), 0],
      ],
      'allow',
    ],
    [
      'lines: one more',
      lines,
      [
        [edit(60), 1],
        [edit(41), 0],
      ],
      'halt',
    ],
    ['lines: one large edit', lines, [[edit(101), 0]], 'halt'],
    ['calls of one program: the others do not count', npm, [...times(9, facts()), ...times(3, run)], 'allow'],
    ['calls of one program: one more', npm, times(4, run), 'halt'],
    ['files: as many as are fine', files, [change('a'), change('b'), change('c')], 'allow'],
    ['files: one more', files, [change('a'), change('b'), change('c'), change('d')], 'halt'],
    ['files: the same again', files, [...Array.from({ length: 9 }, () => change('a')), change('b')], 'allow'],
    ['files: in one call', files, [change('a', 'b', 'c', 'd')], 'halt'],
    ['files: read', files, [[facts({ files: ['a', 'b', 'c', 'd'].map((n) => file('read', at(n))) }), 0]], 'allow'],
    [
      'files: temporary',
      files,
      [[facts({ files: ['a', 'b', 'c', 'd'].map((n) => file('write', at(n), temp)) }), 0]],
      'allow',
    ],
    ['files: another that only reads', files, [change('a', 'b', 'c'), [facts(), 0]], 'allow'],
    [
      'minutes: as many as are fine',
      minutes,
      [
        [facts(), 9],
        [facts(), 9],
        [facts(), 7],
        [facts(), 0],
      ],
      'allow',
    ],
    [
      'minutes: one more',
      minutes,
      [
        [facts(), 9],
        [facts(), 8],
        [facts(), 7],
        [facts(), 0],
      ],
      'halt',
    ],
    [
      'minutes: of one program',
      npmMinutes,
      [
        [facts(), 9],
        [run, 8],
        [run, 7],
        [run, 7],
        [run, 0],
      ],
      'allow',
    ],
    [
      'minutes: one more of one program',
      npmMinutes,
      [
        [run, 9],
        [run, 8],
        [run, 7],
        [run, 0],
      ],
      'halt',
    ],
  ])('%s', (_name, policy, events, want) => {
    expect(answerAfter(policy, ...events)).toBe(want);
  });

  it('what was refused changed nothing', () => {
    const policy = policyOf(
      `id: loop.limit\ntitle: t\nseverity: low\nwhen: "true"\nlimit: { count: 1, window: 10m, counts: files }\neffect: ask`,
      `id: a.rm\ntitle: rm\nseverity: low\neach: command\nwhen: command.name == "rm"\neffect: deny`,
    );
    const rm = facts({ commands: [command('rm')], files: [file('delete', at('a'))] });
    expect(answerAfter(policy, [rm, 2], change('b'))).toBe('allow');
    expect(answerAfter(policy, change('a'), change('b'))).toBe('ask');
  });

  it('of denies counts what was denied', () => {
    const policy = policyOf(
      `id: loop.denies\ntitle: Denied again and again\nseverity: low\nwhen: "true"\nlimit: { count: 2, window: 10m, counts: deny }\neffect: halt`,
      `id: a.rm\ntitle: rm\nseverity: low\neach: command\nwhen: command.name == "rm"\neffect: deny`,
    );
    const rm = facts({ commands: [command('rm')] });
    expect(answerAfter(policy, [rm, 2], [facts(), 0])).toBe('allow');
    expect(answerAfter(policy, [rm, 2], [rm, 1], [facts(), 0])).toBe('halt');
    expect(answerAfter(policy, [facts(), 2], [facts(), 1], [facts(), 0])).toBe('allow');
    // What the limit itself refuses does not keep it up: ten minutes after the last real deny the session is free.
    const trying: [Facts, number][] = Array.from({ length: 9 }, (_, i) => [facts(), 9 - i]);
    expect(answerAfter(policy, [rm, 12], [rm, 11], ...trying, [facts(), 0])).toBe('allow');
  });
});
