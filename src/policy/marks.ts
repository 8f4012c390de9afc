import { sha256 } from '../base/digest.ts';
import type { Answer, Mark } from '../model/decision.ts';
import type { Facts, FileFact } from '../model/facts.ts';
import type { CompiledPolicy, CompiledRule, Each } from '../model/policy.ts';
import { isChanged } from './changed.ts';
import type { Condition, Step } from './condition.ts';
import type { Run } from './expression.ts';
import { countsCalls } from './history.ts';
import { type Item, itemsOf } from './items.ts';
import { OUTCOMES } from './outcomes.ts';
import { kindsAsked } from './rule-index.ts';
import { type Scope, withBudget } from './scope.ts';

/** Marks for a step of a sequence that this event is: one for each key. */
export function stepMarks(step: Step, facts: Facts, scope: Scope, at: number): readonly Mark[] {
  return keysThatMatch(step.each, step.when, step.key, facts, scope).map((key) => ({
    rule: step.rule.id,
    step: step.name,
    key,
    at,
    weight: 1,
  }));
}

/** Marks for what is only known afterwards: that a call failed, or was denied. */
export function countersOf(
  rule: CompiledRule,
  condition: Condition,
  on: {
    readonly facts: Facts;
    readonly scope: Scope;
    readonly now: number;
    readonly answer: Answer;
    readonly by: string | null;
  },
): readonly Mark[] {
  const { limit } = rule;
  if (!limit || !condition.limitKey) return [];
  // What the rule itself refused is not counted, or a session that goes on trying would never come free.
  const denied = (on.answer === 'deny' || on.answer === 'halt') && on.by !== rule.id;
  const happened = limit.counts === 'failure' ? (on.facts.result?.failed ?? false) : denied;
  if (!happened) return [];
  return keysThatMatch(rule.each, condition.when, condition.limitKey, on.facts, on.scope).map((key) => ({
    rule: rule.id,
    step: limit.counts,
    key,
    at: on.now,
    weight: 1,
  }));
}

/** What a call brings to a limit before it is made: how much, and under which names marks of it are left. */
export function broughtBy(
  rule: CompiledRule,
  item: Item,
  facts: Facts,
): { readonly weight: number; readonly steps: readonly string[] } {
  const { counts } = rule.limit ?? { counts: 'call' };
  switch (counts) {
    case 'call':
    case 'minutes':
      return { weight: 1, steps: countsCalls(rule) ? [] : [counts] };
    case 'lines': {
      const weight = facts.files.reduce((sum, f) => sum + f.added + f.removed, 0);
      return { weight, steps: weight > 0 ? [counts] : [] };
    }
    case 'files': {
      const files = item.kind === 'file' ? [item.value as FileFact] : facts.files.filter(isChanged);
      return { weight: 1, steps: [...new Set(files.map(fileStep))] };
    }
    default:
      return { weight: 0, steps: [] };
  }
}

/** A file by a digest: marks are small, and name nothing. */
function fileStep(file: FileFact): string {
  return `file ${sha256(file.real ?? file.path).slice(0, 16)}`;
}

/** A call that was refused changed nothing. */
export function isOfChanges(mark: Mark): boolean {
  return mark.step === 'lines' || mark.step.startsWith('file ');
}

/** The different keys of items on which the condition holds. What can't be evaluated leaves no mark. */
function keysThatMatch(each: Each, when: Run, keyOf: Run, facts: Facts, scope: Scope): readonly string[] {
  const keys = new Set<string>();
  const items = each === '' ? [null] : [...itemsOf(each, facts, scope)].map((i) => i.value);
  for (const item of items) {
    scope.locals[0] = item;
    try {
      withBudget(scope, () => when(scope) === true && keys.add(String(keyOf(scope))));
    } catch {
      // The condition says nothing about this item.
    }
  }
  return [...keys];
}

/**
 * True if the outcome of a call can be of any matter to the policy: a rule is asked about the event, a step is seen, a
 * failure is counted, or it may establish or end evidence that a rule asks for.
 */
export function concerns(policy: CompiledPolicy, event: string, failed: boolean): boolean {
  if (policy.evidence && OUTCOMES.has(event) && kindsAsked(policy).length > 0) return true;
  return policy.rules.some(
    ({ mode, on, sequence, limit }) =>
      mode !== 'off' &&
      (on.includes(event) ||
        sequence?.steps.some((step) => step.on.includes(event)) ||
        (failed && limit?.counts === 'failure')),
  );
}
