import type { AndOr, ParsedScript, Statement } from 'unbash';
import { skip } from './coverage.ts';
import { join, strongest } from './joining.ts';
import { runNode } from './nodes.ts';
import { hasOutcomePlaces, joinPlaces, keepPlaces } from './places.ts';
import { isExhausted, noteUnknown } from './record.ts';
import { descriptor } from './redirections.ts';
import type { Run } from './run.ts';
import { alternate, markSink, rewind, type Sink } from './sinks.ts';
import type { Source } from './source.ts';
import { changed, fork, type Place, type State, subshell } from './state.ts';
import { runTraps } from './traps.ts';

/** Runs a script's statements in the given state. Parse errors are said. */
export function runScript(run: Run, s: State, script: ParsedScript, source: Source): void {
  const frame = s.frame;
  s.frame = { ...frame, source };
  for (const error of script.errors ?? []) noteParseError(run, source, error);
  runStatements(run, s, script.commands);
  s.frame = frame;
}

function noteParseError(run: Run, source: Source, error: { readonly message: string; readonly pos: number }): void {
  const near = source.text.slice(Math.max(0, error.pos - 40), error.pos + 80);
  const span = source.base === null ? null : { start: source.base + error.pos, end: source.base + source.text.length };
  noteUnknown(run.record, `the shell text can't be parsed: ${error.message}`, near, span);
}

export function runStatements(run: Run, s: State, statements: readonly Statement[]): void {
  for (const statement of statements) {
    if (isExhausted(run.record, run.steps)) return leaveRest(run, s, statement);
    if (s.ended === '') runStatement(run, s, statement);
    else if (s.ended === 'exit') runUnreachable(run, s, statement);
    else skip(run, statement);
  }
}

/** The bound is reached: what follows is said to be unknown, as a whole. */
function leaveRest(run: Run, s: State, from: Statement): void {
  const { text, base } = s.frame.source;
  const span = base === null ? null : { start: base + from.pos, end: base + text.length };
  noteUnknown(run.record, 'more commands than are analysed', text.slice(from.pos), span);
  s.status = 'maybe';
}

function runStatement(run: Run, s: State, statement: Statement): void {
  if (statement.background) {
    const path = subshell(s);
    runNode(run, path, statement.command);
    runTraps(run, path, s);
    s.status = 'ok';
    return;
  }
  runNode(run, s, statement.command);
  if (s.options.has('errexit')) keepPlaces(s, 'ok');
}

/** What stands after `exit` is still looked at: it may run after all (`exit` in zsh's or bash's odd forms fails). */
function runUnreachable(run: Run, s: State, statement: Statement): void {
  const path = fork(s);
  path.ended = '';
  path.frame = { ...s.frame, certain: false };
  runStatement(run, path, statement);
}

/** Paths on which the last command of a chain succeeded, failed, and those that ended (`exit`). */
interface Outcomes {
  ok: readonly State[];
  fail: readonly State[];
  readonly dead: State[];
}

/**
 * `a && b || c`. A path on which nothing changed is shared with the one it came from, so that a long chain stays
 * cheap; while a path is held nobody changes what it reads through.
 */
export function runAndOr(run: Run, s: State, node: AndOr): void {
  const [first, ...rest] = node.commands;
  if (!first) return;
  const out = node.operators.includes('||') ? descriptor(s, 1).sink : null;
  const start = markSink(out);
  const at: Outcomes = { ok: [], fail: [], dead: [] };
  runNode(run, s, first);
  split(at, s, s);
  rest.forEach((command, i) => {
    const and = node.operators[i] === '&&';
    const [wanted, others] = and ? [at.ok, at.fail] : [at.fail, at.ok];
    if (wanted.length === 0) {
      skip(run, command);
      return;
    }
    const path = gather(s, wanted, others);
    at.ok = and ? [] : others;
    at.fail = and ? others : [];
    if (and || others.length === 0) runNode(run, path, command);
    else orElse(out, start, () => runNode(run, path, command));
    split(at, path, s);
    if (at.ok.length + at.fail.length > MAX_PATHS || path.level - s.level > MAX_PATHS) settle(at, s);
  });
  finish(s, at);
}

/** What a command prints that runs because the one before failed: the other way the output could be. */
function orElse(out: Sink | null, start: ReturnType<typeof markSink>, then: () => void): void {
  const sofar = rewind(out, start);
  then();
  alternate(out, sofar);
}

function split(at: Outcomes, path: State, s: State): void {
  if (path.ended !== '') {
    at.dead.push(path);
    return;
  }
  const kept = path !== s && !changed(path) && path.base ? path.base : path;
  const { status } = path;
  if (status === 'maybe' && hasOutcomePlaces(path)) {
    const good = fork(path);
    keepPlaces(good, 'ok');
    const bad = fork(path);
    keepPlaces(bad, 'fail');
    at.ok = [...at.ok, good];
    at.fail = [...at.fail, bad];
    return;
  }
  if (status !== 'fail' && !at.ok.includes(kept)) at.ok = [...at.ok, kept];
  if (status !== 'ok' && !at.fail.includes(kept)) at.fail = [...at.fail, kept];
}

const MAX_PATHS = 12;

/** Too many paths are held: they come together, and the chain goes on with what differs as alternatives. */
function settle(at: Outcomes, s: State): void {
  const alive = [...new Set([...at.ok, ...at.fail])];
  if (alive.length === 0 || (alive.length === 1 && alive[0] === s)) return;
  join(s, alive);
  s.ended = '';
  if (at.ok.length > 0) at.ok = [s];
  if (at.fail.length > 0) at.fail = [s];
}

/** A state in which these paths go on together: one of them itself if nobody else reads it, else a fork. */
function gather(s: State, paths: readonly State[], others: readonly State[]): State {
  const [only] = paths as [State];
  if (paths.length === 1) {
    if (!others.some((o) => reads(o, only))) return only;
    return fork(only);
  }
  const next = fork(s);
  join(next, paths, s);
  return next;
}

/** True if `path` is `base` or a fork of it. */
function reads(path: State, base: State): boolean {
  for (let at: State | null = path; at && at.level >= base.level; at = at.base) if (at === base) return true;
  return false;
}

function finish(s: State, at: Outcomes): void {
  const alive = [...new Set([...at.ok, ...at.fail])];
  if (alive.length === 0) {
    if (at.dead.some((d) => d !== s)) join(s, at.dead);
    s.ended = strongest(at.dead.map((d) => d.ended));
    return;
  }
  if (alive.length > 1 || alive[0] !== s) {
    const places = outcomePlaces(alive, at);
    join(s, alive);
    s.places = places;
  }
  s.status = at.ok.length === 0 ? 'fail' : at.fail.length === 0 ? 'ok' : 'maybe';
}

function outcomePlaces(alive: readonly State[], at: Outcomes): readonly Place[] {
  const places = alive.flatMap((path) => {
    const [ok, fail] = [at.ok.includes(path), at.fail.includes(path)];
    return path.places.map((p): Place => (p.after !== 'any' || ok === fail ? p : { ...p, after: ok ? 'ok' : 'fail' }));
  });
  return joinPlaces(places);
}
