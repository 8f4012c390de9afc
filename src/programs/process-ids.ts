import type { Outcome } from '../model/program.ts';
import type { Stream, Value } from '../model/value.ts';

/** How a hole begins that stands for the ids of processes; what follows is the pattern that chose them. */
export const PIDS = 'process ids of ';
/** The pattern that chooses every process. */
export const EVERY_PROCESS = '.';

/** The pattern by which a stream's process ids were chosen, or null if it holds none. */
function patternIn({ value }: Stream): string | null {
  for (const part of value ?? [])
    if (typeof part !== 'string' && 'hole' in part && part.hole.startsWith(PIDS)) return part.hole.slice(PIDS.length);
  return null;
}

/** What `ps` prints: a line for each process. */
export function processLines(pattern = EVERY_PROCESS): Stream {
  return { value: [{ hole: `${PIDS}${pattern}`, like: 'any' }, '\n'], taints: [] };
}

/** What is left of such lines when only those with a pattern stay; nothing if the input holds no processes. */
export function chosenProcesses(input: Stream, pattern: string): Pick<Outcome, 'stdout'> {
  if (patternIn(input) === null) return {};
  // `[n]ode` is how one keeps grep from finding itself.
  return { stdout: processLines(pattern.replace(/\[(.)\]/g, '$1') || EVERY_PROCESS) };
}

/** The column of their ids, `awk '{print $2}'`; `program` may choose lines by a pattern. */
export function processIds(input: Stream, program: string): Pick<Outcome, 'stdout'> {
  const before = patternIn(input);
  const shape =
    /^\s*(?:(!?)\/((?:[^/\\]|\\.)*)\/\s*)?(?:&&\s*!\s*\/[^/]*\/\s*)?\{\s*print\s*\(?\s*\$[12]\s*\)?;?\s*\}\s*$/.exec(
      program,
    );
  if (before === null || !shape) return {};
  const own = shape[1] === '' ? shape[2] : undefined;
  const pattern = own === undefined ? before : own.replace(/\[(.)\]/g, '$1');
  const value: Value = [{ hole: `${PIDS}${pattern}`, like: 'name' }, '\n'];
  return { stdout: { value, taints: input.taints } };
}
