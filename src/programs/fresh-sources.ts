import type { Invocation, Outcome } from '../model/program.ts';
import { known, textOf, type Value } from '../model/value.ts';
import { foreignCode } from './foreign-code.ts';

/**
 * What sources plainly say that this call wrote a moment before they are compiled or run. Sources that were there are
 * the project's own work.
 */
export function freshSources(inv: Invocation, paths: readonly Value[]): Pick<Outcome, 'nested' | 'files'> {
  const codes = paths.flatMap((path): readonly string[] => {
    const { real } = inv.world.resolve(inv.cwd, path, true);
    if (real === null || !inv.world.changed(real)) return [];
    const value = inv.world.content(real)?.value;
    const text = value ? textOf(value) : null;
    return text === null ? [] : [text];
  });
  return codes.length === 0 ? { nested: [], files: [] } : foreignCode(codes.map(known), inv.name);
}
