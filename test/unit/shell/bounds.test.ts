import { describe, expect, it } from 'vitest';
import type { ProgramModels } from '../../../src/model/program.ts';
import { programs } from '../../../src/programs/index.ts';
import { analyseShell } from '../../../src/shell/analyse.ts';
import { fixtureWorld } from '../../../src/world/fixture.ts';
import { overlay } from '../../../src/world/overlay.ts';
import { WORKSPACE } from './analysed.ts';

function measure(text: string): { readonly calls: number; readonly ms: number; readonly unknowns: number } {
  let calls = 0;
  const counting: ProgramModels = {
    ...programs,
    model: (invocation) => {
      calls++;
      return programs.model(invocation);
    },
  };
  const world = overlay(fixtureWorld({ home: '/home/dev', workspace: WORKSPACE, files: {} }));
  // CPU time: others may be using the machine.
  const start = process.cpuUsage();
  const { unknowns } = analyseShell(text, { cwd: [WORKSPACE], programs: counting, world });
  return { calls, ms: process.cpuUsage(start).user / 1000, unknowns: unknowns.length };
}

const many = (n: number, make: (i: number) => string, by: string): string =>
  Array.from({ length: n }, (_, i) => make(i)).join(by);

/** Texts that grow with n in one way each. */
const GROWING: readonly (readonly [name: string, make: (n: number) => string])[] = [
  ['commands', (n) => many(n, (i) => `rm f${i}`, '; ')],
  ['&&', (n) => many(n, (i) => `a${i} x`, ' && ')],
  ['||', (n) => many(n, (i) => `a${i} x`, ' || ')],
  ['&& with assignments', (n) => many(n, (i) => `v${i}=$x && a${i}`, ' && ')],
  ['pipes', (n) => many(n, (i) => `a${i}`, ' | ')],
  ['subshells', (n) => many(n, (i) => `(cd d${i} && rm x)`, '; ')],
  ['branches', (n) => many(n, (i) => `if a; then x=${i}; else x=b; fi`, '; ')],
  ['cases', (n) => `case $x in ${many(n, (i) => `p${i}) y=${i};;`, ' ')} esac; a $y`],
  ['exports', (n) => many(n, (i) => `export v${i}=${i}; a${i}`, '; ')],
  ['array elements', (n) => many(n, (i) => `a+=(${i})`, '; ')],
  ['files written and read', (n) => many(n, (i) => `echo x > f${i}; cat f${i}`, '; ')],
  ['arguments', (n) => `a ${many(n * 10, (i) => `w${i}`, ' ')}`],
  ['expansions in one word', (n) => `a "${many(n * 10, () => '$x', ' ')}"`],
  ['lines of a here-document', (n) => `cat <<E\n${many(n * 10, () => 'text $x', '\n')}\nE`],
  ['redirections', (n) => `a ${many(n >> 2, (i) => `${i + 3}>f${i}`, ' ')}`],
  ['quotes', (n) => `a ${many(n * 10, () => `'a'"b"`, '')}`],
];

describe('work grows with the text, not faster', () => {
  it.each(GROWING)('%s', (_, make) => {
    measure(make(200));
    const small = measure(make(500));
    const large = measure(make(4000));
    expect(large.calls).toBeLessThanOrEqual(small.calls * 8.5 + 10);
    // Eight times the text; the rest is for a busy machine. Quadratic work would take 64 times as long.
    expect(large.ms).toBeLessThan(Math.max(small.ms, 40) * 30);
  });
});

/** Texts that would explode: they are answered, and what was left out is said. */
const EXPLODING: readonly (readonly [name: string, text: string, left: boolean])[] = [
  ['deep substitutions', `${'echo $('.repeat(500)}x${')'.repeat(500)}`, true],
  ['deep groups', `${'{ '.repeat(500)}x;${'}; '.repeat(500)}`, true],
  ['deep conditions', `${'if a; then '.repeat(500)}x${'; fi'.repeat(500)}`, true],
  ['deep arithmetic', `a $((1${'+1'.repeat(100_000)}))`, false],
  ['nested loops', `${'for i in 1 2 3; do '.repeat(30)}x${'; done'.repeat(30)}`, false],
  ['braces', `a ${'{a,b}'.repeat(100)}`, true],
  ['a fork bomb', ':(){ :|:& };:', true],
  ['functions that double', `${many(20, (i) => `f${i}() { f${i + 1}; f${i + 1}; }`, ';')}; f20() { x; }; f0`, true],
  ['text that doubles', `x=aaaaaaaaaa; ${'x=$x$x; '.repeat(60)} a $x`, false],
  ['code that doubles', `x='eval "$x$x"'; eval "$x"`, true],
  ['alternatives', `${many(40, (i) => `[ $q ] && v${i}=1`, ';')}; a ${many(40, (i) => `$v${i}`, ' ')}`, false],
  ['a pattern', `x=${'a'.repeat(20_000)}; a \${x##*a*a*a*b} \${x//a*a*b/c}`, false],
  ['a megabyte of one word', `a ${'x'.repeat(1_000_000)}`, false],
  ['a megabyte of commands', 'ls -la; '.repeat(125_000), true],
  ['a megabyte of lines', 'a\n'.repeat(500_000), true],
  ['aliases of each other', `shopt -s expand_aliases\nalias a=b\nalias b=a\na`, false],
  ['a script that runs itself', 'echo "sh s" > s; sh s', true],
];

describe('facts grow with the text, not faster', () => {
  it.each([
    ['pipes', (n: number) => many(n, (i) => `a${i}`, ' | ')],
    ['nested wrappers', (n: number) => `${'env nice '.repeat(n)}x`],
    ['exports', (n: number) => many(n, (i) => `export v${i}=${i}; A=1 a${i}`, '; ')],
  ])('%s', (_, make) => {
    const size = (n: number): number => {
      const world = overlay(fixtureWorld({ home: '/home/dev', workspace: WORKSPACE, files: {} }));
      return JSON.stringify(analyseShell(make(n), { cwd: [WORKSPACE], programs, world })).length;
    };
    expect(size(2000)).toBeLessThan(size(500) * 5);
  });
});

describe('nothing explodes, and nothing is left out in silence', () => {
  it.each(EXPLODING)('%s', (_, text, left) => {
    const { ms, unknowns } = measure(text);
    expect(ms).toBeLessThan(20_000);
    expect(unknowns > 0).toBe(left);
  });

  it('says what stands behind the bound', () => {
    const { unknowns } = measure(`${many(25_000, (i) => `a${i}`, '; ')}; rm -rf /`);
    expect(unknowns).toBeGreaterThan(0);
  });
});
