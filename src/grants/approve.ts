import { termsDigest, termsText } from '../audit/format/grant.ts';
import { actDraft } from '../audit/write/act.ts';
import { GrantGone } from '../audit/write/grants.ts';
import type { Writer } from '../audit/write/writer.ts';
import { GovError } from '../base/errors.ts';
import { makeId } from '../base/ids.ts';
import type { Grant, GrantSignature, GrantState, GrantTerms } from '../model/grant.ts';
import type { CompiledPolicy, CompiledRule } from '../model/policy.ts';
import { redactText } from '../redact/redact.ts';
import type { ElevationSettings } from './approvers.ts';
import { type Bounds, boundsOf, elevationOf } from './limits.ts';
import type { Request } from './requests.ts';
import { countSignatures } from './signature.ts';

/** What the person at the terminal chose; null: as asked, or as the rules say. */
export interface Choices {
  readonly forMs: number | null;
  readonly uses: number | null;
  readonly path: string | null;
  readonly session: string | null;
  readonly exact: boolean | null;
  readonly reason: string | null;
}

/** What an approval would put in force. */
export interface Proposal {
  readonly terms: GrantTerms;
  readonly rules: readonly CompiledRule[];
  readonly bounds: Bounds;
}

/** The rules that a request is about. Throws `usage-rule` if there are none, `usage-hard-rule` if it names one that nothing lifts. */
export function rulesOf(
  wanted: { readonly rules: readonly string[]; readonly tags: readonly string[] },
  policy: CompiledPolicy,
): readonly CompiledRule[] {
  for (const id of wanted.rules) {
    const rule = policy.rules.find((item) => item.id === id);
    if (rule === undefined)
      throw new GovError({
        code: 'usage-rule',
        message: `no rule in force is called \`${id}\``,
        help: '`gov policy list` shows them',
      });
    if (rule.level === 'hard')
      throw new GovError({
        code: 'usage-hard-rule',
        message: `\`${id}\` is a hard rule: nothing lifts it`,
        help: 'do it yourself, outside the agent',
      });
  }
  const rules = policy.rules.filter(
    (rule) =>
      rule.level !== 'hard' && (wanted.rules.includes(rule.id) || rule.tags.some((t) => wanted.tags.includes(t))),
  );
  if (rules.length > 0) return rules;
  throw new GovError({
    code: 'usage-rule',
    message: `no rule that can be lifted has the tag \`${wanted.tags.join(', ')}\``,
    help: '`gov policy list --json` shows rules and tags',
  });
}

/** What approving the request would mean, within the bounds of each rule and of this machine. Throws `usage-…`. */
export function propose(
  request: Request,
  choices: Choices,
  on: {
    readonly policy: CompiledPolicy;
    readonly settings: ElevationSettings;
    readonly approver: string;
    readonly now: number;
  },
): Proposal {
  if (request.denied) throw new GovError({ code: 'usage-denied', message: `\`${request.code}\` was denied already` });
  const rules = rulesOf(request, on.policy);
  const bounds = boundsOf(rules, on.settings.maxMs);
  const isDecision = request.hits.length > 0;
  const exact = choices.exact ?? (isDecision ? bounds.exact : request.asked.exact);
  if (exact && request.digest === '')
    throw new GovError({ code: 'usage-exact', message: 'there is no call that it could be bound to' });
  const reason = (choices.reason ?? request.asked.reason).trim();
  if (reason === '') throw new GovError({ code: 'usage-reason', message: 'a reason is needed', help: '--reason "…"' });
  const scoped = (scope: string): boolean => rules.some((rule) => elevationOf(rule).scope === scope);
  const session = choices.session ?? (isDecision && !scoped('session') ? '' : request.session);
  if (bounds.session && session === '')
    throw new GovError({
      code: 'usage-session',
      message: 'these rules are lifted for one session only, and none is named',
      help: '--session ID; `gov audit list` shows the sessions',
    });
  const forMs = Math.min(bounds.maxMs, choices.forMs ?? request.asked.forMs ?? bounds.defaultMs);
  const terms: GrantTerms = {
    v: 1,
    id: makeId(on.now),
    request: request.id,
    rules: request.rules,
    tags: request.tags,
    from: on.now,
    until: on.now + forMs,
    uses: Math.min(bounds.uses, choices.uses ?? request.asked.uses ?? bounds.uses),
    session,
    agent: scoped('agent') ? request.agent : '',
    workspace: scoped('workspace') ? request.workspace : '',
    path: choices.path ?? request.asked.path,
    digest: exact ? request.digest : '',
    reason: redactText(reason),
    approver: on.approver,
    signatures: bounds.signatures,
  };
  return { terms, rules, bounds };
}

