import { concat, type Part, type Stream, type Taint, textOf, type Value } from '../model/value.ts';
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
  /** Lines taken by `read` so far. */
  readonly cursor: { lines: number };
}

export interface Arguments {
  readonly name: Value;
  readonly values: readonly Value[];
  /** More may follow that are not known. */
  readonly open: boolean;
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
  readonly traps: Map<string, Value | null>;
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

function noteExport(s: State, name: string, variable: Variable): void {
  if (!variable.exported && !s.exports.has(name)) return;
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

function bounded(held: Held): Held {
  if (held.kind !== 'text') return held;
  let size = 0;
  for (const part of held.value) size += typeof part === 'string' ? part.length : 1;
  return size <= MAX_TEXT ? held : { kind: 'text', value: blur('a text longer than is analysed', [held]) };
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

export function setPlaces(s: State, places: readonly Place[]): void {
  s.places = places;
  s.dirty = true;
}

export function changed(s: State): boolean {
  return s.dirty || s.ended !== '';
}

/** Keeps the directories of the paths on which the last command succeeded (or failed). */
export function keepPlaces(s: State, after: 'ok' | 'fail'): void {
  const kept = s.places.filter((p) => p.after === 'any' || p.after === after);
  if (kept.length !== s.places.length && kept.length > 0) setPlaces(s, kept);
}

export function hasOutcomePlaces(s: State): boolean {
  return s.places.some((p) => p.after !== 'any');
}

/** The directories no longer depend on the last command's status. */
export function settlePlaces(s: State): void {
  if (hasOutcomePlaces(s)) s.places = joinPlaces(s.places.map((p) => ({ ...p, after: 'any' as const })));
}

export function joinPlaces(places: readonly Place[]): readonly Place[] {
  const found = new Map<string, Place>();
  for (const place of places) {
    const key = keyOf(place.value);
    const before = found.get(key);
    if (!before) found.set(key, place);
    else
      found.set(key, {
        value: place.value,
        certain: before.certain || place.certain,
        after: before.after === place.after ? place.after : 'any',
      });
  }
  const all = [...found.values()];
  if (all.length <= MAX_ALTERNATIVES) return all;
  const rest: Place = { value: [{ hole: 'one of many directories', like: 'any' }], certain: true, after: 'any' };
  return [...all.slice(0, MAX_ALTERNATIVES - 1), rest];
}

/**
 * Paths come together again in `s`: values that differ become alternatives. All paths are forks of `from`, at any
 * depth, or `from` itself.
 */
export function join(s: State, paths: readonly State[], from: State = s): void {
  const alive = paths.filter((p) => p.ended === '');
  const merged = alive.length > 0 ? alive : paths;
  if (merged.length === 0) return;
  if (alive.length === 0) s.ended = strongest(paths.map((p) => p.ended));
  if (merged.length === 1) absorb(s, merged[0] as State, from);
  else joinMany(s, merged, from);
  const [first] = merged as [State];
  s.status = merged.every((p) => p.status === first.status) ? first.status : 'maybe';
}

export function strongest(ended: readonly Ended[]): Ended {
  for (const kind of ['continue', 'break', 'return', 'exit'] as const) if (ended.includes(kind)) return kind;
  return '';
}

function absorb(s: State, path: State, from: State): void {
  for (const layer of layersAbove(from, path)) {
    for (const [name, v] of layer.vars) setVariable(s, name, v);
    for (const [name, f] of layer.functions) s.functions.set(name, f);
    for (const [name, a] of layer.aliases) s.aliases.set(name, a);
    for (const [name, t] of layer.traps) s.traps.set(name, t);
    if (layer.dirty) s.dirty = true;
  }
  s.places = path.places;
  s.args = path.args;
  s.lastWord = path.lastWord;
  s.options = path.options;
  s.fds = path.fds;
  s.dirs = path.dirs;
  s.many ||= path.many;
}

/** Layers between `from` and `path`, oldest first. */
function layersAbove(from: State, path: State): readonly State[] {
  const layers: State[] = [];
  for (let at: State | null = path; at && at !== from; at = at.base) layers.push(at);
  return layers.reverse();
}

function joinMany(s: State, paths: readonly State[], from: State): void {
  const names = new Set<string>();
  const layers = new Set<State>();
  for (const path of paths) for (const layer of layersAbove(from, path)) layers.add(layer);
  for (const layer of layers) for (const name of layer.vars.keys()) names.add(name);
  for (const name of names) {
    const seen = paths.map((p) => findVariable(p, name));
    const first = seen.find((v) => v !== null) as Variable;
    const alts = joinHeld(
      name,
      seen.map((v) => v?.alts ?? null),
    );
    // A path on which the variable was never set sees the environment's; `inherit` keeps that visible.
    setVariable(s, name, { ...first, alts, exported: seen.some((v) => v?.exported === true) });
  }
  for (const layer of layers) {
    for (const [name, f] of layer.functions) {
      const before = s.functions.get(name) ?? [];
      s.functions.set(name, [...before, ...f.filter((x) => !before.includes(x))].slice(0, MAX_ALTERNATIVES));
    }
    for (const [name, a] of layer.aliases) s.aliases.set(name, a);
    for (const [name, t] of layer.traps) s.traps.set(name, t);
    if (layer.dirty) s.dirty = true;
  }
  s.places = joinPlaces(paths.flatMap((p) => p.places));
  const [first] = paths as [State];
  if (paths.some((p) => p.args !== first.args)) s.args = { ...first.args, values: [], open: true };
  else s.args = first.args;
  s.lastWord = first.lastWord;
  s.options = new Set(paths.flatMap((p) => [...p.options]));
  s.fds = new Map(paths.flatMap((p) => [...p.fds]));
  s.dirs = first.dirs;
  s.many ||= paths.some((p) => p.many);
}

/** The different values, at most four; beyond that one unknown with all their taints. Null stands for "as inherited". */
function joinHeld(name: string, all: readonly (readonly Held[] | null)[]): readonly Held[] {
  const found = new Map<string, Held>();
  for (const alts of all) for (const held of alts ?? [INHERIT]) found.set(heldKey(held), held);
  const list = [...found.values()];
  if (list.length <= MAX_ALTERNATIVES) return list;
  return [{ kind: 'text', value: blur(`one of several values of $${name}`, list) }];
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

const TAINT_ORDER: readonly Taint[] = ['decoded', 'secret', 'network'];

export function worse(a: Taint | undefined, b: Taint): Taint {
  return a === undefined || TAINT_ORDER.indexOf(b) > TAINT_ORDER.indexOf(a) ? b : a;
}

export function keyOf(value: Value): string {
  return textOf(value) ?? JSON.stringify(value);
}

function heldKey(held: Held): string {
  if (held === INHERIT) return 'inherit';
  if (held.kind === 'text') return `t${keyOf(held.value)}`;
  return held.kind === 'unset' ? 'u' : `a${JSON.stringify([...held.items])}`;
}

/** A hole with a reason; `name` where the text is surely a plain file-name-like word. */
export function hole(reason: string, like: 'any' | 'name' = 'any', taint?: Taint): Part {
  return taint ? { hole: reason, like, taint } : { hole: reason, like };
}

export function lines(values: readonly Value[], separator: string): Value {
  return concat(values.flatMap((v, i) => (i === 0 || separator === '' ? v : [separator, ...v])));
}
