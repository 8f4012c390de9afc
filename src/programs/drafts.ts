import type { EffectDraft, FileDraft, FileOp } from '../model/effect.ts';
import type { EffectKind } from '../model/effect-kinds.ts';
import { knownPrefix, textOf, type Value } from '../model/value.ts';

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
export function effect(kind: EffectKind, target?: string, detail?: string): EffectDraft {
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
