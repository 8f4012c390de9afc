import { describe, expect, it } from 'vitest';
import { explainRule } from '../../../src/rulebook/explain.ts';
import { command, facts, file, NOW, policyOf, rule } from '../policy/facts.ts';

function explained(each: string, when: string, given = facts(), more = 'effect: deny') {
  const policy = policyOf(rule('p.x', each, when, more));
  const [only] = policy.rules;
  if (!only) throw new Error('no rule');
  return explainRule(policy, only, given, { now: NOW }).map((i) => [
    i.subject,
    ...i.parts.map((p) => `${p.value} ${p.text}`),
  ]);
}

describe('a condition taken apart', () => {
  it('has each operand of && with its value, for each item', () => {
    const given = facts({ files: [file('delete', '/etc/x'), file('read', null)] });
    const when = 'file.op == "delete" && (file.in_workspace || file.secret) && outside(file) && 1 / file.added > 0';
    expect(explained('file', when, given)).toEqual([
      [
        'delete /etc/x',
        'true file.op == "delete"',
        'false file.in_workspace || file.secret',
        'true outside(file)',
        'error: division by zero 1 / file.added > 0',
      ],
      [
        'read $X',
        'false file.op == "delete"',
        'unknown file.in_workspace || file.secret',
        'unknown outside(file)',
        'error: division by zero 1 / file.added > 0',
      ],
    ]);
  });

  it('is shown as a whole if it is no &&', () => {
    expect(explained('', 'commands.size() > 0 || files.size() > 0')).toEqual([
      ['Bash', 'false commands.size() > 0 || files.size() > 0'],
    ]);
  });

  it('shows what an operand that is not true looked at', () => {
    const policy = policyOf(
      rule(
        'p.x',
        'file',
        'file.op in ["read"] && file.path.contains("/generated/") && event.agent == "x"',
        'effect: deny',
      ),
    );
    const [only] = policy.rules;
    const given = facts({ files: [file('read', 'generated/a.ts')] });
    const [item] = only ? explainRule(policy, only, given, { now: NOW }) : [];
    expect(item?.parts.map((part) => part.looks)).toEqual([
      undefined,
      ['file.path = "generated/a.ts"'],
      [`event.agent = ${JSON.stringify(given.event.agent)}`],
    ]);
  });

  it('is on one line', () => {
    const policy = policyOf(
      'id: p.x\ntitle: T\nseverity: low\neach: command\nwhen: |\n  command.name == "rm"\n    && (command.hasFlag("r")\n      || command.dynamic)\neffect: deny',
    );
    const [only] = policy.rules;
    const parts = only && explainRule(policy, only, facts({ commands: [command('rm')] }), { now: NOW })[0]?.parts;
    expect(parts).toEqual([
      { text: 'command.name == "rm"', value: 'true' },
      { text: 'command.hasFlag("r") || command.dynamic', value: 'false', looks: ['command.dynamic = false'] },
    ]);
  });

  it('leaves out commands that the rule is not about', () => {
    const given = facts({ commands: [command('ls'), command('rm', { id: 1 })] });
    expect(explained('command', 'command.dynamic', given, 'effect: deny\nprograms: [rm]')).toEqual([
      ['rm', 'false command.dynamic'],
    ]);
  });

  it('is bounded', () => {
    const given = facts({ files: Array.from({ length: 100 }, () => file('read', '/x')) });
    expect(explained('file', 'file.force', given)).toHaveLength(20);
  });
});
