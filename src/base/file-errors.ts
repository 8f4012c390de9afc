import { resolve } from 'node:path';
import { GovError, messageOf } from './errors.ts';

const WHY: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `there is no file \`${path}\``,
  ENOTDIR: (path) => `there is no file \`${path}\``,
  EISDIR: (path) => `\`${path}\` is a directory`,
  EACCES: (path) => `\`${path}\` can't be read: you have no right to`,
  EPERM: (path) => `\`${path}\` can't be read: you have no right to`,
};

/**
 * The error about a file that somebody named and that can't be read, in the same words everywhere. `code` says what
 * the command ends with: `usage-…`, `policy-…` or `store-…`.
 */
export function fileError(code: string, path: string, cause: unknown, help?: string): GovError {
  const known = WHY[String((cause as { code?: unknown } | null)?.code)];
  const message = known ? known(path) : `\`${path}\` can't be read: ${messageOf(cause)}`;
  const full = resolve(path);
  const looked = full === path ? 'look at the spelling of the path' : `it was looked for at \`${full}\``;
  return new GovError({ code, message, help: help ?? (known ? looked : undefined), cause });
}
