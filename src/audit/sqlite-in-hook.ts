import library from 'better-sqlite3';
import { sqliteFor } from './sqlite-choice.ts';

/** `require` as seen from the bundle; known only there. */
declare const __gov_node: (name: string) => unknown;

/** As sqlite.ts; the JavaScript of version 12 is part of the bundle, so that it starts from the code cache. */
export const { Database, wantsAddon } = sqliteFor(process.versions.node, (name) =>
  name === 'better-sqlite3' ? library : __gov_node(name),
);
