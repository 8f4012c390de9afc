import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readGrants } from '../../../src/audit/read/grants.ts';
import { actDraft } from '../../../src/audit/write/act.ts';
import { codeOf } from '../../../src/base/ids.ts';
import { addSignatures, type Choices, propose, rulesOf } from '../../../src/grants/approve.ts';
import { findGrant, findRequest, readRequests } from '../../../src/grants/requests.ts';
import { signTerms } from '../../../src/grants/signature.ts';
import type { CompiledPolicy, CompiledRule, Elevation } from '../../../src/model/policy.ts';
import { type Governed, governed, START } from '../../support/governed.ts';

const MINUTE = 60_000;
const RULE = 'fs.delete-outside';
const DENIED = { command: 'rm -rf ~/other' } as const;

let place: Governed;
beforeEach(() => {
  place = governed();
});
afterEach(() => {
  place.close();
});

/** The policy with members of one rule replaced. */
function withRule(policy: CompiledPolicy, more: Partial<CompiledRule>): CompiledPolicy {
  return { ...policy, rules: policy.rules.map((rule) => (rule.id === RULE ? { ...rule, ...more } : rule)) };
}
const elevation = (more: Partial<Elevation>): Elevation => ({
  maxMs: 20 * MINUTE,
  defaultMs: 5 * MINUTE,
  uses: 3,
  scope: 'session',
  bind: 'exact',
  reason: 'required',
  approvers: 1,
  selfApprove: true,
  ...more,
});

