import type { Filter } from '../audit/read/filter.ts';
import type { Store } from '../audit/read/store.ts';
import type { Verification } from '../audit/tend/verify.ts';
import type { CompiledWaiver } from '../model/policy.ts';
import { actsOf, grantsOf, silentOf, waiversOf, withReason } from './people.ts';
import { questions } from './questions.ts';
import type { HeldCall, Latency, Report, ReportedCoverage, RuleTally, Tally } from './report.ts';
import { type CountedRow, countedRows, type Shape } from './rows.ts';
import { timelineOf } from './timeline.ts';

export interface NumbersOptions {
  readonly govVersion: string;
  /** How many rows a table has at most. */
  readonly top: number;
  /** What `verifyStore` said; null: not checked. */
  readonly verification: Verification | null;
  /** Ids of the rules of the policy in force; null: not looked at. */
  readonly policyRules?: readonly string[] | null;
  /** Waivers of the policy in force; null: not looked at. */
  readonly policyWaivers?: readonly CompiledWaiver[] | null;
  /** What the agents' own logs say; null: not looked at. */
  readonly coverage?: ReportedCoverage | null;
}

interface MutableHeld {
  summary: string;
  tool: string;
  rule: string;
  count: number;
  sessions: Set<string>;
  last: number;
  id: string;
  approved: number;
}

type Told = 'allow' | 'ask' | 'deny' | 'halt';

/** Counts the records that the filter lets through, in one pass. Same store and filter, same numbers, in the same order. */
export function numbersOf(store: Store, filter: Filter, options: NumbersOptions): Report {
  const totals = {
    records: 0,
    decisions: 0,
    allow: 0,
    ask: 0,
    deny: 0,
    halt: 0,
    watched: 0,
    outcomes: 0,
    repeats: 0,
    faults: 0,
    spooled: 0,
  };
  const sessions = new Set<string>();
  const agents = new Map<string, Counts>();
  const repositories = new Map<string, Counts>();
  const tools = new Map<string, Counts>();
  const programs = new Map<string, Counts>();
  const rules = new Map<string, RuleCounts>();
  const ruleSessions = new Map<string, Set<string>>();
  const blocked = new Map<string, MutableHeld>();
  const asked = new Map<string, MutableHeld>();
  const policies = new Map<string, { decisions: number; first: number; last: number }>();
  const hours = new Map<number, Counts>();
  const latencies: number[] = [];
  const asks = questions();

  const byShape = new Map<Shape, number>();
  let firstAt = Number.POSITIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  for (const row of countedRows(store, filter)) {
    const { at, session, shape } = row;
    if (at < firstAt) firstAt = at;
    if (at > lastAt) lastAt = at;
    if (session !== '') sessions.add(session);
    if (shape.kind === 'decision' && asks.repeats(row)) {
      totals.records++;
      totals.repeats++;
      latencies.push(row.latency);
      continue;
    }
    byShape.set(shape, (byShape.get(shape) ?? 0) + 1);
    if (shape.kind === 'outcome') asks.outcome(row);
    if (shape.kind !== 'decision') continue;
    latencies.push(row.latency);
    const told = toldOf(shape.answer);
    count(hours, Math.floor(at / HOUR), told, 1);
    for (const name of shape.rules) sessionOf(ruleSessions, name, session);
    period(policies, shape.policy, at);
    if (told === 'deny' || told === 'halt') asks.held(row, false, hold(blocked, row));
    if (told === 'ask') asks.held(row, true, hold(asked, row));
  }
  for (const [shape, n] of byShape) {
    totals.records += n;
    totals.faults += shape.faulty * n;
    totals.spooled += shape.spooled * n;
    if (shape.kind === 'outcome') totals.outcomes += n;
    if (shape.kind !== 'decision') continue;
    totals.decisions += n;
    const told = toldOf(shape.answer);
    if (told !== null) totals[told] += n;
    if (shape.enforced === 0 && shape.rule !== '' && shape.answer === 'allow') totals.watched += n;
    count(agents, shape.agent, told, n);
    count(repositories, shape.repo, told, n);
    count(tools, shape.tool, told, n);
    for (const name of shape.programs) count(programs, name, told, n);
    for (const name of shape.rules) countRule(rules, name, name === shape.rule, told, n);
  }
  const first = totals.records === 0 ? null : firstAt;
  const last = totals.records === 0 ? null : lastAt;

  const ends = store.ends();
  const asksEnded = asks.ends(store, filter);
  const { since, until, among: _, ...scope } = filter;
  const { verification } = options;
  return {
    format: 'gov-audit-report-v1',
    gov: options.govVersion,
    time_zone: 'UTC',
    period: { since: since ?? null, until: until ?? null, first, last },
    scope,
    totals: { ...totals, sessions: sessions.size, asks_approved: asksEnded.went_on },
    timeline: timelineOf(hours, first, last),
    rules: topRules(rules, ruleSessions, options.top),
    agents: topOf(agents, options.top),
    repositories: topOf(repositories, options.top),
    tools: topOf(tools, options.top),
    programs: topOf(programs, options.top),
    blocked: topHeld(blocked, options.top).map(withReason(store)),
    asked: topHeld(asked, options.top).map(withReason(store)),
    asks: asksEnded,
    grants: grantsOf(store, filter, first, last),
    waivers: waiversOf(store, filter, options.policyWaivers ?? null, first, last),
    acts: actsOf(store, filter),
    silent: silentOf(options.policyRules ?? null, rules),
    coverage: options.coverage ?? null,
    latency: latencyOf(latencies),
    policies: [...policies].map(([digest, p]) => ({ digest, ...p })),
    integrity: {
      chain: ends.chain,
      first_seq: ends.first,
      last_seq: ends.last,
      head: ends.head,
      verified: verification === null ? 'not checked' : verification.ok ? 'ok' : 'failed',
      findings: verification?.findings.map((finding) => finding.message) ?? [],
      limits: verification?.limits ?? [],
    },
  };
}

