import { GOV_VERSION } from '../base/version.ts';

/**
 * The version that `requires: { gov: … }` is compared with. What comes before 1.0.0 works towards it and reads the
 * format gov/v1 as 1.0.0 will, so files written for `>=1.0` are not refused.
 */
export const RULES_VERSION = atLeast(GOV_VERSION, '1.0.0');

type Version = readonly [number, number, number];

/** True if the version lies in the range: `>=1.2`, `^1.2`, `~1.2.3`, `1.x`, `>=1.0 <2`, `1.2 || 2.x`. Null: it is no range. */
export function liesIn(version: string, range: string): boolean | null {
  const parts = range.split('||').map((part) => comparatorsIn(part.trim()));
  if (parts.includes(null)) return null;
  const at = versionIn(version);
  return parts.some((tests) => tests?.every((test) => test(at)));
}

const COMPARATOR = /^(>=|<=|>|<|=|\^|~)?\s*v?(\d{1,9}|[x*])(?:\.(\d{1,9}|[x*]))?(?:\.(\d{1,9}|[x*]))?$/i;

function comparatorsIn(text: string): readonly ((version: Version) => boolean)[] | null {
  const words = text.replace(/(>=|<=|>|<|=|\^|~)\s+/g, '$1').split(/\s+/);
  const tests: ((version: Version) => boolean)[] = [];
  for (const word of words) {
    const found = COMPARATOR.exec(word);
    if (!found) return null;
    const [, operator = '', ...digits] = found;
    const given = digits.filter((d) => d !== undefined && /^\d/.test(d)).map(Number);
    tests.push(testOf(operator, given));
  }
  return tests;
}

/** `given`: the numbers that were written: `1.2` stands for all of 1.2. */
function testOf(operator: string, given: readonly number[]): (version: Version) => boolean {
  const from = filled(given);
  const past = (place: number): Version => {
    const upper = given.slice(0, place + 1);
    return filled([...upper.slice(0, -1), (upper[place] ?? 0) + 1]);
  };
  const last = given.length - 1;
  const below = (limit: Version) => (v: Version) => compare(v, limit) < 0;
  const atOrAfter = (v: Version): boolean => compare(v, from) >= 0;
  if (given.length === 0) return () => true;
  switch (operator) {
    case '>=':
      return atOrAfter;
    case '<':
      return below(from);
    case '>':
      return (v) => !below(past(last))(v);
    case '<=':
      return below(past(last));
    case '^': {
      const first = given.findIndex((n) => n > 0);
      return (v) => atOrAfter(v) && below(past(first < 0 ? last : first))(v);
    }
    case '~':
      return (v) => atOrAfter(v) && below(past(Math.min(last, 1)))(v);
    default:
      return (v) => atOrAfter(v) && below(past(last))(v);
  }
}

function filled(given: readonly number[]): Version {
  const [major = 0, minor = 0, patch = 0] = given;
  return [major, minor, patch];
}

function versionIn(text: string): Version {
  return filled((/^\d+\.\d+\.\d+/.exec(text)?.[0] ?? '0').split('.').map(Number));
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function atLeast(version: string, least: string): string {
  return compare(versionIn(version), versionIn(least)) < 0 ? least : version;
}
