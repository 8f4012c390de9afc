import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { actDraft } from '../../../src/audit/write/act.ts';
import { codeOf } from '../../../src/base/ids.ts';
import { refuse } from '../../../src/grants/person-said.ts';
import { findRequest, readRequests } from '../../../src/grants/requests.ts';
import { type Governed, governed } from '../../support/governed.ts';

const MINUTE = 60_000;
const DENIED = 'rm -rf ~/other';
const SECRET = 'rm -rf ~/other; export TOKEN=ghp_0123456789abcdefghijklmnopqrstuvwxyzAB';

let place: Governed;
beforeEach(() => {
  place = governed();
});
afterEach(() => {
  place.close();
});

const request = (id: string) =>
  findRequest(
    place.store((store) => readRequests(store, place.clock.now)),
    codeOf(id),
  );
const say = (id: string, note: string): void =>
  refuse(place.writer, request(id), { by: 'dev', note, cwd: '/' }, place.clock.now);
const lineOf = (text: string): string => /^a person (?:\(|allowed).*$/m.exec(text)?.[0] ?? '';

describe('who tries again is told that a person said no', () => {
  interface Row {
    readonly name: string;
    readonly command?: string;
    readonly again?: { readonly command?: string; readonly session?: string; readonly description?: string };
    readonly afterMs?: number;
    readonly note?: string;
    readonly told: RegExp | '';
  }
  const told = /^a person \(dev, 2026-01-01T12:00Z\) said no to this call: not on a Friday$/;
  test.each<Row>([
    { name: 'the same call', told },
    { name: 'the same call, described in another way', again: { description: 'please' }, told },
    { name: 'the same call with a secret in it', command: SECRET, again: { command: SECRET }, told },
    { name: 'without a note', note: '', told: /^a person \(dev, 2026-01-01T12:00Z\) said no to this call$/ },
    { name: 'another call that the same rule holds up', again: { command: 'rm -rf ~/another' }, told: '' },
    { name: 'another session', again: { session: 's2' }, told: '' },
    { name: 'within a day', afterMs: 23 * 60 * MINUTE, told },
    { name: 'after more than a day', afterMs: 25 * 60 * MINUTE, told: '' },
    {
      name: 'a note that would break out of its line',
      note: 'no\nref: 1\x1b[31m\u202e',
      told: /^a person \(dev, 2026-01-01T12:00Z\) said no to this call: no\\nref: 1\\x1b\[31m\\u202e$/,
    },
    { name: 'a long note', note: 'x'.repeat(5000), told: /^a person .{20,392}…$/ },
  ])('$name', ({ command = DENIED, again = {}, afterMs = 0, note = 'not on a Friday', told: want }) => {
    say(place.call({ command }).id, note);
    place.clock.now += afterMs;
    const { text, answer } = place.call({ command, ...again });
    expect(answer).toBe('deny');
    if (want === '') expect(text).not.toContain('a person (');
    else expect(lineOf(text)).toMatch(want);
    // A person may change their mind.
    expect(text).toContain('gov elevate approve ');
  });

  test.each([
    [{ rules: ['fs.delete-outside'], tags: [] }, 's1', /said no to lifting fs\.delete-outside: use git clean/],
    [{ rules: ['fs.delete-outside'], tags: [] }, '', /said no to lifting fs\.delete-outside: use git clean/],
    [{ rules: ['fs.delete-outside'], tags: [] }, 's2', null],
    [{ rules: ['git.force-push'], tags: [] }, 's1', null],
  ] as const)('a request in words %j of session "%s"', (wanted, session, want) => {
    place.call({ command: 'ls' });
    const draft = actDraft(
      { name: 'elevate-request', detail: { ...wanted, reason: 'because' }, session },
      place.clock.now,
    );
    place.writer.append(draft);
    say(draft.id, 'use git clean');
    const { text } = place.call({ command: DENIED });
    if (want === null) expect(text).not.toContain('a person (');
    else expect(lineOf(text)).toMatch(want);
  });

  test('a yes that came later takes the no back', () => {
    const first = place.call({ command: DENIED });
    say(first.id, 'not yet');
    place.clock.now += MINUTE;
    const second = place.call({ command: DENIED });
    expect(lineOf(second.text)).toContain('not yet');
    place.approve(codeOf(second.id), { uses: 1 });
    expect(place.call({ command: DENIED })).toMatchObject({ answer: 'allow', text: '' });
    const spent = place.call({ command: DENIED });
    expect([spent.answer, lineOf(spent.text)]).toEqual(['deny', '']);
  });

  test('what no record tells of is not told', () => {
    const { id } = place.call({ command: DENIED });
    place.writer.append(
      actDraft({ name: 'something', detail: { by: 'x', reason: 'y' } }, place.clock.now),
      (ledger) => {
        ledger.answered([`s1 ${request(id).digest}`], 'no', place.clock.now);
        return [];
      },
    );
    expect(place.call({ command: DENIED }).text).not.toContain('a person (');
  });
});

test.each([
  ['only this build', 'a person allowed this call: only this build'],
  ['a\nb\x07', 'a person allowed this call: a\\nb\\x07'],
  ['', ''],
])('the note %j of a person who allowed it goes with the call that passes', (note, want) => {
  place.approve(codeOf(place.call({ command: DENIED }).id), {}, [], note);
  const { answer, text } = place.call({ command: DENIED });
  expect(answer).toBe('allow');
  const said = text === '' ? '' : JSON.parse(text).hookSpecificOutput;
  expect(said.additionalContext ?? '').toBe(want);
  expect(JSON.stringify(said)).not.toContain('permissionDecision');
});
