import { createInterface } from 'node:readline/promises';

/** One line from the person at the terminal; the question goes to standard error. '' if the terminal is closed. */
export async function answerTo(question: string): Promise<string> {
  const ask = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closed = new Promise<string>((resolve) =>
      ask.once('close', () => {
        process.stderr.write('\n');
        resolve('');
      }),
    );
    return (await Promise.race([ask.question(question), closed])).trim();
  } finally {
    ask.removeAllListeners('close').close();
  }
}

/** True only for a plain yes. */
export async function agreesTo(question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test(await answerTo(`${question} [y/N] `));
}
