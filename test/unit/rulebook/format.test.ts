import { describe, expect, it } from 'vitest';
import { compilePolicy } from '../../../src/rulebook/compile.ts';
import { formatPolicy } from '../../../src/rulebook/format.ts';
import { readSources } from '../../../src/rulebook/source-files.ts';

const HEAD = 'apiVersion: gov/v1\nkind: Rules\nmetadata: { name: x }\n';

describe('the order of keys', () => {
  it.each<[string, string, string]>([
    [
      'of a rule, with its comments and blocks',
      `${HEAD}rules:
  # The first.
  - id: a.b
    effect: deny   # hard to lift
    # What it is about.
    when: |
      command.name == "rm"
        # not a comment
        && true
    title: T

    severity: high
  - id: a.c
    title: T
    severity: high
    effect: ask
`,
      `${HEAD}rules:
  # The first.
  - id: a.b
    title: T

    severity: high
    # What it is about.
    when: |
      command.name == "rm"
        # not a comment
        && true
    effect: deny   # hard to lift
  - id: a.c
    title: T
    severity: high
    effect: ask
`,
    ],
    ['of a document', `kind: Rules\napiVersion: gov/v1\nrules: []\nmetadata: { name: x }\n`, `${HEAD}rules: []\n`],
    [
      'of the first key of an item',
      `${HEAD}rules:\n  - title: T\n    id: a.b\n    effect: ask\n    severity: low\n`,
      `${HEAD}rules:\n  - id: a.b\n    title: T\n    severity: low\n    effect: ask\n`,
    ],
    [
      'stays where a comment would have to leave the item',
      `${HEAD}rules:\n  - title: T\n    # why\n    id: a.b\n`,
      `${HEAD}rules:\n  - title: T\n    # why\n    id: a.b\n`,
    ],
    [
      'without a last line break',
      `${HEAD}rules:\n  - id: a.b\n    effect: ask\n    title: T`,
      `${HEAD}rules:\n  - id: a.b\n    title: T\n    effect: ask\n`,
    ],
    ['unknown keys last', `kind: Rules\nzzz: 1\napiVersion: gov/v1\n`, `apiVersion: gov/v1\nkind: Rules\nzzz: 1\n`],
  ])('%s', (_name, before, after) => {
    expect(formatPolicy(before)).toBe(after);
    expect(formatPolicy(after)).toBe(after);
  });
});

describe('conditions on one line', () => {
  const when = (text: string) => `${HEAD}rules:\n  - id: a.b\n    when: ${text}\n`;
  it.each([
    ['a.b=="x"&&(c||d)', 'a.b == "x" && (c || d)'],
    ["file.op in ['write','create']", 'file.op in ["write", "create"]'],
    ['a  ==   1', 'a == 1'],
    ['"quoted == 1"', '"quoted == 1"'],
    ['a ==', 'a =='],
    ["tool.raw=='a: b'", "tool.raw=='a: b'"],
  ])('%s', (before, after) => {
    expect(formatPolicy(when(before))).toBe(when(after));
  });
});

describe('conditions in quotes', () => {
  const when = (text: string) => `${HEAD}rules:\n  - id: a.b\n    when: ${text}\n`;
  it.each([
    ["'a==1'", "'a == 1'"],
    ['"a==1"', "'a == 1'"],
    [`"a == 'x'"`, `'a == "x"'`],
    [`'a == "it''s"&&b'`, `'a == "it''s" && b'`],
    ['"true"', '"true"'],
    ['"a\\n == 1"', "'a == 1'"],
    ["'a // not a place to put it'", "'a // not a place to put it'"],
    ['a == 1 // why', 'a == 1 // why'],
    ['\'a == r"\\d"\'', '\'a == r"\\d"\''],
    ['a - (b - c)', 'a - (b - c)'],
    ['a-(b-c)*(d)', 'a - (b - c) * d'],
    ['-(-a)+(b%(c*d))', "'-(-a) + b % (c * d)'"],
    ['(a==b)==(c==d)', 'a == b == (c == d)'],
    ['a?b:(c?d:e)', "'a ? b : c ? d : e'"],
    ['x.exists(f,(f.op=="read"))', 'x.exists(f, f.op == "read")'],
    ['a == 0x1F || b<1.50', 'a == 0x1F || b < 1.50'],
    ['a\n      && b', 'a && b'],
  ])('%s', (before, after) => {
    expect(formatPolicy(when(before))).toBe(when(after));
    expect(formatPolicy(when(after))).toBe(when(after));
  });
});

