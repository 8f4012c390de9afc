import type { Answer, Mark } from '../model/decision.ts';
import type { Facts } from '../model/facts.ts';
import type { CompiledRule } from '../model/policy.ts';
import { isChanged } from './changed.ts';
import { OUTCOMES } from './outcomes.ts';
import type { SessionFact, SessionSource } from './session.ts';

const MINUTE_MS = 60_000;

/** A question about what was counted before. */
export interface LimitAsk {
  readonly rule: string;
  readonly counts: NonNullable<CompiledRule['limit']>['counts'];
  readonly key: string;
  /** From this time up to, not including, the other; milliseconds since 1970 UTC. */
  readonly since: number;
  readonly until: number;
  /** The key is a session, and what is counted are its calls at these events; null: the marks of the rule. */
  readonly calls: readonly string[] | null;
  /** Nothing comes of a total up to this. */
  readonly enough: number;
}

/** What earlier decisions left behind. The store has one; `memoryHistory` serves tests and replay. */
export interface History {
  /** Marks of the rule and key at or after `since`, oldest first. */
  marks(rule: string, key: string, since: number): readonly Mark[];
  /** The sum of weights, or how many calls or minutes; may be more than that as long as it is not above `enough`. */
  total(ask: LimitAsk): number;
  /** A session up to now (milliseconds since 1970 UTC). Absent: nothing is known of sessions. */
  session?(session: string, now: number): SessionSource;
  /**
   * False: calls of the session were let pass, and gov never heard how one of them ended: its agent does not tell, so
   * nothing can be established. Absent: not known.
   */
  hears?(session: string): boolean;
}

/** Calls that were let pass without a word on how they ended, after which no more is expected. */
export const UNHEARD = 3;

/** A history in memory. Fed with each decision's marks and with the calls as they are made. */
export function memoryHistory(): History & {
  add(marks: readonly Mark[]): void;
  saw(facts: Facts, at: number, answer?: Answer): void;
} {
  const all: Mark[] = [];
  const calls: { readonly session: string; readonly event: string; readonly at: number }[] = [];
  const tallies = new Map<string, Tally>();
  const heard = new Set<string>();
  const passed = new Map<string, number>();
  return {
    add: (marks) => {
      all.push(...marks);
    },
    saw: (facts, at, answer = 'allow') => {
      const { event } = facts;
      calls.push({ session: event.session, event: event.name, at });
      if (OUTCOMES.has(event.name)) heard.add(event.session);
      else if (answer === 'allow' && ANNOUNCED.has(event.name))
        passed.set(event.session, (passed.get(event.session) ?? 0) + 1);
      const tally = tallies.get(event.session) ?? newTally(at);
      tallies.set(event.session, tally);
      count(tally, facts, answer);
    },
    hears: (session) => heard.has(session) || (passed.get(session) ?? 0) < UNHEARD,
    session: (session, now) => {
      const tally = tallies.get(session) ?? newTally(now);
      return (fact) => factOf(tally, fact, now);
    },
    marks: (rule, key, since) =>
      all.filter((m) => m.rule === rule && m.key === key && m.at >= since).sort((a, b) => a.at - b.at),
    total: ({ rule, counts, key, since, until, calls: events }) => {
      const within = (x: { readonly at: number }): boolean => x.at >= since && x.at < until;
      const minutes = (list: readonly { readonly at: number }[]): number => new Set(list.map(minuteOf)).size;
      if (events !== null) {
        const made = calls.filter((call) => call.session === key && events.includes(call.event) && within(call));
        return counts === 'minutes' ? minutes(made) : made.length;
      }
      const marks = all.filter((m) => m.rule === rule && m.key === key && m.step === counts && within(m));
      return counts === 'minutes' ? minutes(marks) : marks.reduce((sum, m) => sum + m.weight, 0);
    },
  };
}

interface Tally {
  readonly begin: number;
  calls: number;
  denies: number;
  failures: number;
  lines: number;
  readonly files: Set<string>;
}

function newTally(begin: number): Tally {
  return { begin, calls: 0, denies: 0, failures: 0, lines: 0, files: new Set() };
}

function count(tally: Tally, facts: Facts, answer: Answer): void {
  if (facts.result?.failed) tally.failures++;
  if (!ANNOUNCED.has(facts.event.name)) return;
  tally.calls++;
  if (answer === 'deny' || answer === 'halt') tally.denies++;
  if (answer !== 'allow') return;
  for (const file of facts.files.filter(isChanged)) {
    tally.files.add(file.real ?? file.path);
    tally.lines += file.added + file.removed;
  }
}

/** Events at which a call is announced, once. */
const ANNOUNCED: ReadonlySet<string> = new Set(['PreToolUse', 'PreSkillShellCommand']);

function factOf(tally: Tally, fact: SessionFact, now: number): unknown {
  switch (fact) {
    case 'calls':
    case 'denies':
    case 'failures':
      return tally[fact];
    case 'files_changed':
      return tally.files.size;
    case 'lines_changed':
      return tally.lines;
    case 'age_seconds':
      return Math.max(0, Math.floor((now - tally.begin) / 1000));
    case 'labels':
      return null;
  }
}

function minuteOf({ at }: { readonly at: number }): number {
  return Math.floor(at / MINUTE_MS);
}

/** True if all steps but the last were seen in their order, the first no longer ago than `within`. */
export function isSequenceComplete(
  rule: CompiledRule,
  key: string,
  history: History | undefined,
  now: number,
): boolean {
  if (!rule.sequence || !history) return false;
  const marks = history.marks(rule.id, key, now - rule.sequence.withinMs).filter((m) => m.at <= now);
  let from = 0;
  for (const step of rule.sequence.steps) {
    const at = marks.findIndex((m, i) => i >= from && m.step === step.name);
    if (at < 0) return false;
    from = at + 1;
  }
  return true;
}

/** True if every call of a session counts: then the records themselves tell how many there were, without marks. */
export function countsCalls(rule: CompiledRule): boolean {
  const { limit, when, each, requires, tools, programs, agents } = rule;
  if (limit?.counts !== 'call' && limit?.counts !== 'minutes') return false;
  const narrowed = requires !== undefined || tools.length > 0 || programs.length > 0 || agents.length > 0;
  return limit.key.source === 'event.session' && when.source === 'true' && each === '' && !narrowed;
}

/** What this call brings to a limit. */
export interface Brought {
  readonly key: string;
  /** What it adds: 0 for what is only counted afterwards. */
  readonly weight: number;
  /** Marks of this decision so far. */
  readonly marks: readonly Mark[];
}

/** True if this call would go past the limit. */
export function isLimitReached(
  rule: CompiledRule,
  { key, weight, marks }: Brought,
  history: History | undefined,
  now: number,
): boolean {
  if (!rule.limit) return false;
  const { count, windowMs, counts } = rule.limit;
  const since = now - windowMs;
  if (counts === 'files') {
    const before = history?.marks(rule.id, key, since).filter((m) => m.at <= now) ?? [];
    const own = marks.filter((m) => m.rule === rule.id && m.key === key);
    return new Set([...before, ...own].map((m) => m.step)).size > count;
  }
  const afterwards = counts === 'failure' || counts === 'deny';
  const enough = afterwards ? count - 1 : count - weight;
  // The minute that has begun is counted by the call itself.
  const until = counts === 'minutes' ? Math.floor(now / MINUTE_MS) * MINUTE_MS : now + 1;
  const asked = { rule: rule.id, counts, key, since, until, calls: countsCalls(rule) ? rule.on : null, enough };
  return (history?.total(asked) ?? 0) > enough;
}
