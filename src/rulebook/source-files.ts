import { readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { GovError } from '../base/errors.ts';
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
  for (const path of paths) collect(path, found, new Set(), true);
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

/** Links are followed, but no directory is entered twice, and nothing that blocks a reader is opened unless it was named. */
function collect(path: string, found: Set<string>, entered: Set<string>, given: boolean): void {
  let stat: Stats;
  let real: string;
  try {
    stat = statSync(path);
    real = realpathSync(path);
  } catch (cause) {
    throw fileError('policy-unreadable', path, cause);
  }
  if (!stat.isDirectory()) {
    if (given || (/\.ya?ml$/.test(path) && plain(path, stat))) found.add(path);
    return;
  }
  if (entered.has(real)) return;
  entered.add(real);
  for (const name of readdirSync(path))
    if (!name.startsWith('.') && name !== 'node_modules') collect(join(path, name), found, entered, false);
}

function plain(path: string, stat: Stats): boolean {
  if (stat.isFile()) return true;
  throw new GovError({ code: 'policy-unreadable', message: `\`${path}\` is not a plain file`, help: 'remove it' });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw fileError('policy-unreadable', path, cause);
  }
}
