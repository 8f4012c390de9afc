import type BetterSqlite3 from 'better-sqlite3';

type Library = typeof BetterSqlite3;

/** better-sqlite3 as it is to be used. */
export interface Sqlite {
  readonly Database: Library;
  /** The library must be told where its addon lies once it is part of a bundle. */
  readonly wantsAddon: boolean;
}

/**
 * The version of better-sqlite3 that fits a version of Node. Version 12 is built on Node's own C++ classes, which since
 * Node 24.19 end the process when the garbage collector meets one at a wrong moment. Version 13 has the same interface
 * without that, and needs Node 22; npm puts it beside the other only there. Where it is missing, 12 does the work.
 */
export function sqliteFor(node: string, load: (name: string) => unknown): Sqlite {
  if (Number.parseInt(node, 10) >= 22)
    try {
      return { Database: load('better-sqlite3-13') as Library, wantsAddon: false };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  return { Database: load('better-sqlite3') as Library, wantsAddon: true };
}
