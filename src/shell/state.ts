import { concat, type Hole, type Part, type Stream, type Taint, textOf, type Value } from '../model/value.ts';
import type { Sink } from './sinks.ts';
import type { Source } from './source.ts';

/** What a variable holds on one path: text, an array, or nothing at all (`unset`). */
export type Held =
  | { readonly kind: 'text'; readonly value: Value }
  | { readonly kind: 'array'; readonly items: Map<string, Value>; readonly assoc: boolean; readonly open: boolean }
  | { readonly kind: 'unset' };

export const UNSET: Held = { kind: 'unset' };

export interface Variable {
  /** At least one; more where branches left different values. */
  readonly alts: readonly Held[];
  readonly exported: boolean;
  readonly integer?: boolean;
  readonly fold?: 'lower' | 'upper';
  /** A nameref: the variable it stands for. */
  readonly ref?: string;
}

/** One directory the shell could be in. `after`: only if the last command succeeded or failed. */
export interface Place {
  readonly value: Value;
  readonly certain: boolean;
  readonly after: 'any' | 'ok' | 'fail';
}

export interface ShellFunction {
  readonly body: object;
  readonly source: Source;
}

/** What a file descriptor is connected to. */
export interface Descriptor {
  /** Where writes go; null: a terminal or whatever the caller had. */
  readonly sink: Sink | null;
  /** What reads give. */
  readonly stream: Stream;
  /** Nothing that the call gives: a terminal. */
  readonly open: boolean;
  readonly cursor: Cursor;
}

/** How far `read` got in a stream. */
interface Cursor {
  /** Lines taken so far. */
  lines: number;
  /** The stream's lines, once they were asked for. */
  split?: { readonly of: Value; readonly end: string; readonly lines: readonly Value[] };
}

export interface Arguments {
  readonly name: Value;
  readonly values: readonly Value[];
  /** More may follow that are not known. */
  readonly open: boolean;
  /** The file being sourced (`$BASH_SOURCE`); absent: the script itself. */
  readonly file?: Value;
  /** What they are on the paths that led here, where these differ. */
  readonly alts?: readonly Arguments[] | undefined;
}

/** Where in the chain of wrappers a command stands; shared by all commands there. */
export interface Frame {
  readonly source: Source;
  readonly via: readonly string[];
  readonly parent: number;
  readonly certain: boolean;
  readonly privileged: boolean;
  readonly elsewhere: '' | 'remote' | 'container';
  readonly mounts: readonly { readonly host: Value; readonly inside: string }[];
  readonly depth: number;
  readonly pipeline: readonly string[];
  readonly pipelineIndex: number;
  /** Names of the functions being run. */
  readonly calls: readonly string[];
  /** Inside a function or a sourced file: `return` ends it. */
  readonly returns: boolean;
  readonly loops: number;
}

export type Ended = '' | 'exit' | 'return' | 'break' | 'continue';

/**
 * The shell's own state on one path. Forks are layers: a child reads through to its parent, which nobody changes
 * while a child lives, so that a fork costs the same however much the state holds.
 */
export interface State {
  readonly base: State | null;
  readonly level: number;
  /** Another process: only exported variables of the parent are seen. */
  readonly process: boolean;
  readonly vars: Map<string, Variable>;
  readonly functions: Map<string, readonly ShellFunction[]>;
  readonly aliases: Map<string, { readonly body: string; readonly line: number } | null>;
  /** By signal, every body that may be set; none if it was reset. */
  readonly traps: Map<string, readonly Value[]>;
  /** What the call exported, as programs would find it; owned by this layer or shared with the base. */
  exports: Map<string, Value>;
  ownsExports: boolean;
  places: readonly Place[];
  args: Arguments;
  /** The last word of the command before (`$_`). */
  lastWord: Value | null;
  options: ReadonlySet<string>;
  fds: ReadonlyMap<number, Descriptor>;
  dirs: readonly Value[];
  locals: Map<string, Variable | null> | null;
  status: 'ok' | 'fail' | 'maybe';
  ended: Ended;
  frame: Frame;
  /** Some variable has alternatives. */
  many: boolean;
  /** Something but `status` changed since the fork. */
  dirty: boolean;
}

export const MAX_ALTERNATIVES = 4;

export function rootState(frame: Frame, cwd: Value, args: Arguments): State {
  return {
    base: null,
    level: 0,
    process: false,
    vars: new Map(),
    functions: new Map(),
    aliases: new Map(),
    traps: new Map(),
    exports: new Map(),
    ownsExports: true,
    places: [{ value: cwd, certain: true, after: 'any' }],
    args,
    lastWord: null,
    options: new Set(),
    fds: new Map(),
    dirs: [],
    locals: null,
    status: 'ok',
    ended: '',
    frame,
    many: false,
    dirty: false,
  };
}

/** A path that goes on from here on its own. */
export function fork(s: State): State {
  return {
    ...s,
    base: s,
    level: s.level + 1,
    process: false,
    vars: new Map(),
    functions: new Map(),
    aliases: new Map(),
    traps: new Map(),
    ownsExports: false,
    ended: '',
    dirty: false,
  };
}

