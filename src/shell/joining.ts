import type { Value } from '../model/value.ts';
import { joinPlaces } from './places.ts';
import {
  blur,
  type Ended,
  findVariable,
  type Held,
  INHERIT,
  keyOf,
  MAX_ALTERNATIVES,
  type State,
  setVariable,
  type Variable,
} from './state.ts';

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
    if (layer.dirty) s.dirty = true;
  }
  joinTraps(s, paths, layers);
  s.places = joinPlaces(paths.flatMap((p) => p.places));
  const [first] = paths as [State];
  s.lastWord = first.lastWord;
  s.options = new Set(paths.flatMap((p) => [...p.options]));
  s.fds = new Map(paths.flatMap((p) => [...p.fds]));
  s.dirs = first.dirs;
  s.many ||= paths.some((p) => p.many);
  s.args = paths.some((p) => p.args !== first.args) ? joinArgs(s, paths) : first.args;
}

/** Arguments that differ between paths: each of a few is looked at, else what differs is unknown. */
function joinArgs(s: State, paths: readonly State[]): State['args'] {
  const all = paths.map((p) => p.args);
  const [first] = all as [State['args']];
  const alts = all.flatMap((args) => args.alts ?? [args]);
  s.many = true;
  const { length } = first.values;
  const whole = { ...first, alts: alts.length <= MAX_ALTERNATIVES ? alts : undefined };
  if (all.some((args) => args.values.length !== length || args.open)) return { ...whole, values: [], open: true };
  const values = first.values.map((value, i): Value => {
    const held = all.map((args): Held => ({ kind: 'text', value: args.values[i] as Value }));
    return new Set(held.map(heldKey)).size === 1 ? value : blur(`one of several values of $${i + 1}`, held);
  });
  return { ...whole, values };
}

/** Each trap that one of the paths ends with, those from before the paths included. */
function joinTraps(s: State, paths: readonly State[], layers: ReadonlySet<State>): void {
  const names = new Set<string>();
  for (const layer of layers) for (const name of layer.traps.keys()) names.add(name);
  for (const name of names) {
    const bodies = new Map<string, Value>();
    for (const path of paths) for (const body of findTraps(path, name)) bodies.set(keyOf(body), body);
    const all = [...bodies.values()];
    s.traps.set(name, all.length <= MAX_TRAPS ? all : [...all.slice(0, MAX_TRAPS), MANY_TRAPS]);
  }
}

/** Bodies of one signal that are told apart. */
const MAX_TRAPS = 64;
const MANY_TRAPS: Value = [{ hole: 'one of many traps', like: 'any', taint: 'cut' }];

function findTraps(s: State, name: string): readonly Value[] {
  for (let at: State | null = s; at; at = at.base) {
    const found = at.traps.get(name);
    if (found) return found;
  }
  return [];
}

/** The different values, at most four; beyond that one unknown with all their taints. Null stands for "as inherited". */
function joinHeld(name: string, all: readonly (readonly Held[] | null)[]): readonly Held[] {
  const found = new Map<string, Held>();
  for (const alts of all) for (const held of alts ?? [INHERIT]) found.set(heldKey(held), held);
  const list = [...found.values()];
  if (list.length <= MAX_ALTERNATIVES) return list;
  return [{ kind: 'text', value: blur(`one of several values of $${name}`, list) }];
}

function heldKey(held: Held): string {
  if (held === INHERIT) return 'inherit';
  if (held.kind === 'text') return `t${keyOf(held.value)}`;
  return held.kind === 'unset' ? 'u' : `a${JSON.stringify([...held.items])}`;
}
