import type { Output } from '../agents/agent.ts';
import { writeAll } from '../base/write-all.ts';

/** Writes both streams whole before it returns, see `writeAll`; false if the agent has only half of what it is to read. */
export function writeOutput(output: Output): boolean {
  const whole = writeAll(1, output.stdout);
  writeAll(2, output.stderr);
  return whole;
}
