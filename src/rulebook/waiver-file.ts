import { isMap, isSeq, parseDocument, stringify } from 'yaml';

export interface NewWaiver {
  readonly id: string;
  readonly rule: string;
  readonly exception: string;
  readonly values: readonly Readonly<Record<string, string>>[];
  readonly reason: string;
  readonly owner: string;
  readonly approved_by?: string;
  readonly ticket?: string;
  readonly not_before: string;
  readonly expires: string;
}

/** The text of a waiver file with one more waiver at its end; '' starts a new file. Comments stay. */
export function withWaiver(text: string, waiver: NewWaiver): string {
  const entry = `  ${stringify([waiver], { lineWidth: 0 }).trimEnd().replaceAll('\n', '\n  ')}\n`;
  if (text.trim() === '') return `apiVersion: gov/v1\nkind: Waivers\nwaivers:\n${entry}`;
  return `${text.trimEnd()}\n${entry}`;
}

/** The text with the end of a waiver set; null if the file does not hold that waiver. */
export function withExpiry(text: string, id: string, expires: string): string | null {
  const doc = parseDocument(text);
  const waivers = doc.get('waivers');
  if (!isSeq(waivers)) return null;
  const item = waivers.items.find((w) => isMap(w) && w.get('id') === id);
  if (!isMap(item)) return null;
  item.set('expires', expires);
  return doc.toString({ lineWidth: 0 });
}

/** An id that is not taken: `W-1`, `W-2` … */
export function nextWaiverId(taken: Iterable<string>): string {
  const numbers = [...taken].flatMap((id) => /^W-(\d+)$/.exec(id)?.[1] ?? []).map(Number);
  return `W-${Math.max(0, ...numbers) + 1}`;
}
