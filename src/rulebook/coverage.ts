import type { Compilation } from './compile.ts';
import { testSides } from './rule-data.ts';
import type { TestResult } from './rule-tests.ts';

/** What of a rule its tests show, by sides: a test that fails shows nothing. */
interface RuleCoverage {
  readonly rule: string;
  readonly sides: readonly { readonly side: string; readonly covered: boolean }[];
}

export interface Coverage {
  readonly rules: readonly RuleCoverage[];
  readonly covered: number;
  readonly total: number;
  /** 0 to 100, rounded down; 100 if there is nothing to cover. */
  readonly percent: number;
}

/**
 * Which sides of each rule are shown by tests that pass: that it fires, that it is silent, and each exception that it
 * declares, lifted by a waiver.
 */
export function coverageOf(
  compilation: Compilation,
  tests: readonly TestResult[],
  files: ReadonlySet<string>,
): Coverage {
  const rules = compilation.written
    .filter((w) => files.has(w.doc.file.path))
    .map(({ rule, data }): RuleCoverage => {
      const own = tests.filter((t) => t.rule === rule.id);
      const passed = (side: TestResult['side']): boolean => own.some((t) => t.side === side && t.ok);
      const names = new Set(own.filter((t) => t.side === 'case' && t.ok).map((t) => t.name));
      const cases = (data.tests?.cases ?? []).filter((c, i) => names.has(c.name ?? `case ${i + 1}`));
      const shown = testSides({ cases });
      const waived = new Map(
        (compilation.policy.waivers ?? []).filter((w) => w.rule === rule.id).map((w) => [w.id, w.exception]),
      );
      const exceptions = Object.keys(data.exceptions ?? {}).map((name) => ({
        side: `exception ${name}`,
        covered: cases.some((c) => c.expect.waiver !== undefined && waived.get(c.expect.waiver) === name),
      }));
      return {
        rule: rule.id,
        sides: [
          { side: 'fires', covered: passed('match') || passed('dynamic') || shown.fires },
          { side: 'silent', covered: passed('no_match') || shown.silent },
          ...exceptions,
        ],
      };
    });
  const sides = rules.flatMap((r) => r.sides);
  const covered = sides.filter((s) => s.covered).length;
  const percent = sides.length === 0 ? 100 : Math.floor((100 * covered) / sides.length);
  return { rules, covered, total: sides.length, percent };
}
