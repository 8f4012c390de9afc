import type { FileDraft } from '../model/effect.ts';
import type { FileFact } from '../model/facts.ts';
import { isDerivedName } from './derived.ts';
import type { View } from './layers.ts';
import { folded } from './paths.ts';
import { belowHome, type Places } from './places.ts';

/** Directories that hold little beside a log-in (`secrets.ts`): a search through all of it reads that. */
const AROUND_LOGINS: ReadonlySet<string> = new Set([
  '.docker',
  '.config/gh',
  '.config/glab-cli',
  '.config/netlify',
  '.config/rclone',
  '.config/doctl',
  '.terraform.d',
  '.fly',
  '.huggingface',
]);

/** True if all of a directory is read and the log-in in it with the rest. */
export function readsLogins(draft: FileDraft, path: string, at: Places): boolean {
  if (draft.op !== 'read' || !draft.recursive) return false;
  const below = belowHome(folded(path), at.low.home);
  return below !== null && AROUND_LOGINS.has(below);
}

/** Database files, and what every data directory of PostgreSQL or MySQL holds. */
const DATABASE = /\.(?:sqlite3?|db|mdb|rdb)$|^(?:PG_VERSION|ibdata1)$/;
const MOST_LOOKED_AT = 500;
const MOST_NAMED = 8;

/** Database files that are deleted together with a directory, at most two levels below it. */
export function databasesIn(draft: FileDraft, whole: FileFact, view: View, at: Places): readonly string[] {
  const isMade = whole.reversible === 'scratch' || whole.reversible === 'tracked';
  if (draft.op !== 'delete' || !draft.recursive || draft.partial || isMade) return [];
  if (whole.real === null || whole.glob || !whole.in_workspace || whole.zone !== 'workspace') return [];
  if (isDerivedName(whole.real.slice(at.workspace.length + 1))) return [];
  const found: string[] = [];
  let left = MOST_LOOKED_AT;
  const look = (dir: string, deeper: boolean): void => {
    for (const name of view.list(dir) ?? []) {
      if (left-- <= 0 || found.length >= MOST_NAMED) return;
      const path = `${dir}/${name}`;
      if (DATABASE.test(name)) found.push(path);
      else if (deeper && view.kind(path) === 'dir') look(path, false);
    }
  };
  look(whole.real, true);
  return found;
}
