import { visible } from '../base/escape.ts';

// Beyond what `visible` escapes: characters that take room and show nothing, tag characters (they carry a whole
// hidden ASCII text), variation selectors, halves of characters, and piles of combining marks that paint over other lines.
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\u2800]|(?<=\p{M}{3})\p{M}/gu;
const EMOJI_STYLE = /(?<=\p{Emoji}|\p{Extended_Pictographic})\ufe0f/gu;

/** Text of a record as a person may see it: on one line, everything invisible, reordering or piling up as an escape. */
export function shown(text: string): string {
  return isPlain(text) ? text : visible(text.replace(EMOJI_STYLE, '')).replace(HIDDEN, escaped);
}

/** As `shown`, line by line. */
export function shownLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) => shown(line.replaceAll('\t', '    ')));
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

function escaped(c: string): string {
  const code = c.codePointAt(0) ?? 0;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}

/** The first `max` characters (code points) at most, the last of them `…` if something was cut. */
export function clipped(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = [...text.slice(0, max * 2)];
  return points.length <= max && text.length <= max * 2 ? text : `${points.slice(0, max - 1).join('')}…`;
}

/** UTC, as everything that gov prints: `2026-01-05 09:30:00`. */
export function timeOf(at: number): string {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return 'unknown time';
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

/** Time since the start of a session: `0:03.4`, `12:00`, `1:02:03`. Tenths are left out from an hour on. */
export function offsetOf(ms: number): string {
  const tenths = Math.max(0, Math.floor(ms / 100));
  const s = Math.floor(tenths / 10);
  const two = (n: number): string => String(n).padStart(2, '0');
  if (s >= 3600) return `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
  return `${Math.floor(s / 60)}:${two(s % 60)}.${tenths % 10}`;
}

/** A length of time in the unit that says most: `40 ms`, `6.2 s`, `12 min`, `3.5 h`, `2.1 d`. */
export function durationOf(ms: number): string {
  const short = (n: number): string => (n < 9.95 ? n.toFixed(1) : String(Math.round(n)));
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${short(ms / 1000)} s`;
  if (ms < 3_600_000) return `${short(ms / 60_000)} min`;
  return ms < 86_400_000 ? `${short(ms / 3_600_000)} h` : `${short(ms / 86_400_000)} d`;
}

/** Whole numbers with thin groups, `1,234,567`. */
export function countOf(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}
