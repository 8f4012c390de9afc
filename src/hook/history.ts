import type { Mark } from '../model/decision.ts';
import type { History } from '../policy/history.ts';

/** A call's digest within a key. */
const DIGEST = /\b[0-9a-f]{64}\b/g;

/**
 * The marks of earlier decisions, looked up in the store: only rules with a sequence or a limit ask, and only when the
 * rest of their condition holds. Where a call held a secret its digest is stored keyed, so a key is looked for in both
 * forms; `keyed` gives null without a key.
 */
export function storeHistory(
  read: (rule: string, keys: readonly string[], since: number) => readonly Mark[],
  keyed: (digest: string) => string | null,
): History {
  let broken: { readonly error: unknown } | null = null;
  return {
    marks: (rule, key, since) => {
      // A store that can't be read now is not waited for again by the next rule.
      if (broken) throw broken.error;
      try {
        const other = key.replace(DIGEST, (digest) => keyed(digest) ?? digest);
        return read(rule, other === key ? [key] : [key, other], since);
      } catch (error) {
        broken = { error };
        throw error;
      }
    },
  };
}
