import type { Value } from '../model/value.ts';
import { forEachChoice } from './choices.ts';
import { parseShell } from './parse.ts';
import type { Run } from './run.ts';
import { withMarks } from './source.ts';
import { fork, type State } from './state.ts';

const MAX_TRAPS = 16;

/** Runs the trap bodies set on this path since it left `outer`: at the end of its shell, whatever the signal. */
export function runTraps(run: Run, s: State, outer: State | null): void {
  const bodies = new Map<string, readonly Value[]>();
  for (let at: State | null = s; at && at !== outer; at = at.base)
    for (const [signal, body] of at.traps) if (!bodies.has(signal)) bodies.set(signal, body);
  const done = new Set<string>();
  for (const body of [...bodies.values()].flat() as readonly Value[]) {
    const text = withMarks(body, run.marks);
    if (done.has(text)) continue;
    done.add(text);
    const { script, source } = parseShell(run, text);
    const path = fork(s);
    path.ended = '';
    path.frame = { ...s.frame, via: [...s.frame.via, 'trap'], source, pipeline: [], pipelineIndex: 0 };
    forEachChoice(run, path, (p) => {
      run.up.script(run, p, script, source);
      if (s.frame.via.length < MAX_TRAPS) runTraps(run, p, s);
    });
  }
}
