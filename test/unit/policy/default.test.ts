import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CompiledPolicy } from '../../../src/model/policy.ts';
import { type DecisionContext, decide } from '../../../src/policy/decide.ts';
import { builtinSources } from '../../../src/rulebook/in-context.ts';
import { compileProject } from '../../../src/rulebook/project.ts';
import { command, facts, NOW, policyOf, rule } from './facts.ts';

const ALLOWS = rule('a.known', 'command', 'command.name == "known"', 'effect: allow');
const SPEAKS = (more = 'effect: ask') => rule('a.rest', '', 'true', `unless_allowed: true\n${more}`);
const ON_ALL = (more: string) => rule('b.all', '', 'true', more);

const known = facts({ commands: [command('known')] });
const other = facts({ commands: [command('other')] });

function answer(
  rules: readonly string[],
  given = other,
  more: Partial<CompiledPolicy> = {},
  context: Partial<DecisionContext> = {},
): string {
  const policy = { ...policyOf(...rules), defaultEffect: 'ask' as const, ...more };
  const d = decide(policy, given, { now: NOW, ...context });
  return `${d.answer} ${d.rule ?? '-'}`;
}

describe('what holds where no rule allows the call', () => {
  it.each<[string, string, string]>([
    ['a call that is allowed', answer([ALLOWS, SPEAKS()], known), 'allow -'],
    ['one that is not, with a rule that speaks for the default', answer([ALLOWS, SPEAKS()]), 'ask a.rest'],
    ['without one', answer([ALLOWS]), 'ask -'],
    [
      'where the default is to let pass, nothing speaks',
      answer([SPEAKS()], other, { defaultEffect: 'allow' }),
      'allow -',
    ],
    ['a rule that refuses comes first', answer([SPEAKS(), ON_ALL('effect: deny')]), 'deny b.all'],
    ['a rule that only warns does not stand in for the default', answer([ON_ALL('effect: warn')]), 'ask -'],
    [
      'nor does one that is milder than the default',
      answer([ON_ALL('effect: ask')], other, { defaultEffect: 'deny' }),
      'deny -',
    ],
    ['nor a voice that is milder', answer([SPEAKS('effect: context')]), 'ask -'],
    ['nor a voice in the shadow', answer([SPEAKS('mode: shadow\neffect: ask')]), 'ask -'],
    ['nobody is there to answer', answer([SPEAKS()], other, { questions: 'deny' }), 'deny a.rest'],
    [
      'a grant lifts the voice and with it the default',
      answer([SPEAKS()], other, {}, { grant: () => 'grant:1' }),
      'allow -',
    ],
    [
      'a grant for another rule does not',
      answer([SPEAKS()], other, {}, { grant: (r) => (r.id === 'b.all' ? 'g' : '') }),
      'ask a.rest',
    ],
    [
      'nothing lifts a default for which no rule speaks',
      answer([ON_ALL('effect: ask')], other, {}, { grant: () => 'grant:1' }),
      'ask -',
    ],
    [
      'an outcome can not be stopped any more',
      answer([SPEAKS()], { ...other, event: { ...other.event, name: 'PostToolUse' } }),
      'allow -',
    ],
  ])('%s', (_name, got, want) => {
    expect(got).toBe(want);
  });
});

describe('a project', () => {
  it.each([
    [
      'may not speak for the default',
      'unless_allowed: true\n    effect: ask',
      ['a project may not speak for the default'],
    ],
    ['may add a note, and the default stays', 'effect: context', []],
  ])('%s', (_name, more, why) => {
    const workspace = mkdtempSync(join(tmpdir(), 'gov-default-'));
    try {
      mkdirSync(join(workspace, '.gov'));
      writeFileSync(
        join(workspace, '.gov', 'own.yaml'),
        `apiVersion: gov/v1\nkind: Rules\nmetadata: { name: own }\nrules:\n  - id: own.note\n    title: T\n    severity: low\n    when: "true"\n    ${more}\n`,
      );
      const compiled = compileProject(builtinSources(), '', workspace, 'strict');
      expect(compiled?.layer.ignored.map((i) => i.why)).toEqual(why);
      const given = { ...other, event: { ...other.event, workspace } };
      expect(decide(compiled?.policy as CompiledPolicy, given, { now: NOW }).answer).toBe('ask');
    } finally {
      rmSync(workspace, { recursive: true });
    }
  });
});
