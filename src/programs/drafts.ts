import type { EffectDraft, FileDraft, FileOp } from '../model/effect.ts';
import { concat, knownPrefix, textOf, type Value } from '../model/value.ts';

type More = Omit<FileDraft, 'op' | 'path'>;

/** What a program does to one path. */
export function draft(op: FileOp, path: Value, more: More = {}): FileDraft {
  return { op, path, ...more };
}

/** The same for each path. */
export function drafts(op: FileOp, paths: readonly Value[], more: More = {}): readonly FileDraft[] {
  return paths.map((path) => ({ op, path, ...more }));
}

/** The files that a filter reads: its operands without `-` (standard input). */
export function reads(paths: readonly Value[], more: More = {}): readonly FileDraft[] {
  return drafts(
    'read',
    paths.filter((path) => !isStdin(path)),
    more,
  );
}

/** True for `-` and the names of standard input below /dev. */
export function isStdin(path: Value): boolean {
  const text = textOf(path);
  return text === '-' || text === '/dev/stdin' || text === '/dev/fd/0' || text === '/proc/self/fd/0';
}

/** An effect with no more than a target. */
export function effect(kind: string, target?: string, detail?: string): EffectDraft {
  return { kind, ...(target === undefined ? {} : { target }), ...(detail === undefined ? {} : { detail }) };
}

/** The whole text of a word, or '' when some of it is unknown. */
export function word(value: Value | undefined | null): string {
  return value ? (textOf(value) ?? '') : '';
}

/** True if the word could be an option. */
export function isOption(value: Value): boolean {
  return knownPrefix(value).startsWith('-') && textOf(value) !== '-';
}

/** A path below a directory: `name` as it is if absolute. */
export function below(directory: Value, name: Value): Value {
  if (knownPrefix(name).startsWith('/')) return name;
  if (directory.length === 0) return name;
  const end = directory.at(-1);
  const joint: Value = typeof end === 'string' && end.endsWith('/') ? [] : ['/'];
  return concat(directory, joint, name);
}

/** The last component of a path whose text is certain from its last slash on; else null. */
export function lastComponent(path: Value): Value | null {
  const parts = [...path];
  const end = parts.at(-1);
  if (typeof end === 'string') {
    const trimmed = end.replace(/\/+$/, '');
    if (trimmed === '') {
      if (parts.length === 1) return null;
      parts.pop();
    } else parts[parts.length - 1] = trimmed;
  }
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at];
    if (typeof part === 'string') {
      const slash = part.lastIndexOf('/');
      if (slash >= 0) return concat([part.slice(slash + 1)], parts.slice(at + 1));
    } else if (part && 'glob' in part && part.glob.includes('/')) return null;
    else if (part && 'hole' in part && part.like === 'any') return null;
  }
  return parts;
}
