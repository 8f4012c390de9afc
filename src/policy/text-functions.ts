import type { Special, Strict } from './functions.ts';
import { isDuration, text } from './operators.ts';
import { compileRe } from './regex.ts';
import { CelFault, spend, UNKNOWN } from './scope.ts';

/** Strings, numbers and lists. */
export const TEXT_FUNCTIONS: Readonly<Record<string, Strict | Special>> = {
  size: (scope, x: unknown) => {
    if (typeof x === 'string') {
      spend(scope, x.length >> 6);
      return codePoints(x);
    }
    return Array.isArray(x) ? x.length : Object.keys(x as object).length;
  },
  contains: (scope, s: string, part: string) => {
    spend(scope, s.length >> 6);
    return s.includes(part);
  },
  startsWith: (_scope, s: string, part: string) => s.startsWith(part),
  endsWith: (_scope, s: string, part: string) => s.endsWith(part),
  indexOf: (scope, s: string, part: string, from?: number) => {
    spend(scope, s.length >> 6);
    if (from === undefined) return s.indexOf(part);
    if (from < 0 || from > s.length) throw new CelFault('indexOf: start out of range');
    return s.indexOf(part, from);
  },
  lastIndexOf: (scope, s: string, part: string, from?: number) => {
    spend(scope, s.length >> 6);
    if (from === undefined) return s.lastIndexOf(part);
    if (from < 0 || from > s.length) throw new CelFault('lastIndexOf: start out of range');
    return s.lastIndexOf(part, from);
  },
  substring: (scope, s: string, start: number, end?: number) => {
    if (start < 0 || start > s.length) throw new CelFault('substring: start out of range');
    if (end !== undefined && (end < start || end > s.length)) throw new CelFault('substring: end out of range');
    return text(s.substring(start, end), scope);
  },
  lowerAscii: (scope, s: string) =>
    text(
      s.replace(/[A-Z]/g, (c) => c.toLowerCase()),
      scope,
    ),
  upperAscii: (scope, s: string) =>
    text(
      s.replace(/[a-z]/g, (c) => c.toUpperCase()),
      scope,
    ),
  trim: (scope, s: string) => text(s.trim(), scope),
  replace: (scope, s: string, from: string, to: string) => {
    spend(scope, s.length >> 4);
    const parts = s.split(from);
    const size = s.length + (parts.length - 1) * (to.length - from.length);
    if (size > 4 * s.length + 65_536) throw new CelFault('replace: the result grows too long');
    return text(parts.join(to), scope);
  },
  split: (scope, s: string, separator: string, limit?: number) => {
    spend(scope, s.length >> 2);
    if (limit === 0) return [];
    const parts = s.split(separator);
    if (limit === undefined || limit < 0 || parts.length <= limit) return parts;
    return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
  },
  join: (scope, list: readonly unknown[], separator = '') => {
    spend(scope, list.length);
    if (list.includes(UNKNOWN)) return UNKNOWN;
    if (list.some((x) => typeof x !== 'string')) throw new CelFault('join: list must contain only strings');
    return text(list.join(separator), scope);
  },
  sum: (scope, list: readonly unknown[]) => {
    spend(scope, list.length);
    if (list.includes(UNKNOWN)) return UNKNOWN;
    return (list as number[]).reduce((a, b) => a + b, 0);
  },
  string: (_scope, x: unknown) => {
    if (x instanceof Date) return x.toISOString().replace('.000Z', 'Z');
    if (isDuration(x)) return `${x.ms / 1000}s`;
    if (typeof x === 'object') throw new CelFault('string: no text form');
    return String(x);
  },
  int: (_scope, x: unknown) => {
    const n =
      typeof x === 'string' ? parseInteger(x) : x instanceof Date ? Math.floor(x.getTime() / 1000) : (x as number);
    if (!Number.isFinite(n)) throw new CelFault('int: not a number');
    const whole = Math.trunc(n);
    if (!Number.isSafeInteger(whole)) throw new CelFault('int: overflow');
    return whole;
  },
  double: (_scope, x: unknown) => {
    if (typeof x !== 'string') return x;
    if (x === '' || x !== x.trim() || Number.isNaN(Number(x))) throw new CelFault('double: not a number');
    return Number(x);
  },
  bool: (_scope, x: unknown) => {
    if (typeof x === 'boolean') return x;
    if (['1', 't', 'true', 'TRUE', 'True'].includes(x as string)) return true;
    if (['0', 'f', 'false', 'FALSE', 'False'].includes(x as string)) return false;
    throw new CelFault('bool: neither true nor false');
  },
  re: { compile: compileRe },
  known: {
    compile: ([x]) => {
      const run = x?.run ?? (() => UNKNOWN);
      return (scope) => run(scope) !== UNKNOWN;
    },
  },
};

function parseInteger(s: string): number {
  if (!/^[+-]?\d{1,19}$/.test(s)) throw new CelFault('int: not a number');
  return Number(s);
}

function codePoints(s: string): number {
  let count = s.length;
  for (let i = 0; i + 1 < s.length; i++) {
    const code = s.charCodeAt(i);
    if (code >= 0xd800 && code < 0xdc00) {
      const next = s.charCodeAt(i + 1);
      if (next >= 0xdc00 && next < 0xe000) {
        count--;
        i++;
      }
    }
  }
  return count;
}
