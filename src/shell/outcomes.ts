import type { Outcome } from '../model/program.ts';
import { known, type Taint, taintsOf, textOf, type Value } from '../model/value.ts';
import { applyDest, applyEffect, applyFiles } from './effects.ts';
import type { CommandDraft } from './record.ts';
import { descriptor } from './redirections.ts';
import type { Call, Run } from './run.ts';
import { mergeAll, mergeTaints, pour } from './sinks.ts';
import type { State } from './state.ts';

/** Turns what a model says into facts and lays it over the world. */
export function applyOutcome(run: Run, s: State, call: Call, command: CommandDraft, outcome: Outcome): void {
  command.subcommand = outcome.subcommand ?? '';
  command.flags = outcome.flags ?? [];
  command.operands = outcome.operands ?? [];
  command.opaque ||= outcome.opaque ?? false;
  const input = descriptor(s, 0).stream;
  const words = mergeAll(call.argv.map(taintsOf));
  const reads = (outcome.files ?? []).filter((f) => f.op === 'read');
  const read = applyFiles(run, command, s.frame, command.cwd, reads, [], command.certain);
  const contents = read.map((f) => (f.real === null ? null : run.world.content(f.real)));
  const copied = mergeAll(contents.map((c, i) => (read[i]?.secret === true ? [] : (c?.taints ?? []))));
  const stream: readonly Taint[] = mergeTaints(
    input.taints,
    mergeAll(contents.map((c) => c?.taints ?? [])),
    mergeAll(reads.map((r) => taintsOf(r.path))),
    read.some((f) => f.secret === true) ? ['secret'] : [],
  );
  const fetched = (outcome.dests ?? []).length > 0;
  const written = mergeTaints(
    stream,
    words.filter((t) => t !== 'secret' || !fetched),
    outcome.stdout?.taints ?? [],
  );
  const writes = (outcome.files ?? []).filter((f) => f.op !== 'read');
  for (const draft of writes) {
    const single = draft.recursive !== true && fetched && (draft.op === 'write' || draft.op === 'create');
    applyFiles(
      run,
      command,
      s.frame,
      command.cwd,
      [draft],
      single ? mergeTaints(written, ['network']) : written,
      command.certain,
    );
  }
  rememberCopy(run, command, writes);
  for (const dest of outcome.dests ?? [])
    applyDest(run, command, dest, { stream, words, contents: copied }, command.certain);
  for (const effect of outcome.effects ?? []) applyEffect(run, command, effect, command.certain);
  const out = descriptor(s, 1).sink;
  const shows = out === null && SHOWERS.has(command.name ?? '') && outcome.stdout?.taints.length !== 0;
  const before = s.frame.pipeline[s.frame.pipelineIndex - 1] ?? '';
  const alone = input.value === null && input.taints.includes('secret') && /^(printf|echo)$/.test(before);
  const variable = !shows ? null : alone ? '' : secretVariable(input.value ?? []);
  if (variable !== null)
    applyEffect(run, command, { kind: 'secret-read', target: variable, detail: 'prints a secret' }, command.certain);
  // What a program only may run prints beside it, not in its place.
  const passes = (outcome.nested ?? []).every((nested) => nested.certain === false);
  if (outcome.stdout) pour(descriptor(s, 1).sink, outcome.stdout);
  else if (passes) pour(descriptor(s, 1).sink, { value: null, taints: stream });
  if (outcome.succeeds !== undefined) s.status = outcome.succeeds ? 'ok' : 'fail';
}

/** Programs that show what they are given, in one writing or another. */
const SHOWERS: ReadonlySet<string> = new Set(
  'cat tac rev nl fold base64 base32 basenc xxd od hexdump tr cut head tail tee sed awk grep strings column'.split(' '),
);

/** The secret variable whose value stands in a text, or null. */
function secretVariable(value: Value): string | null {
  const part = value.find((p) => typeof p !== 'string' && 'hole' in p && p.taint === 'secret');
  const name = part && typeof part !== 'string' && 'hole' in part ? /^value of \$(\w+)/.exec(part.hole) : null;
  return name ? (name[1] as string) : null;
}

/** A program that is copied or moved keeps being that program. */
function rememberCopy(run: Run, command: CommandDraft, writes: NonNullable<Outcome['files']>): void {
  if (!['cp', 'mv', 'install', 'ln', 'dd', 'rsync'].includes(command.name ?? '')) return;
  const [from, to] = command.operands;
  const source = from ? textOf(from) : null;
  if (source === null || !to) return;
  const real = run.world.resolve(command.cwd, known(source), true).real ?? source;
  const name = run.copies.get(real) ?? systemProgram(real);
  if (name === null) return;
  for (const draft of writes) {
    const target = run.world.resolve(command.cwd, draft.op === 'move' && draft.to ? draft.to : draft.path, false).real;
    if (target !== null) run.copies.set(target, name);
  }
}

function systemProgram(path: string): string | null {
  const match = /^\/(?:usr\/(?:local\/)?)?s?bin\/([^/]+)$/.exec(path);
  return match ? (match[1] as string) : null;
}
