import { actDraft } from '../audit/write/act.ts';
import { keyedDigest } from '../audit/write/draft.ts';
import { callsLetPass, GrantGone, type KnownGrant, unendedGrants } from '../audit/write/grants.ts';
import type { Within, Writer } from '../audit/write/writer.ts';
import type { Facts } from '../model/facts.ts';
import type { Grant } from '../model/grant.ts';
import type { CompiledRule } from '../model/policy.ts';
import type { Item } from '../policy/items.ts';
import { oneLine } from '../policy/wording.ts';
import { type CoverContext, covers, nameOf } from './cover.ts';
import { type Approver, countSignatures } from './signature.ts';

/** Clocks are slewed by that much without having been set. */
const CLOCK_SLACK_MS = 2000;
/** How long an agent's question about a call counts as the same call. */
const QUESTION_MS = 10 * 60_000;

/** Why a grant is over, or '' while it is not. A clock that stands before what was recorded since is no clock to trust. */
export function overBecause(grant: Pick<KnownGrant, 'terms' | 'newest'>, now: number): string {
  if (now < Math.max(grant.terms.from, grant.newest) - CLOCK_SLACK_MS) return 'the clock was set back';
  return now >= grant.terms.until ? 'its time is over' : '';
}

/** What may lift rules for one call. */
export interface GrantsInForce {
  /** Name of a grant that lifts the rule for this item, or ''. */
  grant(rule: CompiledRule, item: Item): string;
  /** The ids of the grants named, as far as a use has to be taken for this call. */
  toTake(names: readonly string[]): readonly string[];
  /** What the people who approved the grants named want the agent to know. */
  notes(names: readonly string[]): readonly string[];
}

export interface InForceContext {
  readonly facts: Facts;
  readonly now: number;
  /** Ids of grants that were found used up meanwhile; '' stands for all. */
  readonly gone: readonly string[];
  /** Asked for only where a rule wants signatures. */
  approvers(): readonly Approver[];
}

/**
 * The grants that could lift something for this call; null if there are none. Grants that are found to be over are
 * recorded as such on the way. Throws SQLite's error if the store can't be read.
 */
export function grantsInForce(writer: Writer, on: InForceContext): GrantsInForce | null {
  if (on.gone.includes('')) return null;
  const { facts, now } = on;
  const repeats = facts.event.name === 'PermissionRequest';
  const known = writer.read((db) => unendedGrants(db, now, repeats));
  const live: KnownGrant[] = [];
  for (const grant of known) {
    const why = overBecause(grant, now);
    if (why !== '' && grant.state !== 'used') recordEnd(writer, grant, 'expired', why, now);
    else if (why === '' && grant.state !== 'approved' && !on.gone.includes(grant.terms.id)) live.push(grant);
  }
  if (live.length === 0) return null;
  const cover = contextOf(writer, on);
  const paid = repeats ? live.filter((grant) => wasPaid(writer, grant, cover)) : [];
  const usable = live.filter((grant) => grant.state === 'active' || paid.includes(grant));
  if (usable.length === 0) return null;
  const byName = new Map(usable.map((grant) => [nameOf(grant), grant]));
  return {
    grant: (rule, item) => {
      const found = usable.find((grant) => covers(grant, rule, item, cover));
      return found ? nameOf(found) : '';
    },
    toTake: (names) =>
      [...new Set(names)].flatMap((name) => {
        const grant = byName.get(name);
        return grant && !paid.includes(grant) ? [grant.terms.id] : [];
      }),
    notes: (names) =>
      [...new Set(names)].flatMap((name) => {
        const note = oneLine(byName.get(name)?.note ?? '');
        return note === '' ? [] : [`a person allowed this call: ${note}`];
      }),
  };
}

function contextOf(writer: Writer, { facts, now, approvers }: InForceContext): CoverContext {
  const digest = facts.event.call_digest;
  const counts = new Map<string, number>();
  return {
    facts,
    now,
    isThisCall: (wanted) => {
      if (!wanted.startsWith('hmac-sha256:')) return wanted === digest;
      const key = writer.key();
      return key !== null && wanted === keyedDigest(digest, key);
    },
    signaturesOn: (grant) => {
      const { id } = grant.terms;
      if (!counts.has(id)) counts.set(id, signaturesOn(grant, approvers));
      return counts.get(id) ?? 0;
    },
  };
}

/** None if it can't be known whose would count. */
function signaturesOn(grant: Grant, approvers: () => readonly Approver[]): number {
  try {
    return countSignatures(grant.terms, grant.signatures, approvers());
  } catch {
    return 0;
  }
}

/** True if the use for this very call was taken when the agent announced it. */
function wasPaid(writer: Writer, grant: Grant, { facts, now, isThisCall }: CoverContext): boolean {
  const passed = writer.read((db) => callsLetPass(db, nameOf(grant), facts.event.session, now - QUESTION_MS));
  return passed.some(isThisCall);
}

/** What the transaction of a decision does about the grants that it rests on. */
export function takingUses(grants: readonly string[], session: string, now: () => number): Within {
  return (ledger) =>
    grants.flatMap((grant) => {
      const at = now();
      const left = ledger.take(grant, at);
      return left > 0 ? [] : [actDraft({ name: 'elevate-used', detail: { grant }, session }, at)];
    });
}

/** Records the end of a grant, once. Nothing is thrown if it ended already or can't be recorded: it is not used either way. */
function recordEnd(writer: Writer, grant: Grant, state: 'expired', why: string, now: number): void {
  const { id, session } = grant.terms;
  try {
    writer.append(actDraft({ name: `elevate-${state}`, detail: { grant: id, why }, session }, now), (ledger) => {
      ledger.change(id, state);
      return [];
    });
  } catch (error) {
    if (!(error instanceof GrantGone)) throw error;
  }
}
