import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECK_CODES } from '../../../src/rulebook/lint/codes.ts';
import { compiled, HEAD, ruleText } from './compiled.ts';

const rule = (more: string): string => HEAD + ruleText(more);
const doc = (kind: string, more: string): string => `apiVersion: gov/v1\nkind: ${kind}\n${more}\n`;
const when = (condition: string): string => rule(`when: '${condition}'`);
const twice = (second: string): string =>
  `${HEAD}${ruleText('message: m')}${ruleText('message: m').replace('a.b', second)}`;
const library = (more: string): string => doc('Library', `metadata: { name: lib }\n${more}`);
const set = (more: string): string => doc('PolicySet', `name: own\n${more}`);
const EXCEPTION = rule('exceptions: { by: { fields: { n: command.name } } }');
const waiver = (more: Readonly<Record<string, string>> = {}, of = EXCEPTION): string => {
  const keys = { rule: 'a.b', exception: 'by', values: '[{ n: x }]', ...more };
  const row = Object.entries(keys).map(([key, value]) => `${key}: ${value}`);
  return `${of}---\n${doc('Waivers', `waivers: [{ id: W, ${row.join(', ')}, reason: r, owner: o, expires: "2027-01-01T00:00:00Z" }]`)}`;
};
const overlay = (more: string, target = 'pack'): string =>
  `${rule('level: hard')}---\n${doc('Overlay', `target: ${target}\n${more}`)}`;

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'gov-codes-'));
  writeFileSync(join(dir, 'other.yaml'), rule('message: m'));
  writeFileSync(join(dir, 'own.yaml'), set('imports: [own.yaml]'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** For each code a file that has it, and one like it that has nothing. */
const CASES: Readonly<Record<string, readonly [string, string]>> = {
  'yaml-syntax': [rule('message: a: b'), rule("message: 'a: b'")],
  'no-document': ['# nothing\n', rule('message: m')],
  'yaml-alias': [rule('message: &m x\nremediation: *m'), rule('message: "&m"\nremediation: "*m"')],
  'unknown-kind': [doc('Rulse', 'rules: []'), doc('Rules', 'metadata: { name: p }\nrules: []')],
  'unknown-key': [rule('mesage: m'), rule('message: m')],
  'missing-key': [doc('Rules', 'metadata: { name: p }'), doc('Rules', 'metadata: { name: p }\nrules: []')],
  'wrong-type': [rule('message: 3'), rule('message: "3"')],
  'wrong-value': [rule('effect: denny'), rule('effect: deny')],
  'duplicate-item': [rule('programs: [rm, rm]'), rule('programs: [rm, mv]')],
  'duplicate-id': [twice('a.b'), twice('a.c')],
  'duplicate-name': [
    `${library('lists: { l: [a] }')}---\n${library('lists: { l: [b] }')}`,
    `${library('lists: { l: [a] }')}---\n${library('lists: { m: [b] }')}`,
  ],
  'conflicting-keys': [
    rule('sequence: { within: 5m, steps: [{ as: a, when: "true" }, { as: b, when: "true" }] }'),
    `${HEAD}  - { id: a.b, title: T, severity: low, effect: ask, sequence: { within: 5m, steps: [{ as: a, when: "true" }, { as: b, when: "true" }] } }\n`,
  ],
  'message-too-long': [rule(`message: ${'m'.repeat(401)}`), rule(`message: ${'m'.repeat(400)}`)],
  'one-sided-test': [
    rule('status: stable\ntests: { match: [ls] }'),
    rule('status: stable\ntests: { match: [ls], no_match: [ls] }'),
  ],
  'cel-syntax': [when('command.name = "rm"'), when('command.name == "rm"')],
  'cel-type': [when('command.name == 1'), when('command.argv.size() == 1')],
  'cel-field': [when('command.nam == "rm"'), when('command.name == "rm"')],
  'cel-name': [when('comand.name == "rm"'), when('command.name == "rm"')],
  'cel-regex': [when('command.text.re("(a")'), when('command.text.re("(a)")')],
  'evidence-unknown-kind': [
    rule('requires: evidence("seen", event.workspace)'),
    `${library('evidence: { seen: { established: [{ each: command, when: succeeded(command) }] } }')}---\n${rule('requires: evidence("seen", event.workspace)')}`,
  ],
  'cel-unsupported': [when('bytes(command.text).size() > 3'), when('command.text.size() > 3')],
  'import-missing': [set('imports: [gone.yaml]'), set('imports: [other.yaml]')],
  'import-outside': [set('imports: [../other.yaml]'), set('imports: [other.yaml]')],
  'import-cycle': [set('imports: [own.yaml]'), set('imports: [other.yaml]')],
  'needs-other-gov': [set('requires: { gov: ">=9" }'), set('requires: { gov: ">=1" }')],
  'macro-cycle': [
    library('macros: { a: { params: {}, expr: b() }, b: { params: {}, expr: a() } }'),
    library('macros: { a: { params: {}, expr: b() }, b: { params: {}, expr: "true" } }'),
  ],
  'overlay-not-permitted': [
    overlay('rules: [{ id: a.b, effect: ask }]'),
    overlay('rules: [{ id: a.b, effect: deny }]'),
  ],
  'overlay-unknown-target': [
    overlay('rules: [{ id: a.b, effect: deny }]', 'pcak'),
    overlay('rules: [{ id: a.b, effect: deny }]'),
  ],
  'waiver-unknown-rule': [waiver({ rule: 'a.c' }), waiver()],
  'waiver-hard-rule': [waiver({}, EXCEPTION.replace('effect:', 'level: hard\n    effect:')), waiver()],
  'waiver-unknown-exception': [waiver({ exception: 'yb' }), waiver()],
  'waiver-unknown-field': [waiver({ values: '[{ m: x }]' }), waiver()],
  'waiver-empty': [waiver({ values: '[{}]' }), waiver()],
  'waiver-never-live': [
    waiver({ not_before: '"2028-01-01T00:00:00Z"' }),
    waiver({ not_before: '"2026-01-01T00:00:00Z"' }),
  ],
};

/** Only in a layer with a set's budgets: test/unit/rulebook/policy-set.test.ts has both sides. */
const ELSEWHERE = ['budget-without-rule', 'budget-not-narrower'];

describe('codes of gov policy check', () => {
  it('each has a case', () => {
    expect([...Object.keys(CASES), ...ELSEWHERE].sort()).toEqual(Object.keys(CHECK_CODES).sort());
  });
  it.each(Object.entries(CASES))('%s fires and is silent', (code, [bad, good]) => {
    const codes = (text: string) => [
      ...new Set(compiled({ path: join(dir, 'set.yaml'), text }).findings.map((f) => f.code)),
    ];
    expect(codes(bad)).toEqual([code]);
    expect(codes(good)).toEqual([]);
  });
});
