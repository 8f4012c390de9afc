/** Longest pause that is played, in milliseconds, unless another limit is asked for. */
export const IDLE_MS = 2000;

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64] as const;

/**
 * When each step is played, in milliseconds from the first: the recorded gaps, none longer than the limit.
 * A clock that went back makes no gap.
 */
export function paceOf(times: readonly number[], idleMs: number = IDLE_MS): readonly number[] {
  const out: number[] = [];
  let at = 0;
  for (let i = 0; i < times.length; i++) {
    if (i > 0) at += Math.min(Math.max(0, idleMs), Math.max(0, (times[i] as number) - (times[i - 1] as number)));
    out.push(at);
  }
  return out;
}

/** Index of the last step that has been played at a moment; 0 before the first. */
export function stepAt(pace: readonly number[], ms: number): number {
  let low = 0;
  let high = pace.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pace[middle] as number) <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The next faster (`+1`) or slower (`-1`) speed. */
export function changedSpeed(speed: number, by: 1 | -1): number {
  if (by === 1) return SPEEDS.find((s) => s > speed) ?? speed;
  return [...SPEEDS].reverse().find((s) => s < speed) ?? speed;
}
