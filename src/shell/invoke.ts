import type { EffectKind } from '../model/effect-kinds.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import {
  type Hole,
  known,
  knownPrefix,
  render,
  type Stream,
  type Taint,
  taintsOf,
  textOf,
  type Value,
} from '../model/value.ts';
import { BUILTINS, isStandalone } from './builtins/table.ts';
import { FIRST } from './choices.ts';
import { applyEffect, streamBehind } from './effects.ts';
import { callFunction } from './functions.ts';
import { runLocalFile } from './local-files.ts';
import { runNested, treeTaints } from './nested.ts';
import { applyOutcome } from './outcomes.ts';
import { programAt } from './program-names.ts';
import { type CommandDraft, isExhausted, isRepeat, metBefore, noteUnknown } from './record.ts';
import { closeFiles, descriptor, flushKept } from './redirections.ts';
import type { Call, Run } from './run.ts';
import { mergeTaints, pour } from './sinks.ts';
import { findFunction, fork, MAX_EXPORTS, type State } from './state.ts';
import { placeOf } from './variables.ts';

/** Runs an argument vector: a function, a builtin, a program, a script file, or something unknown. */
export function invoke(run: Run, s: State, call: Call): void {
  run.steps++;
  if (isExhausted(run.record, run.steps)) {
    noteUnknown(run.record, 'more commands than are analysed', call.text, call.span);
    s.status = 'maybe';
    return;
  }
  if (s.exports.size >= MAX_EXPORTS) noteUnknown(run.record, 'more exported variables than are analysed', '', null);
  const [word] = call.argv;
  if (!word) return;
  const bare = call.argv.findIndex(isOptionBehindHole);
  if (bare > 0) {
    const path = fork(s);
    path.frame = { ...s.frame, certain: false };
    invoke(run, path, { ...call, argv: call.argv.map((w) => (isOptionBehindHole(w) ? w.slice(1) : w)), opened: [] });
  }
  const text = textOf(word);
  if (text === null) return unknownName(run, s, call, word);
  if (!text.includes('/')) {
    const functions = call.lookup === 'all' ? findFunction(s, text) : null;
    if (functions) return runFunction(run, s, call, text, functions);
    const builtin = BUILTINS.get(text);
    if (builtin && (call.lookup !== 'program' || isStandalone(text))) {
      const place = placeOf(run, s);
      const repeat = isQuiet(s, call) && isRepeat(run.record, call.argv, place.value, s.frame, `${text} ${s.ended}`);
      const command = startCommand(run, s, call, text, !repeat);
      s.status = 'ok';
      builtin({ run, s, call, command, argv: call.argv });
      closeFiles(run, { ...s, places: [{ ...place, after: 'any' }] }, call.opened ?? [], command);
      return;
    }
  }
  if (/^=[\w.-]+$/.test(text)) return zshPath(run, s, call, text);
  const found = programAt(run, s, text);
  if (found.kind === 'program') return runProgram(run, s, call, found.name);
  const command = startCommand(run, s, call, run.programs.has(found.name) ? text : found.name);
  s.status = 'maybe';
  runLocalFile(run, s, call, command, found.real === null ? word : known(found.real), found.real);
  closeFiles(run, s, call.opened ?? [], command);
}

/** `$X--hard` is the option if X is unset. */
function isOptionBehindHole(word: Value): boolean {
  const [first, second] = word;
  return typeof first === 'object' && 'hole' in first && typeof second === 'string' && /^--[a-z]/.test(second);
}

/** `=name` is the path of a program in zsh, and nothing in bash. */
function zshPath(run: Run, s: State, call: Call, text: string): void {
  const path = fork(s);
  path.frame = { ...s.frame, certain: false };
  runProgram(run, path, call, text.slice(1));
  s.status = 'maybe';
}

/** The draft of a command's fact, listed unless there is no room. */
function startCommand(run: Run, s: State, call: Call, name: string | null, listed = true): CommandDraft {
  const place = placeOf(run, s);
  const command: CommandDraft = {
    id: run.record.commands.length,
    frame: s.frame,
    name,
    argv: call.argv,
    subcommand: '',
    flags: [],
    operands: [],
    files: [],
    dests: [],
    effects: [],
    redirects: [...call.redirects],
    env: call.env,
    cwd: place.value,
    opaque: false,
    certain: s.frame.certain && place.certain && s.ended === '',
    text: call.text,
    span: call.span,
    again: false,
  };
  const before = listed && run.choices !== FIRST ? metBefore(run.record, command) : null;
  if (before) return before;
  if (listed) run.record.commands.push(command);
  return command;
}

function runFunction(
  run: Run,
  s: State,
  call: Call,
  name: string,
  functions: NonNullable<ReturnType<typeof findFunction>>,
): void {
  const command = startCommand(run, s, call, name);
  callFunction(run, s, call, command, functions);
  closeFiles(run, s, call.opened ?? [], command);
}

/** True if nothing but its words and directory makes this command differ from an equal one. */
function isQuiet(s: State, call: Call): boolean {
  const alone = descriptor(s, 0).open && s.frame.pipeline.length === 0;
  return alone && call.env.size === 0 && s.exports.size === 0 && !call.opened?.length;
}

