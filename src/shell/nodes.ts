import type { ArithmeticCommand, Coproc, Pipeline, PipelineNode, Redirected, Subshell, SyntaxNode } from 'unbash';
import { known } from '../model/value.ts';
import { evaluate } from './arithmetic.ts';
import { runCase, runIf } from './branches.ts';
import { forEachChoice } from './choices.ts';
import { runCommand } from './commands.ts';
import { runTest } from './conditions.ts';
import { runAndOr, runStatements } from './lists.ts';
import { runFor, runForArithmetic, runSelect, runWhile } from './loops.ts';
import { settlePlaces } from './places.ts';
import { runReaders } from './process-substitution.ts';
import { noteUnknown } from './record.ts';
import { closeFiles, descriptor, MAX_DESCRIPTORS, redirect } from './redirections.ts';
import type { Run } from './run.ts';
import { makeSink, streamOf } from './sinks.ts';
import { textAt } from './source.ts';
import { hole, type State, setText, subshell } from './state.ts';
import { runTraps } from './traps.ts';
import { assignList } from './variables.ts';

/** Runs any command node in the state, which it leaves as the shell would. */
export function runNode(run: Run, s: State, node: SyntaxNode): void {
  switch (node.type) {
    case 'Command':
      return runCommand(run, s, node);
    case 'AndOr':
      return runAndOr(run, s, node);
    case 'Pipeline':
      return runPipeline(run, s, node);
    case 'CompoundList':
      return runStatements(run, s, node.commands);
    case 'BraceGroup':
      return runStatements(run, s, node.body.commands);
    case 'Subshell':
      return runSubshell(run, s, node);
    case 'Redirected':
      return forEachChoice(run, s, (path) => runRedirected(run, path, node));
    case 'If':
      return runIf(run, s, node);
    case 'Case':
      return forEachChoice(run, s, (path) => runCase(run, path, node));
    case 'For':
      return forEachChoice(run, s, (path) => runFor(run, path, node));
    case 'Select':
      return runSelect(run, s, node);
    case 'ArithmeticFor':
      return runForArithmetic(run, s, node);
    case 'While':
      return runWhile(run, s, node);
    case 'TestCommand':
      settlePlaces(s);
      return forEachChoice(run, s, (path) => runTest(run, path, node.expression));
    case 'ArithmeticCommand':
      settlePlaces(s);
      return forEachChoice(run, s, (path) => runArithmetic(run, path, node));
    case 'Function': {
      s.functions.set(node.name.value, [{ body: node.body, source: s.frame.source }]);
      s.dirty = true;
      s.status = 'ok';
      return;
    }
    case 'Coproc':
      return runCoproc(run, s, node);
    default:
      return noteUnknown(run.record, 'a construct that is not understood', node.type, null);
  }
}

function runArithmetic(run: Run, s: State, node: ArithmeticCommand): void {
  const n = evaluate(run, s, node.expression);
  s.status = n === null ? 'maybe' : n === 0 ? 'fail' : 'ok';
}

function runSubshell(run: Run, s: State, node: Subshell): void {
  const path = subshell(s);
  path.frame = { ...s.frame, depth: s.frame.depth + 1 };
  runStatements(run, path, node.body.commands);
  runTraps(run, path, s);
  s.status = path.status;
  settlePlaces(s);
}

function runRedirected(run: Run, s: State, node: Redirected): void {
  const { fds } = s;
  const readers = run.readers.length;
  const redirected = redirect(run, s, node.redirects);
  runNode(run, s, node.command);
  s.fds = fds;
  if (run.readers.length > readers) runReaders(run, readers);
  closeFiles(run, s, redirected.opened, null);
}

/** Each command runs in a subshell with the one before it on its standard input. */
function runPipeline(run: Run, s: State, node: Pipeline): void {
  const negated = node.prefixes.filter((p) => p.type === 'Negation').length % 2 === 1;
  if (node.commands.length === 1) runNode(run, s, node.commands[0] as PipelineNode);
  else if (node.commands.length > 1) runStagesInCircle(run, s, node);
  if (!negated) return;
  s.status = s.status === 'ok' ? 'fail' : s.status === 'fail' ? 'ok' : 'maybe';
  s.places = s.places.map((p) => (p.after === 'any' ? p : { ...p, after: p.after === 'ok' ? 'fail' : 'ok' }));
}

/**
 * A pipeline whose end writes to what its start reads (a fifo) goes in a circle: a second pass sees what the first one
 * wrote.
 */
