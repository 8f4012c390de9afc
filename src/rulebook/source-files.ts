import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileError } from '../base/file-errors.ts';
import type { Layer } from '../model/decision.ts';
import type { SourceInput } from './compile.ts';

/** Files as they were read before: one that did not change stays the same object, and is not parsed again. */
export type KnownSources = Map<string, SourceInput>;

/** All `.yaml` and `.yml` files at or below the paths, sorted, each once. Throws GovError `policy-unreadable`. */
export function readSources(
  paths: readonly string[],
  layer?: Layer,
  relativeTo?: string,
  known?: KnownSources,
): readonly SourceInput[] {
  const found = new Set<string>();
  for (const path of paths) collect(path, found, true);
  return [...found].sort().map((file) => {
    const path = relativeTo === undefined ? file : relative(relativeTo, file);
    const text = readText(file);
    const before = known?.get(`${layer ?? ''} ${path}`);
    if (before?.text === text) return before;
    const source: SourceInput = { path, text, ...(layer ? { layer } : {}) };
    known?.set(`${layer ?? ''} ${path}`, source);
    return source;
  });
}

function collect(path: string, found: Set<string>, given: boolean): void {
  let isDirectory: boolean;
  try {
    isDirectory = statSync(path).isDirectory();
  } catch (cause) {
    throw fileError('policy-unreadable', path, cause);
  }
  if (!isDirectory) {
    if (given || /\.ya?ml$/.test(path)) found.add(path);
    return;
  }
  for (const name of readdirSync(path))
    if (!name.startsWith('.') && name !== 'node_modules') collect(join(path, name), found, false);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw fileError('policy-unreadable', path, cause);
  }
}
