import { describe, expect, it } from 'vitest';
import { liesIn, RULES_VERSION } from '../../../src/rulebook/gov-version.ts';
import { briefly, compiled, HEAD, ruleText } from './compiled.ts';

it.each<[string, readonly string[], readonly string[]]>([
  ['>=1.0', ['1.0.0', '1.4.2', '2.0.0'], ['0.9.9']],
  ['>1.2', ['1.3.0'], ['1.2.0', '1.2.9']],
  ['>1.2.3', ['1.2.4'], ['1.2.3']],
  ['<2', ['1.9.9'], ['2.0.0']],
  ['<=1.2', ['1.2.9'], ['1.3.0']],
  ['^1.2', ['1.2.0', '1.9.0'], ['1.1.9', '2.0.0']],
  ['^0.2.3', ['0.2.3', '0.2.9'], ['0.3.0']],
  ['~1.2.3', ['1.2.3', '1.2.9'], ['1.3.0']],
  ['~1', ['1.9.0'], ['2.0.0']],
  ['1.x', ['1.0.0', '1.9.9'], ['2.0.0']],
  ['1.2', ['1.2.0', '1.2.9'], ['1.3.0']],
  ['=1.2.3', ['1.2.3'], ['1.2.4']],
  ['*', ['0.0.1'], []],
  ['>=1.0 <2', ['1.5.0'], ['2.0.0', '0.9.0']],
  ['>= 1.0', ['1.0.0'], ['0.9.0']],
  ['1.2 || >=3', ['1.2.5', '3.1.0'], ['2.0.0']],
])('%s', (range, inside, outside) => {
  expect(inside.map((v) => liesIn(v, range))).toEqual(inside.map(() => true));
  expect(outside.map((v) => liesIn(v, range))).toEqual(outside.map(() => false));
});

it.each(['latest', '>=', '1.2.3.4', '>=1 or so', '', '||'])('%s is no range', (range) => {
  expect(liesIn('1.0.0', range)).toBeNull();
});

describe('a file that needs a version of gov', () => {
  const needing = (range: string, more = '') =>
    HEAD.replace('name: pack', `name: pack, requires: { gov: "${range}" }`) + ruleText(more);
  const codes = (text: string) => briefly(compiled(text).findings);
  it('is used by one in the range', () => {
    expect(codes(needing('>=1.0'))).toEqual([]);
    expect(liesIn(RULES_VERSION, '>=1.0')).toBe(true);
  });
  it('is refused by another, which does not complain of what it does not know', () => {
    const text = needing('>=9.0', 'next_thing: true');
    expect(codes(text)).toEqual([
      'needs-other-gov 3:42 the file needs gov >=9.0; this is 0.1.0, which counts as 1.0.0 | update gov, or take another version of the file',
    ]);
    expect(compiled(text).policy.rules).toEqual([]);
  });
  it('has to name a range', () => {
    expect(codes(needing('newest'))).toEqual([
      'wrong-value 3:42 `newest` is no range of versions | such as `>=1.2`, `^1.2`, `>=1.0 <2`',
    ]);
  });
  it('a policy set may say it too', () => {
    expect(codes('apiVersion: gov/v1\nkind: PolicySet\nname: s\nrequires: { gov: ">=9" }\n')[0]).toMatch(
      /^needs-other-gov 4:18 /,
    );
  });
});
