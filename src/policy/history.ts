import type { Mark } from '../model/decision.ts';
import type { CompiledRule } from '../model/policy.ts';

/** What earlier decisions left behind. The store has one; `memoryHistory` serves tests and replay. */
export interface History {
  /** Marks of the rule and key at or after `since`, oldest first. */
  marks(rule: string, key: string, since: number): readonly Mark[];
}

/** A history in memory. */
export function memoryHistory(): History & { add(marks: readonly Mark[]): void } {
  const all: Mark[] = [];
  return {
    add: (marks) => {
      all.push(...marks);
    },
    marks: (rule, key, since) =>
      all.filter((m) => m.rule === rule && m.key === key && m.at >= since).sort((a, b) => a.at - b.at),
  };
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

/** True if this call would go past the limit. `weight` is what this call adds (0 for what is counted only afterwards). */
export function isLimitReached(
  rule: CompiledRule,
  key: string,
  weight: number,
  history: History | undefined,
  now: number,
): boolean {
  if (!rule.limit) return false;
  const { count, windowMs, counts } = rule.limit;
  const marks = history?.marks(rule.id, key, now - windowMs) ?? [];
  const total = marks.filter((m) => m.step === counts && m.at <= now).reduce((sum, m) => sum + m.weight, 0);
  return counts === 'failure' || counts === 'deny' ? total >= count : total + weight > count;
}
