import { GovError } from '../base/errors.ts';

/** What to do where SQLite's compiled part is missing or was made for another Node. */
export const ADDON_HELP =
  "run `npm rebuild better-sqlite3` where gov is installed; where its ready-made file can't be fetched, that compiles it, which needs python3, make and g++";

/** The error that says so, for what better-sqlite3 and Node throw then; null for any other error. */
export function addonFault(error: unknown): GovError | null {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const text = String(message);
  const absent = /^Could not locate the bindings file/.test(text);
  const broken = code === 'ERR_DLOPEN_FAILED' && /better_sqlite3/.test(text);
  const gone = code === 'MODULE_NOT_FOUND' && /'(?:better-sqlite3|bindings)'/.test(text);
  if (!absent && !broken && !gone) return null;
  return new GovError({
    code: 'store-addon-missing',
    message: broken
      ? `the compiled part of better-sqlite3 does not load: ${text.split('\n').join(' ').slice(0, 300)}`
      : 'the compiled part of better-sqlite3 is not installed',
    help: ADDON_HELP,
    cause: error,
  });
}
