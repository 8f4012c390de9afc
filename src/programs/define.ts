import type { Invocation, Outcome } from '../model/program.ts';
import { type Grammar, type GrammarStyle, grammar, type OptionLines, type Parsed, parseOptions } from './options.ts';

/** One program (or several that behave alike), as a table row. */
export interface ProgramDef {
  readonly names: readonly string[];
  /** Where the facts come from, e.g. `rm(1), GNU coreutils`. */
  readonly manual: string;
  readonly summary: string;
  readonly options?: OptionLines;
  readonly style?: GrammarStyle;
  /** Turns sorted arguments into effects. `flags` and `operands` are filled in from the grammar when it leaves them out. */
  readonly run: (args: Parsed, invocation: Invocation) => Outcome;
}

/** A definition whose grammar is made on first use: the hook loads every row but runs few. */
export interface Program extends ProgramDef {
  readonly grammar: Grammar;
}

/** A long list of names as one string. The hook splits all of them at start: no pattern where a blank will do. */
export function words(names: string): readonly string[] {
  return names.includes('\n') ? names.trim().split(/\s+/) : names.split(' ');
}

export function define(def: ProgramDef): Program {
  let made: Grammar | null = null;
  return {
    ...def,
    get grammar(): Grammar {
      made ??= grammar(def.options ?? [], def.style);
      return made;
    },
  };
}

/** Runs one definition on an invocation. */
export function runModel(program: Program, invocation: Invocation): Outcome {
  const args = parseOptions(invocation.argv, program.grammar);
  const outcome = program.run(args, invocation);
  return { flags: args.flags, operands: args.operands, ...outcome };
}
