import type { DestDraft, FileDraft } from '../model/effect.ts';
import type { DestFact, FileFact } from '../model/facts.ts';
import { known, type Stream, type Taint, textOf, type Value } from '../model/value.ts';
import type { NodeKind, Overlay, Resolved, World } from '../model/world.ts';
import { destOf } from './addresses.ts';
import { type FileSight, fileFacts } from './file-facts.ts';
import { expand } from './globs.ts';
import {
  changesIn,
  type Entry,
  emptyLayer,
  type Found,
  type Layer,
  lookUp,
  namesIn,
  over,
  setEntry,
  type View,
  writtenIn,
} from './layers.ts';
import { inside, isUnder, nameOf } from './paths.ts';
import { type Places, places } from './places.ts';
import { hooksDirectory, registeredHookFiles } from './registered.ts';
import { locate } from './resolve.ts';
import { treeFinder } from './worktrees.ts';
import { type Standing, standing } from './zones.ts';

/** What all forks of one overlay share: the world itself and what was worked out about its paths. */
interface Ground {
  readonly world: World;
  readonly at: Places;
  readonly standings: Map<string, Standing>;
  readonly inOtherTree: (path: string) => boolean;
  /** Characters of files, and names of directories, that were handed out. */
  given: number;
  names: number;
  hooks: { readonly programs: ReadonlySet<string>; readonly git: string | null } | null;
}

/** Characters that the files of one call give together; from then on what they hold is not known. */
const ALL_CONTENT = 16 * 1024 * 1024;
/** Names that patterns of one call are held against; from then on directories can't be listed. */
const ALL_NAMES = 4_000_000;

/** What a file holds, unless all files together have given too much. */
function rationed(ground: Ground, content: Stream | null): Stream | null {
  if (content?.value === null || content === null) return content;
  for (const part of content.value) ground.given += typeof part === 'string' ? part.length : 1;
  return ground.given <= ALL_CONTENT ? content : { value: null, taints: [...content.taints, 'cut'] };
}

/** A world over which the effects of commands can be laid; forks are cheap and independent. */
export function overlay(world: World): Overlay {
  const at = places(world.home, world.workspace, world.tempDirs, world.own);
  const inOtherTree = treeFinder(world);
  return make({ world, at, standings: new Map(), given: 0, names: 0, hooks: null, inOtherTree }, emptyLayer(null));
}

function make(ground: Ground, start: Layer): Overlay {
  const { world } = ground;
  let layer = start;
  const view = viewOf(world, () => layer, ground);
  const sight: FileSight = {
    view,
    world,
    at: ground.at,
    stand: (path) => stand(ground, path),
    inOtherTree: ground.inOtherTree,
  };

  return {
    home: world.home,
    workspace: world.workspace,
    tempDirs: world.tempDirs,
    user: world.user,
    partial: world.partial ?? false,
    own: world.own,
    env: (name) => world.env(name),
    kind: view.kind,
    readLink: view.readLink,
    list: view.list,
    readText: (path) => {
      const found = lookUp(layer, path);
      if (!found) return world.readText(path);
      const value = rationed(ground, view.content(path))?.value;
      return value ? textOf(value) : null;
    },
    git: () => world.git(),
    reversible: (path) => (view.fresh(path) ? 'scratch' : world.reversible(path)),
    tracked: (path) => (view.fresh(path) ? false : world.tracked(path)),
    content: (path) => rationed(ground, view.content(path)),
    changed: (path) => lookUp(layer, path)?.entry.is === 'file',
    written: (dir) => writtenIn(layer, dir).filter((path) => view.kind(path) !== 'none'),
    apply: (file, draft, taints) =>
      lay({ put: (path, entry) => setEntry(layer, path, entry), view, freeze }, file, draft, taints),
    fork: () => {
      freeze();
      return make(ground, over(layer));
    },
    resolve: (cwd, path, follow): Resolved => {
      const found = locate(cwd, path, follow, view);
      if (found.at === null) return { real: null, zone: null, reason: found.reason };
      if (found.open)
        return { real: null, zone: stand(ground, found.at).zone === 'temp' ? 'temp' : null, reason: found.reason };
      const zone = stand(ground, found.at).zone;
      return found.vague ? { real: null, zone, reason: found.reason } : { real: found.at, zone, reason: null };
    },
    files: (cwd: Value, draft: FileDraft): readonly FileFact[] => fileFacts(cwd, draft, sight),
    dest: (draft: DestDraft): DestFact => destOf(draft),
    glob: (cwd: Value, pattern: Value): readonly string[] | null => {
      const matches = expand(cwd, pattern, view, world.partial ?? false);
      return matches === null || (matches.paths.length === 0 && !matches.complete) ? null : matches.paths;
    },
  };

  /** What has been written so far no longer changes; new changes go on top of it. */
  function freeze(): View {
    const then = layer;
    layer = over(then);
    return viewOf(world, () => then, ground);
  }
}

function stand(ground: Ground, path: string): Standing {
  const kept = ground.standings.get(path);
  if (kept) return kept;
  const made = standing(path, ground.at, () => ground.world.readText(path));
  const result = made.role === '' || made.role === 'tool-config' ? withHooks(made, path, ground) : made;
  ground.standings.set(path, result);
  return result;
}