const HOUR = 3_600_000;

export interface Counts {
  total: number;
  allow: number;
  ask: number;
  deny: number;
  halt: number;
}

interface RuleCounts {
  fired: number;
  decided: number;
  deny: number;
  ask: number;
}

function toldOf(answer: string): Told | null {
  return answer === 'allow' || answer === 'ask' || answer === 'deny' || answer === 'halt' ? answer : null;
}

function count<K>(map: Map<K, Counts>, name: K, told: Told | null, n: number): void {
  let counts = map.get(name);
  if (counts === undefined) {
    counts = { total: 0, allow: 0, ask: 0, deny: 0, halt: 0 };
    map.set(name, counts);
  }
  counts.total += n;
  if (told !== null) counts[told] += n;
}

function countRule(map: Map<string, RuleCounts>, rule: string, decided: boolean, told: Told | null, n: number): void {
  let counts = map.get(rule);
  if (counts === undefined) {
    counts = { fired: 0, decided: 0, deny: 0, ask: 0 };
    map.set(rule, counts);
  }
  counts.fired += n;
  if (!decided) return;
  counts.decided += n;
  if (told === 'deny' || told === 'halt') counts.deny += n;
  if (told === 'ask') counts.ask += n;
}

function sessionOf(map: Map<string, Set<string>>, rule: string, session: string): void {
  const known = map.get(rule);
  if (known === undefined) map.set(rule, new Set([session]));
  else known.add(session);
}

function period(
  map: Map<string, { decisions: number; first: number; last: number }>,
  policy: string,
  at: number,
): void {
  if (policy === '') return;
  const known = map.get(policy);
  if (known === undefined) {
    map.set(policy, { decisions: 1, first: at, last: at });
    return;
  }
  known.decisions++;
  known.last = at;
}

function hold(map: Map<string, MutableHeld>, row: CountedRow): MutableHeld {
  const { at, session, summary } = row;
  const { rule } = row.shape;
  const key = `${rule}\n${summary}`;
  let held = map.get(key);
  if (held === undefined) {
    held = { summary, tool: row.shape.tool, rule, count: 0, sessions: new Set(), last: at, id: '', approved: 0 };
    map.set(key, held);
  }
  held.count++;
  held.sessions.add(session);
  held.last = at;
  held.id = row.id;
  return held;
}

function topOf(map: ReadonlyMap<string, Counts>, top: number): Tally[] {
  return [...map]
    .map(([name, counts]) => ({ name, ...counts }))
    .sort((a, b) => b.total - a.total || order(a.name, b.name))
    .slice(0, top);
}

function topRules(
  map: ReadonlyMap<string, RuleCounts>,
  sessions: ReadonlyMap<string, ReadonlySet<string>>,
  top: number,
): RuleTally[] {
  return [...map]
    .map(([rule, counts]) => ({ rule, ...counts, sessions: sessions.get(rule)?.size ?? 0 }))
    .sort((a, b) => b.fired - a.fired || order(a.rule, b.rule))
    .slice(0, top);
}

function topHeld(map: ReadonlyMap<string, MutableHeld>, top: number): Omit<HeldCall, 'severity' | 'why'>[] {
  return [...map.values()]
    .map((held) => ({ ...held, sessions: held.sessions.size }))
    .sort((a, b) => b.count - a.count || b.last - a.last || order(a.summary, b.summary))
    .slice(0, top);
}

/** By code unit: the same on every machine, whatever its locale. */
function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function latencyOf(micros: readonly number[]): Latency {
  const sorted = Float64Array.from(micros).sort();
  // Nearest rank: the smallest value that at least this share of all does not exceed.
  const at = (share: number): number => (sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0) / 1000;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
