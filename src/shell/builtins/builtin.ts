import { known, type Stream, textOf, type Value } from '../../model/value.ts';
import { applyEffect } from '../effects.ts';
import type { CommandDraft } from '../record.ts';
import { descriptor } from '../redirections.ts';
import type { Call, Run } from '../run.ts';
import { pour } from '../sinks.ts';
import type { State } from '../state.ts';

/** A builtin about to run. */
export interface BuiltinCall {
  readonly run: Run;
  readonly s: State;
  readonly call: Call;
  readonly command: CommandDraft;
  readonly argv: readonly Value[];
}

export type Builtin = (b: BuiltinCall) => void;

export type BuiltinTable = readonly (readonly [names: string, builtin: Builtin])[];

/** Prints to the builtin's standard output; a secret that nothing takes up is shown to whoever reads the output. */
export function print(b: BuiltinCall, stream: Stream): void {
  const out = descriptor(b.s, 1);
  if (out.sink === null && stream.taints.includes('secret'))
    applyEffect(
      b.run,
      b.command,
      { kind: 'secret-read', target: shownSecret(stream), detail: 'prints a secret' },
      b.command.certain,
    );
  pour(out.sink, stream);
}

function shownSecret(stream: Stream): string {
  const part = stream.value?.find((p) => typeof p !== 'string' && 'hole' in p && p.taint === 'secret');
  return part && typeof part !== 'string' && 'hole' in part ? part.hole : '';
}

/** Ends the builtin with a status. */
export function finish(b: BuiltinCall, status: State['status']): void {
  b.s.status = status;
}

/** Options of a builtin, read as getopt does: letters, those of `taking` with their values, and where operands start. */
export function readOptions(
  argv: readonly Value[],
  taking = '',
): {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, Value>;
  readonly rest: readonly Value[];
  readonly at: number;
} {
  const flags = new Set<string>();
  const values = new Map<string, Value>();
  let i = 1;
  for (; i < argv.length; i++) {
    const text = textOf(argv[i] as Value);
    if (text === '--') {
      i++;
      break;
    }
    if (text === null || !/^[-+][A-Za-z]/.test(text)) break;
    for (let at = 1; at < text.length; at++) {
      const letter = text[at] as string;
      flags.add(text[0] === '+' ? `+${letter}` : letter);
      if (!taking.includes(letter) || text[0] === '+') continue;
      const attached = text.slice(at + 1);
      values.set(letter, attached === '' ? (argv[++i] ?? []) : known(attached));
      break;
    }
  }
  return { flags, values, rest: argv.slice(i), at: i };
}

/** Fills in what rules see of the builtin's arguments. */
export function describe(b: BuiltinCall, flags: Iterable<string>, operands: readonly Value[]): void {
  b.command.flags = [...flags];
  b.command.operands = operands;
}

/** Runs the rest of the arguments as a command of its own, under this one. */
export function delegate(b: BuiltinCall, argv: readonly Value[], via: string, lookup: Call['lookup']): void {
  const { s, run } = b;
  const frame = s.frame;
  s.frame = { ...frame, via: [...frame.via, via], parent: b.command.id };
  const { declared: _, ...call } = b.call;
  const shift = b.argv.length - argv.length;
  const declared = new Map([...(b.call.declared ?? [])].map(([at, a]) => [at - shift, a] as const));
  run.up.invoke(run, s, { ...call, argv, redirects: [], opened: [], lookup, declared });
  s.frame = frame;
}
