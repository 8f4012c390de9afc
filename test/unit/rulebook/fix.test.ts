import { describe, expect, it } from 'vitest';
import { fixText } from '../../../src/rulebook/fix.ts';
import { lint } from '../../../src/rulebook/lint/lint.ts';
import { compiled } from './compiled.ts';

const rule = (when: string, more = '') =>
  `apiVersion: gov/v1\nkind: Rules\nmetadata: { name: pack, owners: [me] }\nrules:\n  - id: a.b\n    title: T\n    severity: low\n    each: file\n    when: ${when}\n    effect: deny\n${more}    tests: { match: [rm a], no_match: [ls] }\n`;

function fixed(text: string): { text: string; codes: string[] } {
  const compilation = compiled(text);
  const result = fixText(text, [...compilation.findings, ...lint(compilation, 0)]);
  return { text: result.text, codes: result.fixed.map((f) => f.code) };
}

describe('what can be mended in one way only', () => {
  it.each<[string, string, string, string[]]>([
    ['a misspelt key', rule('file.force', '    mesage: m\n'), rule('file.force', '    message: m\n'), ['unknown-key']],
    ['a misspelt field', rule('file.pth == "x"'), rule('file.path == "x"'), ['cel-field']],
    ['a misspelt function', rule('file.matchesAy(["/a"])'), rule('file.matchesAny(["/a"])'), ['cel-name']],
    ['a misspelt word', rule('file.zone == "wokspace"'), rule('file.zone == "workspace"'), ['unknown-value']],
    [
      'a glob that matches no absolute path',
      rule(`'file.real.matchesAny(["*.pem", "/x"])'`),
      rule(`'file.real.matchesAny(["**/*.pem", "/x"])'`),
      ['unanchored-glob'],
    ],
    [
      'two on one line',
      rule('file.pth == "x" && file.zone == "wokspace"'),
      rule('file.path == "x" && file.zone == "wokspace"'),
      ['cel-field'],
    ],
    [
      'what can not be seen',
      rule('file.force').replace('title: T', 'title: T\u202ex\u200b'),
      rule('file.force').replace('title: T', 'title: Tx'),
      ['bidi-text', 'bidi-text'],
    ],
  ])('%s', (_name, before, after, codes) => {
    expect(fixed(before)).toEqual({ text: after, codes });
  });

  it.each([
    ['nothing is wrong', rule('file.force')],
    ['a name that is like no other', rule('file.qqqqqq == "x"')],
    ['a rule without tests', rule('file.force').replace(/ {4}tests.*\n/, '')],
    ['a syntax error', rule('file.force &&')],
  ])('nothing is touched: %s', (_name, text) => {
    expect(fixed(text)).toEqual({ text, codes: [] });
  });

  it('a text that was changed meanwhile is left alone', () => {
    const text = rule('file.pth == "x"');
    const { findings } = compiled(text);
    const now = text.replace('file.pth', 'file.real');
    expect(fixText(now, findings)).toEqual({ text: now, fixed: [] });
  });
});
