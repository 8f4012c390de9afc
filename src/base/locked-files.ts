import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { GovPaths } from './gov-paths.ts';

/**
 * Device and inode of the files that this process may hold locks on. Closing any descriptor of such a file gives its
 * locks up (fcntl(2)), and SQLite would not know: whoever names one of them, by a hard link too, must not make gov open it.
 */
export function lockedFiles({ database, daemon }: Pick<GovPaths, 'database' | 'daemon'>): readonly string[] {
  return [database, `${database}-wal`, `${database}-shm`, join(daemon, 'lock'), join(daemon, 'lock-journal')].flatMap(
    (file) => {
      const stat = lstatSync(file, { throwIfNoEntry: false });
      return stat === undefined ? [] : [placeOf(stat)];
    },
  );
}

/** Where the locked files are looked up by those who can't be told: set once, before anything is judged. */
let held: Pick<GovPaths, 'database' | 'daemon'> | null = null;

export function holdLocksIn(paths: Pick<GovPaths, 'database' | 'daemon'>): void {
  held = paths;
}

/** True for a file that has several names, one of which is that of a file that this process may hold locks on. */
export function isLockedLink(stat: Pick<Stats, 'dev' | 'ino' | 'nlink'>): boolean {
  return stat.nlink > 1 && held !== null && lockedFiles(held).includes(placeOf(stat));
}

function placeOf({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}
