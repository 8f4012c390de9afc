import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, textOf, type Value } from '../model/value.ts';
import { runsCode } from './interpreter.ts';
import { merge } from './subcommands.ts';

const LARGEST = 1_000_000;

/** What the cells of notebooks do when they are executed: Python, with lines of shell behind `!` (nbformat, IPython). */
export function runsNotebooks(inv: Invocation, paths: readonly Value[]): Outcome {
  const outcomes = paths.map((path): Outcome => {
    const { real } = inv.world.resolve(inv.cwd, path, true);
    const value = real === null ? null : inv.world.content(real)?.value;
    const text = value ? textOf(value) : null;
    if (text === null || text.length > LARGEST) return { opaque: true };
    const lines = cellsOf(text).flatMap((cell) => cell.split('\n'));
    const shell = lines.filter((line) => /^\s*!/.test(line)).map((line) => line.trim().replace(/^!+/, ''));
    const code = lines.filter((line) => !/^\s*[!%?]/.test(line)).join('\n');
    const nested = shell.map((line): Nested => ({ kind: 'script', via: inv.name, text: known(line), certain: false }));
    const { files = [], effects = [], nested: started = [] } = runsCode(inv, 'python', known(code), []);
    // A notebook of the project is its own work: of it only what is written out in full counts.
    return {
      files: files.filter((file) => file.op !== 'read' && textOf(file.path) !== null),
      effects: effects.filter((effect) => effect.kind === 'exec-remote' || effect.kind === 'exec-decoded'),
      nested: [...nested, ...started.filter((one) => one.kind !== 'script' || textOf(one.text) !== null)],
    };
  });
  const { files = [], effects = [], nested = [] } = merge(...outcomes);
  return { files, effects, nested, opaque: true };
}

/** The sources of the code cells; none if it is no notebook. */
function cellsOf(text: string): readonly string[] {
  try {
    const { cells } = JSON.parse(text) as { cells?: unknown };
    if (!Array.isArray(cells)) return [];
    return cells.flatMap((cell: unknown): readonly string[] => {
      const { cell_type, source } = (cell ?? {}) as { cell_type?: unknown; source?: unknown };
      if (cell_type !== 'code') return [];
      return [Array.isArray(source) ? source.join('') : typeof source === 'string' ? source : ''];
    });
  } catch {
    return [];
  }
}
