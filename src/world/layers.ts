import type { Stream } from '../model/value.ts';
import type { NodeKind } from '../model/world.ts';
import { isUnder, nameOf, parentOf } from './paths.ts';

/** What a command of this call has put at one path. */
export type Entry =
  | { readonly is: 'file'; readonly content: Stream | null; readonly fresh: boolean; readonly secret?: boolean }
  /** `empty`: made where nothing was, so it holds only what came later. */
  | { readonly is: 'dir'; readonly empty: boolean }
  /** A file or a directory, which of them is not known. */
  | { readonly is: 'some'; readonly empty: boolean }
  /** Null target: it points to a place that is not known. */
  | { readonly is: 'link'; readonly target: string | null }
  /** A second name of the file at `target`. */
  | { readonly is: 'twin'; readonly target: string | null }
  | { readonly is: 'none' }
  /** A tree that lay at `from` in the view `seen`. */
  | { readonly is: 'moved'; readonly from: string; readonly seen: View };

/** A file system as some moment of the call sees it. */
export interface View {
  kind(path: string): NodeKind | 'none' | null;
  readLink(path: string): string | null;
  list(path: string): readonly string[] | null;
  content(path: string): Stream | null;
  fresh(path: string): boolean;
  /** The file that a hard link made in this call shares its content with; '' if none, null if unknown. */
  twin(path: string): string | null;
  /** True if what lies there was moved from a place that holds secrets. */
  carries(path: string): boolean;
}

/** An entry with its place in the order of changes: the newest of a path and the directories above it holds. */
interface Dated {
  readonly entry: Entry;
  readonly at: number;
}

/** One frozen or growing set of changes over an older one. */
export interface Layer {
  readonly below: Layer | null;
  readonly entries: Map<string, Dated>;
  readonly depth: number;
}

/** Where a path stands in the layers: an entry of its own, or what an entry above it says. */
export type Found = { readonly entry: Entry; readonly rest: string } | null;

const MAX_DEPTH = 24;

export function emptyLayer(below: Layer | null): Layer {
  return { below, entries: new Map(), depth: below === null ? 0 : below.depth + 1 };
}

/** Newest entry for the path or a directory above it. `rest` is the part below that directory, with its `/`. */
export function lookUp(layer: Layer, path: string): Found {
  for (let l: Layer | null = layer; l !== null; l = l.below) {
    if (l.entries.size === 0) continue;
    let best: Found = null;
    let newest = -1;
    for (let at = path; ; at = parentOf(at)) {
      const dated = l.entries.get(at);
      if (dated && dated.at > newest && (at === path || covers(dated.entry))) {
        const rest = path.slice(at.length);
        best = { entry: rest === '' || dated.entry.is === 'moved' ? dated.entry : { is: 'none' }, rest };
        newest = dated.at;
      }
      if (at === '/') break;
    }
    if (best) return best;
  }
  return null;
}

/** True if what older entries and the world say of paths below no longer holds. */
function covers(entry: Entry): boolean {
  return entry.is === 'none' || entry.is === 'moved' || ((entry.is === 'dir' || entry.is === 'some') && entry.empty);
}

let clock = 0;

/** Puts an entry on top of all that was said before. */
export function setEntry(layer: Layer, path: string, entry: Entry): void {
  layer.entries.delete(path);
  layer.entries.set(path, { entry, at: ++clock });
}

/** How many changes all the layers hold. */
export function changesIn(layer: Layer): number {
  let count = 0;
  for (let l: Layer | null = layer; l !== null; l = l.below) count += l.entries.size;
  return count;
}

/** Files below a directory that the changes wrote or moved there, oldest first, each once. */
export function writtenIn(layer: Layer, dir: string): readonly string[] {
  const found = new Set<string>();
  for (let l: Layer | null = layer; l !== null; l = l.below)
    for (const [path, { entry }] of l.entries)
      if ((entry.is === 'file' || entry.is === 'moved' || entry.is === 'twin') && isUnder(path, dir)) found.add(path);
  return [...found].reverse();
}

/** Names that changes add to or take from a directory, oldest first. */
export function namesIn(layer: Layer, dir: string, before: readonly string[] | null): Set<string> {
  const names = new Set(before ?? []);
  const chain: Layer[] = [];
  for (let l: Layer | null = layer; l !== null; l = l.below) chain.push(l);
  for (const l of chain.reverse())
    for (const [path, { entry }] of l.entries) {
      if (parentOf(path) !== dir || path === '/') continue;
      if (entry.is === 'none') names.delete(nameOf(path));
      else names.add(nameOf(path));
    }
  return names;
}

/** A layer to write on over `layer`; long chains are folded into one so that look-ups stay short. */
export function over(layer: Layer): Layer {
  if (layer.entries.size === 0) return emptyLayer(layer.below);
  if (layer.depth < MAX_DEPTH) return emptyLayer(layer);
  const chain: Layer[] = [];
  for (let l: Layer | null = layer; l !== null; l = l.below) chain.push(l);
  const flat = emptyLayer(null);
  for (const l of chain.reverse()) for (const [path, dated] of l.entries) flat.entries.set(path, dated);
  return emptyLayer(flat);
}
