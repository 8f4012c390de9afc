import { visible } from '../base/escape.ts';

/** A line for a terminal: nothing in it can move the cursor but its tabs. */
export function printable(line: string): string {
  return line.split('\t').map(visible).join('\t');
}

/** Lines of context around a change. */
const CONTEXT = 3;

type Line = { readonly mark: ' ' | '+' | '-'; readonly text: string };

/** The difference of two texts as `diff -u` prints it, without file names; empty if they are equal. */
export function diffLines(before: string, after: string): readonly string[] {
  const lines = align(before.split('\n'), after.split('\n'));
  const near = lines.map((_, i) =>
    lines.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some((line) => line.mark !== ' '),
  );
  const out: string[] = [];
  lines.forEach((line, i) => {
    if (near[i]) out.push(`${line.mark}${line.text}`);
    else if (near[i - 1] && near.includes(true, i)) out.push('…');
  });
  return out;
}

/** A line that nobody reads to its end. */
const LONG = 1000;

/**
 * The difference of two texts of settings. Where JSON stands on few long lines, it is shown with one value a line: what
 * is written keeps the layout that it has.
 */
export function settingsDiff(before: string, after: string): readonly string[] {
  const diff = diffLines(before, after);
  if (!diff.some((line) => line.length > LONG)) return diff;
  const [was, is] = [spreadOut(before), spreadOut(after)];
  return was === null || is === null ? diff : ['(shown with one value a line)', ...diffLines(was, is)];
}

function spreadOut(text: string): string | null {
  if (text.trim() === '') return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null; // Comments: then as it stands.
  }
}

/** What is common at both ends stays; the middle is matched by its longest common subsequence. */
function align(a: readonly string[], b: readonly string[]): readonly Line[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (lines: readonly string[]): Line[] => lines.map((text) => ({ mark: ' ', text }));
  return [
    ...same(a.slice(0, head)),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(a.slice(a.length - tail)),
  ];
}

function middle(a: readonly string[], b: readonly string[]): readonly Line[] {
  const best = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number): number => best[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (best[i] as Uint32Array)[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const out: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push({ mark: ' ', text: a[i] as string });
      i++;
      j++;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1)))
      out.push({ mark: '-', text: a[i++] as string });
    else out.push({ mark: '+', text: b[j++] as string });
  }
  return out;
}
