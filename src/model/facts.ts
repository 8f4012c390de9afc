import type { FileOp, Reversible, Sends, Zone } from './effect.ts';
import type { EffectKind, FileRole } from './effect-kinds.ts';
import type { EventName, ToolName, ToolResult } from './tool-call.ts';

/** Half-open range of UTF-16 code units in the call's shell text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Everything that rules can see of one call; plain JSON, kept in the record so that the decision can be taken again.
 * `null` means "not known": a condition that needs it is neither true nor false, and `on_dynamic` decides.
 */
export interface Facts {
  readonly event: EventFacts;
  readonly tool: ToolFacts;
  readonly commands: readonly CommandFact[];
  /** All files of all commands too. */
  readonly files: readonly FileFact[];
  readonly dests: readonly DestFact[];
  readonly effects: readonly EffectFact[];
  /** What could not be analysed: parse errors, bounds reached. Rules see it as effects of kind `unknown`. */
  readonly unknowns: readonly Unknown[];
  readonly result: ToolResult | null;
  readonly git: { readonly branch: string | null; readonly remote: string | null; readonly dirty: boolean | null };
}

export interface EventFacts {
  readonly name: EventName;
  readonly agent: string;
  readonly agent_version: string | null;
  readonly depth: number;
  readonly subagent: boolean;
  readonly session: string;
  readonly cwd: string;
  readonly workspace: string;
  readonly home: string;
  readonly user: string;
  readonly permission_mode: string;
  readonly interactive: boolean;
  /** SHA-256 of the canonical tool name and input. */
  readonly call_digest: string;
}

interface ToolFacts {
  readonly name: ToolName;
  readonly raw: string;
  readonly mcp_server: string;
  readonly mcp_tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface CommandFact {
  /** Index in `Facts.commands`. */
  readonly id: number;
  /** Index of the command that runs this one (sudo, bash -c, xargs), or -1. */
  readonly parent: number;
  /** Basename; null if the name itself is unknown. */
  readonly name: string | null;
  readonly argv: readonly string[];
  readonly subcommand: string;
  readonly flags: readonly string[];
  readonly operands: readonly string[];
  /** The files this command touches, in the order of its model. */
  readonly targets: readonly FileFact[];
  readonly dests: readonly DestFact[];
  readonly effects: readonly EffectFact[];
  readonly via: readonly string[];
  /** Names of the pipeline's commands, and the place of this one; empty outside a pipeline. */
  readonly pipeline: readonly string[];
  readonly pipeline_index: number;
  readonly redirects: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Null: unknown. */
  readonly cwd: string | null;
  /** Some word is unknown. */
  readonly dynamic: boolean;
  /** Why, one per unknown word. */
  readonly unknown_words: readonly string[];
  /** Runs code that was not understood. */
  readonly opaque: boolean;
  /** False: on a path that may not be taken, or found by a scan. */
  readonly certain: boolean;
  readonly privileged: boolean;
  /** `` here, `remote` or `container`. */
  readonly elsewhere: string;
  readonly sends_data: boolean;
  readonly text: string;
  /** Null: it does not stand in the call's own text (a script file, a decoded string). */
  readonly span: Span | null;
}

export interface FileFact {
  readonly op: FileOp;
  /** As written. */
  readonly path: string;
  /** Absolute, links resolved as this program would; null: unknown. A glob keeps its pattern in the last components. */
  readonly real: string | null;
  readonly zone: Zone | null;
  /**
   * What the file is for, when that matters more than where it lies: `gov`, `gov-project`, `hook-settings`,
   * `agent-settings`, `agent-notes`, `editor-settings`, `git-hook`, `git-config`, `shell-startup`, `ssh-config`,
   * `authorized-keys`, `autostart`, `crontab`, `ci`, `task-runner`, `envrc`, `devcontainer`, `package-scripts`,
   * `tool-config`; '' otherwise.
   */
  readonly role: FileRole;
  /** Inside the workspace, whatever the zone (`secret`, `vcs`, `guard` may lie inside). Null: unknown. */
  readonly in_workspace: boolean | null;
  readonly exists: boolean | null;
  readonly is_dir: boolean | null;
  readonly tracked: boolean | null;
  readonly reversible: Reversible;
  readonly recursive: boolean;
  readonly force: boolean;
  readonly contents_only: boolean;
  readonly partial: boolean;
  /** The path is a pattern. */
  readonly glob: boolean;
  readonly secret: boolean | null;
  readonly added: number;
  readonly removed: number;
  /** Text to be written, if known and short enough to judge; '' otherwise. */
  readonly content: string;
  /** `chmod`'s mode. */
  readonly mode: string;
  /** Program and wrappers, or the tool's name. */
  readonly via: readonly string[];
  /** For `move` and `link`: the other end as the system would resolve it; null: unknown. Absent for other operations. */
  readonly to?: string | null;
  /** Why `real` is unknown; '' otherwise. */
  readonly reason: string;
  readonly certain: boolean;
  /** Index of the command, or -1. */
  readonly command: number;
}

export interface DestFact {
  /** Lower case; null: unknown. */
  readonly host: string | null;
  readonly port: number;
  readonly scheme: string;
  readonly url: string;
  /** Null: unknown. */
  readonly loopback: boolean | null;
  /** Cloud metadata services (169.254.169.254, metadata.google.internal …). */
  readonly metadata: boolean;
  readonly sends: Sends;
  readonly method: string;
  readonly certain: boolean;
  readonly command: number;
}

export interface EffectFact {
  readonly kind: EffectKind;
  readonly target: string;
  readonly detail: string;
  readonly force: boolean;
  readonly recursive: boolean;
  readonly certain: boolean;
  readonly command: number;
}

export interface Unknown {
  readonly reason: string;
  readonly text: string;
  readonly span: Span | null;
}
