import { programNamed, programNames } from '../programs/catalogue.ts';
import type { Program } from '../programs/define.ts';
import { findProgram } from '../programs/index.ts';

export interface ProgramSummary {
  readonly names: readonly string[];
  readonly summary: string;
  /** Where the facts come from. */
  readonly manual: string;
}

export interface ProgramDetail extends ProgramSummary {
  readonly options: readonly { readonly names: readonly string[]; readonly takes: 'nothing' | 'value' | 'optional' }[];
  /** How its options are read, where that is not as getopt_long(3) does. */
  readonly notes: readonly string[];
}

/** Every model once, sorted by its first name. */
export function summaries(): readonly ProgramSummary[] {
  const models = new Set<Program>();
  for (const name of programNames()) models.add(programNamed(name) as Program);
  return [...models].map(summaryOf).sort((a, b) => compare(a.names[0] ?? '', b.names[0] ?? ''));
}

/** All that is known of one program, or null. */
export function programDetail(name: string): ProgramDetail | null {
  const program = findProgram(name);
  if (!program) return null;
  const { style } = program.grammar;
  return {
    ...summaryOf(program),
    options: [...new Set(program.grammar.options.values())],
    notes: [
      style.stopAtOperand ? 'options end at the first operand: what follows belongs to another program' : '',
      style.singleDashLong ? 'long options have one dash' : '',
      style.abbreviations === false ? 'long options can not be shortened' : '',
    ].filter((note) => note !== ''),
  };
}

function summaryOf({ names, summary, manual }: Program): ProgramSummary {
  return { names, summary, manual };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