function runStagesInCircle(run: Run, s: State, node: Pipeline): void {
  const from = run.record.files.length;
  runStages(run, s, node);
  const made = run.record.files.slice(from, from + MAX_CIRCLE);
  const read = new Set(made.filter((f) => f.op === 'read').map((f) => f.real));
  const circle = made.some((f) => f.op === 'write' && f.real !== null && read.has(f.real) && isRemote(run, f.real));
  if (circle) runStages(run, s, node);
}

const MAX_CIRCLE = 64;

/** True if what was written there came from the network: only then does it matter that it is read again. */
function isRemote(run: Run, real: string): boolean {
  return run.world.content(real)?.taints.includes('network') ?? false;
}

function runStages(run: Run, s: State, node: Pipeline): void {
  const names = pipelineNames(node);
  let input = descriptor(s, 0);
  const last = node.commands.length - 1;
  node.commands.forEach((command, i) => {
    const path = subshell(s);
    path.frame = { ...s.frame, ...neighbours(names, i) };
    const fds = new Map(s.fds);
    fds.set(0, input);
    const sink = i === last ? null : makeSink();
    if (sink) {
      const end = { sink, stream: { value: null, taints: [] }, open: false, cursor: { lines: 0 } } as const;
      fds.set(1, end);
      if (node.operators[i] === '|&') fds.set(2, end);
    }
    path.fds = fds;
    runNode(run, path, command);
    runTraps(run, path, s);
    if (sink) input = { sink: null, stream: streamOf(sink), open: false, cursor: { lines: 0 } };
    s.status = path.status;
  });
  settlePlaces(s);
}

/** Commands of a pipeline that each of them knows on either side: all would be their number squared. */
const NEIGHBOURS = 32;

function neighbours(names: readonly string[], at: number): { pipeline: readonly string[]; pipelineIndex: number } {
  if (names.length <= 2 * NEIGHBOURS) return { pipeline: names, pipelineIndex: at };
  const from = Math.max(0, at - NEIGHBOURS);
  return { pipeline: names.slice(from, at + NEIGHBOURS), pipelineIndex: at - from };
}

/** Names of a pipeline's commands as rules see them: the literal first word, or the kind of compound. */
function pipelineNames(node: Pipeline): readonly string[] {
  return node.commands.map((c) => {
    if (c.type === 'Command') {
      const name = c.name?.value ?? '';
      return name.slice(name.lastIndexOf('/') + 1);
    }
    return c.type === 'Redirected' ? c.command.type.toLowerCase() : c.type.toLowerCase();
  });
}

/**
 * A coprocess reads what later commands write to its descriptor: it is run at once, and again at the end if something
 * was written to it.
 */
function runCoproc(run: Run, s: State, node: Coproc): void {
  const sink = makeSink();
  const name = node.name?.value ?? 'COPROC';
  const path = subshell(s);
  path.frame = { ...s.frame, via: [...s.frame.via, 'coproc'] };
  runNode(run, path, node.body);
  runTraps(run, path, s);
  run.coprocesses.push({ node, state: s, sink });
  if (s.fds.size >= MAX_DESCRIPTORS)
    return noteUnknown(run.record, 'more coprocesses than are analysed', textAt(s.frame.source, node), null);
  let n = 60;
  while (s.fds.has(n)) n += 2;
  const ends = new Map(s.fds);
  ends.set(n, { sink: null, stream: { value: null, taints: [] }, open: false, cursor: { lines: 0 } });
  ends.set(n + 1, { sink, stream: { value: null, taints: [] }, open: false, cursor: { lines: 0 } });
  s.fds = ends;
  const numbers = [String(n), String(n + 1)].map((value) => ({ key: null, value: known(value) }));
  assignList(run, s, name, numbers, { append: false, assoc: false, open: false });
  setText(s, `${name}_PID`, [hole('a process id', 'name')]);
  s.status = 'ok';
}

/** Runs the coprocesses that were written to on what they read. */
export function runCoprocesses(run: Run): void {
  for (const { node, state, sink } of run.coprocesses.splice(0)) {
    if (sink.size === 0) continue;
    const path = subshell(state);
    path.frame = { ...state.frame, via: [...state.frame.via, 'coproc'] };
    path.fds = new Map(state.fds).set(0, { sink: null, stream: streamOf(sink), open: false, cursor: { lines: 0 } });
    runNode(run, path, node.body);
  }
}
