import type { ParsedScript } from 'unbash';
import { LIMITS } from '../base/limits.ts';
import { known, type Part, type Taint, taintsOf, textOf, type Value } from '../model/value.ts';
import { noteUnknown } from './record.ts';
import type { Run } from './run.ts';
import { makeSink, streamOf, textsOf, UNKNOWN_OUTPUT } from './sinks.ts';
import { type Descriptor, hole, MAX_ALTERNATIVES, type State, subshell, worse } from './state.ts';
import { runTraps } from './traps.ts';

/** Lets a script write into a sink as its standard output. */
export function withOutput(s: State, sink: Descriptor['sink'], descriptor = 1): void {
  const fds = new Map(s.fds);
  fds.set(descriptor, { sink, stream: { value: null, taints: [] }, open: false, cursor: { lines: 0 } });
  s.fds = fds;
}

/** Runs the script of `$(…)` in a subshell: the texts it could print, trailing line feeds cut; null: not known. */
export function runSubstitution(run: Run, s: State, script: ParsedScript | undefined): readonly Value[] | null {
  if (!script) return null;
  if (s.frame.depth > LIMITS.nesting * 16) {
    noteUnknown(run.record, 'nested deeper than is analysed', s.frame.source.text.slice(script.pos, script.end), null);
    return null;
  }
  const sink = makeSink(true);
  const path = subshell(s);
  path.frame = { ...s.frame, depth: s.frame.depth + 1, returns: false, pipeline: [], pipelineIndex: 0 };
  withOutput(path, sink);
  const source = script.source === undefined ? s.frame.source : { text: script.source, base: null };
  run.up.script(run, path, script, source);
  runTraps(run, path, s);
  s.status = path.status;
  const label = s.frame.source.text.slice(script.pos, Math.min(script.end, script.pos + 60)).trim();
  const texts = textsOf(sink);
  if (texts && texts.length <= MAX_ALTERNATIVES) return texts.map((t) => named(trimEnd(t), label));
  return [[unknownOutput(label, streamOf(sink).taints)]];
}

function unknownOutput(label: string, taints: readonly Taint[]): Part {
  let taint = taints[0];
  for (const t of taints) taint = worse(taint, t);
  return hole(`output of $(${label}) is not known`, 'any', taint);
}

/** Output of which nothing is known, named after its command. */
function named(value: Value, label: string): Value {
  const unknown =
    value.length > 0 && value.every((p) => typeof p !== 'string' && 'hole' in p && p.hole === UNKNOWN_OUTPUT);
  return unknown ? [unknownOutput(label, taintsOf(value))] : value;
}

/** Trailing line feeds are cut from the output. */
function trimEnd(value: Value): Value {
  const parts: Part[] = [...value];
  while (parts.length > 0) {
    const last = parts[parts.length - 1] as Part;
    if (typeof last !== 'string') break;
    const cut = last.replace(/\n+$/, '').replaceAll('\0', '');
    parts.pop();
    if (cut !== '') {
      parts.push(cut);
      break;
    }
  }
  const text = textOf(parts);
  return text === null ? parts : known(text);
}
