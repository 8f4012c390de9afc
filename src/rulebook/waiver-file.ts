import { isMap, isSeq, parseAllDocuments, stringify } from 'yaml';

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

/**
 * The text with a waiver ended at `now` (an instant), and when it ends: one that is over stays as it is. Null if the
 * file does not hold that waiver.
 */
export function withExpiry(text: string, id: string, now: string): { text: string; expires: string } | null {
  const docs = parseAllDocuments(text);
  for (const doc of Array.isArray(docs) ? docs : []) {
    const waivers = doc.get('waivers');
    const item = isSeq(waivers) ? waivers.items.find((w) => isMap(w) && w.get('id') === id) : undefined;
    if (!isMap(item)) continue;
    const end = String(item.get('expires'));
    if (Date.parse(end) <= Date.parse(now)) return { text, expires: end };
    item.set('expires', now);
    // A waiver that has not begun is over before it begins.
    if (Date.parse(String(item.get('not_before'))) >= Date.parse(now)) item.delete('not_before');
    return { text: docs.map((d) => d.toString({ lineWidth: 0 })).join(''), expires: now };
  }
  return null;
}

/** An id that is not taken: `W-1`, `W-2` … */
export function nextWaiverId(taken: Iterable<string>): string {
  const numbers = [...taken].flatMap((id) => /^W-(\d+)$/.exec(id)?.[1] ?? []).map(Number);
  return `W-${Math.max(0, ...numbers) + 1}`;
}
