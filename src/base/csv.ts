import { visible } from './escape.ts';

/** Spreadsheets skip white space before a formula, and take full-width signs for the plain ones. */
const FORMULA = /^\s*[=+\-@|＝＋－＠]/;

/**
 * One cell of CSV (RFC 4180). SECURITY: a text that a spreadsheet would take for a formula gets an apostrophe in
 * front; control and bidi characters become visible.
 */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = visible(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
