import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPart, ours, theirs } from './evaluation.ts';

const FACTS = {
  a: 7,
  b: -2,
  x: 2.5,
  s: 'rm -rf /etc',
  t: 'rm',
  p: true,
  q: false,
  ns: [3, 1, 4, 1, 5],
  ss: ['main', 'release/1', ''],
  m: { HOME: '/home/dev', EMPTY: '' },
};

const SAME = `
a + b
a - b * 3
a / b
-a / 2
a % 3
b % 3
a / 0
a % 0
x / 2.0
x * 2.0 + 1.0
-x
int(x) + 1
double(a) / 2.0
string(a) + s
string(p)
string(x)
int("42") == 42
int("4x")
int(" 4")
double("2.5") == x
bool("true") && p
a > b && b < a || q
a >= 7 && a <= 7
p ? a : b
q ? 1/0 : 5
p || 1/0 > 0
1/0 > 0 || p
q && 1/0 > 0
1/0 > 0 && q
p && 1/0 > 0
s.startsWith(t)
s.endsWith("etc")
s.contains("-rf")
s.indexOf("r")
s.indexOf("r", 1)
s.indexOf("nothing")
s.indexOf("r", 99)
s.lastIndexOf("r")
s.substring(3)
s.substring(3, 6)
s.substring(6, 3)
s.substring(99)
s.lowerAscii() + s.upperAscii()
"  x ".trim()
s.split(" ")
s.split(" ", 2)
s.split(" ", 0)
s.split("", 3)
ss.join("+")
ss.join()
size(s) + s.size()
size(ns) + ns.size() + size(m)
size("ñ😀")
"b" > "a" && "a" < "b"
1 in ns
9 in ns
"main" in ss
"HOME" in m
m.HOME
m["HOME"] == "/home/dev"
m.NOTHING
has(m.HOME)
has(m.NOTHING)
ns[0]
ns[9]
ns[-1]
ns.all(n, n > 0)
ns.all(n, n > 1)
ns.all(n, 1/n > 0)
ns.exists(n, n == 4)
ns.exists(n, n == 9)
ns.exists(n, 1/(n-3) == 1)
ns.exists(n, 1/(n-3) > 9)
ns.exists_one(n, n == 1)
ns.exists_one(n, n == 4)
ns.filter(n, n > 2)
ns.map(n, n * 2)
ns.map(n, n > 2, n + 1)
ns.map(n, 1/(n-3))
ns.filter(n, n > 1).map(n, n * n).exists(k, k == 16)
m.exists(k, k == "HOME")
[1, 2] == [1, 2]
[1, 2] == [2, 1]
[1] + [2, a]
ss == ["main", "release/1", ""]
{"k": s} == {"k": s}
{"k": s}.k
cel.bind(n, a + 1, n * n)
ns.map(n, cel.bind(k, n + 1, k * k))
a == 7 && !(b == 7)
!p
timestamp("2026-01-01T00:00:00Z") < timestamp("2026-06-01T00:00:00Z")
timestamp("2026-01-02T03:04:05Z").getFullYear() + timestamp("2026-01-02T03:04:05Z").getHours()
timestamp("2026-01-31T03:04:05Z").getDayOfMonth()
timestamp("2026-01-31T03:04:05Z").getDayOfWeek()
timestamp("2026-01-01T00:00:00Z") + duration("36h") > timestamp("2026-01-02T00:00:00Z")
timestamp("2026-01-02T00:00:00Z") - timestamp("2026-01-01T00:00:00Z") == duration("24h")
duration("90m") > duration("1h")
duration("90m").getMinutes()
`
  .trim()
  .split('\n');

describe('the evaluator agrees with cel-js on known facts', () => {
  it.each(SAME)('%s', (expression) => {
    const theirValue = theirs(expression, FACTS);
    expect(ours(expression, FACTS)).toEqual(theirValue);
  });

  it('has values and errors in the table', () => {
    const values = SAME.map((e) => ours(e, FACTS));
    expect(values.filter((v) => v === 'error').length).toBeGreaterThan(8);
    expect(values.filter((v) => v === true).length).toBeGreaterThan(10);
  });

  it('on expressions made at random', () => {
    fc.assert(
      fc.property(boolean.filter(isPart), (expression) => {
        expect(ours(expression, FACTS)).toEqual(theirs(expression, FACTS));
      }),
      { numRuns: 400 },
    );
  });
});

const { boolean } = fc.letrec<{ boolean: string; int: string; text: string; ints: string }>((tie) => ({
  int: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b', '0', '1', '3'),
    fc.tuple(tie('int'), fc.constantFrom('+', '-', '*', '/', '%'), tie('int')).map(([l, op, r]) => `(${l} ${op} ${r})`),
    tie('text').map((t) => `size(${t})`),
    tie('ints').map((l) => `${l}.size()`),
    fc.tuple(tie('ints'), tie('int')).map(([l, i]) => `${l}[${i}]`),
  ),
  text: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('s', 't', '"rm"', '""'),
    fc.tuple(tie('text'), tie('text')).map(([l, r]) => `(${l} + ${r})`),
    fc.tuple(tie('text'), tie('int')).map(([l, i]) => `${l}.substring(${i})`),
    tie('int').map((i) => `string(${i})`),
    fc.tuple(tie('boolean'), tie('text'), tie('text')).map(([c, l, r]) => `(${c} ? ${l} : ${r})`),
  ),
  ints: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom('ns', '[a, b, 3]'),
    fc.tuple(tie('ints'), tie('int')).map(([l, i]) => `${l}.filter(n, n > ${i})`),
    fc.tuple(tie('ints'), tie('int')).map(([l, i]) => `${l}.map(n, n + ${i})`),
  ),
  boolean: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('p', 'q'),
    fc
      .tuple(tie('boolean'), fc.constantFrom('&&', '||', '=='), tie('boolean'))
      .map(([l, op, r]) => `(${l} ${op} ${r})`),
    tie('boolean').map((e) => `!${e}`),
    fc.tuple(tie('int'), fc.constantFrom('<', '<=', '>', '>=', '==', '!='), tie('int')).map((x) => `(${x.join(' ')})`),
    fc
      .tuple(tie('text'), fc.constantFrom('contains', 'startsWith', 'endsWith'), tie('text'))
      .map(([l, f, r]) => `${l}.${f}(${r})`),
    fc
      .tuple(tie('ints'), fc.constantFrom('all', 'exists', 'exists_one'), tie('int'))
      .map(([l, f, i]) => `${l}.${f}(n, n > ${i})`),
    fc.tuple(tie('int'), tie('ints')).map(([i, l]) => `(${i} in ${l})`),
  ),
}));
