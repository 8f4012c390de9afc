/** How far long work is. */
export interface Progress {
  readonly show: (done: number, all: number) => void;
  /** Takes the line away. */
  readonly end: () => void;
}

/** What takes less is not worth a line. */
const QUIET_MS = 500;
const STEP_MS = 100;

/** One line on a terminal that is written over itself; nothing where nobody watches. */
export function progressOn(stream: NodeJS.WriteStream, what: string): Progress {
  const started = Date.now();
  let shown = 0;
  return {
    show(done, all) {
      const now = Date.now();
      if (!stream.isTTY || now - started < QUIET_MS || now - shown < STEP_MS) return;
      shown = now;
      stream.write(`\r${what}: ${Math.floor((done / Math.max(1, all)) * 100)} % of ${all} records `);
    },
    end() {
      if (shown > 0) stream.write('\r\u001b[K');
    },
  };
}
