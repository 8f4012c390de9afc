import type { Builtin } from './builtin.ts';
import { CODE_BUILTINS } from './code.ts';
import { DIRECTORY_BUILTINS } from './directories.ts';
import { INPUT_BUILTINS } from './input.ts';
import { TEXT_BUILTINS } from './text.ts';
import { VARIABLE_BUILTINS } from './variables.ts';

/** Builtins that neither touch files nor run code, and print nothing that matters. */
const QUIET = [
  'jobs',
  'fg',
  'bg',
  'disown',
  'times',
  'caller',
  'suspend',
  'help',
  'ulimit',
  'compopt',
  'rehash',
  'autoload',
  'zmodload',
  'unhash',
];

/** What the shell does itself, by name. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map([
  ...TEXT_BUILTINS,
  ...VARIABLE_BUILTINS,
  ...INPUT_BUILTINS,
  ...DIRECTORY_BUILTINS,
  ...CODE_BUILTINS,
  ...QUIET.map((name): [string, Builtin] => [name, () => undefined]),
]);

const STANDALONE: ReadonlySet<string> = new Set([
  'echo',
  'printf',
  'pwd',
  'test',
  '[',
  'true',
  'false',
  ':',
  'help',
  'umask',
]);

/** True if a program of that name does the same as the builtin. */
export function isStandalone(name: string): boolean {
  return STANDALONE.has(name);
}
