import { read } from 'node:fs';

export type Input =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string; readonly late: boolean };

const CHUNK = 64 * 1024;

/**
 * All of standard input as text, bounded in bytes and time. Reads run on the thread pool, so the clock is heeded
 * while the agent keeps its end open; `late` says that such a read is still pending, which only a signal can end.
 */
export function readInput(maxBytes: number, deadlineMs: number): Promise<Input> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let total = 0;
    const timer = setTimeout(() => {
      resolve({ ok: false, problem: `standard input was not closed within ${deadlineMs} ms`, late: true });
    }, deadlineMs);
    const done = (input: Input): void => {
      clearTimeout(timer);
      resolve(input);
    };
    const next = (): void => {
      const chunk = Buffer.allocUnsafe(total === 0 ? CHUNK : 1024 * 1024);
      read(0, chunk, 0, chunk.length, null, (error, count) => {
        if (error?.code === 'EAGAIN') setTimeout(next, 1);
        else if (error && error.code !== 'EOF')
          done({ ok: false, problem: `standard input can't be read: ${error.message}`, late: false });
        else if (error || count === 0)
          done(inputOf(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
        else {
          total += count;
          if (total > maxBytes)
            return done({ ok: false, problem: `the payload is larger than ${maxBytes} bytes`, late: false });
          chunks.push(chunk.subarray(0, count));
          next();
        }
      });
    };
    next();
  });
}

/** A payload's bytes as text. What is not UTF-8 is refused: what is judged must be what the agent will run. */
export function inputOf(bytes: Buffer): Input {
  if (bytes.length === 0) return { ok: false, problem: 'the payload is empty', late: false };
  const text = bytes.toString('utf8');
  if (text.includes('\ufffd') && !Buffer.from(text, 'utf8').equals(bytes))
    return { ok: false, problem: 'the payload is not UTF-8', late: false };
  return { ok: true, text };
}
