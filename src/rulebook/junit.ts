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

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** XML has no way to write most control characters. */
function xml(text: string): string {
  return text
    .replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c)
    .replace(/[\t\n\r]/g, (c) => `&#${c.charCodeAt(0)};`)
    .replace(/[\u0000-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff]/gu, '\ufffd');
}
