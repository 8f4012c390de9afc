import { resolve } from 'node:path';
import { holds } from '../evidence/ledger.ts';
import type { Facts } from '../model/facts.ts';
import type { World } from '../model/world.ts';
import { isChanged } from '../policy/changed.ts';
import { OUTCOMES } from '../policy/outcomes.ts';
import type { Services } from '../policy/scope.ts';
import type { EvidenceData } from './rule-data.ts';

/** The state of files in a case: a number that goes up with each change. */
export function fileStates({ workspace }: Pick<World, 'workspace'>): {
  readonly stamp: (path: string) => string;
  readonly change: (paths: readonly string[]) => void;
  readonly saw: (facts: Facts) => void;
} {
  const states = new Map<string, number>();
  const change = (paths: readonly string[]): void => {
    for (const path of paths) {
      const real = resolve(workspace, path);
      states.set(real, (states.get(real) ?? 0) + 1);
    }
  };
  return {
    stamp: (path) => String(states.get(path) ?? 0),
    change,
    saw: ({ event, files }) => {
      if (OUTCOMES.has(event.name)) change(files.filter(isChanged).flatMap((f) => (f.real === null ? [] : [f.real])));
    },
  };
}

/** What a case says is there; else what its history established. */
export function evidenceOf(
  given: readonly EvidenceData[],
  { workspace }: Pick<World, 'workspace'>,
  stamp: (path: string) => string,
): NonNullable<Services['evidence']> {
  const keyOf = ({ key }: EvidenceData): string => (key === undefined ? workspace : resolve(workspace, key));
  return (ask) => {
    // A kind that hides one of an upper layer is called `kind@layer` in the bundle.
    const named = given.filter((one) => ask.kind === one.kind || ask.kind.startsWith(`${one.kind}@`));
    const found = named.find((one) => one.key === ask.key || keyOf(one) === ask.key);
    if (found) return found.holds === 'unknown' ? null : (found.holds ?? true);
    return holds(ask, stamp);
  };
}
