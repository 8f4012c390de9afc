import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashOf, placeOf } from '../../../src/replay/link.ts';
import { matcherOf } from '../../../src/replay/match.ts';
import { changedSpeed, paceOf, stepAt } from '../../../src/replay/pace.ts';
import type { StepRow } from '../../../src/replay/session.ts';
import {
  EMPTY,
  extended,
  fateOf,
  isHeld,
  nameOf,
  summaryOf,
  tallyOf,
  tookOf,
  wordOf,
} from '../../../src/replay/timeline.ts';
import { rowOf } from './place.ts';

const outcome = (seq: number, call: string, over: Partial<StepRow> = {}): StepRow =>
  rowOf({ seq, kind: 'outcome', event: 'PostToolUse', answer: '', call_id: call, ...over });

describe('outcomes join the decision of their call', () => {
  test.each<[string, readonly StepRow[], readonly (readonly [number, number | null])[]]>([
    [
      'by the call id',
      [rowOf({ seq: 1, call_id: 'a' }), rowOf({ seq: 2, call_id: 'b' }), outcome(3, 'b'), outcome(4, 'a')],
      [
        [1, 4],
        [2, 3],
      ],
    ],
    [
      'to the newest decision of it',
      [rowOf({ seq: 1, call_id: 'a' }), rowOf({ seq: 2, call_id: 'a', summary: 'ls -l' }), outcome(3, 'a')],
      [
        [1, null],
        [2, 3],
      ],
    ],
    [
      'and the question before the agent asks a person, without an id too',
      [
        rowOf({ seq: 1, call_id: 'a' }),
        rowOf({ seq: 2, call_id: '', event: 'PermissionRequest' }),
        outcome(3, 'a'),
        rowOf({ seq: 4, call_id: 'b', answer: 'ask' }),
        rowOf({ seq: 5, call_id: 'b', answer: 'ask', event: 'PermissionRequest' }),
      ],
      [
        [1, 3],
        [4, null],
      ],
    ],
    [
      'not one of another call, with another answer, or after it ran',
      [
        rowOf({ seq: 1, call_id: 'a' }),
        rowOf({ seq: 2, call_id: '', event: 'PermissionRequest', answer: 'deny' }),
        rowOf({ seq: 3, call_id: 'b', event: 'PermissionRequest' }),
        rowOf({ seq: 4, call_id: '', event: 'PermissionRequest', summary: 'rm x' }),
        outcome(5, 'a'),
        rowOf({ seq: 6, call_id: '', event: 'PermissionRequest' }),
      ],
      [
        [1, 5],
        [2, null],
        [3, null],
        [4, null],
        [6, null],
      ],
    ],
    [
      'only once',
      [rowOf({ seq: 1, call_id: 'a' }), outcome(2, 'a'), outcome(3, 'a')],
      [
        [1, 2],
        [3, null],
      ],
    ],
    [
      'none without an id',
      [rowOf({ seq: 1, call_id: '' }), outcome(2, '')],
      [
        [1, null],
        [2, null],
      ],
    ],
    [
      'an outcome without a decision stands alone',
      [outcome(1, 'x'), rowOf({ seq: 2, call_id: 'y' })],
      [
        [1, null],
        [2, null],
      ],
    ],
  ])('%s', (_name, rows, want) => {
    expect(extended(EMPTY, rows).steps.map((s) => [s.row.seq, s.outcome?.seq ?? null])).toEqual(want);
  });

  test('page by page gives the same as all at once', () => {
    const row = fc.record({
      call: fc.constantFrom('a', 'b', 'c', ''),
      kind: fc.constantFrom('decision', 'outcome', 'session'),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), fc.integer({ min: 1, max: 5 }), (made, size) => {
        const rows = made.map(({ call, kind }, i) => rowOf({ seq: i + 1, call_id: call, kind }));
        let paged = EMPTY;
        for (let i = 0; i < rows.length; i += size) paged = extended(paged, rows.slice(i, i + size));
        expect(paged).toEqual(extended(EMPTY, rows));
      }),
    );
  });
});

test.each<[string, Partial<StepRow>, Partial<StepRow> | null, string, string, boolean]>([
  ['allowed and ran', {}, {}, 'allow', 'ran', false],
  ['allowed and failed', {}, { event: 'PostToolUseFailure' }, 'allow', 'failed', false],
  ['allowed, nothing more known', {}, null, 'allow', 'open', false],
  ['denied', { answer: 'deny', effect: 'deny' }, null, 'deny', 'blocked', true],
  ['halted', { answer: 'halt', effect: 'halt' }, null, 'halt', 'blocked', true],
  ['asked and went on', { answer: 'ask', effect: 'ask' }, {}, 'ask', 'ran', true],
  ['watched in monitor mode', { enforced: 0, effect: 'deny' }, {}, 'watch', 'ran', true],
  ['a warning in monitor mode', { enforced: 0, effect: 'warn' }, {}, 'allow', 'ran', false],
  ['a session event', { kind: 'session', answer: '' }, null, 'session', 'none', false],
  ['a lone outcome', { kind: 'outcome', answer: '' }, null, 'outcome', 'ran', false],
  ['a kind of later days', { kind: 'new' }, null, 'other', 'none', false],
])('%s', (_name, row, after, word, fate, held) => {
  const step = { row: rowOf(row), outcome: after === null ? null : outcome(2, 'toolu_1', after) };
  expect([wordOf(step), fateOf(step), isHeld(step)]).toEqual([word, fate, held]);
});

