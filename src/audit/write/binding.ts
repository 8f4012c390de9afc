import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { GovError } from '../../base/errors.ts';
import { ADDON_HELP } from '../addon-fault.ts';
import { wantsAddon } from '../sqlite.ts';

const ADDON = join('better-sqlite3', 'build', 'Release', 'better_sqlite3.node');

/**
 * The absolute path of better-sqlite3's compiled addon, looked for in every `node_modules` from the given file
 * upwards, as Node would: it is beside a checkout, nested in an installed package, or hoisted next to it. Works from
 * `dist/**.js` and from the one-file bundle alike. Undefined where better-sqlite3 finds it by itself. Throws
 * `store-addon-missing`.
 */
export function findNativeBinding(from = join(import.meta.dirname, 'binding.js')): string | undefined {
  if (!wantsAddon) return undefined;
  let dir = dirname(from);
  for (;;) {
    const found = join(dir, 'node_modules', ADDON);
    if (existsSync(found)) return found;
    const up = dirname(dir);
    if (up === dir) break;
    dir = up;
  }
  return resolved(from);
}

/** Addons of this process by path: SQLite must not be started twice. */
const loaded = new Map<string, object>();

/**
 * The addon in a file, for better-sqlite3's option `nativeBinding`. `require` would do the same, after half a
 * millisecond of looking for a package around the file.
 */
export function addonIn(file: string): object {
  const known = loaded.get(file);
  if (known) return known;
  const module = { exports: {} };
  process.dlopen(module, file);
  loaded.set(file, module.exports);
  return module.exports;
}

/** Layouts without a `node_modules` on the way (NODE_PATH, custom resolvers). */
function resolved(from: string): string {
  try {
    const manifest = createRequire(from).resolve('better-sqlite3/package.json');
    const found = join(dirname(dirname(manifest)), ADDON);
    if (existsSync(found)) return found;
  } catch {
    // Not resolvable either: the error below says what to do.
  }
  throw new GovError({
    code: 'store-addon-missing',
    message: 'the compiled part of better-sqlite3 is not installed',
    help: ADDON_HELP,
  });
}