describe('the end and the uses are the least of what is asked, what the rule allows, and what this machine allows', () => {
  interface Row {
    readonly rule?: Partial<Elevation>;
    readonly machineMs?: number;
    readonly choices?: Partial<Choices>;
    readonly minutes: number;
    readonly uses: number;
  }
  test.each<Row>([
    { minutes: 5, uses: 3 },
    { choices: { forMs: 15 * MINUTE, uses: 2 }, minutes: 15, uses: 2 },
    { choices: { forMs: 120 * MINUTE, uses: 99 }, minutes: 20, uses: 3 },
    { machineMs: 10 * MINUTE, choices: { forMs: 120 * MINUTE }, minutes: 10, uses: 3 },
    { machineMs: 2 * MINUTE, minutes: 2, uses: 3 },
    { rule: { maxMs: MINUTE }, minutes: 1, uses: 3 },
    { rule: { uses: 0 }, minutes: 5, uses: 1 },
  ])('%j', ({ rule, machineMs, choices, minutes, uses }) => {
    place.policy = withRule(place.policy, { elevation: elevation(rule ?? {}) });
    if (machineMs !== undefined) place.settings.maxMs = machineMs;
    const { terms } = place.approve(codeOf(place.call(DENIED).id), choices);
    expect([terms.until - terms.from, terms.uses]).toEqual([minutes * MINUTE, uses]);
  });

  test('a rule that says nothing: ten minutes, at most thirty, one use, this very call, this session', () => {
    const { elevation: _, ...rule } = place.policy.rules.find((item) => item.id === RULE) as CompiledRule;
    place.policy = { ...place.policy, rules: place.policy.rules.map((item) => (item.id === RULE ? rule : item)) };
    const first = place.call(DENIED);
    const { terms } = place.approve(codeOf(first.id), { forMs: 60 * MINUTE, uses: 9 });
    expect(terms).toMatchObject({ from: START, until: START + 30 * MINUTE, uses: 1, session: 's1', request: first.id });
    expect(terms.digest).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('what can not be approved', () => {
  const codeFor = (command: string): string => codeOf(place.call({ command }).id);
  test.each([
    ['a hard rule', "echo '{}' > .claude/settings.json"],
    ['a call that nothing holds up', 'ls'],
    ['a soft and a hard rule', "rm -rf ~/other; echo '{}' > .claude/settings.json"],
  ])('%s has no code', (_, command) => {
    const answered = place.call({ command });
    expect(answered.text).not.toContain('allow it');
    expect(() => place.approve(codeOf(answered.id))).toThrowError(
      expect.objectContaining({ code: 'usage-no-request' }),
    );
  });
  test.each<[string, Partial<Choices>, string]>([
    ['without a reason', { reason: ' ' }, 'usage-reason'],
    ['for no session', { session: '' }, 'usage-session'],
  ])('%s', (_, choices, code) => {
    const held = codeFor('rm -rf ~/other');
    expect(() => place.approve(held, choices)).toThrowError(expect.objectContaining({ code }));
  });
  test('after a day, or after it was denied', () => {
    const held = place.call(DENIED).id;
    const detail = { request: held, by: 'dev', reason: '' };
    const other = place.call({ command: 'rm -rf ~/another' }).id;
    place.writer.append(actDraft({ name: 'elevate-denied', detail }, place.clock.now));
    expect(() => place.approve(codeOf(held))).toThrowError(expect.objectContaining({ code: 'usage-denied' }));
    place.clock.now += 24 * 60 * MINUTE + 1;
    expect(() => place.approve(codeOf(other))).toThrowError(expect.objectContaining({ code: 'usage-no-request' }));
  });
  test.each([
    [{ rules: ['no.such-rule'], tags: [] }, 'usage-rule'],
    [{ rules: ['guard.own-files'], tags: [] }, 'usage-hard-rule'],
    [{ rules: [], tags: ['no-such-tag'] }, 'usage-rule'],
  ])('%j', (wanted, code) => {
    expect(() => rulesOf(wanted, place.policy)).toThrowError(expect.objectContaining({ code }));
  });
});

test('a request in words: by tag, for a session, a path and a number of calls', () => {
  place.policy = withRule(place.policy, { tags: ['cleanup'], elevation: elevation({}) });
  const detail = {
    rules: [],
    tags: ['cleanup'],
    for_ms: 6 * MINUTE,
    uses: 2,
    path: '/home/dev/o*',
    exact: false,
    reason: 'r',
  };
  const draft = actDraft({ name: 'elevate-request', detail, session: 's1' }, START);
  place.writer.append(draft);
  const { terms, state } = place.approve(codeOf(draft.id), { reason: null });
  expect(state).toBe('active');
  expect(terms).toMatchObject({
    uses: 2,
    path: '/home/dev/o*',
    session: 's1',
    reason: 'r',
    digest: '',
    tags: ['cleanup'],
  });
  place.clock.now += 1000;
  const answers = ['~/other', '~/mine', '~/over', '~/open'].map(
    (path) => place.call({ command: `rm -rf ${path}` }).answer,
  );
  expect(answers).toEqual(['allow', 'deny', 'allow', 'deny']);
});

describe('signatures of others', () => {
  const pair = () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    return {
      pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      key: publicKey.export({ type: 'spki', format: 'der' }).subarray(12).toString('base64'),
    };
  };
  const [ann, bob, eve] = [pair(), pair(), pair()];
  beforeEach(() => {
    place.settings.approvers = [
      { name: 'ann', key: ann.key },
      { name: 'bob', key: bob.key },
    ];
  });

  interface Row {
    readonly rule: Partial<Elevation>;
    readonly keys: readonly string[];
    readonly state: string;
    readonly answer: string;
  }
  test.each<Row>([
    { rule: { selfApprove: false }, keys: [], state: 'approved', answer: 'deny' },
    { rule: { selfApprove: false }, keys: [ann.pem], state: 'active', answer: 'allow' },
    { rule: { selfApprove: false, approvers: 2 }, keys: [ann.pem], state: 'approved', answer: 'deny' },
    { rule: { selfApprove: false, approvers: 2 }, keys: [ann.pem, ann.pem], state: 'approved', answer: 'deny' },
    { rule: { selfApprove: false, approvers: 2 }, keys: [ann.pem, bob.pem], state: 'active', answer: 'allow' },
    { rule: { approvers: 2 }, keys: [], state: 'approved', answer: 'deny' },
    { rule: { approvers: 2 }, keys: [bob.pem], state: 'active', answer: 'allow' },
  ])('$rule with $keys.length keys: $state', ({ rule, keys, state, answer }) => {
    place.policy = withRule(place.policy, { elevation: elevation(rule) });
    expect(place.approve(codeOf(place.call(DENIED).id), {}, keys).state).toBe(state);
    place.clock.now += 1000;
    expect(place.call(DENIED).answer).toBe(answer);
  });

  test('a second approver signs later', () => {
    place.policy = withRule(place.policy, { elevation: elevation({ selfApprove: false, approvers: 2 }) });
    const code = codeOf(place.call(DENIED).id);
    place.approve(code, {}, [ann.pem]);
    const grant = findGrant(place.store(readGrants), code);
    const signature = signTerms(grant.terms, bob.pem, place.settings.approvers);
    expect(addSignatures(place.writer, grant, [signature], place.settings, place.clock.now)).toBe('active');
    place.clock.now += 1000;
    expect(place.call(DENIED).answer).toBe('allow');
  });

  test('a key that is not listed, or no longer, or a signature on other terms counts for nothing', () => {
    place.policy = withRule(place.policy, { elevation: elevation({ selfApprove: false }) });
    const code = codeOf(place.call(DENIED).id);
    expect(() => place.approve(code, {}, [eve.pem])).toThrowError(expect.objectContaining({ code: 'usage-key' }));
    expect(() => place.approve(code, {}, ['no key'])).toThrowError(expect.objectContaining({ code: 'usage-key' }));
    place.approve(code, {}, [ann.pem]);
    place.settings.approvers = [{ name: 'bob', key: bob.key }];
    place.clock.now += 1000;
    expect(place.call(DENIED).answer).toBe('deny');
    const again = place.call(DENIED);
    const request = findRequest(
      place.store((store) => readRequests(store, place.clock.now)),
      again.id,
    );
    const as = { policy: place.policy, settings: place.settings, approver: 'dev', now: place.clock.now };
    const all: Choices = { forMs: null, uses: null, path: null, session: null, exact: null, reason: 'r' };
    const [one, two] = [propose(request, all, as), propose(request, { ...all, exact: false }, as)];
    const signature = signTerms(two.terms, bob.pem, place.settings.approvers);
    expect(addedTo(one.terms, signature)).toBe('approved');
  });
});

function addedTo(
  terms: ReturnType<typeof propose>['terms'],
  signature: ReturnType<typeof signTerms>,
): 'approved' | 'active' {
  const grant = { terms, state: 'approved' as const, usesLeft: terms.uses, signatures: [], seq: 0 };
  place.writer.append({ ...actDraft({ name: 'elevate-approved', detail: {} }, terms.from), id: terms.id }, (ledger) => {
    ledger.put(grant);
    return [];
  });
  return addSignatures(place.writer, grant, [signature], place.settings, place.clock.now) as 'approved' | 'active';
}
