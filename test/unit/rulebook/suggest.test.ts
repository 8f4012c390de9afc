import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/policy/decide.ts';
import { passesGate } from '../../../src/rulebook/gate.ts';
import { type Held, suggest } from '../../../src/rulebook/suggest.ts';
import { factsFor } from '../../support/judge.ts';
import { compiled, HEAD } from './compiled.ts';

const { policy } = compiled(`${HEAD}
  - { id: p.outside, title: T, severity: high, each: file, when: 'file.op == "write" && !file.in_workspace', effect: ask,
      exceptions: { by_dir: { fields: { dir: file.real }, comps: { dir: glob } } } }
  - { id: p.hard, title: T, severity: high, level: hard, each: command, when: 'command.name == "fortune"', effect: ask }
  - { id: p.games, title: T, severity: low, each: command, when: 'command.name == "cowsay"', effect: ask }
`);

function held(command: string, made: boolean, id: string): Held {
  const facts = factsFor(command);
  const decision = decide(policy, facts, { now: 0 });
  const hit = decision.rules.find((h) => h.id === decision.rule);
  if (!hit) throw new Error(`nothing objects to ${command}`);
  return { id, hit, facts, command, made };
}

const times = (n: number, command: string, made: boolean): Held[] =>
  Array.from({ length: n }, (_, i) => held(command, made, `${command}-${i}`));

const brief = (items: readonly Held[]): string[] =>
  suggest(items, policy, 0).map((s) => `${s.kind} ${s.rule} ${s.calls}`);

describe('what is proposed', () => {
  it.each<[string, readonly Held[], string[]]>([
    ['a waiver for what people let pass', times(3, 'echo x > /srv/docs/a.md', true), ['waiver p.outside 3']],
    ['nothing for what happened twice', times(2, 'echo x > /srv/docs/a.md', true), []],
    ['nothing for a whole file system', times(5, 'echo x > /a.md', true), []],
    ['a rule for what people turned down', times(3, 'cowsay hi', false), ['rule p.games 3']],
    ['nothing about a program where the question was about a file', times(3, 'echo x > /srv/docs/a.md', false), []],
    ['nothing where people were of two minds', [...times(3, 'cowsay hi', false), held('cowsay hi', true, 'x')], []],
    ['nothing that would lift a hard rule', [...times(9, 'fortune', true), ...times(9, 'fortune', false)], []],
  ])('%s', (_name, items, want) => {
    expect(brief(items)).toEqual(want);
  });

  it('compiles, and lifts only that directory', () => {
    const [found] = suggest(times(3, 'echo x > /srv/docs/a.md', true), policy, 0);
    expect(found?.yaml).toContain('dir: /srv/docs/**');
    expect(found?.yaml).toContain('expires: 1970-01-31T00:00:00Z');
  });
});

describe('a gate', () => {
  const counts = { decided: 200, newly_denied: 0, stricter: 4 };
  it.each<[string, boolean]>([
    ['newly_denied == 0', true],
    ['new_denies <= 5', true],
    ['new_denies > 0', false],
    ['stricter < 4', false],
    ['stricter <= 2%', true],
    ['stricter > 2 && newly_denied != 0', false],
    ['stricter >= 4 && decided > 100', true],
  ])('%s', (expression, want) => {
    expect(passesGate(expression, counts)).toBe(want);
  });
  it.each(['', 'stricter', 'strictre < 1', 'stricter < x', 'stricter < 1 || decided > 1'])('%s is refused', (bad) => {
    expect(() => passesGate(bad, counts)).toThrow();
  });
});
