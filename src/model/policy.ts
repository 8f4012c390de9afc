import type { Layer, RuleEffect, Severity } from './decision.ts';

/**
 * One node of a checked CEL expression, as plain JSON: `[op, …operands]`. Written by rulebook (which parses and
 * type-checks with cel-js), walked by policy's evaluator. Macros are already expanded; `pos` is kept for traces.
 */
export interface CelNode {
  readonly op: string;
  readonly args: readonly (CelNode | string | number | boolean | null)[];
  /** Offsets in the rule's source expression. */
  readonly at: readonly [number, number];
}

/** A typed, checked expression with its source. */
export interface CelExpr {
  readonly source: string;
  readonly root: CelNode;
}

export interface CompiledRule {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly pack: string;
  readonly layer: Layer;
  readonly severity: Severity;
  readonly level: 'hard' | 'soft' | 'advisory';
  readonly mode: 'enforce' | 'shadow' | 'off';
  readonly on: readonly string[];
  /** Empty: any. */
  readonly tools: readonly string[];
  readonly programs: readonly string[];
  readonly agents: readonly string[];
  /** What the condition ranges over; '' once per call. */
  readonly each: '' | 'command' | 'file' | 'dest' | 'effect';
  /** Effect kinds that can make it true, taken from the condition; empty: any. */
  readonly kinds: readonly string[];
  readonly when: CelExpr;
  readonly effect: RuleEffect;
  readonly fallback: readonly RuleEffect[];
  readonly onDynamic: 'ask' | 'match' | 'ignore';
  readonly onError: 'deny' | 'ask' | 'skip';
  readonly message: string;
  readonly messageExpr: CelExpr | null;
  readonly suggest: CelExpr | null;
  readonly remediation: string;
  readonly tags: readonly string[];
}

/** The compiled bundle: one JSON file, named by its digest, the only policy a hook reads. */
export interface CompiledPolicy {
  readonly format: 1;
  /** SHA-256 of the canonical JSON of all other members. */
  readonly digest: string;
  readonly defaultEffect: 'allow' | 'ask' | 'deny';
  readonly preset: string;
  readonly rules: readonly CompiledRule[];
  /** What `lists.NAME` is. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** What `params.NAME` is, per rule pack. */
  readonly params: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Files it was made from, for `gov doctor` and staleness. */
  readonly sources: readonly { readonly path: string; readonly sha256: string }[];
}
