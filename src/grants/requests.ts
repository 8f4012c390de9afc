import type { RecordBody } from '../audit/format/body.ts';
import { readActs, readGrants, readHeld } from '../audit/read/grants.ts';
import type { Store } from '../audit/read/store.ts';
import { GovError } from '../base/errors.ts';
import { codeOf, readCode } from '../base/ids.ts';
import type { RuleHit } from '../model/decision.ts';
import type { Grant } from '../model/grant.ts';
import { liftableHits } from '../policy/lift.ts';

/** How long a code can be approved. */
const REQUEST_MS = 24 * 3_600_000;
const MAX_HELD = 2000;

/** What somebody wishes to be lifted: a decision that held a call up, or a request in words. */
export interface Request {
  readonly id: string;
  readonly code: string;
  readonly at: number;
  /** The decision's record, or that of the request. */
  readonly body: RecordBody;
  readonly rules: readonly string[];
  readonly tags: readonly string[];
  /** Of a decision: what held the call up. */
  readonly hits: readonly RuleHit[];
  /** Digest of the call as stored; '' without a call. */
  readonly digest: string;
  readonly session: string;
  readonly agent: string;
  readonly workspace: string;
  /** What the request itself asks for; of a decision nothing. */
  readonly asked: Asked;
  readonly denied: boolean;
  /** What was approved on it. */
  readonly grant: Grant | null;
}

/** Members of an explicit request. */
interface Asked {
  readonly forMs: number | null;
  readonly uses: number | null;
  readonly path: string;
  readonly exact: boolean;
  readonly reason: string;
}

const NOTHING: Asked = { forMs: null, uses: null, path: '', exact: false, reason: '' };

/** All that can be approved or was decided about since `REQUEST_MS`, newest first. */
export function readRequests(store: Store, now: number): readonly Request[] {
  const since = now - REQUEST_MS;
  const acts = readActs(store, 'elevate-', since);
  const denied = new Set(acts.filter((act) => nameOf(act) === 'elevate-denied').map((act) => textIn(act, 'request')));
  const grants = new Map(readGrants(store).map((grant) => [grant.terms.request, grant]));
  const known = { denied, grants };
  const decisions = readHeld(store, since, MAX_HELD).flatMap((body) => ofDecision(body, known));
  const asked = acts.filter((act) => nameOf(act) === 'elevate-request').map((body) => ofRequest(body, known));
  return [...decisions, ...asked].sort((a, b) => b.at - a.at);
}

interface Known {
  readonly denied: ReadonlySet<string>;
  readonly grants: ReadonlyMap<string, Grant>;
}

function ofDecision(body: RecordBody, { denied, grants }: Known): readonly Request[] {
  const hits = body.decision ? liftableHits(body.decision) : [];
  if (hits.length === 0) return [];
  return [
    {
      id: body.id,
      code: codeOf(body.id),
      at: body.at,
      body,
      rules: [...new Set(hits.map((hit) => hit.id))],
      tags: [],
      hits,
      digest: body.facts?.event.call_digest ?? '',
      session: body.call.session,
      agent: body.call.agent,
      workspace: body.facts?.event.workspace ?? '',
      asked: NOTHING,
      denied: denied.has(body.id),
      grant: grants.get(body.id) ?? null,
    },
  ];
}

function ofRequest(body: RecordBody, { denied, grants }: Known): Request {
  const detail = body.call.detail;
  const list = (name: string): string[] =>
    Array.isArray(detail[name]) ? detail[name].filter((x): x is string => typeof x === 'string') : [];
  const number = (name: string): number | null => (typeof detail[name] === 'number' ? detail[name] : null);
  return {
    id: body.id,
    code: codeOf(body.id),
    at: body.at,
    body,
    rules: list('rules'),
    tags: list('tags'),
    hits: [],
    digest: textIn(body, 'digest'),
    session: body.call.session,
    agent: textIn(body, 'agent'),
    workspace: textIn(body, 'workspace'),
    asked: {
      forMs: number('for_ms'),
      uses: number('uses'),
      path: textIn(body, 'path'),
      exact: detail['exact'] === true,
      reason: textIn(body, 'reason'),
    },
    denied: denied.has(body.id),
    grant: grants.get(body.id) ?? null,
  };
}

function nameOf(act: RecordBody): string {
  return act.call.rawEvent;
}

function textIn(act: RecordBody, name: string): string {
  const value = act.call.detail[name];
  return typeof value === 'string' ? value : '';
}

/** The request by its code, id or beginning of an id. Throws `usage-no-request`, `usage-ambiguous`. */
export function findRequest(requests: readonly Request[], text: string): Request {
  const code = readCode(text);
  const id = text.trim().toLowerCase();
  const found = requests.filter((r) => r.code === code || r.id === id || (id.length > 5 && r.id.startsWith(id)));
  const [only] = found;
  if (only && found.length === 1) return only;
  if (found.length === 0)
    throw new GovError({
      code: 'usage-no-request',
      message: `nothing that can be approved has the code \`${text}\``,
      help: '`gov elevate list` shows what waits; codes are good for a day, and hard rules have none',
    });
  throw new GovError({
    code: 'usage-ambiguous',
    message: `several have the code \`${text}\``,
    help: `name one by its id: ${found.map((r) => r.id).join(', ')}`,
  });
}

/** The grant by its code, that of its request, its id or the beginning of it. Throws `usage-no-grant`, `usage-ambiguous`. */
export function findGrant(grants: readonly Grant[], text: string): Grant {
  const code = readCode(text);
  const id = text.trim().toLowerCase();
  const named = (own: string): boolean => codeOf(own) === code || own === id || (id.length > 5 && own.startsWith(id));
  const found = grants.filter(({ terms }) => named(terms.id) || named(terms.request));
  const live = found.filter((grant) => grant.state === 'active' || grant.state === 'approved');
  const [only] = live.length > 0 ? live : found;
  if (only && (live.length === 1 || found.length === 1)) return only;
  if (!only)
    throw new GovError({
      code: 'usage-no-grant',
      message: `no grant has the code \`${text}\``,
      help: '`gov elevate list` shows them',
    });
  throw new GovError({
    code: 'usage-ambiguous',
    message: `several grants have the code \`${text}\``,
    help: `name one by its id: ${found.map(({ terms }) => terms.id).join(', ')}`,
  });
}
