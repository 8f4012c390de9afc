/**
 * Which calls of an agent went around the hook? Compares what agents wrote down themselves with the records, by the
 * agent's own id of the call. A hash chain can't tell this: what was never recorded leaves no gap.
 *
 *     coverageOf(store, calls, options): Coverage
 */
import { visible } from '../../base/escape.ts';
import type { LoggedCall } from '../../model/transcript.ts';
import { redactText } from '../../redact/redact.ts';
import { prunedOf } from '../read/pruned.ts';
import type { Store } from '../read/store.ts';
import { listSpool, readSpooled } from '../write/spool.ts';

/** Why a call has no record, as far as it can be known; the texts of `REASONS` say it to people. */
type Reason = keyof typeof REASONS;

const REASONS = {
  'no-hook-possible': 'run by the model’s provider, where no hook is asked',
  'before-registration': 'made before gov was registered here',
  pruned: 'made before the records that are kept',
  'not-registered': 'made while gov was not registered for this agent',
  'session-unknown':
    'its session has no record at all: it began before the registration, or ran with settings without gov’s hooks',
  'before-session': 'made before the first record of its session',
  'hook-failed': 'the agent noted that its hook failed, and went on',
  'outcome-only': 'only its outcome was recorded: nobody was asked before it ran',
  'not-recorded': 'its session is recorded, the call is not: the hook did not run, broke, or was stopped',
} as const;

/** Nobody did anything wrong, and nothing can be done about it any more. */
const EXCUSED: ReadonlySet<Reason> = new Set(['no-hook-possible', 'before-registration', 'pruned']);

/** A call without a record of its decision. */
interface Uncovered {
  readonly reason: Reason;
  /** False: it went around the hook when it should not have. */
  readonly excused: boolean;
  readonly agent: string;
  readonly session: string;
  readonly call_id: string;
  readonly tool: string;
  /** One line, secrets taken out. */
  readonly summary: string;
  readonly at: number | null;
  readonly cwd: string;
  readonly subagent: boolean;
  /** What the agent noted about its hook; '' nothing. */
  readonly note: string;
}

interface SessionCoverage {
  readonly agent: string;
  readonly session: string;
  readonly calls: number;
  readonly recorded: number;
  /** Calls that the agent says it did not run (wrong fields, no such tool), and that have no record. */
  readonly not_run: number;
  readonly excused: number;
  readonly ungoverned: number;
  readonly first: number | null;
  readonly last: number | null;
}

export interface Coverage {
  readonly calls: number;
  readonly recorded: number;
  readonly not_run: number;
  /** Begun so short a time ago that their record may be on its way. */
  readonly pending: number;
  readonly excused: number;
  readonly ungoverned: number;
  readonly reasons: readonly { readonly reason: Reason; readonly calls: number; readonly meaning: string }[];
  readonly sessions: readonly SessionCoverage[];
  /** Ungoverned ones first, newest first; at most `limit`. */
  readonly uncovered: readonly Uncovered[];
  /** What this comparison can't see. */
  readonly limits: readonly string[];
}

export interface CoverageOptions {
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** How many calls without a record are listed. */
  readonly limit: number;
  /** Directory of the spool: records that wait there count. */
  readonly spool?: string;
}

const PENDING_MS = 30_000;
const SUMMARY_CHARS = 160;

const LIMITS = [
  'the agent’s own log is believed: a call that the agent did not write down is not seen',
  'logs that the agent deleted (its own retention) can’t be compared',
];

/** Compares; a call that several logs hold (a resumed session copies its past) counts once. */
export function coverageOf(store: Store, calls: Iterable<LoggedCall>, options: CoverageOptions): Coverage {
  const recorded = recordedCalls(store, options.spool);
  const why = reasonOf(store);
  const sessions = new Map<string, { -readonly [K in keyof SessionCoverage]: SessionCoverage[K] }>();
  const reasons = new Map<Reason, number>();
  const uncovered: Uncovered[] = [];
  const seen = new Set<string>();
  let pending = 0;
  for (const call of calls) {
    const { at } = call;
    if (seen.has(call.callId)) continue;
    seen.add(call.callId);
    if (at !== null && (at < (options.since ?? at) || at >= (options.until ?? Number.POSITIVE_INFINITY))) continue;
    if (at !== null && call.end === 'none' && options.now - at < PENDING_MS && recorded(call.callId) === 'no') {
      pending++;
      continue;
    }
    const session = sessionIn(sessions, call);
    const state = recorded(call.callId);
    if (state === 'decision') session.recorded++;
    else if (call.end === 'refused') session.not_run++;
    else {
      const reason = state === 'outcome' ? 'outcome-only' : why(call);
      const excused = EXCUSED.has(reason);
      if (excused) session.excused++;
      else session.ungoverned++;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      uncovered.push(uncoveredOf(call, reason, excused));
    }
  }
  uncovered.sort((a, b) => Number(a.excused) - Number(b.excused) || (b.at ?? 0) - (a.at ?? 0));
  const list = [...sessions.values()].sort((a, b) => b.ungoverned - a.ungoverned || (b.last ?? 0) - (a.last ?? 0));
  const sum = (name: 'calls' | 'recorded' | 'not_run' | 'excused' | 'ungoverned'): number =>
    list.reduce((total, session) => total + session[name], 0);
  return {
    calls: sum('calls'),
    recorded: sum('recorded'),
    not_run: sum('not_run'),
    pending,
    excused: sum('excused'),
    ungoverned: sum('ungoverned'),
    reasons: [...reasons]
      .map(([reason, n]) => ({ reason, calls: n, meaning: REASONS[reason] }))
      .sort((a, b) => b.calls - a.calls || (a.reason < b.reason ? -1 : 1)),
    sessions: list,
    uncovered: uncovered.slice(0, options.limit).map(shown),
    limits: LIMITS,
  };
}

