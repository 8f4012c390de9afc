import type { ArithmeticFor, CompoundList, For, Select, SyntaxNode, While } from 'unbash';
import { LIMITS } from '../base/limits.ts';
import type { FileOp } from '../model/effect.ts';
import { concat, isDynamic, known, type Part, render, textOf, type Value } from '../model/value.ts';
import { evaluate } from './arithmetic.ts';
import { noteCodeText } from './assignments.ts';
import { skip } from './coverage.ts';
import { applyFiles } from './effects.ts';
import { join } from './joining.ts';
import { runStatements } from './lists.ts';
import { unglued } from './operators.ts';
import { keepPlaces, settlePlaces } from './places.ts';
import { descriptor } from './redirections.ts';
import type { Run } from './run.ts';
import { mergeTaints } from './sinks.ts';
import { fork, hole, type State, setText } from './state.ts';
import { placeOf } from './variables.ts';
import { widen } from './widening.ts';
import { expandWord } from './words.ts';

const ROUNDS = [64, 16, 4, 1];
const GLOB_NAMES = 32;
/** More numbers than this are not counted through: nothing is learnt from each. */
const MANY_NUMBERS = 16;
/** Rounds that all loops of one call may take together. */
const ALL_ROUNDS = 4096;

/** Runs a body once; true if the loop goes on. */
function round(run: Run, s: State, body: CompoundList): boolean {
  const frame = s.frame;
  s.frame = { ...frame, loops: frame.loops + 1 };
  run.rounds++;
  runStatements(run, s, body.commands);
  s.frame = frame;
  if (s.ended === 'continue') s.ended = '';
  if (s.ended !== 'break') return s.ended === '';
  s.ended = '';
  return false;
}

/** `for name in words`: known words one by one, others in one pass that stands for all. */
export function runFor(run: Run, s: State, node: For): void {
  const name = node.name.value;
  const words = node.wordlist ? node.wordlist.flatMap((w) => expandWord(run, s, w)) : argumentsOf(s);
  const matches = words.map((w) => matchesOf(run, s, w));
  const items = matches.flat();
  settlePlaces(s);
  if (items.length === 0) {
    skip(run, node.body);
    s.status = 'ok';
    return;
  }
  const several = items.length > LIMITS.unroll || run.rounds + items.length > ALL_ROUNDS;
  if (several || items.some(isDynamic)) widen(run, s, [node.body]);
  const numbers = items.length > MANY_NUMBERS && items.every((w) => /^\d+$/.test(textOf(w) ?? ''));
  if (numbers) {
    widen(run, s, [node.body]);
    setText(s, name, [hole(`one of ${items.length} numbers`, 'name')]);
    round(run, s, node.body);
    return;
  }
  const list = several ? [[hole(`one of ${items.length} words of $${name}`, 'any', 'cut')] as Value] : items;
  const before = run.record.files.length;
  for (const item of list) {
    setText(s, name, item);
    if (/^[A-Z]/.test(name)) noteCodeText(run, s, name);
    if (!round(run, s, node.body)) break;
  }
  words.forEach((word, i) => {
    noteWholePattern(run, s, word, matches[i] ?? [], before);
  });
}

const LOSES: readonly FileOp[] = ['delete', 'move', 'write'];

/**
 * A loop that does the same to each name that a pattern matches does it to the pattern: `for f in *; do rm -rf "$f"`.
 * What a world lists need not be all there is, and that a whole directory goes shows in none of the names.
 */
function noteWholePattern(run: Run, s: State, word: Value, matches: readonly Value[], before: number): void {
  if (isDynamic(word) || !word.some((p) => typeof p !== 'string' && 'glob' in p)) return;
  const done = run.record.files.slice(before);
  if (done.length === 0) return;
  const { value: place, certain } = placeOf(run, s);
  const reals = matches.map((path) => run.world.files(place, { op: 'list', path })[0]?.real ?? null);
  for (const op of LOSES) {
    const same = done.filter((f) => f.op === op && f.certain);
    // What gets another name in the workspace is not lost.
    const written = done.filter((f) => f.op === 'write');
    if (op === 'move' && written.length > 0 && written.every((f) => f.in_workspace === true)) continue;
    const touched = new Set(same.map((f) => f.real));
    if (touched.size === 0 || !reals.every((real) => real !== null && touched.has(real))) continue;
    const recursive = done.some((f) => f.op === op && f.recursive);
    applyFiles(run, null, s.frame, place, [{ op, path: word, recursive, follow: false }], [], certain);
  }
}

function argumentsOf(s: State): readonly Value[] {
  return s.args.open ? [...s.args.values, [hole('more arguments that are not known')]] : s.args.values;
}

