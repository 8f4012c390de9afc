import { isDeepStrictEqual } from 'node:util';
import { parseJsonText } from '../agents/json-text.ts';
import { plainOf } from '../agents/registrar.ts';
import { visible } from '../base/escape.ts';
import { diffLines } from './diff.ts';

/** What changes between two texts of settings, in a few lines for people; `diffLines` has the whole. */
export function changeSummary(before: string | null, after: string | null): readonly string[] {
  const [was, is] = [membersIn(before), membersIn(after)];
  const out: string[] = [];
  if (was !== null && is !== null)
    for (const key of [...new Set([...was.keys(), ...is.keys()])]) {
      const [old, now] = [was.get(key), is.get(key)];
      if (isDeepStrictEqual(old, now)) continue;
      if (key === 'hooks') out.push(...hookLines(old, now));
      else out.push(`${old === undefined ? '+' : now === undefined ? '-' : '~'} ${visible(key)}`);
    }
  const diff = diffLines(before ?? '', after ?? '');
  const count = (mark: string): number =>
    diff.filter((line) => line.startsWith(mark) && (line !== mark || (before !== null && after !== null))).length;
  const rest = before === null || after === null ? '' : '; everything else stays as it is';
  out.push(`${lines(count('+'))} added, ${count('-')} removed${rest}`);
  return out;
}

function lines(n: number): string {
  return n === 1 ? '1 line' : `${n} lines`;
}

/** Events whose lists of hooks become longer, shorter, or other ones. */
function hookLines(before: unknown, after: unknown): readonly string[] {
  const [was, is] = [record(before), record(after)];
  const by: Record<'+' | '-' | '~', string[]> = { '+': [], '-': [], '~': [] };
  for (const event of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const [old, now] = [Object.hasOwn(was, event) ? was[event] : [], Object.hasOwn(is, event) ? is[event] : []];
    if (isDeepStrictEqual(old, now)) continue;
    const more = lengthOf(now) - lengthOf(old);
    by[more > 0 ? '+' : more < 0 ? '-' : '~'].push(visible(event));
  }
  const line = (mark: '+' | '-' | '~'): readonly string[] =>
    by[mark].length === 0
      ? []
      : [
          `${mark} hooks for ${by[mark].length === 1 ? '1 event' : `${by[mark].length} events`}: ${by[mark].join(', ')}`,
        ];
  return [...line('+'), ...line('-'), ...line('~')];
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function membersIn(text: string | null): ReadonlyMap<string, unknown> | null {
  if (text === null || text.trim() === '') return new Map();
  try {
    return new Map(Object.entries(record(plainOf(parseJsonText(text, '')))));
  } catch {
    return null; // Not ours to judge here: the counts of lines still hold.
  }
}
