import type { Assignment, Coproc, ParsedScript, ProcessSubstitutionPart, Word } from 'unbash';
import type { DestDraft } from '../model/effect.ts';
import type { Span } from '../model/facts.ts';
import type { ProgramModels } from '../model/program.ts';
import type { Taint, Value } from '../model/value.ts';
import type { Overlay } from '../model/world.ts';
import type { Choices } from './choices.ts';
import type { Piece } from './pieces.ts';
import type { Recorder } from './record.ts';
import type { Sink } from './sinks.ts';
import type { Marks, Source } from './source.ts';
import type { Descriptor, State } from './state.ts';

/** One analysis under way. */
export interface Run {
  readonly world: Overlay;
  readonly programs: ProgramModels;
  readonly dialect: 'sh' | 'bash' | 'zsh';
  readonly record: Recorder;
  readonly marks: Marks;
  choices: Choices;
  /** Characters that expansions have given so far. */
  chars: number;
  /** Characters of expansions that were scanned so far, each level of nesting anew. */
  scannedChars: number;
  readonly scanned: WeakSet<object>;
  /** Characters that the parser may have looked at for nested `${…}`. */
  parameterChars: number;
  /** Parts of the tree past the bounds: what is in them is not looked at. */
  readonly cut: WeakSet<object>;
  /** Characters of code inside code that were parsed so far. */
  codeChars: number;
  /** Texts being evaluated as expressions, one inside the other. */
  evaluating: number;
  /** Combinations of alternatives tried so far. */
  combinations: number;
  /** Rounds of loops taken so far. */
  rounds: number;
  /** Here-documents met whose end is not clear. */
  unclearEnds: number;
  /** Simple commands run so far, repeats included. */
  steps: number;
  /** Nodes that were run or judged; what is missing at the end is run on its own. */
  readonly visited: WeakSet<object>;
  /** What process substitutions connect: the hole in an argument → its stream. */
  readonly streams: Map<object, Descriptor>;
  /** Scripts of `>(…)` that wait for the command that writes to them. */
  readonly readers: { readonly part: ProcessSubstitutionPart; readonly sink: Sink; readonly state: State }[];
  /** Files and connections that `exec` keeps open: what is written to them later still counts. */
  readonly kept: KeptOpen[];
  /** Coprocesses, with what is written to them. */
  readonly coprocesses: { readonly node: Coproc; readonly state: State; readonly sink: Sink }[];
  /** Directories that commands of this call made although their path is not known. */
  readonly made: Set<string>;
  /** Files that the call wrote. */
  readonly written: Set<string>;
  /** Programs copied to another path: path → program name. */
  readonly copies: Map<string, string>;
  /** Trees that were filled from a tainted stream: path → taints. */
  readonly tainted: Map<string, readonly Taint[]>;
  readonly parsed: Map<string, ParsedScript>;
  /** The parts of the interpreter that lower parts call back. */
  /** Counts changes to the file system that commands of this call make. */
  changes: number;
  readonly up: {
    /** Runs a script in the given state. */
    script(run: Run, s: State, script: ParsedScript, source: Source): void;
    /** Runs a compound command or list. */
    node(run: Run, s: State, node: object): void;
    /** Runs an argument vector as a command. */
    invoke(run: Run, s: State, call: Call): void;
    /** Expands a word; inside double quotes if `quoted`. */
    pieces(run: Run, s: State, word: Word, quoted: boolean): readonly Piece[];
  };
}

/** A command about to run: its words expanded and its redirections done. */
export interface Call {
  readonly argv: readonly Value[];
  /** Assignments before the command. */
  readonly env: ReadonlyMap<string, Value>;
  readonly redirects: readonly string[];
  readonly text: string;
  readonly span: Span | null;
  /** Where functions are not looked up (`command`, sudo); builtins neither when `program` is set. */
  readonly lookup: 'all' | 'no-function' | 'builtin' | 'program';
  /** Files that redirections opened: facts are made once the command has run. */
  readonly opened?: readonly OpenedFile[];
  /** Arguments that are assignments (`export a=1`), by their place in argv. */
  readonly declared?: ReadonlyMap<number, Assignment>;
}

/** A file or connection that stays open, with how much of its output is accounted for. */
interface KeptOpen {
  readonly file: OpenedFile;
  readonly sink: Sink;
  size: number;
  /** Index of the destination's fact, or -1. */
  readonly dest: number;
}

/** A file behind a redirection. */
export interface OpenedFile {
  readonly op: 'read' | 'write' | 'create';
  readonly path: Value;
  readonly cwd: Value;
  readonly append: boolean;
  readonly descriptor: Descriptor | null;
  readonly certain: boolean;
  /** It is no file but a connection. */
  readonly dest?: DestDraft;
}
