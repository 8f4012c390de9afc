import { describe, expect, test } from 'vitest';
import type { RecordBody } from '../../../src/audit/format/body.ts';
import { openStore } from '../../../src/audit/read/store.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import type { CompiledWaiver } from '../../../src/model/policy.ts';
import type { RecordDraft } from '../../../src/model/record.ts';
import { RENDER, REPORT_FORMATS } from '../../../src/report/formats/index.ts';
import { type NumbersOptions, numbersOf } from '../../../src/report/numbers.ts';
import { ocsfEvent } from '../../../src/report/ocsf.ts';
import { faultsOf, type Schema } from '../../support/json-schema.ts';
import { callOf, decisionOf, draftOf, hitOf, scratchPaths } from '../audit/draft.ts';
import { API_ACTIVITY, DETECTION_FINDING, SARIF } from './schemas.ts';

const AT = Date.UTC(2026, 0, 5, 9);

function stored<R>(drafts: readonly RecordDraft[], use: (store: ReturnType<typeof openStore>) => R): R {
  const paths = scratchPaths();
  const writer = openWriter(paths);
  for (const draft of drafts) writer.append(draft);
  writer.close();
  const store = openStore(paths.database);
  try {
    return use(store);
  } finally {
    store.close();
  }
}

const held = (answer: 'deny' | 'ask' | 'allow', over: Partial<RecordDraft> = {}) =>
  draftOf('git push -f', {
    at: AT,
    decision: decisionOf(answer, [
      hitOf('git.push-force', answer === 'allow' ? 'warn' : answer, { title: 'Force-push', severity: 'critical' }),
      hitOf('git.other', 'warn', { severity: 'low' }),
    ]),
    answer,
    ...over,
  });

const reading = (tool: 'read' | 'edit' | 'mcp', rawTool: string) =>
  draftOf('', { at: AT, call: callOf('', { tool, rawTool, input: { file_path: '/a' } }) });

const CASES: readonly (readonly [string, RecordDraft, Schema, object])[] = [
  ['blocked', held('deny'), DETECTION_FINDING, { action_id: 2, disposition_id: 2, is_alert: true, severity_id: 5 }],
  ['asked', held('ask'), DETECTION_FINDING, { action_id: 0, disposition: 'Asked', is_alert: false }],
  ['warned', held('allow'), DETECTION_FINDING, { action_id: 1, disposition_id: 15 }],
  ['watched', held('deny', { answer: 'allow', enforced: false }), DETECTION_FINDING, { disposition_id: 15 }],
  ['allowed', draftOf('ls', { at: AT }), API_ACTIVITY, { action_id: 1, disposition_id: 1, activity_name: 'Bash' }],
  ['a file read', reading('read', 'Read'), API_ACTIVITY, { type_uid: 600302, activity_name: 'Read' }],
  ['a file changed', reading('edit', 'Edit'), API_ACTIVITY, { type_uid: 600303, activity_name: 'Update' }],
  ['another tool', reading('mcp', 'mcp__db__drop'), API_ACTIVITY, { type_uid: 600399, activity_name: 'mcp__db__drop' }],
  [
    'a call without session, user and tool',
    draftOf('', { at: AT, facts: null, call: callOf('', { session: '', rawTool: '', cwd: '', callId: null }) }),
    API_ACTIVITY,
    { activity_name: 'PreToolUse' },
  ],
];

test.each(CASES)('OCSF event: %s', (_, draft, schema, want) => {
  for (const erased of [false, true]) {
    const event = stored([draft], (store) => {
      const { row, body } = store.show('1');
      return ocsfEvent(row, erased ? null : (body as RecordBody), '0.1.0');
    });
    expect(faultsOf(event, schema)).toEqual([]);
    if (!erased) expect(event).toMatchObject(want);
  }
});

test('an outcome is no event of its own', () => {
  const outcome = draftOf('ls', { kind: 'outcome', decision: null, answer: '' });
  expect(stored([outcome], (store) => ocsfEvent(store.show('1').row, null, '0'))).toBe(null);
});

test('the schemas of these tests find what is wrong', () => {
  const event = { category_uid: 2, class_uid: 2004, activity_id: 1, type_uid: 200402, time: 0, extra: 1 };
  expect(faultsOf(event, DETECTION_FINDING)).toEqual([
    '$.metadata is missing',
    '$.severity_id is missing',
    '$.finding_info is missing',
    '$.type_uid is not 200401',
    '$.time is too small',
    '$.extra is not in the schema',
  ]);
});

const REPORTED = [
  held('deny'),
  held('deny'),
  held('ask', { call: callOf('terraform apply') }),
  draftOf('x', { at: AT, decision: { ...decisionOf('deny'), rule: null }, answer: 'deny' }),
  draftOf('ls', { at: AT }),
];
const reportOf = (drafts: readonly RecordDraft[], options: Partial<NumbersOptions> = {}) =>
  stored(drafts, (store) => numbersOf(store, {}, { govVersion: '0.1.0', top: 10, verification: null, ...options }));

test('OCSF of a report: each held-up call once', () => {
  const events = RENDER.ocsf(reportOf(REPORTED))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(events.flatMap((event) => faultsOf(event, DETECTION_FINDING))).toEqual([]);
  expect(events).toMatchObject([
    { message: 'git push -f', count: 2, disposition: 'Blocked', finding_info: { title: 'Force-push' } },
    { message: 'x', count: 1, finding_info: { title: 'default' } },
    { message: 'terraform apply', disposition: 'Asked' },
  ]);
});

