import { describe, expect, it } from 'vitest';
import { ours } from './evaluation.ts';

/** `s`, `p`, `a` are not known; `t`, `q`, `b` are. */
const FACTS = {
  s: null,
  p: null,
  a: null,
  x: 1.5,
  t: 'rm',
  q: false,
  b: 2,
  ns: [1, 2],
  ss: ['x', null],
  m: { k: null },
};

const UNKNOWN = null;

describe('an unknown fact', () => {
  it.each<[string, unknown]>([
    ['p', UNKNOWN],
    ['!p', UNKNOWN],
    ['p && q', false],
    ['q && p', false],
    ['p || !q', true],
    ['!q || p', true],
    ['p && !q', UNKNOWN],
    ['p || q', UNKNOWN],
    ['p && 1/0 > 0', 'error'],
    ['p && q && 1/0 > 0', false],
    ['s == "x"', UNKNOWN],
    ['s != "x"', UNKNOWN],
    ['s == s', UNKNOWN],
    ['a < 3', UNKNOWN],
    ['a + 1', UNKNOWN],
    ['-a', UNKNOWN],
    ['s + "x"', UNKNOWN],
    ['s.startsWith("/")', UNKNOWN],
    ['t.startsWith(s)', UNKNOWN],
    ['size(s)', UNKNOWN],
    ['string(a)', UNKNOWN],
    ['s in ["a", "b"]', UNKNOWN],
    ['s in ss', UNKNOWN],
    ['"x" in ss', true],
    ['"y" in ss', UNKNOWN],
    ['p ? 1 : 2', UNKNOWN],
    ['q ? s : t', 'rm'],
    ['ss[0]', 'x'],
    ['ss[1]', UNKNOWN],
    ['ss[a]', UNKNOWN],
    ['ss.size()', 2],
    ['ss.exists(e, e == "x")', true],
    ['ss.exists(e, e == "y")', UNKNOWN],
    ['ss.all(e, e == "x")', UNKNOWN],
    ['ss.all(e, e == "y")', false],
    ['ss.exists_one(e, e == "x")', UNKNOWN],
    ['ss.filter(e, e == "x")', UNKNOWN],
    ['ss.map(e, e)', ['x', null]],
    ['ns.map(n, n + a).exists(k, k > 0)', UNKNOWN],
    ['ns.map(n, n + a)', [null, null]],
    ['ns.sum() + a', UNKNOWN],
    ['ss.join("")', UNKNOWN],
    ['m.k', UNKNOWN],
    ['has(m.k)', true],
    ['known(s)', false],
    ['known(t)', true],
    ['known(s) && s == "x"', false],
    ['[s] == ["x"]', UNKNOWN],
    ['[s, "a"] == ["x", "b"]', false],
    ['s.re("a+")', UNKNOWN],
    ['s.matchesAny(["*"])', UNKNOWN],
    ['s.under("/")', UNKNOWN],
    ['s.inDomain("x.org")', UNKNOWN],
    ['t.replace(s, "x")', UNKNOWN],
    ['cel.bind(v, s, v == "x" || !q)', true],
  ])('%s', (expression, want) => {
    expect(ours(expression, FACTS)).toEqual(want);
  });
});

describe('the budget', () => {
  const long = { ns: Array.from({ length: 1000 }, (_, i) => i), s: 'x'.repeat(1_000_000) };
  it.each([
    'ns.all(a, ns.all(b, a + b >= 0))',
    'ns.map(n, s + s).size() > 0',
    'ns.map(n, s.replace("x", "yy")).size() > 0',
    'ns.exists(n, s.contains("y"))',
    'ns.exists(n, s.re("y$"))',
  ])('%s is an error, not an answer', (expression) => {
    expect(ours(expression, long)).toBe('error');
  });

  it('is not used up by ordinary conditions', () => {
    expect(ours('ns.exists(n, n == 999)', long)).toBe(true);
  });

  it('is not taken for an operand that another one settles', () => {
    expect(ours('ns.all(a, ns.all(b, a + b >= 0)) || true', long)).toBe('error');
  });
});