/** What is recorded of a call, in the store or in the spool. */
function recordedCalls(store: Store, spool: string | undefined): (callId: string) => 'decision' | 'outcome' | 'no' {
  const waiting = new Map<string, boolean>();
  if (spool !== undefined)
    for (const name of listSpool(spool).waiting) {
      const body = readSpooled(spool, name)?.body;
      if (body?.call.callId) waiting.set(body.call.callId, waiting.get(body.call.callId) || body.kind === 'decision');
    }
  const select = store.db
    .prepare("SELECT max(kind = 'decision') FROM records WHERE call_id = ? AND call_id <> ''")
    .pluck();
  return (callId) => {
    const found = select.get(visible(callId.slice(0, 2000))) as number | null;
    if (found === 1 || waiting.get(callId) === true) return 'decision';
    return found === 0 || waiting.has(callId) ? 'outcome' : 'no';
  };
}

/** The reason for a call that has no record at all. */
function reasonOf(store: Store): (call: LoggedCall) => Reason {
  const { db } = store;
  const pruned = prunedOf(store)?.until_at ?? Number.NEGATIVE_INFINITY;
  const begun = db
    .prepare("SELECT at FROM records WHERE kind <> 'gov' OR summary = 'init' ORDER BY seq LIMIT 1")
    .pluck()
    .get();
  const registered = typeof begun === 'number' ? begun : Number.POSITIVE_INFINITY;
  const removals = removalsOf(store);
  const first = db.prepare('SELECT min(at) FROM records WHERE session = ?').pluck();
  const known = new Map<string, number | null>();
  return (call) => {
    const { at } = call;
    if (call.ranBy === 'server') return 'no-hook-possible';
    if (call.hookFault !== '') return 'hook-failed';
    if (at !== null && at <= pruned) return 'pruned';
    if (at !== null && at < registered) return 'before-registration';
    if (at !== null && removals(call.agent, at)) return 'not-registered';
    if (!known.has(call.session)) known.set(call.session, first.get(visible(call.session)) as number | null);
    const start = known.get(call.session) ?? null;
    if (start === null) return 'session-unknown';
    return at !== null && at < start ? 'before-session' : 'not-recorded';
  };
}

/** Between an `uninstall` and the next `init` of an agent, as the store tells. */
function removalsOf(store: Store): (agent: string, at: number) => boolean {
  const acts = store.db
    .prepare(
      `SELECT r.at, r.summary AS name, json_extract(b.body, '$.call.detail.agent') AS agent
       FROM records r JOIN bodies b USING (seq)
       WHERE r.kind = 'gov' AND r.summary IN ('init', 'uninstall') ORDER BY r.seq`,
    )
    .all() as { at: number; name: string; agent: string | null }[];
  return (agent, at) => {
    const last = acts.filter((act) => act.agent === agent && act.at <= at).pop();
    return last?.name === 'uninstall';
  };
}

function sessionIn(
  sessions: Map<string, { -readonly [K in keyof SessionCoverage]: SessionCoverage[K] }>,
  { agent, session, at }: LoggedCall,
): { -readonly [K in keyof SessionCoverage]: SessionCoverage[K] } {
  const key = `${agent}\n${session}`;
  let found = sessions.get(key);
  if (found === undefined) {
    found = {
      agent,
      session: visible(session),
      calls: 0,
      recorded: 0,
      not_run: 0,
      excused: 0,
      ungoverned: 0,
      first: at,
      last: at,
    };
    sessions.set(key, found);
  }
  found.calls++;
  if (at !== null) {
    found.first = Math.min(found.first ?? at, at);
    found.last = Math.max(found.last ?? at, at);
  }
  return found;
}

function uncoveredOf(call: LoggedCall, reason: Reason, excused: boolean): Uncovered {
  const { agent, session, callId, tool, summary, at, cwd, subagent, hookFault } = call;
  return { reason, excused, agent, session, call_id: callId, tool, summary, at, cwd, subagent, note: hookFault };
}

/** SECURITY: the agent's log is raw; what is shown of it has no secrets and no control characters. */
function shown(call: Uncovered): Uncovered {
  const line = (text: string): string => {
    const safe = visible(redactText(text));
    return safe.length > SUMMARY_CHARS ? `${safe.slice(0, SUMMARY_CHARS - 1)}…` : safe;
  };
  return {
    ...call,
    session: visible(call.session),
    call_id: visible(call.call_id),
    tool: line(call.tool),
    summary: line(call.summary),
    cwd: visible(call.cwd),
    note: line(call.note),
  };
}