test('SARIF of a report: structure, and what it says', () => {
  const log = JSON.parse(RENDER.sarif(reportOf(REPORTED))) as {
    runs: { results: { ruleId: string; ruleIndex: number }[]; tool: { driver: { rules: { id: string }[] } } }[];
  };
  expect(faultsOf(log, SARIF)).toEqual([]);
  const [run] = log.runs;
  for (const result of run!.results) expect(run!.tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId);
  expect(run).toMatchObject({
    tool: {
      driver: { rules: [{ id: 'default' }, { id: 'git.push-force', shortDescription: { text: 'Force-push' } }] },
    },
    results: [
      {
        ruleId: 'git.push-force',
        level: 'error',
        occurrenceCount: 2,
        message: { text: 'blocked 2 times: git push -f (Force-push)' },
      },
      { ruleId: 'default', level: 'warning', message: { text: 'blocked once: x' } },
      { ruleId: 'git.push-force', level: 'error', message: { text: 'asked once: terraform apply (Force-push)' } },
    ],
  });
});

test('SARIF: a recorded command can not show a link of its own', () => {
  const command = '[all is well](https://evil.example/x) \\\\o/';
  const odd = held('deny', { call: callOf(command) });
  const log = JSON.parse(RENDER.sarif(reportOf([odd]))) as { runs: { results: { message: { text: string } }[] }[] };
  expect(log.runs[0]?.results[0]?.message.text).toBe(
    'blocked once: \\[all is well\\](https://evil.example/x) \\\\\\\\o/ (Force-push)',
  );
});

test('a report about nothing has all formats', () => {
  const report = reportOf([draftOf('ls', { kind: 'outcome', decision: null, answer: '' })]);
  for (const format of REPORT_FORMATS) expect(typeof RENDER[format](report), format).toBe('string');
  expect(faultsOf(JSON.parse(RENDER.sarif(report)), SARIF)).toEqual([]);
  expect(RENDER.ocsf(report)).toBe('');
});

test('every format gives the same bytes for the same report, and no control characters', () => {
  const odd = held('deny', { call: callOf('printf "\u001b]0;x\u0007\u202e"') });
  const report = reportOf([...REPORTED, odd]);
  for (const format of REPORT_FORMATS) {
    const out = RENDER[format](report);
    expect(out).toBe(RENDER[format](report));
    expect(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]/.test(out), format).toBe(false);
  }
});

test('rules that never fired, coverage and acts are said', () => {
  const coverage = {
    logs: 1,
    calls: 9,
    recorded: 7,
    ungoverned: 2,
    excused: 0,
    reasons: [{ reason: 'not-recorded', calls: 2, meaning: 'why' }],
  };
  const report = reportOf(REPORTED, { policyRules: ['z.never', 'git.push-force', 'a.never'], coverage });
  expect(report.silent).toEqual({ rules: 3, never_fired: ['a.never', 'z.never'] });
  expect(report.asks).toEqual({ went_on: 0, approved: 0, refused: 0, not_seen_again: 1 });
  expect(RENDER.text(report)).toMatch(/rules never fired +2 of 3/);
  expect(RENDER.text(report)).toMatch(/around the hook +2/);
  expect(RENDER.html(report)).toContain('a.never');
  expect(reportOf(REPORTED)).toMatchObject({ silent: null, coverage: null });
});

describe('waivers', () => {
  const at = Date.UTC(2026, 0, 5, 9);
  const day = 86_400_000;
  const waiver = (id: string, from: number, until: number): CompiledWaiver => ({
    id,
    rule: 'writes.generated',
    exception: 'by_path',
    values: [],
    reason: `because of ${id}`,
    owner: 'docs-team',
    notBefore: from,
    expires: until,
  });
  const lifted = (by: string, answer: 'allow' | 'ask' = 'allow'): RecordDraft => {
    const hit = hitOf('writes.generated', 'ask', { lifted_by: by });
    return draftOf('make', { at, decision: { ...decisionOf(answer, [hit]), effect: 'allow', rule: null }, answer });
  };
  const policyWaivers = [
    waiver('long', 0, at + 30 * day),
    waiver('short', at - day, at + day),
    waiver('over', at - 2 * day, at),
    waiver('later', at + day, at + 2 * day),
  ];

  test('those in force in the period, by their end, and how often they were used', () => {
    const report = reportOf([lifted('short'), lifted('short'), lifted('shorter'), lifted('')], { policyWaivers });
    expect(report.waivers?.map(({ id, from, until, used }) => ({ id, from, until, used }))).toEqual([
      { id: 'short', from: at - day, until: at + day, used: 2 },
      { id: 'long', from: 0, until: at + 30 * day, used: 0 },
    ]);
  });

  test('are said in every format for people', () => {
    const report = reportOf([lifted('short')], { policyWaivers });
    expect(RENDER.text(report)).toMatch(
      /Waivers in force\n +reason +rule +owner +from +until +used +waiver\n +because of short +writes\.generated +docs-team +2026-01-04 09:00 +2026-01-06 09:00 +1 +short\n +because of long +.* +ever +/,
    );
    expect(RENDER.html(report)).toContain('<td>because of short<span class="rule">short</span></td>');
    expect(RENDER.csv(report)).toContain('waivers,because of short,used,1\r\n');
    const [, line] = RENDER.jsonl(report)
      .split('\n')
      .filter((text) => text.includes('"section":"waivers"'));
    expect(JSON.parse(line ?? '')).toMatchObject({ reason: 'because of long', rule: 'writes.generated', used: 0 });
  });

  test('no policy, and none at all', () => {
    expect(reportOf([lifted('x')]).waivers).toBeNull();
    const none = reportOf([lifted('x')], { policyWaivers: [] });
    expect(none.waivers).toEqual([]);
    expect(RENDER.text(none)).not.toContain('Waivers');
    expect(RENDER.html(none)).toContain('no rule has a lasting exception');
  });
});
