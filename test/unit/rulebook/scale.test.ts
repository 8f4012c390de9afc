import { expect, it } from 'vitest';
import { compilePolicy } from '../../../src/rulebook/compile.ts';
import { HEAD } from './compiled.ts';

it('5,000 rules are built in three seconds', () => {
  const rules = Array.from(
    { length: 5000 },
    (_, i) => `  - id: mine.r${i}
    title: Rule ${i}
    severity: high
    each: command
    programs: [prog${i}]
    when: command.hasFlag("f", "force") && command.operands.exists(o, o.matchesAny(["main${i}", "release/**"]))
    effect: deny
    message: No.
`,
  ).join('');
  // Time of this process, not of the clock: others may be using the machine.
  const before = process.cpuUsage();
  const { policy, findings } = compilePolicy([{ path: 'a.yaml', text: HEAD + rules }]);
  const { user, system } = process.cpuUsage(before);
  expect([policy.rules.length, findings]).toEqual([5000, []]);
  expect((user + system) / 1000).toBeLessThan(3000);
});

it('a file that was read for one preset is not read again for the next', () => {
  const set = (name: string) => `apiVersion: gov/v1\nkind: PolicySet\nname: ${name}\n---\n`;
  const rules = Array.from(
    { length: 300 },
    (_, i) =>
      `  - { id: p.r${i}, title: T, severity: low, each: command, when: 'command.name == "x${i}"', effect: ask }\n`,
  ).join('');
  const source = { path: 'a.yaml', text: set('a') + set('b') + HEAD + rules };
  const spent = (preset: string): number => {
    const before = process.cpuUsage();
    expect(compilePolicy([source], { preset }).policy.rules).toHaveLength(300);
    return process.cpuUsage(before).user;
  };
  const first = spent('a');
  expect(spent('b')).toBeLessThan(first);
});
