import type { CompiledRule } from '../model/policy.ts';

/** How many rules there are, and how many of them speak. */
export interface RuleCount {
  readonly rules: number;
  readonly on: number;
  /** Recorded as "would have", not enforced. */
  readonly shadow: number;
  readonly off: number;
}

export function countRules(rules: readonly Pick<CompiledRule, 'mode'>[]): RuleCount {
  const of = (mode: CompiledRule['mode']): number => rules.filter((rule) => rule.mode === mode).length;
  return { rules: rules.length, on: of('enforce'), shadow: of('shadow'), off: of('off') };
}

/** `59 rules: 55 on, 4 off`; `1 rule` where all are on. */
export function countText({ rules, on, shadow, off }: RuleCount): string {
  const total = `${rules} ${rules === 1 ? 'rule' : 'rules'}`;
  if (on === rules) return total;
  const parts = [`${on} on`, shadow > 0 ? `${shadow} in shadow` : '', off > 0 ? `${off} off` : ''];
  return `${total}: ${parts.filter((part) => part !== '').join(', ')}`;
}
