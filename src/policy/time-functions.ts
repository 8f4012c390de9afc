import type { Strict } from './functions.ts';
import { type Duration, isDuration } from './operators.ts';
import { CelFault } from './scope.ts';

/** Instants and lengths of time. */
export const TIME_FUNCTIONS: Readonly<Record<string, Strict>> = {
  timestamp: (_scope, x: unknown) => {
    const date = typeof x === 'number' ? new Date(x * 1000) : new Date(String(x));
    if (Number.isNaN(date.getTime())) throw new CelFault('timestamp: not an ISO 8601 date');
    return date;
  },
  duration: (_scope, x: string) => ({ ms: parseDuration(x) }),
  getFullYear: (_scope, d: Date, zone?: string) => local(d, zone).getUTCFullYear(),
  getMonth: (_scope, d: Date, zone?: string) => local(d, zone).getUTCMonth(),
  getDate: (_scope, d: Date, zone?: string) => local(d, zone).getUTCDate(),
  getDayOfMonth: (_scope, d: Date, zone?: string) => local(d, zone).getUTCDate() - 1,
  getDayOfWeek: (_scope, d: Date, zone?: string) => local(d, zone).getUTCDay(),
  getHours: (_scope, d: Date | Duration, zone?: string) =>
    isDuration(d) ? Math.trunc(d.ms / 3_600_000) : local(d, zone).getUTCHours(),
  getMinutes: (_scope, d: Date | Duration, zone?: string) =>
    isDuration(d) ? Math.trunc(d.ms / 60_000) : local(d, zone).getUTCMinutes(),
  getSeconds: (_scope, d: Date | Duration, zone?: string) =>
    isDuration(d) ? Math.trunc(d.ms / 1000) : local(d, zone).getUTCSeconds(),
  getMilliseconds: (_scope, d: Date | Duration) => (isDuration(d) ? d.ms : d.getUTCMilliseconds()),
};

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `1h30m`, `45s`, `500ms`, `7d`. Throws CelFault on anything else. */
export function parseDuration(text: string): number {
  const parts = /^(-?)((?:\d+(?:\.\d+)?(?:ms|[smhd]))+)$/.exec(text);
  if (!parts) throw new CelFault('duration: not of the form `1h30m`');
  let total = 0;
  for (const [, amount, unit] of (parts[2] as string).matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g))
    total += Number(amount) * (UNITS[unit as string] as number);
  return parts[1] ? -total : total;
}

/** The same wall clock, read as UTC. */
function local(date: Date, zone: string | undefined): Date {
  if (zone === undefined || zone === 'UTC') return date;
  try {
    return new Date(`${date.toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T')}Z`);
  } catch {
    throw new CelFault(`no such time zone: ${zone}`);
  }
}
