import type { Facts } from '../model/facts.ts';
import type { Item } from './items.ts';
import type { Verdict } from './judge.ts';

/**
 * For presets that allow only what a rule allows: true if `allow` rules cover the whole call, each command of it
 * (or, without commands, each file and destination), not just one part.
 */
export function isAllCovered(
  facts: Facts,
  found: readonly { readonly verdict: Verdict; readonly item: Item }[],
): boolean {
  const allowed = found.filter(
    ({ verdict: { hit } }) => hit?.effect === 'allow' && hit.enforced && hit.because === 'match',
  );
  if (allowed.some((a) => a.item.kind === '')) return true;
  const values = new Set(allowed.map((a) => a.item.value));
  const indexes = new Set(
    allowed.filter((a) => a.item.kind === 'command').map((a) => (a.item.value as { readonly id: number }).id),
  );
  if (facts.unknowns.length > 0) return false;
  if (facts.commands.length > 0) return facts.commands.every((c) => indexes.has(c.id));
  const parts = [...facts.files, ...facts.dests];
  return parts.length > 0 && parts.every((part) => values.has(part));
}
