import { join } from 'node:path';
import type { NodeKind } from '../model/world.ts';
import { type IndexEntry, readIndex } from './index-file.ts';
import { isUnder, normalise } from './paths.ts';

/** A git work tree, read from its files; no git is run. */
export interface Repository {
  readonly root: string;
  branch(): string | null;
  /** Address of `origin`, or of the only remote. */
  remote(): string | null;
  /** True if git tracks the file, or something in the directory; null if the index can't be read. */
  tracked(path: string): boolean | null;
  /** The index by path relative to the root; null if it can't be read. */
  index(): ReadonlyMap<string, IndexEntry> | null;
}

type Kind = (path: string) => NodeKind | 'none' | null;
type Read = (path: string) => string | null;

/** The repository whose work tree has its root here, or null (gitrepository-layout(5)). */
export function repositoryAt(root: string, kind: Kind, readText: Read): Repository | null {
  const own = gitDirOf(root, kind, readText);
  if (own === null) return null;
  const pointer = readText(join(own, 'commondir'))?.trim();
  const common = pointer ? (pointer.startsWith('/') ? normalise(pointer) : normalise(join(own, pointer))) : own;
  let index: ReadonlyMap<string, IndexEntry> | null | undefined;
  let dirs: ReadonlySet<string> | null = null;
  const entries = (): ReadonlyMap<string, IndexEntry> | null => {
    if (index === undefined) index = readIndex(join(own, 'index'));
    return index;
  };
  return {
    root,
    branch: () => {
      const head = readText(join(own, 'HEAD'))?.trim();
      return head?.startsWith('ref: refs/heads/') ? head.slice(16) : null;
    },
    remote: () => remoteIn(readText(join(common, 'config')) ?? ''),
    index: entries,
    tracked: (path) => {
      if (!isUnder(path, root)) return false;
      const all = entries();
      if (!all) return null;
      const below = path.slice(root.length + 1);
      if (below === '') return all.size > 0;
      if (all.has(below)) return true;
      dirs ??= directoriesOf(all.keys());
      return dirs.has(below);
    },
  };
}

function gitDirOf(root: string, kind: Kind, readText: Read): string | null {
  const git = join(root, '.git');
  const there = kind(git);
  if (there === 'dir' || there === 'link') return git;
  if (there !== 'file') return null;
  const target = /^gitdir: (.+)$/m.exec(readText(git) ?? '')?.[1]?.trim();
  if (!target) return null;
  return normalise(target.startsWith('/') ? target : join(root, target));
}

function directoriesOf(paths: Iterable<string>): ReadonlySet<string> {
  const dirs = new Set<string>();
  for (const path of paths)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const dir = path.slice(0, at);
      if (dirs.has(dir)) break;
      dirs.add(dir);
    }
  return dirs;
}

function remoteIn(config: string): string | null {
  const urls = new Map<string, string>();
  let section = '';
  for (const raw of config.split('\n')) {
    const line = raw.trim();
    const head = /^\[remote "((?:[^"\\]|\\.)*)"\]/.exec(line);
    if (head) section = head[1] as string;
    else if (line.startsWith('[')) section = '';
    const url = section === '' ? null : /^url\s*=\s*(.+)$/.exec(line);
    if (url && !urls.has(section)) urls.set(section, (url[1] as string).trim());
  }
  return urls.get('origin') ?? (urls.size === 1 ? ([...urls.values()][0] ?? null) : null);
}
