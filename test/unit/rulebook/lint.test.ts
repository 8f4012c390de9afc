import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHECK_CODES, codesReference, LINT_CODES, type LintCode } from '../../../src/rulebook/lint/codes.ts';
import { lint } from '../../../src/rulebook/lint/lint.ts';
import { compiled } from './compiled.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');

/** A pack of one rule without any finding, with some keys changed or added. */
function pack(changes: Readonly<Record<string, string | undefined>> = {}, before = ''): string {
  const keys: Record<string, string | undefined> = {
    id: 'a.b',
    title: 'T',
    severity: 'low',
    each: 'file',
    when: `'file.op == "delete"'`,
    effect: 'deny',
    tests: '{ match: [rm a], no_match: [ls] }',
    ...changes,
  };
  const lines = Object.entries(keys).flatMap(([k, v]) => (v === undefined ? [] : [`${k}: ${v}`]));
  return `${before}apiVersion: gov/v1\nkind: Rules\nmetadata: { name: pack, owners: [me] }\nrules:\n  - ${lines.join('\n    ')}\n`;
}

const library = (lists: string, macros = '{}') =>
  `apiVersion: gov/v1\nkind: Library\nlists: ${lists}\nmacros: ${macros}\n---\n`;
const KINDS =
  'apiVersion: gov/v1\nkind: Library\nevidence: { done: { established: [{ each: command, when: succeeded(command) }] } }\n---\n';
const waiver = (expires: string) =>
  `${pack({ exceptions: '{ by: { fields: { p: file.path } } }' })}---\napiVersion: gov/v1\nkind: Waivers\nwaivers:\n  - { id: W, rule: a.b, exception: by, values: [{ p: x }], reason: r, owner: o, expires: "${expires}" }\n`;
const second = (changes: string) =>
  `${pack()}  - { id: a.c, title: T, severity: low, each: file, when: 'file.op == "delete"', tests: { match: [rm a], no_match: [ls] }, ${changes} }\n`;

