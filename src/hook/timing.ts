/** Where the time of one hook goes; printed on request (`GOV_TRACE_TIMING=1`). */
export interface Timing {
  /** Ends the stage that began with the last mark. */
  mark(stage: string): void;
  /** Milliseconds since the process started. */
  elapsed(): number;
  /** One line a stage, with its share of the whole. */
  report(): string;
}

/** `now` is monotonic and counts from the start of the process, as `performance.now` does. */
export function startTiming(now: () => number): Timing {
  const marks: { readonly stage: string; readonly at: number }[] = [{ stage: 'start of node and bundle', at: now() }];
  return {
    mark: (stage) => void marks.push({ stage, at: now() }),
    elapsed: now,
    report() {
      const whole = marks.at(-1)?.at || 1;
      const lines = marks.map(({ stage, at }, i) => {
        const spent = at - (marks[i - 1]?.at ?? 0);
        return `gov: ${spent.toFixed(2).padStart(8)} ms ${((100 * spent) / whole).toFixed(0).padStart(3)} %  ${stage}`;
      });
      return `${lines.join('\n')}\n`;
    },
  };
}
