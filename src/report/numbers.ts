import type { Filter } from '../audit/read/filter.ts';
import { whereOf } from '../audit/read/filter.ts';
import type { Store } from '../audit/read/store.ts';
import type { Verification } from '../audit/tend/verify.ts';
import type { HeldCall, Latency, Report, RuleTally, Tally } from './report.ts';
import { timelineOf } from './timeline.ts';

export interface NumbersOptions {
  readonly govVersion: string;
  /** How many rows a table has at most. */
  readonly top: number;
  /** What `verifyStore` said; null: not checked. */
  readonly verification: Verification | null;
}

type Raw = [
  at: number,
  kind: string,
  session: string,
  agent: string,
  tool: string,
  answer: string,
  enforced: number,
  rule: string,
  rules: string,
  call: string,
  programs: string,
  repo: string,
  summary: string,
  policy: string,
  latency: number,
  faulty: number,
  spooled: number,
  id: string,
];

const SELECT =
  'at, kind, session, agent, tool, answer, enforced, rule, rules, call_id, programs, repo, summary, policy, latency_us, faulty, spooled, id';

interface MutableHeld {
  summary: string;
  rule: string;
  count: number;
  sessions: Set<string>;
  last: number;
  id: string;
  approved: number;
}

/** Counts the records that the filter lets through, in one pass. Same store and filter, same numbers, in the same order. */
export function numbersOf(store: Store, filter: Filter, options: NumbersOptions): Report {
  const { where, values } = whereOf(filter);
  const rows = store.db
    .prepare(`SELECT ${SELECT} FROM records ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''} ORDER BY seq`)
    .raw()
    .iterate(...values) as IterableIterator<Raw>;
  const totals = {
    records: 0,
    decisions: 0,
    allow: 0,
    ask: 0,
    deny: 0,
    halt: 0,
    watched: 0,
    outcomes: 0,
    faults: 0,
    spooled: 0,
  };
  const sessions = new Set<string>();
  const agents = new Map<string, Counts>();
  const repositories = new Map<string, Counts>();
  const tools = new Map<string, Counts>();
  const programs = new Map<string, Counts>();
  const rules = new Map<string, RuleCounts>();
  const blocked = new Map<string, MutableHeld>();
  const asked = new Map<string, MutableHeld>();
  const waiting = new Map<string, MutableHeld>();
  const policies = new Map<string, { decisions: number; first: number; last: number }>();
  const hours = new Map<number, Counts>();
  const latencies: number[] = [];
  let approved = 0;
  let first: number | null = null;
  let last: number | null = null;

  for (const row of rows) {
    const [
      at,
      kind,
      session,
      agent,
      tool,
      answer,
      enforced,
      rule,
      fired,
      call,
      names,
      repo,
      ,
      policy,
      latency,
      faulty,
      spooled,
    ] = row;
    totals.records++;
    totals.faults += faulty;
    totals.spooled += spooled;
    if (first === null || at < first) first = at;
    if (last === null || at > last) last = at;
    if (session !== '') sessions.add(session);
    if (kind === 'outcome') {
      totals.outcomes++;
      const held = call === '' ? undefined : waiting.get(`${session}\n${call}`);
      if (held !== undefined) {
        held.approved++;
        approved++;
        waiting.delete(`${session}\n${call}`);
      }
    }
    if (kind !== 'decision') continue;
    totals.decisions++;
    latencies.push(latency);
    const told = toldOf(answer);
    if (told !== null) totals[told]++;
    if (enforced === 0 && rule !== '' && answer === 'allow') totals.watched++;
    count(agents, agent, told);
    count(repositories, repo, told);
    count(tools, tool, told);
    for (const name of split(names)) count(programs, name, told);
    count(hours, Math.floor(at / HOUR), told);
    for (const name of split(fired)) countRule(rules, name, name === rule, told, session);
    if (policy !== '') {
      const known = policies.get(policy);
      if (known === undefined) policies.set(policy, { decisions: 1, first: at, last: at });
      else {
        known.decisions++;
        known.last = at;
      }
    }
    if (told === 'deny' || told === 'halt') hold(blocked, row);
    if (told === 'ask') {
      const held = hold(asked, row);
      if (call !== '') waiting.set(`${session}\n${call}`, held);
    }
  }

  const ends = store.ends();
  const { since, until, ...scope } = filter;
  const { verification } = options;
  return {
    format: 'gov-audit-report-v1',
    gov: options.govVersion,
    time_zone: 'UTC',
    period: { since: since ?? null, until: until ?? null, first, last },
    scope,
    totals: { ...totals, sessions: sessions.size, asks_approved: approved },
    timeline: timelineOf(hours, first, last),
    rules: topRules(rules, options.top),
    agents: topOf(agents, options.top),
    repositories: topOf(repositories, options.top),
    tools: topOf(tools, options.top),
    programs: topOf(programs, options.top),
    blocked: topHeld(blocked, options.top),
    asked: topHeld(asked, options.top),
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

type Told = 'allow' | 'ask' | 'deny' | 'halt';

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
  sessions: Set<string>;
}

function toldOf(answer: string): Told | null {
  return answer === 'allow' || answer === 'ask' || answer === 'deny' || answer === 'halt' ? answer : null;
}

function count<K>(map: Map<K, Counts>, name: K, told: Told | null): void {
  let counts = map.get(name);
  if (counts === undefined) {
    counts = { total: 0, allow: 0, ask: 0, deny: 0, halt: 0 };
    map.set(name, counts);
  }
  counts.total++;
  if (told !== null) counts[told]++;
}

function countRule(
  map: Map<string, RuleCounts>,
  rule: string,
  decided: boolean,
  told: Told | null,
  session: string,
): void {
  let counts = map.get(rule);
  if (counts === undefined) {
    counts = { fired: 0, decided: 0, deny: 0, ask: 0, sessions: new Set() };
    map.set(rule, counts);
  }
  counts.fired++;
  counts.sessions.add(session);
  if (!decided) return;
  counts.decided++;
  if (told === 'deny' || told === 'halt') counts.deny++;
  if (told === 'ask') counts.ask++;
}

function hold(map: Map<string, MutableHeld>, row: Raw): MutableHeld {
  const at = row[0];
  const session = row[2];
  const rule = row[7];
  const summary = row[12];
  const key = `${rule}\n${summary}`;
  let held = map.get(key);
  if (held === undefined) {
    held = { summary, rule, count: 0, sessions: new Set(), last: at, id: '', approved: 0 };
    map.set(key, held);
  }
  held.count++;
  held.sessions.add(session);
  held.last = at;
  held.id = row[17];
  return held;
}

function split(names: string): readonly string[] {
  return names === '' ? [] : names.slice(1, -1).split(' ');
}

function topOf(map: ReadonlyMap<string, Counts>, top: number): Tally[] {
  return [...map]
    .map(([name, counts]) => ({ name, ...counts }))
    .sort((a, b) => b.total - a.total || order(a.name, b.name))
    .slice(0, top);
}

function topRules(map: ReadonlyMap<string, RuleCounts>, top: number): RuleTally[] {
  return [...map]
    .map(([rule, counts]) => ({ rule, ...counts, sessions: counts.sessions.size }))
    .sort((a, b) => b.fired - a.fired || order(a.rule, b.rule))
    .slice(0, top);
}

function topHeld(map: ReadonlyMap<string, MutableHeld>, top: number): HeldCall[] {
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
