import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileFact } from '../../../src/model/facts.ts';
import { decide } from '../../../src/policy/decide.ts';
import { command, facts, file, NOW, policyOf, rule } from './facts.ts';

const ORDER = ['allow', 'ask', 'deny', 'halt'];

const atom = fc
  .constantFrom(
    'file.zone == "outside"',
    'file.in_workspace',
    'file.real.startsWith("/etc")',
    'file.matchesAny(["**/*.pem", "/etc/**"])',
    'file.touches(["/etc/gov/**"])',
    'file.under("/srv")',
    'file.secret',
    'file.tracked == file.exists',
    'file.op in ["delete", "write"]',
    'file.real in [file.path, "/etc/x"]',
    'files.exists(f, f.zone == "outside" && f.real != file.real)',
    'files.all(f, f.exists)',
    'files.filter(f, f.secret).size() > 0',
    '(file.secret ? file.path : file.real) == "/etc/x"',
  )
  .map((a) => `(${a})`);
const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    atom,
    fc
      .tuple(tie('condition'), fc.constantFrom('&&', '||', '=='), tie('condition'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie('condition').map((c) => `!(${c})`),
  ),
}));

const aFile: fc.Arbitrary<FileFact> = fc
  .record({
    op: fc.constantFrom('read', 'write', 'delete', 'move') as fc.Arbitrary<FileFact['op']>,
    real: fc.constantFrom('/etc/x', '/etc', '/srv/a/key.pem', '/home/dev/project/a', null),
    secret: fc.constantFrom(true, false, null),
    tracked: fc.constantFrom(true, false, null),
    exists: fc.constantFrom(true, false, null),
    recursive: fc.boolean(),
  })
  .map(({ op, real, ...more }) => file(op, real, more));

/** The same file with some of what is known forgotten. */
function forgetting(f: FileFact, which: readonly string[]): FileFact {
  const all = { real: null, zone: null, in_workspace: null, secret: null, tracked: null, exists: null };
  return { ...f, ...Object.fromEntries(Object.entries(all).filter(([name]) => which.includes(name))) };
}

const files = fc.array(aFile, { minLength: 1, maxLength: 3 });
const forgotten = fc.subarray(['real', 'zone', 'in_workspace', 'secret', 'tracked', 'exists']);
const answer = (rules: readonly string[], given: readonly FileFact[]): number =>
  ORDER.indexOf(decide(policyOf(...rules), facts({ files: given, commands: [command('x')] }), { now: NOW }).answer);

describe('decisions', () => {
  it('knowing less never lets pass what knowing more stops', () => {
    fc.assert(
      fc.property(condition, files, forgotten, (when, given, which) => {
        const rules = [rule('p.x', 'file', when)];
        const known = answer(rules, given);
        const less = answer(
          rules,
          given.map((f) => forgetting(f, which)),
        );
        if (known === ORDER.indexOf('deny')) expect(less).toBeGreaterThanOrEqual(ORDER.indexOf('ask'));
        if (known === ORDER.indexOf('allow')) expect(less).toBeLessThanOrEqual(ORDER.indexOf('ask'));
      }),
      { numRuns: 120 },
    );
  });

  it('one more rule never makes the answer milder', () => {
    const effects = fc.constantFrom('allow', 'warn', 'ask', 'deny', 'halt');
    fc.assert(
      fc.property(condition, condition, effects, files, (first, second, effect, given) => {
        const one = rule('p.a', 'file', first);
        const two = rule('p.b', 'file', second, `effect: ${effect}`);
        expect(answer([one, two], given)).toBeGreaterThanOrEqual(answer([one], given));
      }),
      { numRuns: 120 },
    );
  });

  it('do not depend on the order of rules or of files', () => {
    fc.assert(
      fc.property(condition, condition, files, (first, second, given) => {
        const one = rule('p.a', 'file', first, 'effect: ask');
        const two = rule('p.b', 'file', second);
        expect(answer([two, one], [...given].reverse())).toBe(answer([one, two], given));
      }),
      { numRuns: 80 },
    );
  });
});
