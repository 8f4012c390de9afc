import type { Counts } from './numbers.ts';
import type { Bucket, Report } from './report.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Step = Report['timeline']['step'];

/** Counts by hour gathered into at most about 60 steps of UTC time; empty steps in between are there too. */
export function timelineOf(
  hours: ReadonlyMap<number, Counts>,
  first: number | null,
  last: number | null,
): Report['timeline'] {
  if (first === null || last === null || hours.size === 0) return { step: 'day', buckets: [] };
  const span = last - first;
  const step: Step = span <= 2 * DAY ? 'hour' : span <= 60 * DAY ? 'day' : span <= 400 * DAY ? 'week' : 'month';
  const buckets = new Map<number, { -readonly [K in keyof Bucket]: Bucket[K] }>();
  const keys = [...hours.keys()].sort((a, b) => a - b);
  const begin = startOf((keys[0] ?? 0) * HOUR, step);
  const end = (keys[keys.length - 1] ?? 0) * HOUR;
  for (let at = begin; at <= end && buckets.size < MAX_BUCKETS; at = after(at, step))
    buckets.set(at, { start: at, allow: 0, ask: 0, deny: 0, halt: 0 });
  for (const [hour, counts] of hours) {
    const bucket = buckets.get(startOf(hour * HOUR, step));
    if (bucket === undefined) continue;
    bucket.allow += counts.allow;
    bucket.ask += counts.ask;
    bucket.deny += counts.deny;
    bucket.halt += counts.halt;
  }
  return { step, buckets: [...buckets.values()] };
}

/** A clock that was wrong once must not make a report endless. */
const MAX_BUCKETS = 400;

function startOf(at: number, step: Step): number {
  if (step === 'hour') return Math.floor(at / HOUR) * HOUR;
  const day = Math.floor(at / DAY) * DAY;
  if (step === 'day') return day;
  if (step === 'week') return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY; // weeks begin on Monday
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function after(at: number, step: Step): number {
  if (step === 'hour') return at + HOUR;
  if (step === 'day') return at + DAY;
  if (step === 'week') return at + 7 * DAY;
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** A step's name for people: `2026-01-05 14:00`, `2026-01-05`, `2026-01`. */
export function stepName(at: number, step: Step): string {
  const iso = new Date(at).toISOString();
  if (step === 'hour') return `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;
  return step === 'month' ? iso.slice(0, 7) : iso.slice(0, 10);
}
