import type { EffectKind } from './effect-kinds.ts';
import type { Value } from './value.ts';

/** Where a path really lands. */
export type Zone = 'workspace' | 'temp' | 'home' | 'system' | 'device' | 'secret' | 'guard' | 'vcs' | 'outside';

export type FileOp = 'read' | 'write' | 'create' | 'delete' | 'move' | 'chmod' | 'exec' | 'link' | 'list';

/** Can it be had again? `tracked`: in git and clean; `derived`: ignored build output or dependencies; `scratch`: temp. */
export type Reversible = 'tracked' | 'derived' | 'scratch' | 'no' | 'unknown';

/**
 * What a program would do to a path, as its model says it, before the world is asked.
 * `path` is relative to the command's working directory.
 */
export interface FileDraft {
  readonly op: FileOp;
  readonly path: Value;
  readonly recursive?: boolean;
  readonly force?: boolean;
  /** False: the program acts on a symbolic link itself (rm, mv, ln -n); true (default): on what it points to. */
  readonly follow?: boolean;
  /** Only what lies in the directory, not the directory itself (`find D -mindepth 1 -delete`, `rsync --delete`). */
  readonly contentsOnly?: boolean;
  /** Only some of what lies below it is touched (find with filters). */
  readonly partial?: boolean;
  /** False: found in opaque code or on a guess; rules turn a deny into an ask then. Default true. */
  readonly certain?: boolean;
  /** What would be written, if known; later commands of the same call see it. */
  readonly content?: Value;
  /** Lines added and removed, for edits. */
  readonly added?: number;
  readonly removed?: number;
  /** For `link` and `move`: where the other end is. `link` at `path` points to `to`; `move` goes from `path` to `to`. */
  readonly to?: Value;
  /** For `link`: symbolic (default) or hard. */
  readonly hard?: boolean;
  /** For `create`: true a directory, false a file; absent: either. */
  readonly dir?: boolean;
  /** For `chmod`: the mode as written (`+x`, `777`, `u+s`). */
  readonly mode?: string;
}

/** Somewhere data goes to or comes from. */
export interface DestDraft {
  /** `host`, `host:port`, `user@host:path`, a URL; unknown parts are holes. */
  readonly address: Value;
  /** `https`, `ssh`, `tcp`, `git`, `dns`, … when the address does not say. */
  readonly scheme?: string;
  readonly port?: number;
  /** What leaves the machine. `text`: literal arguments; `file`: the content of a file or stream; `secret`: data tainted secret. */
  readonly sends: Sends;
  /** HTTP method, or the protocol's verb. */
  readonly method?: string;
  /** The model looked at every secret among its words and streams itself: a log-in to its own service is no leak. */
  readonly weighed?: boolean;
  readonly certain?: boolean;
}

export type Sends = 'nothing' | 'text' | 'file' | 'secret';

/** An effect that is neither a file nor a destination; what `target` names depends on the kind (effect-kinds.ts). */
export interface EffectDraft {
  readonly kind: EffectKind;
  /** What it acts on, in words: a branch, a table, a package, a variable. */
  readonly target?: string;
  /** One short phrase for people. */
  readonly detail?: string;
  readonly force?: boolean;
  readonly recursive?: boolean;
  readonly certain?: boolean;
}
