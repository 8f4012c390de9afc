import { stripVTControlCharacters } from 'node:util';

/** What oclif's errors about wrong usage carry besides their text; which of it depends on the error. */
interface ParserError extends Error {
  readonly args?: readonly (string | { readonly name: string })[];
  readonly flags?: readonly unknown[];
}

const HEADING = /^the following errors? occurred:/i;

/** What is wrong with a command line, as one lower-case sentence; oclif says it in several lines, with a pointer to its help. */
export function parserMessage(error: Error): string {
  const { args = [], flags = [] } = error as ParserError;
  if (error.message.startsWith('Missing '))
    return `missing ${list(args.map((arg) => (typeof arg === 'string' ? arg : arg.name.toUpperCase())))}`;
  if (error.message.startsWith('Nonexistent flag')) return `there is no flag ${list(flags.map(String))}`;
  if (error.message.startsWith('Unexpected argument')) return `nothing is expected at ${list(args.map(String))}`;
  const lines = stripVTControlCharacters(error.message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== 'See more help with --help' && !HEADING.test(line));
  return lines.map(lowered).join('; ');
}

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function lowered(line: string): string {
  return line.slice(0, 1).toLowerCase() + line.slice(1);
}