/** What the person says besides: a word to the agent, and what the answer can be found by (`answerKeys`). */
export interface Aside {
  readonly note: string;
  readonly keys: readonly string[];
}

/** Puts a grant in force, or on the way there if signatures are missing. Throws GovError `store-…`. */
export function approve(
  writer: Writer,
  terms: GrantTerms,
  signatures: readonly GrantSignature[],
  settings: ElevationSettings,
  aside: Aside = { note: '', keys: [] },
): GrantState {
  const state = stateWith(terms, signatures, settings);
  const { id, session, from, rules, tags, until, uses, agent, workspace, path, reason, approver, request } = terms;
  const detail = {
    request,
    state,
    rules,
    tags,
    until,
    uses,
    agent,
    workspace,
    path,
    exact: terms.digest !== '',
    reason,
    approver,
    signed_by: signatures.map((item) => item.name),
    terms: termsDigest(termsText(terms)),
    ...(aside.note === '' ? {} : { note: aside.note }),
  };
  withoutSpool(() =>
    writer.append({ ...actDraft({ name: 'elevate-approved', detail, session }, from), id }, (ledger) => {
      ledger.put({ terms, state, usesLeft: uses, signatures });
      ledger.answered(aside.keys, 'yes', from);
      return [];
    }),
  );
  return state;
}

/** Adds signatures to a grant that waits for them. Throws `usage-grant-over` if it has ended. */
export function addSignatures(
  writer: Writer,
  grant: Grant,
  added: readonly GrantSignature[],
  settings: ElevationSettings,
  now: number,
): GrantState {
  const signatures = [
    ...grant.signatures,
    ...added.filter((item) => !grant.signatures.some((old) => old.key === item.key)),
  ];
  const state = stateWith(grant.terms, signatures, settings);
  const detail = { grant: grant.terms.id, state, signed_by: added.map((item) => item.name) };
  change(writer, grant, { name: 'elevate-signed', state, detail, signatures }, now);
  return state;
}

function stateWith(
  terms: GrantTerms,
  signatures: readonly GrantSignature[],
  settings: ElevationSettings,
): 'approved' | 'active' {
  return countSignatures(terms, signatures, settings.approvers) >= terms.signatures ? 'active' : 'approved';
}

/** Ends a grant before its time. Throws `usage-grant-over` if it has ended. */
export function endGrant(
  writer: Writer,
  grant: Grant,
  state: 'dropped' | 'revoked',
  detail: { readonly by: string; readonly reason: string },
  now: number,
): void {
  change(writer, grant, { name: `elevate-${state}`, state, detail: { grant: grant.terms.id, ...detail } }, now);
}

function change(
  writer: Writer,
  grant: Grant,
  to: {
    readonly name: string;
    readonly state: GrantState;
    readonly detail: Readonly<Record<string, unknown>>;
    readonly signatures?: readonly GrantSignature[];
  },
  now: number,
): void {
  const { id, session } = grant.terms;
  withoutSpool(() =>
    writer.append(actDraft({ name: to.name, detail: to.detail, session }, now), (ledger) => {
      ledger.change(id, to.state, to.signatures);
      return [];
    }),
  );
}

/** Grants are only ever changed in the database itself. */
export function withoutSpool(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof GrantGone)) throw error;
    if (error.grant !== '')
      throw new GovError({ code: 'usage-grant-over', message: 'this grant has ended already', cause: error });
    throw new GovError({
      code: 'store-unwritable',
      message: "the audit database can't be written, so nothing was changed",
      help: 'try again; `gov doctor` says what is wrong with it',
      cause: error,
    });
  }
}
