import type {
  CelExpr,
  CompiledEvidence,
  CompiledException,
  CompiledPolicy,
  CompiledRule,
  EvidenceStep,
} from '../model/policy.ts';
import { compileNode, type Run } from './expression.ts';

/** The compiled parts of a rule. */
export interface Condition {
  readonly when: Run;
  readonly requires: Run | null;
  readonly message: Run | null;
  readonly suggest: Run | null;
  readonly audit: readonly (readonly [string, Run])[];
  readonly sequenceKey: Run | null;
  readonly limitKey: Run | null;
  readonly exceptions: ReadonlyMap<string, Exception>;
}

export interface Exception {
  readonly fields: readonly (readonly [string, Run])[];
  readonly comps: CompiledException['comps'];
}

/** One step of a sequence that is not the last. */
export interface Step {
  readonly rule: CompiledRule;
  readonly name: string;
  readonly on: readonly string[];
  readonly each: CompiledRule['each'];
  readonly when: Run;
  readonly key: Run;
}

/** INVARIANT: an expression that this version can't compile is a condition that is an error each time, never one that is left out. */
function compileExpr(expr: CelExpr, policy: CompiledPolicy): Run {
  try {
    return compileNode(expr.root, policy).run;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

export function compileCondition(rule: CompiledRule, policy: CompiledPolicy): Condition {
  const run = (expr: CelExpr | null | undefined): Run | null => (expr ? compileExpr(expr, policy) : null);
  const named = (exprs: Readonly<Record<string, CelExpr>>): (readonly [string, Run])[] =>
    Object.entries(exprs).map(([name, expr]) => [name, compileExpr(expr, policy)] as const);
  return {
    when: compileExpr(rule.when, policy),
    requires: run(rule.requires),
    message: run(rule.messageExpr),
    suggest: run(rule.suggest),
    audit: named(rule.audit ?? {}),
    sequenceKey: run(rule.sequence?.key),
    limitKey: run(rule.limit?.key),
    exceptions: new Map(
      Object.entries(rule.exceptions ?? {}).map(([name, e]) => [name, { fields: named(e.fields), comps: e.comps }]),
    ),
  };
}

/** A kind of evidence, ready to be seen in outcomes. */
export interface Kind {
  readonly name: string;
  readonly declared: CompiledEvidence;
  readonly established: readonly KindStep[];
  readonly ended: readonly KindStep[];
}

export interface KindStep {
  readonly outcome: EvidenceStep['outcome'];
  readonly each: EvidenceStep['each'];
  readonly when: Run;
  readonly key: Run;
}

export function compileKind(name: string, policy: CompiledPolicy): Kind {
  const declared = policy.evidence?.[name] as CompiledEvidence;
  const steps = (list: readonly EvidenceStep[]): readonly KindStep[] =>
    list.map(({ outcome, each, when, key }) => ({
      outcome,
      each,
      when: compileExpr(when, policy),
      key: compileExpr(key, policy),
    }));
  return { name, declared, established: steps(declared.established), ended: steps(declared.ended) };
}

export function compileSteps(rule: CompiledRule, policy: CompiledPolicy): readonly Step[] {
  const { sequence } = rule;
  if (!sequence) return [];
  const key = compileExpr(sequence.key, policy);
  return sequence.steps.map((step) => ({
    rule,
    name: step.name,
    on: step.on,
    each: step.each,
    when: compileExpr(step.when, policy),
    key,
  }));
}