test('what lists say of a step', () => {
  const of = (row: Partial<StepRow>) => ({ row: rowOf(row), outcome: null });
  expect(nameOf(of({}))).toBe('Bash');
  const event = of({ kind: 'session', event: 'SessionStart', raw_tool: '', summary: 'SessionStart' });
  expect([nameOf(event), summaryOf(event)]).toEqual(['', 'SessionStart']);
  expect(summaryOf(of({ tool: 'read', summary: '/home/dev/project/src/a.js' }))).toBe('src/a.js');
  expect(summaryOf(of({ tool: 'read', summary: '/home/dev/projects/a.js' }))).toBe('/home/dev/projects/a.js');
  expect(summaryOf(of({ tool: 'shell', summary: '/home/dev/project/run' }))).toBe('/home/dev/project/run');
  expect(tookOf({ row: rowOf(), outcome: outcome(2, 'a', { at: rowOf().at + 40 }) })).toBe(40);
  expect(tallyOf([of({}), of({ answer: 'deny' }), of({ answer: 'ask' }), of({ kind: 'gov' })])).toEqual({
    calls: 3,
    allowed: 1,
    asked: 1,
    denied: 1,
    watched: 0,
    other: 1,
  });
});

describe('filters', () => {
  const steps = [
    { row: rowOf({ seq: 1, summary: 'git status', programs: ' git ' }), outcome: outcome(9, 'a') },
    {
      row: rowOf({
        seq: 2,
        summary: 'rm -rf build',
        programs: ' rm ',
        answer: 'deny',
        effect: 'deny',
        rule: 'fs.delete',
        rules: ' fs.delete core.x ',
      }),
      outcome: null,
    },
    {
      row: rowOf({ seq: 3, tool: 'read', raw_tool: 'Read', summary: 'README.md', programs: '' }),
      outcome: outcome(8, 'b', { event: 'PostToolUseFailure' }),
    },
    {
      row: rowOf({
        seq: 4,
        answer: 'ask',
        effect: 'ask',
        rule: 'git.push',
        rules: ' git.push ',
        summary: 'git push origin',
        programs: ' git ',
      }),
      outcome: null,
    },
  ];
  test.each([
    ['', null],
    ['  ', null],
    ['held', [2, 4]],
    ['deny', [2]],
    ['deny ask', [2, 4]],
    ['-held', [1, 3]],
    ['failed', [3]],
    ['open', [4]],
    ['tool:read', [3]],
    ['tool:Bash', [1, 2, 4]],
    ['rule:git.*', [4]],
    ['rule:*.*e*', [2]],
    ['rule:core.x', [2]],
    ['program:git', [1, 4]],
    ['program:gi', []],
    ['program:git held', [4]],
    ['held -rule:fs.*', [4]],
    ['README', [3]],
    ['readme', [3]],
    ['-', null],
    ['constructor', []],
    ['(a+)+$', []],
  ])('%j', (text, want) => {
    const test = matcherOf(text);
    expect(test === null ? null : steps.filter(test).map((s) => s.row.seq)).toEqual(want);
  });
});

describe('pace', () => {
  test.each([
    ['gaps as recorded', [0, 100, 350], 2000, [0, 100, 350]],
    ['no pause longer than the limit', [0, 100, 10_100, 10_200], 2000, [0, 100, 2100, 2200]],
    ['a clock that went back', [1000, 400, 500], 2000, [0, 0, 100]],
    ['no pauses at all', [0, 5, 9], 0, [0, 0, 0]],
    ['nothing', [], 2000, []],
  ])('%s', (_name, times, idle, want) => expect(paceOf(times, idle)).toEqual(want));

  test.each([
    [-1, 0],
    [0, 1],
    [99, 1],
    [100, 2],
    [5000, 3],
  ])('at %d ms', (ms, want) => expect(stepAt([0, 0, 100, 300], ms)).toBe(want));

  test('speeds', () => {
    expect([
      changedSpeed(1, 1),
      changedSpeed(1, -1),
      changedSpeed(64, 1),
      changedSpeed(0.25, -1),
      changedSpeed(3, 1),
      changedSpeed(3, -1),
    ]).toEqual([2, 0.5, 64, 0.25, 4, 2]);
  });
});

test.each<[string, Parameters<typeof hashOf>[0]]>([
  ['#session=a', { session: 'a', seq: null, filter: '' }],
  ['#session=&seq=7', { session: '', seq: 7, filter: '' }],
  ['#session=a%26b%23&seq=7&filter=deny+ask', { session: 'a&b#', seq: 7, filter: 'deny ask' }],
])('an address says where: %s', (hash, place) => {
  expect(hashOf(place)).toBe(hash);
  expect(placeOf(hash)).toEqual(place);
});

test.each(['', '#', '#seq=x', '#seq=-1', '#seq=1e400'])('an address that says nothing: %s', (hash) => {
  expect(placeOf(hash)).toEqual({ session: null, seq: null, filter: '' });
});
