import { EVENT_NAMES } from '../model/tool-call.ts';
import type { ObjectShape, Shape } from './shape.ts';

export const text = (doc: string, extra: { pattern?: RegExp; hint?: string; max?: number } = {}): Shape => ({
  is: 'text',
  doc,
  ...extra,
});
export const cel = (doc: string): Shape => ({ is: 'cel', doc });
export const int = (doc: string, min?: number): Shape => ({ is: 'int', doc, ...(min === undefined ? {} : { min }) });
export const bool = (doc: string): Shape => ({ is: 'bool', doc });
/** One of some words: a list of them, or each with what it means. */
export const choice = (doc: string, values: readonly string[] | Readonly<Record<string, string>>): Shape =>
  isList(values) ? { is: 'enum', doc, values } : { is: 'enum', doc, values: Object.keys(values), meanings: values };

function isList(values: readonly string[] | Readonly<Record<string, string>>): values is readonly string[] {
  return Array.isArray(values);
}

export const list = (doc: string, of: Shape, extra: { unique?: boolean; min?: number } = {}): Shape => ({
  is: 'list',
  doc,
  of,
  ...extra,
});
export const texts = (doc: string): Shape => list(doc, text(''), { unique: true });
export const record = (doc: string, of: Shape, keys?: RegExp): Shape => ({
  is: 'record',
  doc,
  of,
  ...(keys ? { keys } : {}),
});
export const object = (
  doc: string,
  keys: Readonly<Record<string, Shape>>,
  required: readonly string[] = [],
): ObjectShape => ({
  is: 'object',
  doc,
  keys,
  required,
});

export const RULE_ID = /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/;
export const NAME = /^[a-z_][a-z0-9_]*$/;
export const duration = (doc: string): Shape =>
  text(doc, { pattern: /^(\d+(\.\d+)?(ms|[smhd]))+$/, hint: 'a length of time such as `30m`, `1h30m`, `7d`' });
export const instant = (doc: string): Shape =>
  text(doc, {
    pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/,
    hint: 'an instant such as `2026-11-01T00:00:00Z`',
  });

export const LAYERS = ['builtin', 'org', 'team', 'user', 'project'] as const;

export const events = list('events the rule is asked in; default PreToolUse', choice('', EVENT_NAMES), {
  unique: true,
  min: 1,
});
export const on = { apiVersion: choice('version of the format', ['gov/v1']) };
