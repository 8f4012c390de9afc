/** One line of a change. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

/** Lines on either side beyond which a change is shown as all out, all in: the comparison takes their product. */
const MAX_LINES = 600;

/** The change from one text to another, line by line. */
export function diffOf(before: string, after: string): readonly DiffLine[] {
  const a = linesOf(before);
  const b = linesOf(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const middle = changed(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...a.slice(0, head).map(same), ...middle, ...a.slice(a.length - tail).map(same)];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function same(text: string): DiffLine {
  return { sign: ' ', text };
}

/** By the longest common subsequence. */
function changed(a: readonly string[], b: readonly string[]): DiffLine[] {
  const out: DiffLine[] = [];
  if (a.length > MAX_LINES || b.length > MAX_LINES)
    return [...a.map((text): DiffLine => ({ sign: '-', text })), ...b.map((text): DiffLine => ({ sign: '+', text }))];
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j]
          ? (common[(i + 1) * width + j + 1] as number) + 1
          : Math.max(common[(i + 1) * width + j] as number, common[i * width + j + 1] as number);
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push(same(a[i] as string));
      i++;
      j++;
    } else if (
      i < a.length &&
      (j >= b.length || (common[(i + 1) * width + j] as number) >= (common[i * width + j + 1] as number))
    )
      out.push({ sign: '-', text: a[i++] as string });
    else out.push({ sign: '+', text: b[j++] as string });
  }
  return out;
}

/** The change with at most `around` unchanged lines beside each changed one; `null` stands for what was left out. */
export function contextOf(lines: readonly DiffLine[], around = 3): readonly (DiffLine | null)[] {
  const near = lines.map(() => false);
  for (const [i, line] of lines.entries())
    if (line.sign !== ' ') near.fill(true, Math.max(0, i - around), Math.min(lines.length, i + around + 1));
  const out: (DiffLine | null)[] = [];
  for (const [i, line] of lines.entries()) {
    if (near[i]) out.push(line);
    else if (out[out.length - 1] !== null) out.push(null);
  }
  return out;
}
