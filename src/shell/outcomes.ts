import type { Outcome } from '../model/program.ts';
import { known, type Taint, taintsOf, textOf } from '../model/value.ts';
import { applyDest, applyEffect, applyFiles } from './effects.ts';
import type { CommandDraft } from './record.ts';
import { descriptor } from './redirections.ts';
import type { Call, Run } from './run.ts';
import { mergeTaints, pour } from './sinks.ts';
import type { State } from './state.ts';

/** Turns what a model says into facts and lays it over the world. */
export function applyOutcome(run: Run, s: State, call: Call, command: CommandDraft, outcome: Outcome): void {
  command.subcommand = outcome.subcommand ?? '';
  command.flags = outcome.flags ?? [];
  command.operands = outcome.operands ?? [];
  command.opaque ||= outcome.opaque ?? false;
  const input = descriptor(s, 0).stream;
  const words = mergeTaints(...call.argv.map(taintsOf));
  const reads = (outcome.files ?? []).filter((f) => f.op === 'read');
  const read = applyFiles(run, command, s.frame, command.cwd, reads, [], command.certain);
  const contents = read.map((f) => (f.real === null ? null : run.world.content(f.real)));
  const copied = mergeTaints(...contents.map((c, i) => (read[i]?.secret === true ? [] : (c?.taints ?? []))));
  const stream: readonly Taint[] = mergeTaints(
    input.taints,
    ...contents.map((c) => c?.taints ?? []),
    ...reads.map((r) => taintsOf(r.path)),
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
  const passes = (outcome.nested ?? []).length === 0;
  if (outcome.stdout) pour(descriptor(s, 1).sink, outcome.stdout);
  else if (passes) pour(descriptor(s, 1).sink, { value: null, taints: stream });
  if (outcome.succeeds !== undefined) s.status = outcome.succeeds ? 'ok' : 'fail';
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
