import { describe, expect, it } from 'vitest';
import { junitOf } from '../../../src/rulebook/junit.ts';
import type { TestResult } from '../../../src/rulebook/rule-tests.ts';
import { sarifOf } from '../../../src/rulebook/sarif.ts';
import { compiled, HEAD, ruleText } from './compiled.ts';

describe('SARIF', () => {
  it('has the rule, the message and the region of each finding', () => {
    const { findings } = compiled({ path: 'a dir/x.yaml', text: HEAD + ruleText('when: command.nam == "rm"') });
    const sarif = sarifOf(findings) as {
      runs: [{ results: unknown[]; tool: { driver: { rules: { id: string }[] } } }];
    };
    expect(sarif.runs[0].tool.driver.rules.map((r) => r.id)).toEqual(['cel-field']);
    expect(sarif.runs[0].results).toEqual([
      {
        ruleId: 'cel-field',
        ruleIndex: 0,
        level: 'error',
        message: { text: 'a command has no `nam`\ndid you mean `name`?' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'a%20dir/x.yaml' },
              region: { startLine: 10, startColumn: 19, endColumn: 22 },
            },
          },
        ],
      },
    ]);
  });
});

describe('JUnit', () => {
  it('has a suite for each rule', () => {
    const test = (more: Partial<TestResult>): TestResult => ({
      rule: 'a.b',
      side: 'match',
      name: 'rm',
      ok: true,
      got: '',
      parts: [],
      file: 'x.yaml',
      line: 3,
      ...more,
    });
    expect(
      junitOf([
        test({}),
        test({ name: 'a <"&\n\u001b\u202e\ud800', ok: false, got: "it's not" }),
        test({ rule: 'a.c' }),
      ]),
    ).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites tests="3" failures="1">',
        '  <testsuite name="a.b" tests="2" failures="1">',
        '    <testcase classname="a.b" name="match: rm" file="x.yaml" line="3"/>',
        '    <testcase classname="a.b" name="match: a &lt;&quot;&amp;&#10;\\x1b\\u202e\ufffd" file="x.yaml" line="3"><failure message="it&apos;s not"/></testcase>',
        '  </testsuite>',
        '  <testsuite name="a.c" tests="1" failures="0">',
        '    <testcase classname="a.c" name="match: rm" file="x.yaml" line="3"/>',
        '  </testsuite>',
        '</testsuites>',
      ].join('\n'),
    );
  });
});
