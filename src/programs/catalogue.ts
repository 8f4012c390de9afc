import type { Program } from './define.ts';
import { families } from './families.ts';

// The hook's bundle puts another module in the place of this one (scripts/lazy-programs.mjs): with the same two
// functions, but a family's module is first evaluated when one of its programs is met.

const byName = new Map<string, Program>();
for (const family of families)
  for (const program of family) for (const name of program.names) if (!byName.has(name)) byName.set(name, program);

/** The model with exactly this name. */
export function programNamed(name: string): Program | undefined {
  return byName.get(name);
}

/** Every name that has a model. */
export function programNames(): readonly string[] {
  return [...byName.keys()];
}
