import { CODE } from './code.ts';
import { OPTIONS } from './options.ts';
import { PROJECTS } from './projects.ts';
import { SESSIONS } from './sessions.ts';
import { SHELLS } from './shells.ts';
import { SURROUNDINGS } from './surroundings.ts';

/**
 * Ways to have a command run, one row each. `§` stands for a simple command as its words, `'§'` for any shell text as
 * one quoted word, and in a word between `«` and `»`, which is quoted as a whole, `§` is a string literal.
 */
export const WRAPPINGS: readonly string[] = [...SURROUNDINGS, ...SESSIONS, ...SHELLS, ...PROJECTS, ...CODE, ...OPTIONS];

/** A word that the shell reads as the text. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command inside the wrapping. */
export function wrapped(row: string, command: string): string {
  return row
    .replace(/«([^»]*)»/g, (_, code: string) => {
      const alone = code === '§' || /^!§$/.test(code);
      return quoted(code.replaceAll('§', () => (alone ? command : JSON.stringify(command))));
    })
    .replace(/'([^'\n]*§[^'\n]*)'/g, (_, text: string) =>
      text === '§' ? quoted(command) : quoted(text.replaceAll('§', () => command)),
    )
    .replaceAll('§', () => command);
}
