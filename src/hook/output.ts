import type { Output } from '../agents/agent.ts';
import { writeAll } from '../base/write-all.ts';

/** Writes both streams whole before it returns: a process that exits would otherwise lose what a pipe has not taken yet. */
export function writeOutput(output: Output): void {
  writeAll(1, output.stdout);
  writeAll(2, output.stderr);
}
