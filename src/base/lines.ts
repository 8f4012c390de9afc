import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK = 1 << 20;

/** The lines of a file of UTF-8 text, however big, without their line feeds. Throws what the file system throws. */
export function* linesOf(file: string): Generator<string> {
  const fd = openSync(file, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK);
    const decoder = new TextDecoder();
    let rest = '';
    for (;;) {
      const got = readSync(fd, chunk, 0, CHUNK, null);
      rest += decoder.decode(chunk.subarray(0, got), { stream: got > 0 });
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (got === 0) break;
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(fd);
  }
}
