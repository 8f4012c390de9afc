import { cellsOf, cutTo } from './cells.ts';

/** How a piece of text looks. Colours say nothing that the words beside them don't say too. */
export type Look = 'plain' | 'dim' | 'bold' | 'title' | 'deny' | 'ask' | 'allow' | 'accent' | 'mark' | 'under' | 'bar';

/** A piece of a line; its text is shown text (no control characters) already. */
export interface Run {
  readonly text: string;
  readonly look: Look;
}

export interface Line {
  readonly runs: readonly Run[];
  /** The line the cursor is on. */
  readonly selected?: boolean;
  /** Not played yet. */
  readonly faded?: boolean;
}

export function run(text: string, look: Look = 'plain'): Run {
  return { text, look };
}

/** A line of texts and runs. */
export function lineOf(...parts: readonly (string | Run)[]): Line {
  return { runs: parts.map((part) => (typeof part === 'string' ? run(part) : part)) };
}

export const BLANK: Line = { runs: [] };

export function textOf(line: Line): string {
  return line.runs.map((r) => r.text).join('');
}

/** The line in exactly so many cells. */
export function fitted(line: Line, cells: number): Line {
  const runs: Run[] = [];
  let left = cells;
  for (const [i, one] of line.runs.entries()) {
    const size = cellsOf(one.text);
    const rest = line.runs.slice(i + 1).some((r) => r.text !== '');
    if (size > left || (size === left && rest)) {
      const text = size > left ? cutTo(one.text, left) : cutTo(`${one.text} `, left);
      runs.push({ ...one, text });
      left -= cellsOf(text);
      break;
    }
    runs.push(one);
    left -= size;
  }
  if (left > 0) runs.push(run(' '.repeat(left)));
  return { ...line, runs };
}

/** Left part and right part in so many cells; the left one gives way. */
export function spread(left: readonly Run[], right: readonly Run[], cells: number): Line {
  const size = right.reduce((sum, r) => sum + cellsOf(r.text), 0);
  const room = Math.max(0, cells - size);
  return { runs: [...fitted({ runs: left }, room).runs, ...right] };
}

/** Two blocks of lines side by side with a rule between them. */
export function beside(left: readonly Line[], right: readonly Line[], leftCells: number, rightCells: number): Line[] {
  const rows = Math.max(left.length, right.length);
  return Array.from({ length: rows }, (_, i) => {
    const l = fitted(left[i] ?? BLANK, leftCells);
    const r = fitted(right[i] ?? BLANK, rightCells);
    const bar = run('│ ', 'dim');
    // A selection belongs to its half: the other half must not look selected.
    const mine = l.selected || l.faded ? l.runs.map((x) => lookOf(x, l)) : l.runs;
    return { runs: [...mine, bar, ...r.runs] };
  });
}

function lookOf(one: Run, line: Line): Run {
  return { ...one, look: line.selected ? 'bar' : one.look === 'plain' ? 'dim' : one.look };
}

/** A line of `─`. */
export function ruleLine(cells: number, title = ''): Line {
  if (title === '') return lineOf(run('─'.repeat(Math.max(0, cells)), 'dim'));
  const head = cutTo(title, Math.max(0, cells - 4));
  return lineOf(
    run('─ ', 'dim'),
    run(head, 'title'),
    run(` ${'─'.repeat(Math.max(0, cells - 3 - cellsOf(head)))}`, 'dim'),
  );
}