/** Runs a modelled or unknown program. */
function runProgram(run: Run, s: State, call: Call, name: string): void {
  const place = placeOf(run, s);
  const input = descriptor(s, 0);
  if (run.kept.length > 0) flushKept(run);
  s.status = 'maybe';
  if (isQuiet(s, call) && isRepeat(run.record, call.argv, place.value, s.frame, `${name} ${run.changes} ${s.ended}`)) {
    pour(descriptor(s, 1).sink, { value: null, taints: [] });
    return;
  }
  const command = startCommand(run, s, call, name);
  const env = call.env.size === 0 ? s.exports : s.exports.size === 0 ? call.env : new Map([...s.exports, ...call.env]);
  const invocation: Invocation = {
    name,
    argv: call.argv,
    env,
    cwd: place.value,
    stdin: input.stream,
    stdinIsOpen: input.open,
    world: run.world,
    behind: (path) => behind(run, place.value, path),
  };
  const outcome = modelled(run, invocation, call);
  applyOutcome(run, s, call, command, outcome);
  for (const nested of outcome.nested ?? []) runNested(run, s, call, command, nested);
  closeFiles(run, s, call.opened ?? [], command);
}

/** The stream behind a process substitution, or the taints of the tree that a path lies in. */
function behind(run: Run, cwd: Value, path: Value): Stream | null {
  const stream = streamBehind(run, path)?.stream;
  if (stream) return stream;
  if (run.tainted.size === 0) return null;
  const { real } = run.world.resolve(cwd, path, true);
  const taints = real === null ? [] : treeTaints(run, real);
  return taints.length > 0 ? { value: null, taints } : null;
}

function modelled(run: Run, invocation: Invocation, call: Call): Outcome {
  try {
    return run.programs.model(invocation);
  } catch {
    // A model that fails is a defect of ours; the command stays visible as one we do not understand.
    noteUnknown(run.record, `the model of ${invocation.name} failed`, call.text, call.span);
    return {
      effects: [{ kind: 'exec-unknown', target: invocation.name, detail: `the model of ${invocation.name} failed` }],
      opaque: true,
    };
  }
}

/** What it is to run a command whose name is not known, by where the name came from. */
function unknownNameEffect(taints: readonly Taint[]): readonly [EffectKind, string] {
  if (taints.includes('network')) return ['exec-remote', 'the command comes from the network'];
  if (taints.includes('decoded')) return ['exec-decoded', 'the command is decoded text'];
  if (taints.includes('secret')) return ['exec-unknown', 'the command is secret data'];
  if (taints.includes('cut')) return ['exec-unknown', 'the command stands in a text longer than is analysed'];
  return ['unknown', 'the name of the command is not known'];
}

/** The name itself is unknown, or a pattern. */
function unknownName(run: Run, s: State, call: Call, word: Value): void {
  const holes = word.filter((p): p is Hole => typeof p !== 'string' && 'hole' in p);
  if (holes.length === 0) return patternName(run, s, call, word);
  const command = startCommand(run, s, call, null);
  s.status = 'maybe';
  const [kind, detail] = unknownNameEffect(taintsOf(word));
  applyEffect(run, command, { kind, target: (holes[0] as Hole).hole, detail }, command.certain);
  pour(descriptor(s, 1).sink, { value: null, taints: mergeTaints(descriptor(s, 0).stream.taints) });
  const rest = likelyCommand(run, call.argv, word);
  if (rest) {
    const path = fork(s);
    path.frame = { ...s.frame, via: [...s.frame.via, render(word)], parent: command.id, certain: false };
    invoke(run, path, { ...call, argv: rest, redirects: [], opened: [] });
  }
  closeFiles(run, s, call.opened ?? [], command);
}

/**
 * What an unknown name may amount to: `r${X}m` is rm if X is unset, `$SUDO rm …` is nothing or a wrapper before a command of its own, and `$X -rf …`
 * has the options of rm.
 */
function likelyCommand(run: Run, argv: readonly Value[], word: Value): readonly Value[] | null {
  // `r${X}m`: the variable may well be unset.
  const rest = word.map((part) => (typeof part === 'string' ? part : '')).join('');
  if (rest !== '' && run.programs.has(rest.slice(rest.lastIndexOf('/') + 1))) return [known(rest), ...argv.slice(1)];
  const next = (argv[1] ?? []).map((part) => (typeof part === 'string' ? part : '')).join('');
  if (next === '') return null;
  const base = next.slice(next.lastIndexOf('/') + 1);
  if (knownPrefix(word) === '' && run.programs.has(base)) return [known(next), ...argv.slice(2)];
  const forced = /^-[a-zA-Z]*$/.test(next) && /r/i.test(next) && next.includes('f');
  return forced ? [known('rm'), ...argv.slice(1)] : null;
}

const MAX_NAMES = 64;

/** A name written as a pattern: what it matches here, and every known program that it could match. */
function patternName(run: Run, s: State, call: Call, word: Value): void {
  const text = render(word);
  const place = placeOf(run, s);
  const matches = run.world.glob(place.value, word) ?? [];
  if (matches.length > 0) return invoke(run, s, { ...call, argv: [...matches.map(known), ...call.argv.slice(1)] });
  const base = text.slice(text.lastIndexOf('/') + 1);
  const names = run.programs.matching(base);
  if (names.length === 0 || !text.includes('/')) {
    const command = startCommand(run, s, call, text);
    applyEffect(
      run,
      command,
      { kind: 'unknown', target: text, detail: 'the name of the command is a pattern' },
      command.certain,
    );
    closeFiles(run, s, call.opened ?? [], command);
    return;
  }
  if (names.length > MAX_NAMES)
    noteUnknown(run.record, 'a command name that many programs match', call.text, call.span);
  for (const name of names.slice(0, MAX_NAMES)) {
    const path = fork(s);
    runProgram(run, path, { ...call, argv: [known(name), ...call.argv.slice(1)] }, name);
  }
  s.status = 'maybe';
}
