import type { Position } from '../base/errors.ts';
import { visible } from '../base/escape.ts';

/** Something that is wrong in a policy file. */
export interface Finding {
  /** Stable kebab-case code. */
  readonly code: string;
  /** One sentence, lower case, user input in backticks. */
  readonly message: string;
  /** What to do. */
  readonly help: string;
  readonly at: Position;
  /** The line it is on, and how many characters of it are meant. */
  readonly line: string;
  readonly width: number;
  /** An error makes the file unusable. */
  readonly severity: 'error' | 'warning';
}

/** Five lines: what, where, the line, a caret, what to do. */
export function printFinding(finding: Finding): string {
  const { at } = finding;
  const number = String(at.line);
  const pad = ' '.repeat(number.length);
  const line = visible(finding.line);
  const start = visible(finding.line.slice(0, at.column - 1)).length;
  const marks = '^'.repeat(Math.max(1, Math.min(finding.width, line.length - start)));
  const lines = [
    `${finding.severity}[${finding.code}]: ${visible(finding.message)}`,
    `${pad}--> ${visible(at.file)}:${at.line}:${at.column}`,
    `${number} | ${line}`,
    `${pad} | ${' '.repeat(start)}${marks}`,
  ];
  if (finding.help) lines.push(`${pad} = ${visible(finding.help)}`);
  return lines.join('\n');
}

/** The nearest of the names, if it is near enough to be meant. */
export function nearest(name: string, names: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    const d = distance(name.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (d < bestDistance) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

/** Edits (insert, delete, replace, swap of neighbours) between two names; `limit` if there are that many or more. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit || a.length > 80) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (previous[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (previous[j - 1] as number) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return Math.min(previous[b.length] as number, limit);
}

/** ``did you mean `x`?`` or the alternatives in full when there are few. */
export function suggestion(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  if (near) return `did you mean \`${near}\`?`;
  return names.length > 0 && names.length <= 12 ? `known: ${names.join(', ')}` : '';
}