/** Files that settings in force name as hooks are no ordinary files, wherever they lie. */
function withHooks(made: Standing, path: string, ground: Ground): Standing {
  ground.hooks ??= { programs: registeredHookFiles(ground.world), git: hooksDirectory(ground.world) };
  if (ground.hooks.programs.has(path)) return { ...made, zone: 'guard', role: 'hook-program' };
  const { git } = ground.hooks;
  return git !== null && git !== ground.world.workspace && isUnder(path, git) ? { ...made, role: 'git-hook' } : made;
}

/** The world as the layers show it. */
function viewOf(world: World, layer: () => Layer, ground: Ground): View {
  const at = <T>(
    path: string,
    below: (path: string) => T,
    here: (entry: Entry) => T,
    then: (v: View, path: string) => T,
  ): T => {
    const found: Found = lookUp(layer(), path);
    if (!found) return below(path);
    if (found.entry.is === 'moved') return then(found.entry.seen, found.entry.from + found.rest);
    return here(found.entry);
  };
  const secretly = (path: string): readonly Taint[] => (stand(ground, path).secret ? ['secret'] : []);
  const view: View = {
    kind: (path) =>
      at<NodeKind | 'none' | null>(
        path,
        (p) => world.kind(p),
        (entry) => (entry.is === 'twin' ? 'file' : entry.is === 'some' || entry.is === 'moved' ? null : entry.is),
        (v, p) => v.kind(p),
      ),
    readLink: (path) =>
      at<string | null>(
        path,
        (p) => world.readLink(p),
        (entry) => (entry.is === 'link' ? entry.target : null),
        (v, p) => v.readLink(p),
      ),
    list: (path) => {
      if (ground.names > ALL_NAMES) return null;
      const before = at<readonly string[] | null>(
        path,
        (p) => world.list(p),
        (entry) => {
          if (entry.is === 'none') return null;
          return (entry.is === 'dir' || entry.is === 'some') && entry.empty ? [] : world.list(path);
        },
        (v, p) => v.list(p),
      );
      const names = namesIn(layer(), path, before);
      ground.names += changesIn(layer()) + names.size;
      if (before === null && names.size === 0) return null;
      const old = new Set(before);
      return [...names].filter((name) => old.has(name) || view.kind(inside(path, name)) !== 'none');
    },
    content: (path) =>
      at<Stream | null>(
        path,
        (p) => {
          const taints = secretly(p);
          if (taints.length > 0) return { value: null, taints };
          const text = world.readText(p);
          return text === null ? null : { value: known(text), taints };
        },
        (entry) => (entry.is === 'file' ? entry.content : null),
        (v, p) => v.content(p),
      ),
    fresh: (path) =>
      at<boolean>(
        path,
        () => false,
        (entry) => entry.is === 'file' && entry.fresh,
        (v, p) => v.fresh(p),
      ),
    carries: (path) =>
      at<boolean>(
        path,
        () => false,
        (entry) => entry.is === 'file' && entry.secret === true,
        (v, p) => stand(ground, p).secret || v.carries(p),
      ),
    twin: (path) =>
      at<string | null>(
        path,
        () => '',
        (entry) => (entry.is === 'twin' ? entry.target : ''),
        (v, p) => v.twin(p),
      ),
  };
  return view;
}

/** How an effect changes the layers. */
interface Changes {
  readonly put: (path: string, entry: Entry) => void;
  readonly view: View;
  readonly freeze: () => View;
}

/** Lays one effect over the world. Patterns and unknown places change nothing that could be named. */
function lay({ put, view, freeze }: Changes, file: FileFact, draft: FileDraft, taints: readonly Taint[]): void {
  const path = file.real;
  if (path === null || file.glob) return;
  const was = view.kind(path);
  const empty = was === 'none';
  switch (draft.op) {
    case 'delete':
      if (!draft.partial && !draft.contentsOnly) put(path, { is: 'none' });
      return;
    case 'create':
      if (was !== null && was !== 'none') return;
      return put(path, draft.dir ? { is: 'dir', empty } : draft.dir === false ? made(null, []) : { is: 'some', empty });
    case 'write':
      if (was === 'dir' || draft.partial) return;
      // A copied tree: its files are not known one by one.
      if (draft.recursive) return put(path, { is: 'some', empty: false });
      return put(path, { is: 'file', content: { value: draft.content ?? null, taints }, fresh: isFresh(path) });
    case 'link':
      if (draft.hard) return put(path, { is: 'twin', target: file.to ?? null });
      return put(path, { is: 'link', target: (draft.to ? textOf(draft.to) : null) ?? file.to ?? null });
    case 'move': {
      if (file.to) {
        const to = view.kind(file.to) === 'dir' ? inside(file.to, nameOf(path)) : file.to;
        if (was === 'file') {
          const content = view.content(path);
          const taints = content?.taints ?? [];
          put(to, { ...made(content?.value ?? null, taints), secret: view.carries(path) || file.secret === true });
        } else put(to, { is: 'moved', from: path, seen: freeze() });
      }
      return put(path, { is: 'none' });
    }
    default:
  }

  function made(value: Value | null, of: readonly Taint[]): Entry & { readonly is: 'file' } {
    return { is: 'file', content: { value, taints: of }, fresh: true };
  }
  function isFresh(at: string): boolean {
    return was === 'none' || view.fresh(at);
  }
}
