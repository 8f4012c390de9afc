import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GovError } from '../base/errors.ts';
import type { GovPaths } from '../base/gov-paths.ts';
import { fieldsOf, own, textField } from './fields.ts';
import { SCOPES, type Scope } from './registrar.ts';

/** One settings file that gov has put hooks into. */
export interface Installed {
  readonly agent: string;
  readonly scope: Scope;
  /** Absolute path, symbolic links resolved. */
  readonly file: string;
  /** Directory of the launchers that were registered. */
  readonly hooksDir: string;
  /** Copy of the file as it was before; null if there was none. */
  readonly backup: string | null;
  /** SHA-256 of the file as gov left it. */
  readonly sha256: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Where the list of registrations lies. */
export function installedFile(paths: GovPaths): string {
  return join(paths.config, 'installed.json');
}

/** What gov has registered, oldest first; empty if nothing. Throws GovError if the list can't be read. */
export function readInstalled(paths: GovPaths): readonly Installed[] {
  const file = installedFile(paths);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw broken(file, error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw broken(file, error);
  }
  const list = own(fieldsOf(value) ?? {}, 'registrations');
  if (!Array.isArray(list)) throw broken(file);
  return list.map((item) => installedOf(item) ?? raise(broken(file)));
}

function installedOf(item: unknown): Installed | null {
  const fields = fieldsOf(item);
  if (!fields) return null;
  const [agent, scope, file, hooksDir, sha256] = ['agent', 'scope', 'file', 'hooksDir', 'sha256'].map((name) =>
    textField(fields, name),
  );
  const at = own(fields, 'at');
  const known = SCOPES.find((name) => name === scope);
  if (!agent || !known || !file || !hooksDir || !sha256 || typeof at !== 'number') return null;
  return { agent, scope: known, file, hooksDir, backup: textField(fields, 'backup'), sha256, at };
}

function broken(file: string, cause?: unknown): GovError {
  return new GovError({
    code: 'installed-broken',
    message: `\`${file}\` is not a list of registrations`,
    help: 'move it away and run `gov init` again',
    cause,
  });
}

function raise(error: Error): never {
  throw error;
}
