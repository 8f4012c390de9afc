/** One replacement in a file. */
export interface Replacement {
  readonly before: string;
  readonly after: string;
  readonly everywhere: boolean;
}

/** The text with all replacements made, or null if one of them does not apply to it. */
export function edited(text: string, edits: readonly Replacement[]): string | null {
  let now = text;
  for (const { before, after, everywhere } of edits) {
    if (before === '') {
      if (now !== '') return null;
      now = after;
      continue;
    }
    if (!now.includes(before)) return null;
    now = everywhere ? now.split(before).join(after) : replaceOnce(now, before, after);
  }
  return now;
}

function replaceOnce(text: string, before: string, after: string): string {
  const at = text.indexOf(before);
  return text.slice(0, at) + after + text.slice(at + before.length);
}

/** Lines that a replacement adds and takes away, without those that stay at its ends. */
export function changedLines(before: string, after: string): { readonly added: number; readonly removed: number } {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return { added: now.length - start - end, removed: old.length - start - end };
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
