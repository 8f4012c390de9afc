import { statSync } from 'node:fs';
import type { CompiledPolicy } from '../model/policy.ts';
import type { LoadPolicy } from '../policy/in-force.ts';
import { loadPolicy, twinOf } from '../policy/load.ts';

/** Of each bundle the newest state; more than these many projects at a time are read anew. */
const KEPT = 64;

/**
 * Reads compiled bundles as `loadPolicy` does, and again only when the file is another or was written to. What can't be
 * loaded is never kept, and throws just as it does in a process of its own: an older state of it does not live on.
 */
export function keptPolicies(load: LoadPolicy = loadPolicy): LoadPolicy {
  const kept = new Map<string, { readonly state: string; readonly policy: CompiledPolicy }>();
  return (path) => {
    const state = stateOf(path);
    const known = kept.get(path);
    if (state !== null && known?.state === state) return known.policy;
    kept.delete(path);
    const policy = load(path);
    // Written while it was read: what was read is whole, for its digest was checked, but it may not be the newest.
    if (state !== null && state === stateOf(path)) {
      if (kept.size >= KEPT) kept.clear();
      kept.set(path, { state, policy });
    }
    return policy;
  };
}

/** What changes with each write: a time of change can't be set by whom it would serve. Null if it can't be known. */
function stateOf(path: string): string | null {
  try {
    return [path, twinOf(path)]
      .map((file) => {
        const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
        return stat ? `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}` : '-';
      })
      .join(' ');
  } catch {
    return null;
  }
}
