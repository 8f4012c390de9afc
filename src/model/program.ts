import type { DestDraft, EffectDraft, FileDraft } from './effect.ts';
import type { Stream, Value } from './value.ts';
import type { Overlay } from './world.ts';

/** One program about to run, with everything a model may look at. */
export interface Invocation {
  /** Basename of the program, wrappers followed (`rm`). */
  readonly name: string;
  /** argv[0] as written, then each argument. Globs are still patterns; brace expansion and splitting are done. */
  readonly argv: readonly Value[];
  /** Variables set for this command alone or exported before it in the call. */
  readonly env: ReadonlyMap<string, Value>;
  readonly cwd: Value;
  readonly stdin: Stream;
  /** True if standard input is a terminal or nothing that the call gives. */
  readonly stdinIsOpen: boolean;
  readonly world: Overlay;
  /**
   * What the world can't tell of a path: the stream behind a process substitution, or the taints of a tree that came
   * from the network in this call (a fresh clone, an unpacked download). Null: nothing.
   */
  readonly behind?: (path: Value) => Stream | null;
}

/**
 * What a model knows of one invocation. Everything is optional: a model that returns `{}` says "no effect", so a
 * program without a model gets the effect `unknown` instead (never "harmless").
 */
export interface Outcome {
  readonly subcommand?: string;
  /** Options that were given, without dashes, long and short names of one option both. */
  readonly flags?: readonly string[];
  readonly operands?: readonly Value[];
  readonly files?: readonly FileDraft[];
  readonly dests?: readonly DestDraft[];
  readonly effects?: readonly EffectDraft[];
  readonly nested?: readonly Nested[];
  /** What it prints. Absent: standard input's taints pass through, the text is unknown. */
  readonly stdout?: Stream;
  /** Runs code that was not understood. */
  readonly opaque?: boolean;
  /** Exit status known to be… (`true`, `false`, `test` of known things). */
  readonly succeeds?: boolean;
}

/** Code that a program runs in turn. */
export type Nested =
  /** Another program with its arguments: sudo, env, xargs, find -exec. */
  | (NestedBase & { readonly kind: 'argv'; readonly argv: readonly Value[] })
  /** Shell text: bash -c, eval, ssh, make recipes. `args` are $0, $1 …; */
  | (NestedBase & {
      readonly kind: 'script';
      readonly text: Value;
      readonly args?: readonly Value[];
      readonly dialect?: 'sh' | 'bash' | 'zsh';
    })
  /** A shell script in a file (looked up in the overlay, then the world). */
  | (NestedBase & { readonly kind: 'file'; readonly path: Value; readonly args?: readonly Value[] })
  /** Shell text that arrives on standard input. */
  | (NestedBase & { readonly kind: 'stdin'; readonly args?: readonly Value[] });

export interface NestedBase {
  /** The wrapper's name as rules see it in `command.via`, e.g. `sudo`, `xargs`, `bash -c`. */
  readonly via: string;
  /** Directory it runs in, if the wrapper changes it. */
  readonly cwd?: Value;
  readonly env?: ReadonlyMap<string, Value>;
  /** Runs on another machine or in another file system: paths don't land in this one. */
  readonly elsewhere?: 'remote' | 'container';
  /** The container's view of host directories: container path → host path. */
  readonly mounts?: readonly { readonly host: Value; readonly inside: string }[];
  readonly privileged?: boolean;
  readonly stdin?: Stream;
  /** False: it may run (an unknown wrapper, a scanned program text). Default true. */
  readonly certain?: boolean;
}

/** The models of all programs, by name. `programs/index.ts` makes one. */
export interface ProgramModels {
  /** True if the name (basename) has a model. */
  has(name: string): boolean;
  /** Never throws; an unknown program gets the effect `unknown`. */
  model(invocation: Invocation): Outcome;
  /** Names that match a shell pattern, for command names written as globs (`/???/r?`). */
  matching(pattern: string): readonly string[];
  /** A variable that makes a later program run code when set (LD_PRELOAD, GIT_SSH_COMMAND, PAGER …), or null. */
  codeVariable(name: string, value: Value): EffectDraft | null;
}
