import { describe, expect, it } from 'vitest';
import type { CompiledPolicy } from '../../../src/model/policy.ts';
import { decide } from '../../../src/policy/decide.ts';
import { command, facts, file, NOW, policyOf, rule } from './facts.ts';

/** Rules about many programs, effect kinds and operations, of which the call below meets few. */
function rulesAbout(count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    i % 3 === 2
      ? rule(`p.r${i}`, 'file', `file.op == "delete" && file.matchesAny(["/srv/x${i}/**"])`)
      : i % 3 === 0
        ? rule(`p.r${i}`, 'command', `command.name == "prog${i}" && command.hasFlag("x")`)
        : rule(`p.r${i}`, 'command', `command.does("kind-${i}")`),
  );
}

const given = facts({
  commands: [command('rm', { operands: ['a'] }), command('ls', { id: 1 })],
  files: [file('delete', '/home/dev/project/a')],
});

function microseconds(policy: CompiledPolicy): number {
  for (let i = 0; i < 300; i++) decide(policy, given, { now: NOW });
  const rounds = Array.from({ length: 15 }, () => {
    const started = performance.now();
    for (let i = 0; i < 100; i++) decide(policy, given, { now: NOW });
    return (performance.now() - started) * 10;
  });
  return rounds.sort((a, b) => a - b)[3] as number;
}

describe('the cost of a decision', () => {
  it('does not grow with rules about other things', () => {
    const few = microseconds(policyOf(...rulesAbout(10)));
    // Building them counts as well; CPU time, as others may be using the machine.
    const before = process.cpuUsage();
    const policy = policyOf(...rulesAbout(5000));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
    expect(microseconds(policy)).toBeLessThan(few * 1.5 + 20);
  });

  it('does not depend on what a hostile command makes of a regular expression', () => {
    const policy = policyOf(
      rule('p.re', 'command', 'command.text.re("(a+)+$")'),
      rule('p.m', 'command', 'command.text.matches("(x|xx)+y$")'),
    );
    const hostile = facts({ commands: [command('x', { text: `${'a'.repeat(50_000)}b${'x'.repeat(50_000)}` })] });
    // The best of several: the machine may be busy with other things.
    const times = Array.from({ length: 7 }, () => {
      const started = performance.now();
      expect(decide(policy, hostile, { now: NOW }).answer).toBe('allow');
      return performance.now() - started;
    });
    expect(Math.min(...times)).toBeLessThan(50);
  });

  it('is bounded on a call with very many items', () => {
    const policy = policyOf(
      rule('p.all', '', 'files.all(f, !files.exists(g, g.path == f.path + "x"))', 'effect: deny'),
    );
    const many = facts({ files: Array.from({ length: 3000 }, (_, i) => file('write', `/home/dev/project/${i}`)) });
    const started = performance.now();
    expect(decide(policy, many, { now: NOW }).answer).toBe('ask');
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('the budget of a whole decision', () => {
  it('holds for rules that look at everything for each item', () => {
    const policy = policyOf(
      rule('p.each', 'file', 'files.exists(g, g.path == file.path + "x")', 'effect: warn\non_error: deny'),
    );
    const many = facts({ files: Array.from({ length: 20_000 }, (_, i) => file('write', `/home/dev/project/${i}`)) });
    // Time of this process, not of the clock: others may be using the machine.
    const before = process.cpuUsage();
    expect(decide(policy, many, { now: NOW }).answer).toBe('deny');
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  });
});

describe('the index of paths', () => {
  it('finds what asking every rule finds', () => {
    const patterns = [
      '**/.env',
      '**/.env.*',
      '~/.ssh/**',
      '/etc/{passwd,shadow}',
      '**/*.pem',
      '**/*',
      '/srv/*/x',
      '**/*.tar.gz',
      '*',
    ];
    const paths = [
      null,
      '/home/dev/.ssh/id',
      '/etc/shadow',
      '/x/.env',
      '/x/.env.local',
      '/a/b.pem',
      '/srv/q/x',
      '/a/b.tar.gz',
      '/a',
      '/x/env',
    ];
    let hits = 0;
    for (const pattern of patterns)
      for (const call of ['file.matchesAny', 'file.real.matchesAny'])
        for (const path of paths) {
          const policy = policyOf(rule('p.x', 'file', `file.op == "read" && ${call}(["${pattern}"])`));
          const everyRule = {
            ...policy,
            rules: policy.rules.map(({ paths: _p, ops: _o, ...r }) => r),
          } as CompiledPolicy;
          const of = (p: CompiledPolicy) =>
            decide(p, facts({ files: [file('read', path)] }), { now: NOW }).rules.map((h) => h.because);
          expect([pattern, path, of(policy)]).toEqual([pattern, path, of(everyRule)]);
          hits += of(policy).length;
        }
    expect(hits).toBeGreaterThan(30);
  });
});

describe('the index', () => {
  it('finds what asking every rule finds', () => {
    const conditions = [
      'command.name == "rm"',
      'command.name in ["rm", "mv"] && command.hasFlag("r")',
      '"rm" == command.name',
      'command.name == "rm" || command.does("vcs-*")',
      'command.does("vcs-push", "db-*") && command.name != "x"',
      'command.name != "rm"',
      '!(command.name == "rm")',
      'command.does("*")',
      'true',
    ];
    const commands = [
      command('rm', { flags: ['r'] }),
      command(null),
      command('git', {
        effects: [
          { kind: 'vcs-push', target: '', detail: '', force: false, recursive: false, certain: true, command: 0 },
        ],
      }),
      command('psql', {
        effects: [
          { kind: 'db-drop', target: '', detail: '', force: false, recursive: false, certain: false, command: 0 },
        ],
      }),
    ];
    for (const when of conditions)
      for (const c of commands) {
        const policy = policyOf(rule('p.x', 'command', when));
        const everyRule = {
          ...policy,
          rules: policy.rules.map(({ names: _n, ...r }) => ({ ...r, kinds: [] })),
        } as CompiledPolicy;
        const of = (p: CompiledPolicy) => decide(p, facts({ commands: [c] }), { now: NOW }).rules.map((h) => h.because);
        expect([when, c.name, of(policy)]).toEqual([when, c.name, of(everyRule)]);
      }
  });
});
