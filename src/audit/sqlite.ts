import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { sqliteFor } from './sqlite-choice.ts';

export type Connection = BetterSqlite3.Database;
export type Statement = BetterSqlite3.Statement;

/** The hook's bundle has sqlite-in-hook.ts in the place of this module (scripts/hook-bundle.mjs). */
export const { Database, wantsAddon } = sqliteFor(process.versions.node, createRequire(import.meta.url));
