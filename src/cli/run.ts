import { execute } from '@oclif/core';
import { GovError } from '../base/errors.ts';
import { EXIT } from '../base/exit-codes.ts';

/** Runs the command line. Never ends with 2: agents would read it as "block". */
export async function run(args: readonly string[], entryUrl: string): Promise<void> {
  try {
    await execute({ args: [...args], dir: entryUrl });
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
  process.stderr.write(`gov: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(code === 2 ? EXIT.usage : code);
}

function exitCodeOf(error: unknown): number {
  const oclif = (error as { oclif?: { exit?: unknown } }).oclif;
  return typeof oclif?.exit === 'number' ? oclif.exit : EXIT.internal;
}
