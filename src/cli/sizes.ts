import { GovError } from '../base/errors.ts';
import { parseWhen } from './when.ts';

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9 };

/** Bytes as people write them: `500MB`, `2 GB`, `64k`, `1000000`. Throws `usage-size`. */
export function parseBytes(text: string): number {
  const match = /^(\d{1,12}(?:\.\d{1,3})?)\s?([kmg]?)b?$/.exec(text.trim().toLowerCase());
  if (match === null)
    throw new GovError({ code: 'usage-size', message: `\`${text}\` is not a size`, help: 'write 500MB or 2GB' });
  return Math.floor(Number(match[1]) * (UNITS[match[2] ?? ''] ?? 1));
}

/** What to keep: a number of records, or a span of time as the moment at which it begins. Throws `usage-time`. */
export function parseKeep(text: string, now: number): { readonly keep?: number; readonly before?: number } {
  const word = text.trim();
  return /^\d{1,12}$/.test(word) ? { keep: Number(word) } : { before: parseWhen(word, now) };
}
