import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, NestedBase, Outcome } from '../model/program.ts';
import type { Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import type { GrammarStyle, OptionLines, Parsed } from './options.ts';
import { below } from './paths.ts';
import { assignmentOf } from './split-value.ts';
import { codeVariable, codeVariableScript } from './variables.ts';

interface WrapperRow {
  readonly names: readonly string[];
  readonly manual: string;
  readonly summary: string;
  readonly options?: OptionLines;
  readonly style?: GrammarStyle;
  /** Operands before the program: a duration, a mask, a lock file. */
  readonly skip?: number;
  /** The words of the program among the operands, where `skip` can't tell. */
  readonly program?: (operands: readonly Value[], invocation: Invocation) => readonly Value[];
  /** `NAME=value` words may stand before the program. */
  readonly assigns?: boolean;
  /** Option that names the directory it runs in. */
  readonly chdir?: string;
  /** Options with which there is no program to run. */
  readonly unless?: readonly string[];
  readonly more?: (args: Parsed, invocation: Invocation) => Partial<Omit<NestedBase, 'via'>>;
  readonly files?: (args: Parsed, invocation: Invocation) => readonly FileDraft[];
  readonly effects?: (args: Parsed, invocation: Invocation) => readonly EffectDraft[];
  /** Commands that its options run beside the program. */
  readonly nested?: (args: Parsed, invocation: Invocation) => readonly Nested[];
}

/** A program that runs the program named by its operands: `nice -n 5 make`. */
export function wrapper(row: WrapperRow): Program {
  return define({
    names: row.names,
    manual: row.manual,
    summary: row.summary,
    ...(row.options === undefined ? {} : { options: row.options }),
    style: { stopAtOperand: true, ...row.style },
    run: (args, invocation) => {
      const files = row.files?.(args, invocation) ?? [];
      const effects = row.effects?.(args, invocation) ?? [];
      const beside = row.nested?.(args, invocation) ?? [];
      if (row.unless && args.has(...row.unless)) return { files, effects, nested: beside };
      const rest = row.program?.(args.operands, invocation) ?? args.operands.slice(row.skip ?? 0);
      const outcome = runs(invocation, rest, {
        assigns: row.assigns ?? false,
        directory: row.chdir ? args.value(row.chdir) : null,
        more: row.more?.(args, invocation) ?? {},
        files,
        effects,
      });
      return beside.length === 0 ? outcome : { ...outcome, nested: [...beside, ...(outcome.nested ?? [])] };
    },
  });
}

interface RunsOptions {
  readonly assigns?: boolean;
  readonly directory?: Value | null;
  readonly more?: Partial<Omit<NestedBase, 'via'>>;
  readonly files?: readonly FileDraft[];
  readonly effects?: readonly EffectDraft[];
}

/** The outcome of a wrapper whose remaining words are assignments, if it takes them, and a program. */
export function runs(invocation: Invocation, rest: readonly Value[], options: RunsOptions = {}): Outcome {
  const { argv, env, effects, nested } = options.assigns ? assigned(invocation, rest) : noAssignments(rest);
  const base: Omit<NestedBase, 'kind'> = {
    via: invocation.name,
    ...(options.directory ? { cwd: below(invocation.cwd, options.directory) } : {}),
    ...(env.size > 0 ? { env } : {}),
    ...options.more,
  };
  const program: Nested[] = argv.length > 0 ? [{ kind: 'argv', argv, ...base }] : [];
  return {
    files: options.files ?? [],
    effects: [...(options.effects ?? []), ...effects],
    nested: [...nested, ...program],
  };
}

interface Assigned {
  readonly argv: readonly Value[];
  readonly env: ReadonlyMap<string, Value>;
  readonly effects: readonly EffectDraft[];
  readonly nested: readonly Nested[];
}

function noAssignments(argv: readonly Value[]): Assigned {
  return { argv, env: new Map(), effects: [], nested: [] };
}

/** Leading `NAME=value` words: what they set, and the code that they make a later program run. */
export function assigned(invocation: Invocation, words: readonly Value[]): Assigned {
  const env = new Map<string, Value>();
  const effects: EffectDraft[] = [];
  const nested: Nested[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const pair = assignmentOf(words[at] as Value);
    if (!pair) break;
    const [name, value] = pair;
    env.set(name, value);
    const injected = codeVariable(name, value);
    if (injected) effects.push(injected);
    const text = codeVariableScript(name, value);
    if (text) nested.push({ kind: 'script', via: `${invocation.name} ${name}`, text, certain: true });
  }
  return { argv: words.slice(at), env, effects, nested };
}
