import { Database } from '../sqlite.ts';
import { addonIn } from './binding.ts';
import { prepareFile } from './place.ts';

/**
 * Takes a lock that the system itself gives back when its holder dies, however that happens: a transaction of SQLite
 * that never ends, on a file of its own. Null if another process holds it and does not let go in time. Throws
 * `store-unsafe`, `store-unwritable`, or SQLite's own error.
 */
export function takeLock(file: string, waitMs: number, nativeBinding?: string): { release(): void } | null {
  prepareFile(file);
  // It takes the addon itself, too, which its types do not say.
  const addon = nativeBinding === undefined ? {} : { nativeBinding: addonIn(nativeBinding) as unknown as string };
  const db = new Database(file, { timeout: waitMs, ...addon });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return null;
    throw error;
  }
  return { release: () => void db.close() };
}
