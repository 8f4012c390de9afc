import { messageOf } from '../base/errors.ts';
import { LIMITS } from '../base/limits.ts';
import type { CommandFact, DestFact, EffectFact, FileFact, Unknown } from '../model/facts.ts';
import type { ProgramModels } from '../model/program.ts';
import { known, type Value } from '../model/value.ts';
import type { Overlay } from '../model/world.ts';
import { FIRST } from './choices.ts';
import { invoke } from './invoke.ts';
import { runScript } from './lists.ts';
import { runCoprocesses, runNode } from './nodes.ts';
import { parseSafely } from './parse.ts';
import { commandFact, makeRecorder, noteUnknown } from './record.ts';
import { recover } from './recovery.ts';
import { flushKept } from './redirections.ts';
import type { Run } from './run.ts';
import { makeMarks, unmarked } from './source.ts';
import { rootState, type State, setVariable } from './state.ts';
import { runTraps } from './traps.ts';
import { wordPieces } from './words.ts';

/** What an analysis needs to know beside the text. */
export interface ShellContext {
  /** Directory in which the text runs. */
  readonly cwd: Value;
  /** Variables that are set for it besides the world's environment. */
  readonly env?: ReadonlyMap<string, Value>;
  readonly programs: ProgramModels;
  readonly world: Overlay;
  readonly dialect?: 'sh' | 'bash' | 'zsh';
}

export interface ShellResult {
  readonly commands: readonly CommandFact[];
  readonly files: readonly FileFact[];
  readonly dests: readonly DestFact[];
  readonly effects: readonly EffectFact[];
  readonly unknowns: readonly Unknown[];
}

/**
 * Every command that the shell text could run, with what each would do: the text is interpreted on all paths a shell
 * could take. Never throws; what is not understood is in `unknowns`. The world is changed as the commands would.
 */
export function analyseShell(text: string, context: ShellContext): ShellResult {
  const run = makeRun(context);
  try {
    analyse(run, text, context);
  } catch (error) {
    // Nesting beyond the stack ends here, as would a fault of ours; either way the text was not understood.
    noteUnknown(run.record, `the analysis failed: ${messageOf(error)}`, text, { start: 0, end: text.length });
  }
  const { record } = run;
  return {
    commands: record.commands.map(commandFact),
    files: record.files,
    dests: record.dests,
    effects: record.effects,
    unknowns: record.unknowns,
  };
}

function makeRun(context: ShellContext): Run {
  return {
    world: context.world,
    programs: context.programs,
    dialect: context.dialect ?? 'bash',
    record: makeRecorder(),
    marks: makeMarks(),
    choices: FIRST,
    chars: 0,
    scannedChars: 0,
    scanned: new WeakSet(),
    parameterChars: 0,
    cut: new WeakSet(),
    codeChars: 0,
    evaluating: 0,
    combinations: 0,
    rounds: 0,
    steps: 0,
    unclearEnds: 0,
    visited: new WeakSet(),
    streams: new Map(),
    readers: [],
    kept: [],
    coprocesses: [],
    made: new Set(),
    written: new Set(),
    copies: new Map(),
    tainted: new Map(),
    parsed: new Map(),
    changes: 0,
    up: {
      script: runScript,
      node: (r, s, node) => runNode(r, s, node as Parameters<typeof runNode>[2]),
      invoke,
      pieces: wordPieces,
    },
  };
}

function analyse(run: Run, text: string, context: ShellContext): void {
  if (text.length > LIMITS.shellChars)
    noteUnknown(run.record, 'longer than is analysed', text.slice(LIMITS.shellChars), null);
  const short = unmarked(text.slice(0, LIMITS.shellChars));
  const script = parseSafely(run, short);
  const source = { text: short, base: 0 };
  const s = startState(context, source);
  runScript(run, s, script, source);
  runTraps(run, s, null);
  runCoprocesses(run);
  flushKept(run);
  recover(run, s, script, source);
}

function startState(context: ShellContext, source: { readonly text: string; readonly base: number }): State {
  const frame = {
    source,
    via: [],
    parent: -1,
    certain: true,
    privileged: false,
    elsewhere: '' as const,
    mounts: [],
    depth: 0,
    pipeline: [],
    pipelineIndex: 0,
    calls: [],
    returns: false,
    loops: 0,
  };
  const s = rootState(frame, context.cwd, { name: known(context.dialect ?? 'bash'), values: [], open: false });
  for (const [name, value] of context.env ?? [])
    setVariable(s, name, { alts: [{ kind: 'text', value }], exported: true });
  return s;
}
