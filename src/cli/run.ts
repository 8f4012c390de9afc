import { Errors, run as runCommand } from '@oclif/core';
import { GovError } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import { EXIT } from '../base/exit-codes.ts';

/** oclif has no error class of its own for this. */
const UNKNOWN_COMMAND = /^command (.*) not found$/s;

/** Runs the command line. Never ends with 2: agents would read it as "block". */
export async function run(args: readonly string[], entryUrl: string): Promise<void> {
  try {
    await runCommand([...args], entryUrl);
  } catch (error) {
    report(error);
  }
}

function report(error: unknown): never {
  if (error instanceof GovError) {
    process.stderr.write(`gov: ${error.message}${error.help ? `\n     ${error.help}` : ''}\n`);
    process.exit(EXIT.internal);
  }
  const code = exitCodeOf(error);
  // How a command ends on purpose: it has said what there is to say.
  if (error instanceof Errors.ExitError) process.exit(code);
  const unknown = error instanceof Error ? UNKNOWN_COMMAND.exec(error.message)?.[1] : undefined;
  if (unknown !== undefined) {
    process.stderr.write(
      `gov: there is no command \`${visible(unknown.replaceAll(':', ' '))}\`\n     see \`gov --help\`\n`,
    );
    process.exit(EXIT.usage);
  }
  process.stderr.write(`gov: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(code === 2 ? EXIT.usage : code);
}

function exitCodeOf(error: unknown): number {
  const oclif = (error as { oclif?: { exit?: unknown } }).oclif;
  return typeof oclif?.exit === 'number' ? oclif.exit : EXIT.internal;
}
