import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Reversible } from '../model/effect.ts';
import type { NodeKind } from '../model/world.ts';
import { isDerivedName, isKeptData } from './derived.ts';
import { type IgnoreRule, ignoreRules, isIgnored } from './ignore.ts';
import { isUnder } from './paths.ts';
import { isScratch } from './places.ts';
import type { Repository } from './repository.ts';

interface Sight {
  readonly home: string;
  readonly workspace: string;
  readonly temp: readonly string[];
  readonly repository: Repository | null;
  kind(path: string): NodeKind | 'none' | null;
  list(path: string): readonly string[] | null;
  readText(path: string): string | null;
}

/** Files and directories of one tree that are compared with the index before "can't tell". */
const MAX_WALK = 2000;

/** Can what lies at the path be had again, all of it? Asks the index and .gitignore; bounded. */
export function reversibleIn(path: string, at: Sight): Reversible {
  if (!isUnder(path, at.workspace)) return isScratch(path, at) ? 'scratch' : 'no';
  const below = path.slice(at.workspace.length + 1);
  if (below === '' || below === '.git' || below.startsWith('.git/')) return 'no';
  const { repository } = at;
  const tracked = repository?.tracked(path) ?? null;
  if (tracked === false || repository === null) {
    if (isDerivedName(below)) return 'derived';
    if (repository === null) return 'unknown';
    if (isKeptData(below)) return 'no';
    const isDir = at.kind(path) === 'dir';
    return rulesAbove(at, below).some(([dir, rules]) => isIgnored(rules, below.slice(dir.length), isDir))
      ? 'derived'
      : 'no';
  }
  return tracked === null ? (isDerivedName(below) ? 'derived' : 'unknown') : allClean(path, at, repository);
}

function allClean(path: string, at: Sight, repository: Repository): Reversible {
  const index = repository.index();
  if (!index) return 'unknown';
  const queue = [path];
  for (let seen = 0; queue.length > 0; seen++) {
    if (seen > MAX_WALK) return 'unknown';
    const next = queue.pop() as string;
    const below = next.slice(repository.root.length + 1);
    if (at.kind(next) === 'dir') {
      const names = at.list(next);
      if (names === null) return 'unknown';
      for (const name of names) queue.push(join(next, name));
      continue;
    }
    const entry = index.get(below);
    if (!entry) {
      if (isDerivedName(below)) continue;
      return 'no';
    }
    try {
      const stat = lstatSync(next, { throwIfNoEntry: false });
      if (stat && (stat.size % 2 ** 32 !== entry.size || Math.floor(stat.mtimeMs / 1000) !== entry.mtimeSeconds))
        return 'no';
    } catch {
      return 'unknown';
    }
  }
  return 'tracked';
}

/** The .gitignore files that can speak about a path, each with its directory relative to the workspace. */
function rulesAbove(at: Sight, below: string): readonly (readonly [string, readonly IgnoreRule[]])[] {
  const found: (readonly [string, readonly IgnoreRule[]])[] = [];
  const parts = below.split('/');
  for (let n = 0; n < parts.length && n < 32; n++) {
    const dir = parts.slice(0, n).join('/');
    const text = at.readText(join(at.workspace, dir, '.gitignore'));
    if (text) found.push([dir === '' ? '' : `${dir}/`, ignoreRules(text)]);
  }
  const exclude = at.readText(join(at.workspace, '.git/info/exclude'));
  if (exclude) found.push(['', ignoreRules(exclude)]);
  return found;
}
