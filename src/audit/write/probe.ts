import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { GovPaths } from '../../base/gov-paths.ts';
import { Database } from '../sqlite.ts';
import { refuseOther, versionOf } from './database.ts';
import { checkDirectory, checkFile } from './place.ts';

/**
 * Whether the store would take a record, without making or changing anything. False: there is none yet, and one could
 * be made. Throws what stands against it.
 */
export function probeStore(paths: GovPaths): boolean {
  if (!existsSync(paths.state)) {
    let above = dirname(paths.state);
    while (!existsSync(above)) above = dirname(above);
    accessSync(above, constants.W_OK);
    return false;
  }
  checkDirectory(paths.state);
  accessSync(paths.state, constants.W_OK);
  if (!existsSync(paths.database)) return false;
  checkFile(paths.database);
  const db = new Database(paths.database, { fileMustExist: true, timeout: 2000 });
  try {
    // The first writer brings a store of format 1 up to date.
    if (versionOf(db) !== 1) refuseOther(db);
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    return true;
  } finally {
    db.close();
  }
}
