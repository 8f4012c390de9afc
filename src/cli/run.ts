import { readFileSync } from 'node:fs';
import { Errors, run as runCommand } from '@oclif/core';
import { addonFault } from '../audit/addon-fault.ts';
import { GovError } from '../base/errors.ts';
import { visible, visibleLines } from '../base/escape.ts';
import { EXIT } from '../base/exit-codes.ts';
import { nearest } from '../rulebook/finding.ts';
import { exitOf } from './gov-command.ts';

/** oclif has no error class of its own for this. */
const UNKNOWN_COMMAND = /^command (.*) not found\.?$/is;

/** Runs the command line. Never ends with 2: agents would read it as "block". */
export async function run(args: readonly string[], entryUrl: string): Promise<void> {
  try {
    await runCommand(asFlags(args), entryUrl);
  } catch (error) {
    report(error);
  }
}

/** `gov help …` and `gov version`, which many programs have as commands, are flags here. */
function asFlags(args: readonly string[]): string[] {
  const [first, ...rest] = args;
  if (first === 'help') return [...rest, '--help'];
  return first === 'version' && rest.length === 0 ? ['--version'] : [...args];
}

function report(thrown: unknown): never {
  const error = addonFault(thrown) ?? thrown;
  if (error instanceof GovError) {
    process.stderr.write(`gov: ${visible(error.message)}${error.help ? `\n     ${visibleLines(error.help)}` : ''}\n`);
    process.exit(exitOf(error.code));
  }
  const code = exitCodeOf(error);
  // How a command ends on purpose: it has said what there is to say.
  if (error instanceof Errors.ExitError) process.exit(code);
  const unknown = error instanceof Error ? UNKNOWN_COMMAND.exec(error.message)?.[1] : undefined;
  if (unknown !== undefined) {
    const name = unknown.replaceAll(':', ' ');
    process.stderr.write(`gov: there is no command \`${visible(name)}\`\n     ${hintFor(name)}\n`);
    process.exit(EXIT.usage);
  }
  process.stderr.write(`gov: ${visibleLines(error instanceof Error ? error.message : String(error))}\n`);
  process.exit(code === 2 ? EXIT.usage : code);
}

/** The command that is likely meant, or the page of the nearest topic or command that there is. */
function hintFor(name: string): string {
  const words = name.split(' ');
  const commands = commandNames().map((command) => command.split(' '));
  const under = (count: number) =>
    commands.filter((command) => words.slice(0, count).every((w, i) => command[i] === w));
  let known = 0;
  while (known < words.length && under(known + 1).length > 0) known++;
  const next = [...new Set(under(known).flatMap((command) => command[known] ?? []))];
  const path = words.slice(0, known);
  const near = nearest(words[known] ?? '', next);
  if (near !== null) return `did you mean \`${[...path, near].join(' ')}\`?`;
  return `see \`${['gov', ...path, '--help'].join(' ')}\``;
}

/** All commands, by the manifest that the build writes; none if it is missing. */
function commandNames(): readonly string[] {
  try {
    const text = readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8');
    const { commands } = JSON.parse(text) as { commands: Record<string, { hidden?: boolean }> };
    return Object.entries(commands)
      .filter(([, { hidden }]) => hidden !== true)
      .map(([id]) => id.replaceAll(':', ' '));
  } catch {
    return [];
  }
}

function exitCodeOf(error: unknown): number {
  const oclif = (error as { oclif?: { exit?: unknown } }).oclif;
  return typeof oclif?.exit === 'number' ? oclif.exit : EXIT.internal;
}
