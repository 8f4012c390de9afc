import type { Span } from './facts.ts';

/** Strictest first: the order in which effects win. */
export const EFFECTS = ['halt', 'deny', 'ask', 'redact', 'modify', 'warn', 'context', 'allow'] as const;
export type RuleEffect = (typeof EFFECTS)[number];

/** What the agent is told. */
export type Answer = 'allow' | 'ask' | 'deny' | 'halt';

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'informational'] as const;
export type Severity = (typeof SEVERITIES)[number];

export type Layer = 'builtin' | 'org' | 'team' | 'user' | 'project' | 'grant';

/** One rule that fired, whether it decided or lost. */
export interface RuleHit {
  readonly id: string;
  /** Name of the rule's pack (`metadata.name`). */
  readonly pack?: string;
  readonly version: number;
  readonly layer: Layer;
  readonly severity: Severity;
  readonly level: 'hard' | 'soft' | 'advisory';
  /** What it counts as, after `on_dynamic`, `on_error` and certainty. */
  readonly effect: RuleEffect;
  /** `match`: true; `dynamic`: it can't be known; `error`: the condition failed. */
  readonly because: 'match' | 'dynamic' | 'uncertain' | 'error';
  /** False: `mode: shadow`, it would have. */
  readonly enforced: boolean;
  /** The rule in one line: why it is there. */
  readonly title?: string;
  readonly message: string;
  /** What to do instead, for the agent. */
  readonly remediation: string;
  readonly suggest: string;
  /** Which item made it fire: a command's text, a path, a destination. */
  readonly subject: string;
  readonly span: Span | null;
  /** The grant or waiver that lifted it. */
  readonly lifted_by: string;
  /** Values the rule adds to the record. */
  readonly audit?: Readonly<Record<string, unknown>>;
}

export interface Decision {
  readonly answer: Answer;
  /** Effect of the rule that decided, or `allow` by default. */
  readonly effect: RuleEffect;
  /** The rule that decided; null if none fired. */
  readonly rule: string | null;
  /** One line for the agent and for people. */
  readonly reason: string;
  /** All that fired, strictest first. */
  readonly rules: readonly RuleHit[];
  readonly trace: readonly TraceStep[];
  readonly policy: string;
  /** Facts about the session that conditions asked for: `calls`, `labels` …; absent if none did. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** Evidence that conditions asked for, with the answer; absent if none did. */
  readonly evidence?: readonly AskedEvidence[];
  /** What later decisions may count or wait for; the store keeps them (rules with `sequence` or `limit`). */
  readonly marks?: readonly Mark[];
}

/** A question for evidence and its answer; null: it can't be known. */
export interface AskedEvidence {
  readonly kind: string;
  readonly key: string;
  readonly holds: boolean | null;
}

/** A step of a sequence that was seen, or an event that a limit counts. */
export interface Mark {
  /** Its id; `evidence:KIND` for evidence. */
  readonly rule: string;
  /**
   * Name of the step, or what is counted: `call`, `failure`, `deny`, `lines`, `minutes`, `file` with a digest of its path.
   * For evidence `+` with the state of the file if it matters, or `-` where it ended.
   */
  readonly step: string;
  /** The value of the rule's `key`, e.g. the session. */
  readonly key: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly weight: number;
}

/** Why a rule that was looked at did or did not fire. */
export interface TraceStep {
  readonly rule: string;
  readonly outcome: 'fired' | 'dynamic' | 'false' | 'error' | 'lifted' | 'off';
  readonly subject: string;
  readonly note: string;
}
