// Imported before everything else: from here on nothing that is thrown, at whatever place, ends as an "allow".
import type { Output } from '../agents/agent.ts';
import { messageOf } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import { writeAll } from '../base/write-all.ts';
import { writeOutput } from './output.ts';

/** How the process ends if it can't answer: a gate blocks until the configuration is known to say otherwise. */
const policy = { gate: process.argv[2] === 'gate', monitor: false };
let answered = false;

process.on('uncaughtException', giveUp);
process.on('unhandledRejection', giveUp);
// The event loop ran dry, or something called `process.exit`, before there was an answer.
process.on('exit', () => {
  if (!answered) process.exitCode = failureCode();
});

/** From here on faults let pass, as a person chose. */
export function failOpen(): void {
  policy.monitor = true;
}

/**
 * Writes the answer, does what can wait until it is written, and ends the process with the answer's exit code.
 * `hung`: a read of standard input is still pending, and `process.exit` would wait for it. Only a signal ends the
 * process then; the launcher makes 2 of it.
 */
export function finish(output: Output, afterwards: () => void, hung: boolean): never {
  answered = true;
  // Half an answer is none, and agents take that for consent.
  const exitCode = writeOutput(output) ? output.exitCode : failureCode();
  try {
    afterwards();
  } catch {
    // The answer is given and recorded.
  }
  if (hung && exitCode === 2) process.kill(process.pid, 'SIGKILL');
  process.exit(exitCode);
}

function giveUp(error: unknown): never {
  answered = true;
  const what = visible(messageOf(error)).slice(0, 300);
  writeAll(
    2,
    `gov: internal fault: ${what}; ${failureCode() === 2 ? 'the call is blocked' : 'the call goes on'}: run \`gov doctor\`\n`,
  );
  process.exit(failureCode());
}

function failureCode(): 0 | 2 {
  return policy.gate && !policy.monitor ? 2 : 0;
}