/** The names that a pattern matches, or one name of its shape if there are none or many. */
function matchesOf(run: Run, s: State, word: Value): readonly Value[] {
  if (!word.some((p) => typeof p !== 'string' && 'glob' in p)) return [word];
  const place = placeOf(run, s).value;
  const all = isDynamic(word) ? null : run.world.glob(place, word);
  const names = render(word).endsWith('/') ? (all?.filter((n) => isDirectory(run, place, n)) ?? null) : all;
  if (names && names.length > 0 && names.length <= GLOB_NAMES) return names.map(known);
  const text = render(word);
  const shape = unglued(word).map(
    (p): Part => (typeof p !== 'string' && 'glob' in p ? hole(`a name that matches ${text}`, 'name') : p),
  );
  return [concat(shape)];
}

/** A pattern that ends in a slash matches directories alone. */
function isDirectory(run: Run, place: Value, name: string): boolean {
  const { real } = run.world.resolve(place, known(name), true);
  return real === null || run.world.kind(real) !== 'file';
}

export function runSelect(run: Run, s: State, node: Select): void {
  const words = node.wordlist?.flatMap((w) => expandWord(run, s, w)) ?? [];
  widen(run, s, [node.body]);
  const path = fork(s);
  setText(
    path,
    node.name.value,
    words.length === 1 ? (words[0] as Value) : [hole(`one of the words of $${node.name.value}`)],
  );
  round(run, path, node.body);
  join(s, [path, fork(s)]);
}

/** `while` and `until`: round by round while the condition is known, then one pass that stands for the rest. */
export function runWhile(run: Run, s: State, node: While): void {
  const stops = node.kind === 'while' ? 'fail' : 'ok';
  if (isCountable(s, node)) {
    const rounds = ROUNDS[Math.min(s.frame.loops, ROUNDS.length - 1)] as number;
    for (let made = 0; made < rounds && run.rounds < ALL_ROUNDS; made++) {
      const path = made === 0 ? fork(s) : s;
      runStatements(run, path, node.clause.commands);
      if (path.status === 'maybe' || path.ended !== '') {
        if (made > 0) settlePlaces(s);
        break;
      }
      if (path !== s) join(s, [path]);
      if (s.status === stops) {
        skip(run, node.body);
        s.status = 'ok';
        return;
      }
      if (!round(run, s, node.body)) return;
      if (made === rounds - 1 || run.rounds >= ALL_ROUNDS) cutStreams(s);
    }
  }
  rest(
    run,
    s,
    [node.clause, node.body],
    (path) => {
      runStatements(run, path, node.clause.commands);
      keepPlaces(path, node.kind === 'while' ? 'ok' : 'fail');
      settlePlaces(path);
    },
    node.body,
  );
}

/** Rounds are left over: what they would read of the text at hand is taken as not known. */
function cutStreams(s: State): void {
  const fds = new Map(s.fds);
  for (const [n, d] of s.fds)
    if (d.stream.value !== null)
      fds.set(n, { ...d, stream: { value: null, taints: mergeTaints(d.stream.taints, ['cut']) } });
  s.fds = fds;
}

/** True if the condition may be known each round: a comparison, or `read` from text that is known. */
function isCountable(s: State, node: While): boolean {
  const last = node.clause.commands[node.clause.commands.length - 1]?.command;
  if (last?.type === 'ArithmeticCommand' || last?.type === 'TestCommand') return true;
  if (last?.type !== 'Command') return false;
  const name = last.name?.value;
  if (name === 'read') return descriptor(s, 0).stream.value !== null || last.redirects.length > 0;
  return name === '[' || name === 'test' || name === 'let';
}

/** One pass with everything that the loop changes unknown. */
function rest(
  run: Run,
  s: State,
  changing: readonly SyntaxNode[],
  condition: (path: State) => void,
  body: CompoundList,
): void {
  widen(run, s, changing);
  const path = fork(s);
  condition(path);
  const after = fork(path);
  const looped = fork(path);
  round(run, looped, body);
  join(s, [looped, after]);
  s.status = 'maybe';
}

/** `for ((…))`. */
export function runForArithmetic(run: Run, s: State, node: ArithmeticFor): void {
  evaluate(run, s, node.initialize);
  const rounds = ROUNDS[Math.min(s.frame.loops, ROUNDS.length - 1)] as number;
  for (let made = 0; made < rounds && run.rounds < ALL_ROUNDS; made++) {
    const test = node.test ? evaluate(run, s, node.test) : null;
    if (test === null) break;
    if (test === 0) {
      skip(run, node.body);
      s.status = 'ok';
      return;
    }
    if (!round(run, s, node.body)) return;
    evaluate(run, s, node.update);
  }
  const changing: SyntaxNode[] = [node.body];
  if (node.update) changing.push(node.update);
  rest(
    run,
    s,
    changing,
    (path) => {
      evaluate(run, path, node.test);
    },
    node.body,
  );
}
