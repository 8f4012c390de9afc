import { concat, isDynamic, known, type Part, type Taint, taintsOf, textOf, type Value } from '../../model/value.ts';

/** What the scanner knows of the result of an expression. */
export type Thing =
  | Text
  | { readonly k: 'list'; readonly items: readonly Thing[] }
  | { readonly k: 'map'; readonly fields: ReadonlyMap<string, Thing>; readonly taints: readonly Taint[] }
  /** A library, a global name or something below it: `os.path.join`. */
  | { readonly k: 'ref'; readonly name: string }
  | Func
  /** An open file; its contents carry the taints. */
  | { readonly k: 'file'; readonly path: Value; readonly writes: boolean; readonly taints: readonly Taint[] }
  /** Any of these. */
  | { readonly k: 'any'; readonly of: readonly Thing[] }
  /** The whole environment. */
  | { readonly k: 'env' }
  /** `source` is the file whose whole content it is. */
  | { readonly k: 'unknown'; readonly taints: readonly Taint[]; readonly fromFile?: boolean; readonly source?: Value };

export interface Text {
  readonly k: 'text';
  readonly value: Value;
  /** Also what known text came from: a decoded literal stays decoded. */
  readonly taints: readonly Taint[];
  /** A path object (pathlib, Ruby's Pathname, java.io.File). */
  readonly path?: boolean;
  readonly fromFile?: boolean;
}

/** A function whose body is walked when it is called. */
export interface Func {
  readonly k: 'func';
  readonly name: string;
  readonly params: readonly string[];
  /** Index of the first token of the body and of the one past it. */
  readonly from: number;
  readonly to: number;
}

export const UNKNOWN: Thing = { k: 'unknown', taints: [] };

/** Characters of one text that are kept; longer ones count as unknown. */
const LONGEST = 100_000;

export function text(value: Value | string, taints: readonly Taint[] = []): Text {
  const kept = typeof value === 'string' ? known(value) : value;
  return { k: 'text', value: isLong(kept) ? [hole('a long text')] : kept, taints };
}

function isLong(value: Value): boolean {
  if (value.length > 500) return true;
  let length = 0;
  for (const part of value) if (typeof part === 'string') length += part.length;
  return length > LONGEST;
}

export function path(value: Value): Text {
  return { k: 'text', value, taints: [], path: true };
}

export function ref(name: string): Thing {
  return name.length > 200 ? UNKNOWN : { k: 'ref', name };
}

export function unknown(taints: readonly Taint[], fromFile = false): Thing {
  if (taints.length === 0 && !fromFile) return UNKNOWN;
  return fromFile ? { k: 'unknown', taints, fromFile } : { k: 'unknown', taints };
}

export function anyOf(things: readonly Thing[]): Thing {
  const flat = things.flatMap((t) => (t.k === 'any' ? t.of : [t]));
  return flat.length === 1 ? (flat[0] as Thing) : { k: 'any', of: flat.slice(0, 64) };
}

/** A hole of which nothing is known. */
function hole(why: string, like: 'any' | 'name' = 'any', taint?: Taint): Part {
  return taint ? { hole: why, like, taint } : { hole: why, like };
}

/** The word a thing would be as an argument; a hole if that is unknown. Alternatives give one word each. */
export function words(thing: Thing | undefined, why: string): readonly Value[] {
  if (!thing) return [];
  if (thing.k === 'text') return [concat(thing.value)];
  if (thing.k === 'any') return thing.of.flatMap((t) => words(t, why)).slice(0, 64);
  if (thing.k === 'file') return [thing.path];
  return [[hole(why, 'any', taintsIn(thing)[0])]];
}

/** The one word of a thing. */
export function word(thing: Thing | undefined, why: string): Value {
  const all = words(thing, why);
  return all.length === 1 ? (all[0] as Value) : [hole(why)];
}

export function literal(thing: Thing | undefined): string | null {
  return thing?.k === 'text' ? textOf(thing.value) : null;
}

export function taintsIn(thing: Thing | undefined): readonly Taint[] {
  switch (thing?.k) {
    case 'text':
      return isDynamic(thing.value) ? [...new Set([...thing.taints, ...taintsOf(thing.value)])] : thing.taints;
    case 'map':
      return thing.fields.size === 0 ? thing.taints : join([...thing.fields.values()]);
    case 'list':
      return join(thing.items);
    case 'any':
      return join(thing.of);
    case 'env':
      return ['secret'];
    case 'unknown':
    case 'file':
      return thing.taints;
    default:
      return [];
  }
}

/** True if the thing holds what a file held. */
export function comesFromFile(thing: Thing | undefined): boolean {
  switch (thing?.k) {
    case 'text':
    case 'unknown':
      return thing.fromFile === true;
    case 'file':
      return !thing.writes;
    case 'map':
      return [...thing.fields.values()].some(comesFromFile);
    case 'list':
      return thing.items.some(comesFromFile);
    case 'any':
      return thing.of.some(comesFromFile);
    default:
      return false;
  }
}

function join(things: readonly Thing[]): readonly Taint[] {
  const found = new Set<Taint>();
  for (const t of things) for (const taint of taintsIn(t)) found.add(taint);
  return [...found];
}

/** What a loop over the thing binds its variable to. */
export function elementOf(thing: Thing | undefined): Thing {
  if (thing?.k === 'list') return thing.items.length > 0 ? anyOf(thing.items) : UNKNOWN;
  if (thing?.k === 'any') return anyOf(thing.of.map(elementOf));
  if (thing?.k === 'env') return UNKNOWN;
  if (thing === undefined || thing.k === 'text' || thing.k === 'ref') return UNKNOWN;
  return unknown(taintsIn(thing), comesFromFile(thing));
}

/** Joined as text; unknown sides become holes. */
export function joined(a: Thing, b: Thing, why: string, between = ''): Thing {
  const lefts = words(a, why);
  const rights = words(b, why);
  const taints = join([a, b]);
  const fromFile = comesFromFile(a) || comesFromFile(b);
  const out: Thing[] = [];
  for (const l of lefts)
    for (const r of rights) {
      if (out.length >= 64) break;
      const made = text(concat(l, between === '' ? [] : [between], r), taints);
      out.push(fromFile ? { ...made, fromFile } : made);
    }
  return anyOf(out);
}
