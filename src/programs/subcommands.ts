import type { Invocation, Outcome } from '../model/program.ts';
import type { Value } from '../model/value.ts';
import { type Grammar, type GrammarStyle, grammar, type OptionLines, type Parsed, parseOptions } from './options.ts';

/** One subcommand of a program: its words (`push`, `pr create`), its options, what it does. */
export interface Subcommand<Context> {
  readonly names: readonly string[];
  readonly options: Grammar;
  readonly run: (args: Parsed, context: Context) => Outcome;
}

/** Makes a table row; `names` are separated by `|`. */
export function sub<Context>(
  names: string,
  options: OptionLines,
  run: (args: Parsed, context: Context) => Outcome,
  style?: GrammarStyle,
): Subcommand<Context> {
  return { names: names.split('|'), options: grammar(options, style), run };
}

/** Subcommands by name. */
export function tableOf<Context, Row extends Subcommand<Context> = Subcommand<Context>>(
  ...lists: readonly (readonly Row[])[]
): ReadonlyMap<string, Row> {
  const table = new Map<string, Row>();
  for (const row of lists.flat()) for (const name of row.names) table.set(name, row);
  return table;
}

/** Runs a row on its words; `words[0]` is the subcommand. `globals` are flags that stood before it. */
export function runSub<Context>(
  row: Subcommand<Context>,
  name: string,
  words: readonly Value[],
  globals: readonly string[],
  context: Context,
): Outcome {
  const args = parseOptions(words, row.options);
  const outcome = row.run(args, context);
  return {
    subcommand: name,
    operands: args.operands,
    ...outcome,
    flags: [...new Set([...globals, ...(outcome.flags ?? args.flags)])],
  };
}

/** Puts outcomes together; lists are appended, single facts of later ones win. */
export function merge(...outcomes: readonly Outcome[]): Outcome {
  return {
    ...(Object.assign({}, ...outcomes) as Outcome),
    files: outcomes.flatMap((o) => o.files ?? []),
    dests: outcomes.flatMap((o) => o.dests ?? []),
    effects: outcomes.flatMap((o) => o.effects ?? []),
    nested: outcomes.flatMap((o) => o.nested ?? []),
  };
}

/** A secret that the program prints: the effect, and the taint of its output. */
export function printsSecret(target: string): Outcome {
  return { effects: [{ kind: 'secret-read', target }], stdout: { value: null, taints: ['secret'] } };
}

/** True if a path lands in a scratch directory for certain. */
export function inTemp(invocation: Invocation, path: Value): boolean {
  return invocation.world.resolve(invocation.cwd, path, true).zone === 'temp';
}
