import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlobs, expandBraces } from '../../../src/policy/glob.ts';

describe('globs', () => {
  it.each<[string, string, boolean]>([
    ['main', 'main', true],
    ['main', 'mainly', false],
    ['release/**', 'release/1/2', true],
    ['release/**', 'release', false],
    ['release/**', 'release/', false],
    ['/tmp/**', '/tmp/a', true],
    ['/tmp/**', '/tmpx/a', false],
    ['**/.env', '/home/dev/.env', true],
    ['**/.env', '.env', true],
    ['**/.env', '/home/dev/x.env', false],
    ['**/*.pem', '/a/b/key.pem', true],
    ['**/*.pem', 'key.pem', true],
    ['**/*.pem', '/a/key.pem/x', false],
    ['**/.env.*', '/a/.env.local', true],
    ['**/.gov/**', '/a/.gov/rules/x.yaml', true],
    ['**/.gov/**', '/a/.gov', false],
    ['~/.ssh/**', '/home/dev/.ssh/id_rsa', true],
    ['~/.ssh/**', '/home/other/.ssh/id_rsa', false],
    ['~', '/home/dev', true],
    ['~x', '/home/dev', false],
    ['*', 'a', true],
    ['*', 'a/b', false],
    ['**', 'a/b/c', true],
    ['a*b*c', 'aXbYbc', true],
    ['a*b*c', 'aXbYb', false],
    ['vcs-*', 'vcs-push', true],
    ['?at', 'cat', true],
    ['?at', 'at', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[!a-c]x', 'dx', true],
    ['[]x', '[]x', true],
    ['x.{js,ts}', 'x.ts', true],
    ['x.{js,ts}', 'x.css', false],
    ['{a,b{1,2}}/c', 'b2/c', true],
    ['x{a}', 'x{a}', true],
    ['/a/**/b', '/a/b', true],
    ['/a/**/b', '/a/x/y/b', true],
    ['/a/**/b', '/a/x/y/c', false],
    ['**/a/**/b/**', 'x/a/y/b/z', true],
    ['**/a/**/b/**', 'x/b/y/a/z', false],
    ['\\*', '*', true],
    ['\\*', 'x', false],
  ])('%s on %s: %s', (pattern, text, want) => {
    expect(compileGlobs([pattern], '/home/dev')(text)).toBe(want);
  });

  it('agrees with a direct definition', () => {
    const letter = fc.constantFrom('a', 'b', '/', '*', '?', '**/');
    fc.assert(
      fc.property(
        fc.array(letter, { maxLength: 8 }).map((l) => l.join('')),
        fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 9 }).map((l) => l.join('')),
        (pattern, text) => {
          fc.pre(!/\*\*(?!\/)/.test(pattern) && !/[^/]\*\*/.test(pattern));
          expect(compileGlobs([pattern], '')(text)).toBe(defined(pattern).test(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('stays fast on patterns that make others backtrack', () => {
    const test = compileGlobs([`${'*a'.repeat(40)}*b`, `${'**/a/'.repeat(20)}b`], '');
    const started = performance.now();
    expect(test('a'.repeat(20_000))).toBe(false);
    expect(test('a/'.repeat(10_000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('bounds what braces write out', () => {
    expect(expandBraces('{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}').length).toBeLessThanOrEqual(
      260,
    );
  });
});

/** What the pattern says, as a regular expression: only for short texts. */
function defined(pattern: string): RegExp {
  const body = pattern
    .split(/(\*\*\/|\*|\?)/)
    .map((part) =>
      part === '**/'
        ? '(?:[^/]*/)*'
        : part === '*'
          ? '[^/]*'
          : part === '?'
            ? '[^/]'
            : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('');
  return new RegExp(`^(?:${body})$`);
}
