import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../base/digest.ts';
import { isLockedLink } from '../base/locked-files.ts';

/** The project layer lies in this directory of a workspace. */
const PROJECT_DIR = '.gov';

/** What of a project's layer is read. */
export const PROJECT_BOUNDS = { files: 200, bytes: 2 * 1024 * 1024, depth: 8 } as const;
const { files: MAX_FILES, bytes: MAX_BYTES, depth: MAX_DEPTH } = PROJECT_BOUNDS;

export interface ProjectFiles {
  /** Absolute paths with their texts, in a fixed order. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Of paths and texts together: another digest means that something changed. */
  readonly digest: string;
  /** Why the files can't be taken as they are (too many, unreadable); '' if they can. */
  readonly problem: string;
}

/**
 * The policy files of a workspace; null if it has none. A checkout is untrusted input: links are not followed, nothing
 * but plain files is opened, and there is a bound on everything. Never throws.
 */
export function projectFiles(workspace: string): ProjectFiles | null {
  const root = join(workspace, PROJECT_DIR);
  const names: string[] = [];
  try {
    if (!lstatSync(root).isDirectory()) return null;
    collect(root, '', 0, names);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return broken(names, `it can't be listed (${code ?? String(error)})`);
  }
  if (names.length === 0) return null;
  if (names.length > MAX_FILES) return broken(names, `it holds more than ${MAX_FILES} policy files`);
  const files: { path: string; text: string }[] = [];
  let left = MAX_BYTES;
  for (const name of names.sort()) {
    const path = join(root, name);
    let text: string | null;
    try {
      text = readPlain(path, left);
    } catch (error) {
      return broken(names, `${name} can't be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
    }
    if (text === null) return broken(names, `its policy files are larger than ${MAX_BYTES} bytes`);
    left -= Buffer.byteLength(text);
    files.push({ path, text });
  }
  return { files, digest: sha256(JSON.stringify(files.map(({ text }, i) => [names[i], text]))), problem: '' };
}

function broken(names: readonly string[], problem: string): ProjectFiles {
  return { files: [], digest: sha256(JSON.stringify([problem, ...names])), problem };
}

function collect(dir: string, prefix: string, depth: number, out: string[]): void {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (out.length > MAX_FILES) return;
    const name = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (entry.isDirectory() && depth < MAX_DEPTH) collect(join(dir, entry.name), name, depth + 1, out);
    else if (entry.isFile() && /\.ya?ml$/.test(entry.name)) out.push(name);
  }
}

/** Null if it is longer than `most` bytes. A pipe that took the file's place would otherwise block for ever. */
function readPlain(path: string, most: number): string | null {
  if (isLockedLink(lstatSync(path))) throw new Error('it is a file of the audit store');
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error('not a plain file');
    if (stat.size > most) return null;
    const bytes = Buffer.alloc(stat.size);
    let at = 0;
    for (let n = 1; n > 0 && at < bytes.length; at += n) n = readSync(fd, bytes, at, bytes.length - at, null);
    return bytes.toString('utf8', 0, at);
  } finally {
    closeSync(fd);
  }
}