/** For each code a text that has it, with the place, and a text like it that has none. */
const CASES: Readonly<Record<LintCode, readonly [string, string, string][]>> = {
  'no-test': [[pack({ tests: undefined }), '5:5 `a.b` has no tests', pack()]],
  'untested-side': [
    [pack({ tests: '{ match: [rm a] }' }), '11:5 `a.b` has no case in which it is silent', pack()],
    [
      pack({ tests: '{ no_match: [ls] }' }),
      '11:5 `a.b` has no case in which it fires',
      pack({ tests: '{ dynamic: [rm $X], no_match: [ls] }' }),
    ],
  ],
  'dead-rule': [
    [pack({ when: '"false"' }), '9:5 `a.b` never fires: its condition is false', pack()],
    [
      pack({ each: 'command', when: 'command.privileged', tools: '[write, edit]' }),
      '12:5 `a.b` never fires: write, edit run no commands',
      pack({ each: 'command', when: 'command.privileged', tools: '[write, shell]' }),
    ],
    [
      pack({ each: undefined, when: 'result.failed' }),
      '8:5 `a.b` never fires: `result` is empty before the call',
      pack({ each: undefined, when: 'result.failed', on: '[PostToolUse]' }),
    ],
  ],
  'unknown-value': [
    [pack({ when: `'file.op == "remove"'` }), '9:23 `op` is never `remove`', pack({ when: `'file.path == "remove"'` })],
    [
      pack({ when: `'file.zone in ["home", "wokspace"]'` }),
      '9:34 `zone` is never `wokspace`',
      pack({ when: `'file.zone in ["home", "workspace"]'` }),
    ],
    [
      pack({ each: 'command', when: `'command.does("vcs-puhs")'` }),
      '9:25 no effect is of kind `vcs-puhs`',
      pack({ each: 'command', when: `'command.does("vcs-*", "publish")'` }),
    ],
  ],
  'shadowed-rule': [
    [second('effect: ask'), '12:53 `a.c` and `a.b` have the same condition', second('effect: ask, tools: [write]')],
  ],
  'unused-evidence': [
    [
      pack({}, KINDS),
      '3:13 no rule asks for evidence `done`',
      pack({ requires: `'evidence("done", event.workspace)'` }, KINDS),
    ],
  ],
  'unused-list': [
    [
      pack({}, library('{ some: [a] }')),
      '3:10 nothing uses the list `some`',
      pack({ when: 'file.path in lists.some' }, library('{ some: [a] }')),
    ],
  ],
  'unused-macro': [
    [
      pack({}, library('{}', '{ some: { params: { f: File }, expr: f.force } }')),
      '4:11 nothing uses the macro `some`',
      pack({ when: 'some(file)' }, library('{}', '{ some: { params: { f: File }, expr: f.force } }')),
    ],
  ],
  'unanchored-glob': [
    [
      pack({ when: 'file.matchesAny(lists.p)' }, library('{ p: ["**/x", "src/*.ts"] }')),
      '3:22 `src/*.ts` matches no absolute path',
      pack({ when: 'file.matchesAny(lists.p)' }, library('{ p: ["**/src/*.ts", "/a", "~/b"] }')),
    ],
    [
      pack({ when: `'file.real.matchesAny(["*.pem"])'` }),
      '9:34 `*.pem` matches no absolute path',
      pack({ when: `'event.agent.matchesAny(["co*"])'` }),
    ],
  ],
  'path-as-written': [
    [
      pack({ when: `'file.path.matchesAny(["**/x"])'` }),
      '9:12 `path` is not where the file lies',
      pack({ when: `'file.matchesAny(["**/x"])'`, message_expr: `'file.path.endsWith("x") ? "x" : "y"'` }),
    ],
    [
      pack({ when: `'!file.path.endsWith(".md")'` }),
      '9:13 `path` is not where the file lies',
      pack({ when: `'!file.real.endsWith(".md")'` }),
    ],
  ],
  'dir-glob-misses-dir': [
    [
      pack({ when: `'file.op == "delete" && file.matchesAny(["/srv/**"])'` }),
      '9:52 `/srv/**` does not match `/srv` itself',
      pack({ when: `'file.op == "delete" && file.matchesAny(["/srv/**", "/srv"])'` }),
    ],
    [
      pack({ when: `'file.op == "move" && file.matchesAny(["~/a/**"])'` }),
      '9:50 `~/a/**` does not match `~/a` itself',
      pack({ when: `'file.op == "write" && file.matchesAny(["~/a/**"])'` }),
    ],
    [
      pack({ when: `'file.op == "move" && file.matchesAny(["**/.gov/**"])'` }),
      '9:50 `**/.gov/**` does not match `**/.gov` itself',
      pack({ when: `'file.op == "move" && !file.matchesAny(["**/.gov/**"])'` }),
    ],
  ],
  'cel-cost': [
    [
      pack({ each: undefined, when: 'files.exists(a, files.exists(b, files.exists(c, a.path + b.path == c.path)))' }),
      '8:5 `a.b` has three loops inside each other',
      pack({ each: undefined, when: 'files.exists(a, files.exists(b, a.path == b.path))' }),
    ],
  ],
  'regex-backtracking': [
    [
      pack({ when: `'file.path.re("(a+)+$")'` }),
      '9:25 a group that repeats is repeated',
      pack({ when: `'file.path.re("(ab)+$")'` }),
    ],
  ],
  'message-leaks-secret': [
    [
      pack({ audit: '{ text: result.text }' }),
      '12:20 `text` may hold a secret',
      pack({ audit: '{ kinds: "secrets(result.text).map(s, s.kind)", size: result.text.size() }' }),
    ],
  ],
  'bidi-text': [
    [pack({ title: 'a\u202eb' }), "6:13 the character U+202E can't be seen", `\ufeff${pack({ title: 'añb' })}`],
  ],
  'confusable-identifier': [
    [
      pack({ programs: '[rm, \u0441url]' }),
      '12:20 `\u0441url` mixes scripts',
      pack({ title: '\u043f\u0440\u0438\u0432\u0435\u0442 and curl' }),
    ],
  ],
  'missing-owner': [
    [
      pack().replace(', owners: [me]', ''),
      '5:5 `a.b` has no owner',
      pack({ owners: '[me]' }).replace(', owners: [me]', ''),
    ],
  ],
  'review-overdue': [
    [
      pack({ review_by: '"2026-05-31"' }),
      '12:5 `a.b` was to be reviewed by 2026-05-31',
      pack({ review_by: '"2026-06-01"' }),
    ],
  ],
  'waiver-expired': [[waiver('2026-06-01T00:00:00Z'), '17:90 `W` has ended', waiver('2026-06-01T00:00:01Z')]],
  'fallback-missing-for-agent': [
    [pack({ effect: 'redact' }), '10:5 not every agent can redact', pack({ effect: 'redact', fallback: '[context]' })],
  ],
  'hidden-allow': [
    [pack({ effect: 'allow', when: '"true"' }), '9:5 `a.b` allows everything', pack({ effect: 'allow' })],
    [
      pack({ on_dynamic: 'ignore', on_error: 'skip' }),
      "12:5 `a.b` passes whatever it can't tell",
      pack({ on_dynamic: 'ignore' }),
    ],
    [
      pack({ on_dynamic: 'ignore', on_error: 'skip' }),
      "12:5 `a.b` passes whatever it can't tell",
      pack({
        on_dynamic: 'ignore',
        on_error: 'skip',
        limit: '{ count: 9, window: 1h, key: event.session, counts: files }',
      }),
    ],
  ],
};

function linted(text: string): string[] {
  const compilation = compiled(text);
  expect(compilation.findings).toEqual([]);
  return lint(compilation, NOW).map((f) => `${f.code} ${f.at.line}:${f.at.column} ${f.message}`);
}

describe('lint', () => {
  it('finds nothing in a pack that is fine', () => {
    expect(linted(pack())).toEqual([]);
  });
  describe.each(Object.entries(CASES))('%s', (code, cases) => {
    it.each(cases)('fires and is silent (%#)', (bad, want, good) => {
      expect(linted(bad)).toEqual([`${code} ${want}`]);
      expect(linted(good)).toEqual([]);
    });
  });
});

describe('the pages', () => {
  it('are in the guide', () => {
    expect(readFileSync(join(import.meta.dirname, '../../../docs/guide/policy-findings.md'), 'utf8')).toBe(
      codesReference(),
    );
  });
  it('have each code once', () => {
    const codes = [...Object.keys(CHECK_CODES), ...Object.keys(LINT_CODES)];
    expect(new Set(codes).size).toBe(codes.length);
  });
});
