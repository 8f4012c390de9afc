import type { Filter } from '../audit/read/filter.ts';

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
  readonly rule: string;
  readonly count: number;
  readonly sessions: number;
  /** Milliseconds since 1970 UTC of the last time, and that record's id. */
  readonly last: number;
  readonly id: string;
  /** Asks only: how many went on to run, which means that a person said yes. */
  readonly approved: number;
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
    readonly asks_approved: number;
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
