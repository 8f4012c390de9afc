import type { RuleEffect, Severity } from '../model/decision.ts';
import type { Comparison, CompiledRule, Each } from '../model/policy.ts';

/** A rule as it is written, its shape checked. */
export interface RuleData {
  readonly id: string;
  readonly version?: number;
  readonly title: string;
  readonly description?: string;
  readonly status?: 'experimental' | 'test' | 'stable' | 'deprecated';
  readonly severity: Severity;
  readonly level?: CompiledRule['level'];
  readonly mode?: CompiledRule['mode'];
  readonly on?: readonly string[];
  readonly tools?: readonly string[];
  readonly programs?: readonly string[];
  readonly agents?: readonly string[];
  readonly each?: Each;
  readonly unless_allowed?: boolean;
  readonly when?: string;
  readonly sequence?: { readonly within: string; readonly key?: string; readonly steps: readonly StepData[] };
  readonly limit?: {
    readonly count: number;
    readonly window: string;
    readonly key?: string;
    readonly counts: 'call' | 'failure' | 'deny' | 'lines' | 'files' | 'minutes';
  };
  readonly requires?: string;
  readonly effect: RuleEffect;
  readonly fallback?: readonly RuleEffect[];
  readonly on_dynamic?: CompiledRule['onDynamic'];
  readonly on_error?: CompiledRule['onError'];
  readonly message?: string;
  readonly message_expr?: string;
  readonly suggest?: string;
  readonly remediation?: string;
  readonly references?: readonly string[];
  readonly mappings?: Readonly<Record<string, readonly string[]>>;
  readonly tags?: readonly string[];
  readonly exceptions?: Readonly<
    Record<
      string,
      { readonly fields: Readonly<Record<string, string>>; readonly comps?: Readonly<Record<string, Comparison>> }
    >
  >;
  readonly elevation?: Readonly<Record<string, unknown>>;
  readonly audit?: Readonly<Record<string, string>>;
  readonly owners?: readonly string[];
  readonly review_by?: string;
  readonly tests?: TestsData;
}

interface StepData {
  readonly as: string;
  readonly on?: readonly string[];
  readonly each?: Each;
  readonly when: string;
}

/** A shell command, or an event. */
export type CallData = string | Readonly<Record<string, unknown>>;

export interface TestsData {
  readonly match?: readonly CallData[];
  readonly no_match?: readonly CallData[];
  readonly dynamic?: readonly CallData[];
  readonly cases?: readonly CaseData[];
}

export interface CaseData {
  readonly name?: string;
  readonly event: CallData;
  readonly history?: readonly PastData[];
  readonly evidence?: readonly EvidenceData[];
  readonly history_repeat?: {
    readonly times: number;
    readonly at?: string;
    readonly every?: string;
    readonly event: CallData;
  };
  readonly now?: string;
  readonly grants?: readonly GrantData[];
  readonly world?: Readonly<Record<string, unknown>>;
  readonly expect: {
    readonly effect?: string;
    readonly message?: string;
    readonly rule?: string;
    readonly waiver?: string;
    readonly grant?: string;
  };
}

/** An event before that of a case, or files that somebody else changed. */
export interface PastData {
  readonly at?: string;
  readonly event?: CallData;
  readonly changed?: readonly string[];
}

/** Evidence that a case takes as given. */
export interface EvidenceData {
  readonly kind: string;
  readonly key?: string;
  readonly holds?: boolean | 'unknown';
}

/** A grant in a test. */
export interface GrantData {
  readonly id: string;
  readonly rules?: readonly string[];
  readonly tags?: readonly string[];
  readonly from?: string;
  readonly until?: string;
}

export interface PackData {
  readonly metadata: { readonly name: string; readonly owners?: readonly string[] };
  readonly params?: Readonly<
    Record<string, { readonly type: string; readonly default: unknown; readonly tunable?: string }>
  >;
  /** Null: its shape is faulty, and that is reported. */
  readonly rules: readonly (RuleData | null)[];
}

/** Which sides of a rule its tests show. */
export function testSides(tests: TestsData): { readonly fires: boolean; readonly silent: boolean } {
  const effects = (tests.cases ?? []).map((c) => c.expect.effect ?? '');
  return {
    fires:
      (tests.match?.length ?? 0) + (tests.dynamic?.length ?? 0) > 0 || effects.some((e) => e !== 'none' && e !== ''),
    silent: (tests.no_match?.length ?? 0) > 0 || effects.includes('none'),
  };
}

/** True if a parameter's value is of its type. */
export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'int':
      return Number.isSafeInteger(value);
    case 'double':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    case 'bool':
      return typeof value === 'boolean';
    case 'list<string>':
      return Array.isArray(value) && value.every((v) => typeof v === 'string');
    case 'list<int>':
      return Array.isArray(value) && value.every((v) => Number.isSafeInteger(v));
    default:
      return false;
  }
}
