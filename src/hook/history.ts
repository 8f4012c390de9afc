import type { Mark } from '../model/decision.ts';
import type { History } from '../policy/history.ts';

/**
 * The marks of earlier decisions, read from the store when a rule asks for the first time: only rules with a sequence
 * or a limit do, and only when the rest of their condition holds.
 */
export function storeHistory(read: (since: number) => readonly Mark[]): History {
  let known: { readonly since: number; readonly marks: readonly Mark[] } | null = null;
  return {
    marks: (rule, key, since) => {
      if (known === null || since < known.since) known = { since, marks: read(since) };
      return known.marks.filter((m) => m.rule === rule && m.key === key && m.at >= since);
    },
  };
}
