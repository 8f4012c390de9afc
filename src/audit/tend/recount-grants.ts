import { EFFECTS, type RuleHit } from '../../model/decision.ts';
import type { GrantTerms } from '../../model/grant.ts';
import type { RecordBody } from '../format/body.ts';
import type { Finding } from './verify-rows.ts';

/** How long an agent's question about a call that passed is that very call, as the hook has it. */
const QUESTION_MS = 10 * 60_000;
const LIFTED = '"lifted_by":"grant:';
const ACT = 'elevate-';

/** True if a body may tell of a grant or of a use of one: cheap, and before it is parsed. */
export function mayTellOfGrants(kind: string, summary: string, body: string): boolean {
  return kind === 'gov' ? summary.startsWith(ACT) : kind === 'decision' && body.includes(LIFTED);
}

/** SQL for the same, over `records r JOIN bodies b`, of calls that were not refused all the same. */
export const TELLS_OF_GRANTS = `((r.kind = 'gov' AND r.summary >= '${ACT}' AND r.summary < '${ACT}~')
  OR (r.kind = 'decision' AND r.rules <> '' AND r.answer <> 'deny' AND instr(b.body, '${LIFTED}') > 0))`;

/** What was approved, as far as the record of the approval says it. */
type Approved = Pick<GrantTerms, 'rules' | 'tags' | 'until' | 'uses' | 'session' | 'agent' | 'workspace' | 'from'>;

interface Counted extends Approved {
  /** Digest of the one call; '' any, or not known. */
  readonly digest: string;
  /** Why it is over; '' while it is not. */
  over: string;
  active: boolean;
  taken: number;
  /** Calls that a use was taken for: when, in which session, which. */
  readonly calls: { readonly at: number; readonly session: string; readonly digest: string }[];
}

export interface RecountOptions {
  /** Terms of a grant whose approval is not among the records any more; null: it can't be known. */
  terms(id: string): GrantTerms | null;
  /** Records from before may be missing: then an approval that is not there proves nothing. */
  readonly partial: boolean;
}

export interface Recount {
  /** Takes a record in sequence. */
  take(seq: number, body: RecordBody): void;
  /** How many uses the records tell of. */
  taken(id: string): number;
  readonly findings: readonly Finding[];
}

/** Counts the uses of grants again, from what decisions say, and holds each against what was approved. */
export function recountGrants({ terms, partial }: RecountOptions): Recount {
  const grants = new Map<string, Counted>();
  const findings: Finding[] = [];
  const known = (id: string): Counted | null => {
    const found = grants.get(id) ?? fromTerms(terms(id));
    if (found) grants.set(id, found);
    return found;
  };
  const act = (body: RecordBody): void => {
    const { rawEvent: name, detail } = body.call;
    if (name === 'elevate-approved') grants.set(body.id, approvedIn(body, terms(body.id)?.digest ?? ''));
    const grant = known(textOf(detail['grant']));
    if (grant === null) return;
    if (name === 'elevate-signed') grant.active = detail['state'] === 'active';
    else if (/^elevate-(?:used|expired|dropped|revoked)$/.test(name)) grant.over ||= name.slice(ACT.length);
  };
  const use = (seq: number, body: RecordBody): void => {
    const hits = (body.decision?.rules ?? []).filter(isLifted);
    for (const id of new Set(hits.map((hit) => hit.lifted_by.slice('grant:'.length)))) {
      const grant = known(id);
      const own = hits.filter((hit) => hit.lifted_by === `grant:${id}`);
      const why = grant === null ? (partial ? '' : 'nobody approved it before') : outside(grant, own, body);
      if (why !== '') findings.push(misuse(seq, body.id, id, why));
    }
  };
  return {
    findings,
    taken: (id) => grants.get(id)?.taken ?? 0,
    take(seq, body) {
      if (body.kind === 'gov') act(body);
      else use(seq, body);
    },
  };
}

/** Takes a use, and says what of the grant it does not keep to; '' nothing. */
function outside(grant: Counted, hits: readonly RuleHit[], { at, call, facts }: RecordBody): string {
  const event = facts?.event;
  const digest = event?.call_digest ?? '';
  const repeats =
    event?.name === 'PermissionRequest' &&
    grant.calls.some((c) => c.session === call.session && c.digest === digest && c.at >= at - QUESTION_MS);
  if (!repeats) {
    grant.taken++;
    if (event?.name === 'PreToolUse') grant.calls.push({ at, session: call.session, digest });
  }
  if (grant.taken > grant.uses) return `it was for ${grant.uses === 1 ? 'one use' : `${grant.uses} uses`}`;
  if (grant.over !== '' && !(repeats && grant.over === 'used')) return `it was ${grant.over} before`;
  if (!grant.active) return 'signatures were missing';
  if (at < grant.from || at >= grant.until) return 'it was for another time';
  if (grant.session !== '' && grant.session !== call.session) return 'it was for another session';
  if (grant.agent !== '' && grant.agent !== call.agent) return 'it was for another agent';
  if (grant.workspace !== '' && event !== undefined && grant.workspace !== event.workspace)
    return 'it was for another workspace';
  if (isOther(grant.digest, digest)) return 'it was for another call';
  const strange = grant.tags.length > 0 ? undefined : hits.find((hit) => !grant.rules.includes(hit.id));
  return strange === undefined ? '' : `it was not for the rule \`${strange.id}\``;
}

/** Digests of which one is keyed and the other is not can't be compared. */
function isOther(wanted: string, digest: string): boolean {
  const isKeyed = (text: string): boolean => text.startsWith('hmac-');
  return wanted !== '' && digest !== '' && isKeyed(wanted) === isKeyed(digest) && wanted !== digest;
}

/** Hits that would have held the call up. */
function isLifted(hit: RuleHit): boolean {
  return hit.enforced && hit.lifted_by.startsWith('grant:') && EFFECTS.indexOf(hit.effect) <= EFFECTS.indexOf('ask');
}

function approvedIn({ at, call }: RecordBody, digest: string): Counted {
  const { detail } = call;
  const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
  return {
    ...NOT_USED,
    calls: [],
    rules: list(detail['rules']),
    tags: list(detail['tags']),
    from: at,
    until: Number(detail['until']),
    uses: Number(detail['uses']),
    session: call.session,
    agent: textOf(detail['agent']),
    workspace: textOf(detail['workspace']),
    digest,
    active: detail['state'] === 'active',
  };
}

const NOT_USED = { over: '', taken: 0 } as const;

/** Of a grant whose approval was pruned, what is counted is a part only. */
function fromTerms(terms: GrantTerms | null): Counted | null {
  return terms === null ? null : { ...NOT_USED, ...terms, calls: [], active: true };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function misuse(seq: number, id: string, grant: string, why: string): Finding {
  return {
    code: 'grant-misused',
    seq,
    id,
    columns: [],
    message: `record ${seq} (${id}) rests on the grant \`${grant}\`, but ${why}`,
    meaning: 'a hook that was changed, or another tool, wrote this decision: no hook of gov lets such a call pass',
  };
}
