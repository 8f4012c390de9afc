import type { Filter } from '../audit/read/filter.ts';
import type { Severity } from '../model/decision.ts';
import type { GrantState } from '../model/grant.ts';

/** How often something happened, by what the agent was told. */
export interface Tally {
  readonly name: string;
  readonly total: number;
  readonly allow: number;
  readonly ask: number;
  readonly deny: number;
  readonly halt: number;
}

/** A rule's part in the decisions. */
export interface RuleTally {
  readonly rule: string;
  /** Times it fired, also where a stricter rule decided. */
  readonly fired: number;
  /** Times it decided. */
  readonly decided: number;
  readonly deny: number;
  readonly ask: number;
  readonly sessions: number;
}

/** One call, by its one-line summary, that was held up again and again. */
export interface HeldCall {
  readonly summary: string;
  /** gov's name of the tool: `shell`, `edit`. */
  readonly tool: string;
  readonly rule: string;
  readonly count: number;
  readonly sessions: number;
  /** Milliseconds since 1970 UTC of the last time, and that record's id. */
  readonly last: number;
  readonly id: string;
  /** How many went on to run, which means that a person said yes: in the agent's prompt or with `gov elevate`. */
  readonly approved: number;
  /** What the rule said about it the last time; '' if that was erased. */
  readonly severity: Severity | '';
  readonly why: string;
}

/** A grant that was in force at some time of the period. */
export interface ReportedGrant {
  readonly id: string;
  readonly state: GrantState;
  /** Rules and tags that it lifts. */
  readonly lifts: readonly string[];
  readonly reason: string;
  readonly approver: string;
  /** Milliseconds since 1970 UTC. */
  readonly from: number;
  readonly until: number;
  readonly uses: number;
  readonly uses_left: number;
}

/** A waiver of the policy in force that held at some time of the period. */
interface ReportedWaiver {
  readonly id: string;
  readonly rule: string;
  readonly reason: string;
  readonly owner: string;
  /** Milliseconds since 1970 UTC; 0: since ever. */
  readonly from: number;
  readonly until: number;
  /** Decisions in which it lifted the rule. */
  readonly used: number;
}

/** What the agents' own logs say that the records don't (`gov audit coverage`). */
export interface ReportedCoverage {
  readonly logs: number;
  readonly calls: number;
  readonly recorded: number;
  readonly ungoverned: number;
  readonly excused: number;
  readonly reasons: readonly { readonly reason: string; readonly calls: number; readonly meaning: string }[];
}

export interface Bucket {
  /** Milliseconds since 1970 UTC. */
  readonly start: number;
  readonly allow: number;
  readonly ask: number;
  readonly deny: number;
  readonly halt: number;
}

/** Milliseconds from start to answer. */
export interface Latency {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Everything a report says: numbers first, formats render them. JSON of this is the authority. */
export interface Report {
  readonly format: 'gov-audit-report-v1';
  readonly gov: string;
  readonly time_zone: 'UTC';
  readonly period: {
    /** As asked; null: from the first, to the last. */
    readonly since: number | null;
    readonly until: number | null;
    /** First and last record that is counted; null in an empty report. */
    readonly first: number | null;
    readonly last: number | null;
  };
  readonly scope: Omit<Filter, 'since' | 'until'>;
  readonly totals: {
    readonly records: number;
    readonly decisions: number;
    readonly allow: number;
    readonly ask: number;
    readonly deny: number;
    readonly halt: number;
    /** Would have been held up, but only watched (monitor mode). */
    readonly watched: number;
    readonly outcomes: number;
    readonly sessions: number;
    /** Asks that went on to run. */
    readonly asks_approved: number;
    /** Decisions that ask once more in the agent's own prompt; in none of the other numbers but `records`. */
    readonly repeats: number;
    /** Records of internal faults on the way. */
    readonly faults: number;
    /** Records that waited in the spool. */
    readonly spooled: number;
  };
  readonly timeline: { readonly step: 'hour' | 'day' | 'week' | 'month'; readonly buckets: readonly Bucket[] };
  readonly rules: readonly RuleTally[];
  readonly agents: readonly Tally[];
  readonly repositories: readonly Tally[];
  readonly tools: readonly Tally[];
  readonly programs: readonly Tally[];
  readonly blocked: readonly HeldCall[];
  readonly asked: readonly HeldCall[];
  /**
   * How questions to people ended: the call went on; it was approved with `gov elevate` and not tried again; it was
   * refused there; or nothing is recorded, as after a no in the agent's own prompt.
   */
  readonly asks: {
    readonly went_on: number;
    readonly approved: number;
    readonly refused: number;
    readonly not_seen_again: number;
  };
  readonly grants: readonly ReportedGrant[];
  /** Null: no policy was looked at. */
  readonly waivers: readonly ReportedWaiver[] | null;
  /** Acts of people with gov itself by name, e.g. `elevate-approved`. */
  readonly acts: readonly { readonly name: string; readonly count: number }[];
  /** Rules of the policy in force that never fired in the period; null: no policy was looked at. */
  readonly silent: { readonly rules: number; readonly never_fired: readonly string[] } | null;
  /** Null: the agents' logs were not looked at. */
  readonly coverage: ReportedCoverage | null;
  readonly latency: Latency;
  /** Policies in force, with the time of the first and last decision under each. */
  readonly policies: readonly {
    readonly digest: string;
    readonly decisions: number;
    readonly first: number;
    readonly last: number;
  }[];
  readonly integrity: {
    readonly chain: string;
    readonly first_seq: number;
    readonly last_seq: number;
    readonly head: string;
    readonly verified: 'ok' | 'failed' | 'not checked';
    readonly findings: readonly string[];
    readonly limits: readonly string[];
  };
}
