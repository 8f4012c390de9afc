import type { Value } from '../model/value.ts';
import { partlyKnown } from './in-place.ts';

/** A file that a patch would change. */
export interface PatchedFile {
  readonly path: string;
  readonly op: 'write' | 'create' | 'delete';
}

/**
 * The files that a unified or git patch names, with `strip` leading components taken off (`patch -p`). Only headers
 * count: `---`/`+++` pairs, and git's `rename to`, `copy to`.
 */
export function patchPaths(text: string, strip: number): readonly PatchedFile[] {
  const found = new Map<string, PatchedFile>();
  const lines = text.split('\n');
  const note = (raw: string, op: PatchedFile['op'], bare: boolean): void => {
    const name = unquote(raw.replace(/\t.*$/, '').replace(/\r$/, '').trim());
    if (name === '' || name === '/dev/null') return;
    const path = bare ? name : stripped(name, strip);
    found.set(`${op} ${path}`, { path, op });
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string;
    const moved = /^(rename|copy) to (.*)$/.exec(line);
    if (moved) note(moved[2] as string, 'write', true);
    const left = /^rename from (.*)$/.exec(line);
    if (left) note(left[1] as string, 'delete', true);
    const next = lines[i + 1];
    if (!line.startsWith('--- ') || !next?.startsWith('+++ ')) continue;
    const before = line.slice(4);
    const after = next.slice(4);
    if (/^\/dev\/null(\s|$)/.test(after)) note(before, 'delete', false);
    else note(after, /^\/dev\/null(\s|$)/.test(before) ? 'create' : 'write', false);
  }
  return [...found.values()];
}

/** The lines that a patch adds, to whichever file. */
export function addedLines(patch: string): string {
  return patch
    .split('\n')
    .filter((line) => line.startsWith('+') && !line.startsWith('+++ '))
    .map((line) => line.slice(1))
    .join('\n');
}

/** A patched file as far as it is known: what was put in. */
export function patchedContent(op: PatchedFile['op'], added: string): { readonly content?: Value } {
  return op === 'delete' ? {} : { content: partlyKnown(added, 'what was there before the patch') };
}

function stripped(name: string, count: number): string {
  if (count <= 0) return name;
  const parts = name.split(/\/+/);
  return parts.length > count ? parts.slice(count).join('/') : (parts.at(-1) as string);
}

/** git quotes names with special characters as C strings. */
function unquote(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"')) return name;
  return name.slice(1, -1).replace(/\\([0-7]{3}|.)/g, (_, code: string) => {
    if (/^[0-7]{3}$/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    return code === 'n' ? '\n' : code === 't' ? '\t' : code;
  });
}
