import { describe, expect, it } from 'vitest';
import { runTests } from '../../../src/rulebook/rule-tests.ts';
import { fixtureWorld } from '../../../src/world/fixture.ts';
import { overlay } from '../../../src/world/overlay.ts';
import { compiled } from './compiled.ts';

const bench = {
  world: fixtureWorld,
  overlay,
  secrets: (text: string) => (text.includes('KEY') ? [{ kind: 'key' }] : []),
};

const RULES = `apiVersion: gov/v1
kind: Rules
metadata: { name: pack }
rules:
  - id: fs.outside
    title: Outside
    severity: high
    each: file
    when: file.op == "delete" && !file.in_workspace
    effect: deny
    message: Not outside.
    exceptions: { by_dir: { fields: { dir: file.real }, comps: { dir: under } } }
    tests:
TESTS
  - id: out.secret
    title: Secret
    severity: high
    on: [PostToolUse]
    when: secrets(result.text).size() > 0
    effect: redact
---
apiVersion: gov/v1
kind: Waivers
waivers:
  - { id: W-1, rule: fs.outside, exception: by_dir, values: [{ dir: /srv }], reason: r, owner: o, expires: "2026-06-01T00:00:00Z" }
`;

function results(tests: string) {
  const text = RULES.replace('TESTS', tests.replace(/^/gm, '      '));
  const compilation = compiled(text);
  if (compilation.findings.length > 0) throw new Error(JSON.stringify(compilation.findings[0]));
  return runTests(compilation, bench);
}

const event = (op: string, path: string) => `{ tool: write, files: [{ op: ${op}, path: "${path}" }] }`;

describe('a test', () => {
  it.each<[string, string, string]>([
    ['match', `match: [${event('delete', '/etc/x')}]`, ''],
    ['match that is silent', `match: [${event('read', '/etc/x')}]`, 'it does not fire'],
    [
      'match that is not sure',
      `match: [{ tool: write, files: [{ op: delete, path: /etc/x, certain: false }] }]`,
      'it is not sure: ask because uncertain on `delete /etc/x`',
    ],
    ['no_match', `no_match: [${event('delete', 'x')}]`, ''],
    [
      'no_match that fires',
      `no_match: [${event('delete', '/etc/x')}]`,
      'it fires: deny because match on `delete /etc/x`',
    ],
    ['dynamic', `dynamic: [{ tool: write, files: [{ op: delete, path: /etc/x, certain: false }] }]`, ''],
    ['dynamic that is silent', `dynamic: [${event('delete', 'x')}]`, 'it does not fire'],
    ['an effect', `cases: [{ event: ${event('delete', '/etc/x')}, expect: { effect: deny } }]`, ''],
    [
      'another effect',
      `cases: [{ event: ${event('delete', '/etc/x')}, expect: { effect: ask } }]`,
      'the effect is deny: deny because match on `delete /etc/x`',
    ],
    ['none', `cases: [{ event: ${event('delete', 'x')}, expect: { effect: none } }]`, ''],
    ['a message', `cases: [{ event: ${event('delete', '/etc/x')}, expect: { message: "Not*" } }]`, ''],
    [
      'another message',
      `cases: [{ event: ${event('delete', '/etc/x')}, expect: { message: "Yes*" } }]`,
      'the message is "Not outside."',
    ],
    ['a live waiver', `cases: [{ event: ${event('delete', '/srv/x')}, expect: { effect: none, waiver: W-1 } }]`, ''],
    [
      'a waiver that has ended',
      `cases: [{ event: ${event('delete', '/srv/x')}, now: "2026-07-01T00:00:00Z", expect: { effect: none, waiver: W-1 } }]`,
      'the effect is deny: deny because match on `delete /srv/x`',
    ],
    [
      'a waiver that covers another path',
      `cases: [{ event: ${event('delete', '/etc/x')}, expect: { waiver: W-1 } }]`,
      'it is not lifted',
    ],
    [
      'a live grant',
      `cases: [{ event: ${event('delete', '/etc/x')}, grants: [{ id: G, rules: [fs.outside], until: "2026-01-01T12:00:01Z" }], expect: { effect: none, grant: G } }]`,
      '',
    ],
    [
      'a grant that has ended',
      `cases: [{ event: ${event('delete', '/etc/x')}, grants: [{ id: G, rules: [fs.outside], until: "2026-01-01T12:00:00Z" }], expect: { grant: G } }]`,
      'it is not lifted',
    ],
    [
      'a grant that has not begun',
      `cases: [{ event: ${event('delete', '/etc/x')}, grants: [{ id: G, rules: [fs.outside], from: "2026-01-01T12:00:01Z" }], expect: { grant: G } }]`,
      'it is not lifted',
    ],
    [
      'a grant for another rule',
      `cases: [{ event: ${event('delete', '/etc/x')}, grants: [{ id: G, rules: [x.y], tags: [z] }], expect: { effect: deny } }]`,
      '',
    ],
    [
      'a link in the world',
      `cases: [{ event: ${event('write', 'x')}, world: { symlinks: { x: /etc/x } }, expect: { effect: none } }]`,
      '',
    ],
    [
      'the rule that decides',
      `cases: [{ event: ${event('delete', '/etc/x')}, expect: { rule: out.secret } }]`,
      'the rule that decides is fs.outside',
    ],
    ['an event that is none', `match: [{ tol: write }]`, "the test can't run: an event has no `tol`"],
    ['shell text', `match: [rm -rf /etc/x]\nno_match: [rm -rf build]`, ''],
  ])('%s', (_name, tests, got) => {
    const all = results(tests);
    expect(all.length).toBeGreaterThan(0);
    expect(all.map((r) => r.got).filter((g) => g !== '')).toEqual(got === '' ? [] : [got]);
    expect(all.every((r) => r.ok)).toBe(got === '');
  });

  it('knows where it stands', () => {
    expect(
      results(`match:\n  - ${event('delete', '/etc/x')}\n  - ${event('delete', '/etc/y')}`).map((r) => [
        r.file,
        r.line,
      ]),
    ).toEqual([
      ['a.yaml', 15],
      ['a.yaml', 16],
    ]);
  });
});

describe('documents of kind Tests', () => {
  const separate = (tests: string) =>
    runTests(
      compiled(RULES.replace('TESTS', '      {}'), `apiVersion: gov/v1\nkind: Tests\ntests:\n${tests}`),
      bench,
    ).map((r) => r.got);
  it('judge the whole decision', () => {
    expect(
      separate(`  - { name: a, event: ${event('delete', '/etc/x')}, expect: { effect: deny, rule: fs.outside } }\n`),
    ).toEqual(['']);
    expect(separate(`  - { name: a, event: ${event('delete', 'x')}, expect: { effect: deny } }\n`)).toEqual([
      'the effect is none',
    ]);
  });
  it('take steps, with the outcome of each', () => {
    const steps = `  - name: a\n    steps:\n      - { event: ${event('delete', 'x')}, expect: { effect: none } }\n      - { event: { name: PostToolUse, tool: shell, result: { text: KEY } }, expect: { effect: EFFECT } }\n`;
    expect(separate(steps.replace('EFFECT', 'redact'))).toEqual(['']);
    expect(separate(steps.replace('EFFECT', 'none'))).toEqual([
      'step 2: the effect is redact: redact because match on `Bash`',
    ]);
  });
  it('without an event say so', () => {
    expect(separate('  - { name: a }\n')).toEqual(['the test has neither `event` nor `steps`']);
  });
});
