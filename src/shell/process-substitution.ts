import type { ProcessSubstitutionPart } from 'unbash';
import type { Hole, Value } from '../model/value.ts';
import type { Run } from './run.ts';
import { makeSink, streamOf } from './sinks.ts';
import { type State, subshell, worse } from './state.ts';
import { withOutput } from './substitution.ts';
import { runTraps } from './traps.ts';

/**
 * A `<(…)` or `>(…)` as an argument: some path under /dev/fd. The stream behind it is remembered, so that a program
 * which reads the path reads what the script prints.
 */
export function substituteProcess(run: Run, s: State, part: ProcessSubstitutionPart): Value {
  if (part.operator === '>') return writeEnd(run, s, part);
  const sink = makeSink();
  const path = subshell(s);
  path.frame = { ...s.frame, depth: s.frame.depth + 1, returns: false, pipeline: [], pipelineIndex: 0 };
  withOutput(path, sink);
  if (part.script) run.up.script(run, path, part.script, s.frame.source);
  runTraps(run, path, s);
  const stream = streamOf(sink);
  let taint = stream.taints[0];
  for (const t of stream.taints) taint = worse(taint, t);
  const end: Hole = { hole: `output of ${part.text.slice(0, 60)}`, like: 'name', ...(taint ? { taint } : {}) };
  run.streams.set(end, { sink: null, stream, open: false, cursor: { lines: 0 } });
  return ['/dev/fd/', end];
}

function writeEnd(run: Run, s: State, part: ProcessSubstitutionPart): Value {
  const end: Hole = { hole: `input of ${part.text.slice(0, 60)}`, like: 'name' };
  const sink = makeSink();
  run.streams.set(end, { sink, stream: { value: null, taints: [] }, open: false, cursor: { lines: 0 } });
  run.readers.push({ part, sink, state: s });
  return ['/dev/fd/', end];
}

/** Runs the scripts of `>(…)` that were opened since, on what was written to them. */
export function runReaders(run: Run, from: number): void {
  for (const reader of run.readers.splice(from)) {
    const path = subshell(reader.state);
    path.frame = { ...path.frame, depth: path.frame.depth + 1, returns: false, pipeline: [], pipelineIndex: 0 };
    const fds = new Map(path.fds);
    fds.set(0, { sink: null, stream: streamOf(reader.sink), open: false, cursor: { lines: 0 } });
    path.fds = fds;
    if (reader.part.script) run.up.script(run, path, reader.part.script, reader.state.frame.source);
    runTraps(run, path, reader.state);
  }
}