/** A subshell: what it changes ends with it, traps included. */
export function subshell(s: State): State {
  return { ...fork(s), locals: null };
}

/** A new shell process: it sees exported variables alone, and none of the aliases and options. */
export function childProcess(s: State, args: Arguments): State {
  return { ...fork(s), process: true, args, options: new Set(), dirs: [], locals: null };
}

export function findVariable(s: State, name: string): Variable | null {
  let onlyExported = false;
  for (let at: State | null = s; at; at = at.base) {
    const found = at.vars.get(name);
    if (found) return !onlyExported || found.exported ? found : null;
    if (at.process) onlyExported = true;
  }
  return null;
}

export function findFunction(s: State, name: string): readonly ShellFunction[] | null {
  for (let at: State | null = s; at; at = at.base) {
    const found = at.functions.get(name);
    if (found) return found.length > 0 ? found : null;
    if (at.process) return exportedFunction(at.base, name);
  }
  return null;
}

/** `export -f` marks a function by a variable that no script can name. */
function exportedFunction(s: State | null, name: string): readonly ShellFunction[] | null {
  if (!s || !findVariable(s, functionMark(name))) return null;
  return findFunction(s, name);
}

export function functionMark(name: string): string {
  return `function ${name}`;
}

export function findAlias(s: State, name: string): { readonly body: string; readonly line: number } | null {
  for (let at: State | null = s; at; at = at.base) {
    const found = at.aliases.get(name);
    if (found !== undefined) return found;
    if (at.process) return null;
  }
  return null;
}

export function setVariable(s: State, name: string, variable: Variable): void {
  s.vars.set(name, variable);
  s.dirty = true;
  if (variable.alts.length > 1) s.many = true;
  noteExport(s, name, variable);
}

/** Exported variables that are kept; each path that exports copies them. More are said to be unknown (`invoke`). */
export const MAX_EXPORTS = 1024;

function noteExport(s: State, name: string, variable: Variable): void {
  if (!s.exports.has(name) && (!variable.exported || s.exports.size >= MAX_EXPORTS)) return;
  if (!s.ownsExports) {
    s.exports = new Map(s.exports);
    s.ownsExports = true;
  }
  const [held] = variable.alts;
  if (!variable.exported || name.includes(' ') || !held || held.kind === 'unset' || held === INHERIT)
    s.exports.delete(name);
  else if (held.kind === 'text' && variable.alts.length === 1) s.exports.set(name, held.value);
  else s.exports.set(name, [hole(`value of $${name} is not known`)]);
}

/** Longest text that a variable holds; longer ones are not known. */
const MAX_TEXT = 256 * 1024;
/** What an unknown stretch counts for in characters: each is looked at wherever the value goes. */
export const HOLE_SIZE = 64;

function bounded(held: Held): Held {
  if (held.kind !== 'text') return held;
  let size = 0;
  for (const part of held.value) size += typeof part === 'string' ? part.length : HOLE_SIZE;
  if (size <= MAX_TEXT) return held;
  const [whole] = blur('a text longer than is analysed', [held]) as [Hole];
  return { kind: 'text', value: [{ ...whole, taint: worse(whole.taint, 'cut') }] };
}

/** Sets the value, keeping the variable's attributes. */
export function setHeld(s: State, name: string, values: readonly Held[]): void {
  const held = values.map(bounded);
  const before = findVariable(s, name);
  const exported = before?.exported ?? s.options.has('allexport');
  setVariable(s, name, before ? { ...before, exported, alts: held } : { alts: held, exported });
}

export function setText(s: State, name: string, value: Value): void {
  setHeld(s, name, [{ kind: 'text', value }]);
}

export function changed(s: State): boolean {
  return s.dirty || s.ended !== '';
}

/** The value a variable had before the call touched it. */
export const INHERIT: Held = { kind: 'text', value: [{ hole: 'inherited', like: 'any' }] };

export function blur(reason: string, list: readonly Held[]): Value {
  let taint: Taint | undefined;
  for (const held of list)
    for (const part of held.kind === 'text' ? held.value : [])
      if (typeof part !== 'string' && 'hole' in part && part.taint) taint = worse(taint, part.taint);
  return [{ hole: reason, like: 'any', ...(taint ? { taint } : {}) }];
}

const TAINT_ORDER: readonly Taint[] = ['cut', 'decoded', 'secret', 'network'];

export function worse(a: Taint | undefined, b: Taint): Taint {
  return a === undefined || TAINT_ORDER.indexOf(b) > TAINT_ORDER.indexOf(a) ? b : a;
}

export function keyOf(value: Value): string {
  return textOf(value) ?? JSON.stringify(value);
}

/** A hole with a reason; `name` where the text is surely a plain file-name-like word. */
export function hole(reason: string, like: 'any' | 'name' = 'any', taint?: Taint): Part {
  return taint ? { hole: reason, like, taint } : { hole: reason, like };
}

export function lines(values: readonly Value[], separator: string): Value {
  return concat(values.flatMap((v, i) => (i === 0 || separator === '' ? v : [separator, ...v])));
}
