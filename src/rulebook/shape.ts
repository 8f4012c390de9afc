import { type Finding, suggestion } from './finding.ts';
import { findingAt, keyRangeOf, type Path, rangeOf, type SourceDocument } from './source.ts';

/** What may stand at a place of a document. `doc` says what it is for; schema and reference are made from it. */
export type Shape =
  | {
      readonly is: 'text';
      readonly doc: string;
      readonly pattern?: RegExp;
      readonly hint?: string;
      readonly max?: number;
    }
  | { readonly is: 'cel'; readonly doc: string }
  | { readonly is: 'int'; readonly doc: string; readonly min?: number }
  | { readonly is: 'bool'; readonly doc: string }
  | { readonly is: 'any'; readonly doc: string }
  | {
      readonly is: 'enum';
      readonly doc: string;
      readonly values: readonly string[];
      /** What each value means. */
      readonly meanings?: Readonly<Record<string, string>>;
    }
  | { readonly is: 'list'; readonly doc: string; readonly of: Shape; readonly unique?: boolean; readonly min?: number }
  | { readonly is: 'record'; readonly doc: string; readonly of: Shape; readonly keys?: RegExp }
  | ObjectShape
  | { readonly is: 'either'; readonly doc: string; readonly of: readonly Shape[] };

export interface ObjectShape {
  readonly is: 'object';
  readonly doc: string;
  readonly keys: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

/** Checks a document against a shape; every unknown key, wrong type and missing key is one finding. */
export function checkShape(doc: SourceDocument, value: unknown, shape: Shape, path: Path = []): readonly Finding[] {
  const out: Finding[] = [];
  check(doc, value, shape, path, out);
  return out;
}

/** A document with so many faults needs no more of them told. */
const MOST_FAULTS = 1000;

function check(doc: SourceDocument, value: unknown, shape: Shape, path: Path, out: Finding[]): void {
  if (out.length >= MOST_FAULTS) return;
  const fault = (code: string, message: string, help = ''): void => {
    const [start, end] = rangeOf(doc, path);
    out.push(findingAt(doc.file, start, end, code, message, help));
  };
  const name = nameOf(path);
  switch (shape.is) {
    case 'any':
      return;
    case 'text':
      if (typeof value !== 'string') return fault('wrong-type', `${name} must be a text`, quoteHint(value));
      if (shape.pattern && !shape.pattern.test(value))
        return fault('wrong-value', `${name} can't be \`${short(value)}\``, shape.hint ?? '');
      if (shape.max !== undefined && value.length > shape.max)
        fault('message-too-long', `${name} has ${value.length} characters, more than ${shape.max}`);
      return;
    case 'cel':
      if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number')
        fault('wrong-type', `${name} must be a CEL expression`);
      return;
    case 'int':
      if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < (shape.min ?? Number.MIN_SAFE_INTEGER))
        fault(
          'wrong-type',
          `${name} must be a whole number${shape.min === undefined ? '' : ` of at least ${shape.min}`}`,
        );
      return;
    case 'bool':
      if (typeof value !== 'boolean') fault('wrong-type', `${name} must be true or false`);
      return;
    case 'enum':
      if (typeof value !== 'string' || !shape.values.includes(value))
        fault('wrong-value', `${name} can't be \`${short(value)}\``, suggestion(String(value), shape.values));
      return;
    case 'list':
      return checkList(doc, value, shape, path, out, fault);
    case 'record':
      if (!isRecord(value)) return fault('wrong-type', `${name} must be a map`);
      for (const [key, item] of Object.entries(value)) {
        if (shape.keys && !shape.keys.test(key)) {
          const [start, end] = keyRangeOf(doc, [...path, key]);
          out.push(findingAt(doc.file, start, end, 'wrong-value', `\`${short(key)}\` can't be a name here`));
        }
        check(doc, item, shape.of, [...path, key], out);
      }
      return;
    case 'object':
      return checkObject(doc, value, shape, path, out, fault);
    case 'either': {
      const fits = shape.of.find((s) => looksLike(value, s));
      if (fits) return check(doc, value, fits, path, out);
      return fault('wrong-type', `${name} must be ${shape.of.map(describe).join(' or ')}`);
    }
  }
}

function checkList(
  doc: SourceDocument,
  value: unknown,
  shape: Shape & { is: 'list' },
  path: Path,
  out: Finding[],
  fault: (code: string, message: string, help?: string) => void,
): void {
  if (!Array.isArray(value)) return fault('wrong-type', `${nameOf(path)} must be a list`);
  if (value.length < (shape.min ?? 0)) fault('wrong-value', `${nameOf(path)} must not be empty`);
  const seen = new Set<unknown>();
  value.forEach((item, i) => {
    const before = out.length;
    check(doc, item, shape.of, [...path, i], out);
    if (shape.unique && out.length === before && before < MOST_FAULTS && seen.has(item)) {
      const [start, end] = rangeOf(doc, [...path, i]);
      out.push(findingAt(doc.file, start, end, 'duplicate-item', `\`${short(item)}\` is listed twice`));
    }
    seen.add(item);
  });
}

function checkObject(
  doc: SourceDocument,
  value: unknown,
  shape: ObjectShape,
  path: Path,
  out: Finding[],
  fault: (code: string, message: string, help?: string) => void,
): void {
  if (!isRecord(value)) return fault('wrong-type', `${nameOf(path)} must be a map`);
  let misspelt = '';
  for (const [key, item] of Object.entries(value)) {
    const known = Object.hasOwn(shape.keys, key) ? shape.keys[key] : undefined;
    if (known) {
      check(doc, item, known, [...path, key], out);
      continue;
    }
    const help = suggestion(
      key,
      Object.keys(shape.keys).filter((k) => !Object.hasOwn(value, k)),
    );
    misspelt += help;
    const [start, end] = keyRangeOf(doc, [...path, key]);
    out.push(findingAt(doc.file, start, end, 'unknown-key', `unknown key \`${short(key)}\`${within(path)}`, help));
  }
  for (const key of shape.required ?? [])
    if (!Object.hasOwn(value, key) && !misspelt.includes(`\`${key}\``))
      fault('missing-key', `${nameOf(path)} has no \`${key}\``, shape.keys[key]?.doc ?? '');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function looksLike(value: unknown, shape: Shape): boolean {
  switch (shape.is) {
    case 'list':
      return Array.isArray(value);
    case 'object':
    case 'record':
      return isRecord(value);
    case 'int':
      return typeof value === 'number';
    case 'bool':
      return typeof value === 'boolean';
    case 'any':
    case 'cel':
      return true;
    default:
      return typeof value === 'string';
  }
}

function describe(shape: Shape): string {
  const names = { text: 'a text', cel: 'an expression', int: 'a number', bool: 'true or false', any: 'anything' };
  if (shape.is === 'enum') return `one of ${shape.values.join(', ')}`;
  if (shape.is === 'list') return 'a list';
  return shape.is in names ? names[shape.is as keyof typeof names] : 'a map';
}

function nameOf(path: Path): string {
  const last = path[path.length - 1];
  if (last === undefined) return 'the document';
  if (typeof last === 'number') return `item ${last + 1} of \`${String(path[path.length - 2] ?? '')}\``;
  return `\`${last}\``;
}

function within(path: Path): string {
  const last = [...path].reverse().find((p) => typeof p === 'string');
  return last === undefined ? '' : ` in \`${last}\``;
}

function quoteHint(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' ? `write it in quotes: "${String(value)}"` : '';
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
