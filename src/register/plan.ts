import { parseJsonText } from '../agents/json-text.ts';
import { plainOf, type RegisterPlace, type Registrar, type Scope } from '../agents/registrar.ts';
import { GovError } from '../base/errors.ts';
import { readIfThere, realFile } from './files.ts';

/** One settings file before and after. */
export interface Plan {
  readonly registrar: Registrar;
  readonly scope: Scope;
  /** Symbolic links resolved. */
  readonly file: string;
  /** Null: there is no file yet. */
  readonly before: string | null;
  /** Null: the file goes, because gov made it. */
  readonly after: string | null;
}

/** What registering would change. Changes nothing. Throws GovError if the settings can't be edited safely. */
export function planInstall(registrar: Registrar, scope: Scope, place: RegisterPlace, hooksDir: string): Plan {
  if (!registrar.scopes.includes(scope))
    throw new GovError({
      code: 'usage-scope',
      message: `${registrar.title} has no scope \`${scope}\``,
      help: `use one of: ${registrar.scopes.join(', ')}`,
    });
  const file = realFile(registrar.file(scope, place));
  const before = readIfThere(file);
  const after = registrar.merge(before, hooksDir, file);
  validate(registrar, after, file);
  return { registrar, scope, file, before, after };
}

/** A client may drop a file with one wrong-typed field, hooks and all: what gov leaves behind must be one that it takes. */
function validate(registrar: Registrar, text: string, file: string): void {
  const why = registrar.fault(plainOf(parseJsonText(text, file)));
  if (why !== null)
    throw new GovError({
      code: 'settings-not-in-force',
      message: `the hooks in \`${file}\` would not come into force: ${why}`,
      help: 'repair that first: nothing was changed',
    });
}