describe('conditions in blocks', () => {
  const block = (header: string, ...lines: string[]) =>
    `${HEAD}rules:\n  - id: a.b\n    when: ${header}\n${lines.map((l) => (l === '' ? '\n' : `      ${l}\n`)).join('')}    effect: deny\n`;
  const long = (name: string) => `${name}.${'x'.repeat(30)} == "${'y'.repeat(20)}"`;
  it.each<[string, string, string]>([
    ['what fits is one line', block('>-', 'a', '  &&   b'), block('>-', 'a && b')],
    ['the comment behind the header stays', block('| # why', 'a&&b', '', ''), block('| # why', 'a && b', '', '')],
    [
      'what does not fit has an operand on each line',
      block('|', `${long('a')} && ${long('b')} &&`, long('c')),
      block('|', long('a'), `  && ${long('b')}`, `  && ${long('c')}`),
    ],
    [
      'groups are broken within their parentheses',
      block('>-', `(${long('a')} || ${long('b')} || ${long('c')}) && d`),
      block('>-', `(${long('a')}`, `  || ${long('b')}`, `  || ${long('c')})`, '  && d'),
    ],
    [
      'a broken group of a weaker operator gets parentheses',
      block('>-', `d || ${long('a')} && ${long('b')} && ${long('c')}`),
      block('>-', 'd', `  || (${long('a')}`, `    && ${long('b')}`, `    && ${long('c')})`),
    ],
    [
      'a loop is broken within its body',
      block('>-', `files.exists(f, ${long('a')} && ${long('b')} && ${long('c')})`),
      block('>-', `files.exists(f, ${long('a')}`, `    && ${long('b')}`, `    && ${long('c')})`),
    ],
    [
      'a choice',
      block('>-', `${long('a')} ? ${long('b')} : ${long('c')}`),
      block('>-', long('a'), `  ? ${long('b')}`, `  : ${long('c')}`),
    ],
    [
      'a sum fills its lines',
      block('>-', `"${'a'.repeat(48)}"+b+"${'c'.repeat(48)}"+d+"${'e'.repeat(20)}"`),
      block('>-', `"${'a'.repeat(48)}" + b + "${'c'.repeat(48)}" + d`, `  + "${'e'.repeat(20)}"`),
    ],
    ['what holds a comment stays as it is', block('|', 'a   &&  // why', '  b'), block('|', 'a   &&  // why', '  b')],
    ['two slashes in a text are no comment', block('|', 'a  == "http://x"'), block('|', 'a == "http://x"')],
    ['an indentation that is given stays', block('|2', 'a   && b'), block('|2', 'a   && b')],
    ['a syntax error stays', block('|', 'a   &&'), block('|', 'a   &&')],
  ])('%s', (_name, before, after) => {
    expect(formatPolicy(before)).toBe(after);
    expect(formatPolicy(after)).toBe(after);
  });
});

it('keeps the line ends of the file', () => {
  const name = (x: string) => `${x}.${'x'.repeat(40)}`;
  const before = `${HEAD}rules:\n  - id: a.b\n    when: |\n      ${name('a')}&&${name('b')}&&\n      ${name('c')}\n`;
  const after = `${HEAD}rules:\n  - id: a.b\n    when: |\n      ${name('a')}\n        && ${name('b')}\n        && ${name('c')}\n`;
  const windows = (text: string) => text.replaceAll('\n', '\r\n');
  expect(formatPolicy(before)).toBe(after);
  expect(formatPolicy(windows(before))).toBe(windows(after));
  expect(formatPolicy(windows(after))).toBe(windows(after));
});

it('leaves what it can not read as it is', () => {
  for (const text of ['rules: [}', 'kind: Nothing\nb: 1\na: 2\n', '']) expect(formatPolicy(text)).toBe(text);
});

it('does not change what the built-in rules mean', () => {
  const sources = readSources(['rules'], 'builtin');
  const formatted = sources.map((s) => ({ ...s, text: formatPolicy(s.text) }));
  const of = (list: typeof sources) => {
    const { policy, findings } = compilePolicy(list, { preset: 'recommended' });
    const rules = policy.rules.map(({ source: _source, when, ...rest }) => ({ ...rest, when: when.root }));
    return { findings, rules, lists: policy.lists };
  };
  expect(of(formatted)).toEqual(of(sources));
  for (const { text } of formatted) expect(formatPolicy(text)).toBe(text);
});
