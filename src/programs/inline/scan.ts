import type { DestDraft, EffectDraft, FileDraft } from '../../model/effect.ts';
import type { Nested } from '../../model/program.ts';
import type { Part, Stream, Taint, Value } from '../../model/value.ts';
import type { Overlay } from '../../model/world.ts';
import type { Language } from './syntax.ts';
import type { Func, Thing } from './thing.ts';
import type { Token } from './token.ts';

/** What a scan of program text found. Nothing in it is certain. */
export interface CodeFindings {
  readonly files: readonly FileDraft[];
  readonly dests: readonly DestDraft[];
  readonly effects: readonly EffectDraft[];
  readonly nested: readonly Nested[];
  /** What it prints, as far as known; its taints are those of what is printed. */
  readonly stdout: Stream;
  /** It calls code that can't be read. */
  readonly opaque: boolean;
}

/** Where and how the code runs. */
export interface CodeContext {
  /** Command-line arguments of the program, without the interpreter and the script. */
  readonly args: readonly Value[];
  readonly stdin: Stream;
  readonly cwd: Value;
  readonly env: ReadonlyMap<string, Value>;
  readonly world: Overlay;
  /** How rules see the wrapper of a shell command that the code runs: `python3`. */
  readonly via: string;
  /** The code itself stands in an argument (`-e`), so that there is no script among the arguments. */
  readonly inArgument?: boolean;
  /** The value of the last expression is printed (`node -p`). */
  readonly printsResult?: boolean;
}

/** A call as a library model sees it. */
export interface Call {
  /** Full name of the callee, or the method's name. */
  readonly name: string;
  readonly recv: Thing | null;
  readonly args: readonly Thing[];
  readonly named: ReadonlyMap<string, Thing>;
}

export type Model = (call: Call, scan: Scan) => Thing | undefined;

/** What the scanner knows of a language's standard and common libraries. */
export interface Library {
  /** By full dotted name, as imported. */
  readonly calls: ReadonlyMap<string, Model>;
  /** By method name, on whatever the receiver is; the model looks at it. Undefined: it says nothing. */
  readonly methods: ReadonlyMap<string, Model>;
  /** Values of names: `os.environ`, `process.argv`. */
  readonly names: ReadonlyMap<string, (scan: Scan) => Thing>;
  /** Last names so telling that they count whatever they are called on: `rmSync`, `rmtree`. */
  readonly telling: ReadonlyMap<string, string>;
}

export interface Look {
  readonly secret: boolean;
  readonly sensitive: boolean;
}

/** A scan under way: what it found, what its variables hold, how much work is left. */
export interface Scan {
  readonly language: Language;
  readonly library: Library;
  readonly context: CodeContext;
  readonly scopes: Map<string, Thing>[];
  readonly functions: Map<string, { readonly func: Func; readonly unit: readonly Token[]; called: boolean }>;
  readonly files: FileDraft[];
  readonly dests: DestDraft[];
  readonly effects: EffectDraft[];
  readonly nested: Nested[];
  readonly printed: Part[];
  readonly printTaints: Set<Taint>;
  /** Texts put for the shell's unknowns in the code. */
  readonly holes: readonly Part[];
  /** What was asked of the world. */
  readonly looks: Map<string, Look>;
  /** How often each function was walked. */
  readonly calls: Map<Func, number>;
  branches: number;
  /** Where the program went with chdir; null: where it started. */
  directory: Value | null;
  opaque: boolean;
  steps: number;
  depth: number;
  returned: Thing;
  /** What the last iterating call went over, for a block's parameters. */
  iterated: Thing;
}
