/**
 * The ledger of established facts. It has no table of its own: outcomes leave marks in their records (policy/establish),
 * stored with them in one transaction, and what holds is read off the marks. So the records tell what established what.
 */
import { ENDED, evidencePlace } from '../policy/establish.ts';
import type { EvidenceAsk } from '../policy/scope.ts';
import { stampOf } from './stamp.ts';

/**
 * True if it was established, nothing ended it since, and, where that matters, the file is as it was then. Null if that
 * can't be known: there are no records to ask, or the agent never tells how its calls end. Throws if the store can't be
 * read.
 */
export function holds(
  { kind, key, declared, session, now, history }: EvidenceAsk,
  stamp: (path: string) => string | null = stampOf,
): boolean | null {
  if (!history) return null;
  const place = evidencePlace(kind, declared, session, key);
  const since = declared.withinMs === undefined ? 0 : now - declared.withinMs;
  const states = new Set<string>();
  let seen = false;
  for (const { step, at } of history.marks(place.rule, place.key, since)) {
    if (at > now) continue;
    seen = true;
    if (step === ENDED) states.clear();
    else states.add(step.slice(1));
  }
  if (states.size === 0) return seen || history.hears?.(session) !== false ? false : null;
  if (!declared.unchanged) return true;
  const state = stamp(key);
  return state === null ? null : states.has(state);
}
