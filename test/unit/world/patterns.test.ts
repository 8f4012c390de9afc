import { describe, expect, it } from 'vitest';
import { ignoreRules, isIgnored } from '../../../src/world/ignore.ts';
import { namePattern } from '../../../src/world/patterns.ts';

describe('namePattern', () => {
  it.each([
    ['*', 'a', true],
    ['*', '.a', false],
    ['.*', '.a', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[[:digit:]]*', '7up', true],
    ['[]]', ']', true],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
    ['*.t*s', 'x.test.ts', true],
    ['[a', '[a', true],
  ])('%s on %s: %s', (pattern, name, want) => {
    expect(namePattern(pattern)(name)).toBe(want);
  });
  it('is linear in what would make others backtrack', () => {
    const started = performance.now();
    expect(namePattern(`${'*a'.repeat(40)}b`)('a'.repeat(2000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('.gitignore', () => {
  const rules = ignoreRules('# c\n*.log\n!keep.log\n/build\nlogs/\ndocs/**/tmp\n\\#x\n');
  it.each([
    ['a.log', false, true],
    ['deep/er/a.log', false, true],
    ['keep.log', false, false],
    ['build', true, true],
    ['build/x/y', false, true],
    ['src/build', true, false],
    ['logs', false, false],
    ['logs', true, true],
    ['a/logs/x', false, true],
    ['docs/a/b/tmp', false, true],
    ['docs/tmp', false, true],
    ['#x', false, true],
  ])('%s (directory: %s): %s', (path, dir, want) => {
    expect(isIgnored(rules, path, dir)).toBe(want);
  });
});
