import { visible } from '../base/escape.ts';
import type { Finding } from './finding.ts';
import type { TestResult } from './rule-tests.ts';

/** Results of rule tests as JUnit XML, one suite for each rule. */
export function junitOf(tests: readonly TestResult[]): string {
  const rules = [...new Set(tests.map((t) => t.rule))];
  const suites = rules.map((rule) => {
    const own = tests.filter((t) => t.rule === rule);
    const failures = own.filter((t) => !t.ok).length;
    const cases = own.map((t) => {
      const head = `<testcase classname="${xml(rule)}" name="${xml(`${t.side}: ${t.name}`)}" file="${xml(t.file)}" line="${t.line}"`;
      return t.ok ? `    ${head}/>` : `    ${head}><failure message="${xml(t.got)}"/></testcase>`;
    });
    const suite = `<testsuite name="${xml(rule)}" tests="${own.length}" failures="${failures}">`;
    return [`  ${suite}`, ...cases, '  </testsuite>'].join('\n');
  });
  const failures = tests.filter((t) => !t.ok).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${tests.length}" failures="${failures}">`,
    ...suites,
    '</testsuites>',
  ].join('\n');
}

/** Findings as JUnit XML: one suite for each file, in which each finding is a test that fails. */
export function junitOfFindings(findings: readonly Finding[]): string {
  const files = [...new Set(findings.map((f) => f.at.file))];
  const suites = files.map((file) => {
    const own = findings.filter((f) => f.at.file === file);
    const cases = own.map(
      (f) =>
        `    <testcase classname="${xml(file)}" name="${xml(`${f.code} ${f.at.line}:${f.at.column}`)}" file="${xml(file)}" line="${f.at.line}"><failure message="${xml(f.help ? `${f.message}; ${f.help}` : f.message)}"/></testcase>`,
    );
    return [
      `  <testsuite name="${xml(file)}" tests="${own.length}" failures="${own.length}">`,
      ...cases,
      '  </testsuite>',
    ].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${findings.length}" failures="${findings.length}">`,
    ...suites,
    '</testsuites>',
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** XML has no way to write most control characters; what would reorder or hide text in a view is escaped as well. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r]+/g, visible)
    .replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c)
    .replace(/[\t\n\r]/g, (c) => `&#${c.charCodeAt(0)};`)
    .replace(/[\ud800-\udfff\ufffe\uffff]/gu, '\ufffd');
}
