import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unpackFacts } from '../../../src/audit/format/body.ts';
import { Database } from '../../../src/audit/sqlite.ts';
import { writeArchive } from '../../../src/audit/tend/archive.ts';
import { verifyArchive, verifyStore } from '../../../src/audit/tend/verify.ts';
import { codeOf, makeId } from '../../../src/base/ids.ts';
import { endGrant } from '../../../src/grants/approve.ts';
import type { Facts } from '../../../src/model/facts.ts';
import type { RecordDraft } from '../../../src/model/record.ts';
import { type Governed, governed } from '../../support/governed.ts';

const MINUTE = 60_000;
const DENIED = 'rm -rf ~/other';

let place: Governed;
beforeEach(() => {
  place = governed();
  const rules = place.policy.rules.map((rule) =>
    rule.elevation ? { ...rule, elevation: { ...rule.elevation, uses: 3 } } : rule,
  );
  place.policy = { ...place.policy, rules };
});
afterEach(() => {
  place.close();
});

type Change = (draft: RecordDraft & { readonly facts: Facts }) => Partial<RecordDraft>;

/** Writes a decision as a changed hook could: that of a record, with members replaced, and without taking a use. */
function forge(id: string, change: Change = () => ({})): void {
  const { body } = place.store((store) => store.show(id));
  if (body?.facts == null) throw new Error('no such decision');
  const { at, kind, call, decision, enforced, answer } = body;
  const draft = {
    ...{ id: makeId(at), kind, at, call, decision, enforced, answer },
    facts: unpackFacts(body.facts, call),
    latencyMs: 1,
    faults: [],
    govVersion: '0',
  };
  place.writer.append({ ...draft, ...change(draft) });
}

const inEvent = (facts: Facts, event: Partial<Facts['event']>): Facts => ({
  ...facts,
  event: { ...facts.event, ...event },
});
const found = () => place.store((store) => verifyStore(store)).findings.map(({ code, message }) => [code, message]);
const why = (): readonly string[] =>
  found().map(([code, message]) => `${code}: ${/, but (.*)$/.exec(message ?? '')?.[1]}`);

/** A call that passed by a grant of two uses, and what else of it is wanted. */
function passed(choices: Parameters<Governed['approve']>[1] = {}): string {
  place.approve(codeOf(place.call({ command: DENIED }).id), { uses: 2, ...choices });
  const call = place.call({ command: DENIED });
  expect(call).toMatchObject({ answer: 'allow', lifted: [expect.stringMatching(/^grant:/)] });
  return call.id;
}

test('uses as they were approved are no finding', () => {
  passed();
  expect(place.call({ command: DENIED, event: 'PermissionRequest' }).answer).toBe('allow');
  expect(place.call({ command: DENIED }).answer).toBe('allow');
  expect(place.call({ command: DENIED, event: 'PermissionRequest' }).answer).toBe('allow');
  expect(place.call({ command: DENIED }).answer).toBe('deny');
  place.clock.now += 60 * MINUTE;
  place.call({ command: DENIED });
  expect(found()).toEqual([]);
});

describe('a decision that rests on a grant in another way than was approved', () => {
  interface Row {
    readonly name: string;
    readonly choices?: Parameters<Governed['approve']>[1];
    readonly change: Change;
    readonly why: string;
  }
  test.each<Row>([
    {
      name: 'later',
      change: ({ at }) => ({ at: at + 60 * MINUTE }),
      why: 'it was for another time',
    },
    { name: 'earlier', change: ({ at }) => ({ at: at - MINUTE }), why: 'it was for another time' },
    {
      name: 'in another session',
      change: ({ call }) => ({ call: { ...call, session: 's2' } }),
      why: 'it was for another session',
    },
    {
      name: 'for another call',
      change: ({ facts }) => ({ facts: inEvent(facts, { call_digest: 'f'.repeat(64) }) }),
      why: 'it was for another call',
    },
    {
      name: 'for another rule',
      change: ({ decision }) => ({
        decision: decision && { ...decision, rules: decision.rules.map((hit) => ({ ...hit, id: 'fs.other' })) },
      }),
      why: 'it was not for the rule `fs.other`',
    },
    {
      name: 'by a grant that there is not',
      change: ({ decision }) => ({
        decision: decision && {
          ...decision,
          rules: decision.rules.map((hit) => ({ ...hit, lifted_by: 'grant:1ke6p000000000000000' })),
        },
      }),
      why: 'nobody approved it before',
    },
  ])('$name', ({ choices, change, why: want }) => {
    const id = passed(choices);
    forge(id, change);
    expect(why()).toContain(`grant-misused: ${want}`);
  });

  test('once too often', () => {
    const id = passed({ uses: 1 });
    forge(id);
    expect(found()).toEqual([
      ['grant-misused', expect.stringMatching(/^record 5 \(\S+\) rests on the grant `\S+`, but it was for one use$/)],
      ['grant-refilled', expect.stringMatching(/has 0 of 1 uses left, but decisions took 2$/)],
    ]);
  });

  test('as a question about a call that never passed', () => {
    const id = passed({ uses: 1, exact: false });
    forge(id, ({ call, facts }) => ({
      call: { ...call, event: 'PermissionRequest', rawEvent: 'PermissionRequest' },
      facts: inEvent(facts, { name: 'PermissionRequest', call_digest: 'e'.repeat(64) }),
    }));
    expect(why()).toContain('grant-misused: it was for one use');
  });

  test.each(['dropped', 'revoked'] as const)('after it was %s', (state) => {
    const id = passed();
    const [grant] = place.store((store) => store.db.prepare('SELECT id FROM grants').pluck().all()) as string[];
    endGrant(
      place.writer,
      { terms: { id: grant, session: 's1' } } as never,
      state,
      { by: 'dev', reason: '' },
      place.clock.now,
    );
    expect(found()).toEqual([]);
    forge(id);
    expect(why()).toContain(`grant-misused: it was ${state} before`);
  });

  test('is found in an archive too', () => {
    const id = passed({ uses: 1 });
    forge(id);
    const file = join(place.paths.state, 'x', 'archive.jsonl');
    place.store((store) => writeArchive(store, store.ends().last, file));
    expect(verifyArchive(file).findings.map(({ code }) => code)).toEqual(['grant-misused']);
  });
});

test('uses that were given back in the table', () => {
  passed();
  const db = new Database(place.paths.database);
  const guard = db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'grants_keep'").pluck().get() as string;
  db.exec('DROP TRIGGER grants_keep; UPDATE grants SET uses_left = 2');
  db.exec(guard);
  db.close();
  expect(found()).toEqual([['grant-refilled', expect.stringMatching(/has 2 of 2 uses left, but decisions took 1$/)]]);
});
