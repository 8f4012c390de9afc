import type { DestDraft, FileDraft, Reversible, Zone } from './effect.ts';
import type { DestFact, FileFact } from './facts.ts';
import type { Stream, Value } from './value.ts';

export type NodeKind = 'file' | 'dir' | 'link' | 'other';

/** Facts about a git work tree, read lazily and bounded. */
export interface GitFacts {
  readonly branch: string | null;
  readonly remote: string | null;
  /** Null: not known. */
  readonly dirty: boolean | null;
}

/**
 * The machine as the analysis sees it: read only, looked at once per path and cached. `world/` holds two makers:
 * the real machine, and a fixture for tests and `gov check --batch`.
 * Every path that goes in is absolute and normalised.
 */
export interface World {
  readonly home: string;
  /** Root of the repository or project that holds the call's directory; absolute, no trailing slash. */
  readonly workspace: string;
  readonly tempDirs: readonly string[];
  readonly user: string;
  /** Files and directories that are gov's own: configuration, state, the installed program. */
  readonly own: readonly string[];
  /** Value of an environment variable the command would inherit: a text, '' if unset, null if unknown. */
  env(name: string): string | null;
  /** What is there, not following a last symbolic link; `none` if known to be absent; null if unknown. */
  kind(path: string): NodeKind | 'none' | null;
  /** Target of a symbolic link as written, or null. */
  readLink(path: string): string | null;
  /** True: `list` may leave names out (a written-down world names only what matters). */
  readonly partial?: boolean;
  /** Names in a directory; null if unknown or too many. */
  list(path: string): readonly string[] | null;
  /** Text of a file up to a bound; null if unreadable, absent, binary or larger. */
  readText(path: string): string | null;
  git(): GitFacts;
  /** Can a file or tree be had again (git, ignored, temp)? */
  reversible(path: string): Reversible;
  tracked(path: string): boolean | null;
}

/** A world with what earlier commands of the same call did laid over it. */
export interface Overlay extends World {
  /** Result of the command substitution or file that was written: its content, if known. */
  content(path: string): Stream | null;
  /** True if this call wrote what is in the file. */
  changed(path: string): boolean;
  /** Files below a directory that this call wrote or moved there, oldest first. */
  written(dir: string): readonly string[];
  /** Lays one resolved effect over the world, so that later commands see it. */
  apply(file: FileFact, draft: FileDraft, taints: Stream['taints']): void;
  /** An independent copy: what a branch that may not run does stays in it. */
  fork(): Overlay;
  /** A path as the system would resolve it from `cwd`, with the reason when it can't be known. */
  resolve(cwd: Value, path: Value, follow: boolean): Resolved;
  /** A draft with its real path and zone. A glob that matches gives the pattern first, then each match. */
  files(cwd: Value, draft: FileDraft): readonly FileFact[];
  dest(draft: DestDraft): DestFact;
  /** Names that an unquoted pattern matches from `cwd`, sorted as the shell does; null if the directory is unknown. */
  glob(cwd: Value, pattern: Value): readonly string[] | null;
}

export interface Resolved {
  /** Normalised absolute path with symbolic links resolved; null if unknown. */
  readonly real: string | null;
  /** Known even when `real` is not, e.g. a random name below temp. */
  readonly zone: Zone | null;
  readonly reason: string | null;
}
