import { known, textOf, type Value } from '../model/value.ts';
import { applyEffect, applyFiles } from './effects.ts';
import { fileText, noteUnknownCode, runNested, treeTaints } from './nested.ts';
import type { CommandDraft } from './record.ts';
import { descriptor } from './redirections.ts';
import type { Call, Run } from './run.ts';
import { mergeTaints, pour } from './sinks.ts';
import type { State } from './state.ts';

/** Runs a local file named as a command: a shell script is read, another interpreter is told, else it is unknown. */
export function runLocalFile(
  run: Run,
  s: State,
  call: Call,
  command: CommandDraft,
  word: Value,
  real: string | null,
): void {
  applyFiles(run, command, s.frame, command.cwd, [{ op: 'exec', path: word }], [], command.certain);
  command.operands = call.argv.slice(1);
  const first = real === null ? null : firstLine(run, real);
  const taints = real === null ? [] : mergeTaints(run.world.content(real)?.taints ?? [], treeTaints(run, real));
  const interpreter = first === null ? null : interpreterOf(first);
  if (interpreter && !SHELLS.has(interpreter.name)) {
    const argv = [
      known(interpreter.name),
      ...interpreter.args.map(known),
      known(real as string),
      ...call.argv.slice(1),
    ];
    if (taints.includes('network')) noteUnknownCode(run, command, taints, false, real as string);
    return runNested(run, s, call, command, { kind: 'argv', via: render1(word), argv });
  }
  if (first !== null && (interpreter || looksLikeText(first)))
    return runNested(run, s, call, command, {
      kind: 'file',
      via: render1(word),
      path: known(real as string),
      args: [word, ...call.argv.slice(1)],
    });
  command.opaque = true;
  if (taints.length > 0) noteUnknownCode(run, command, taints, true, real ?? '');
  else
    applyEffect(
      run,
      command,
      { kind: 'unknown', target: real ?? render1(word), detail: "a local program that can't be read" },
      command.certain,
    );
  runTail(run, s, call, command, render1(word));
  pour(descriptor(s, 1).sink, { value: null, taints: descriptor(s, 0).stream.taints });
}

/** A command that the arguments of an unknown program plainly hold: the program may be a wrapper. */
function runTail(run: Run, s: State, call: Call, command: CommandDraft, path: string): void {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (run.programs.has(name)) return;
  const { stream, open } = descriptor(s, 0);
  const { nested } = run.programs.model({
    name,
    argv: call.argv,
    env: call.env,
    cwd: command.cwd,
    stdin: stream,
    stdinIsOpen: open,
    world: run.world,
  });
  for (const one of nested ?? []) runNested(run, s, call, command, one);
}

function render1(word: Value): string {
  return textOf(word) ?? 'a local program';
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'ksh', 'zsh', 'ash', 'mksh', 'busybox']);

function firstLine(run: Run, real: string): string | null {
  const written = run.world.content(real);
  const value = written ? (written.value ?? null) : fileText(run, real);
  if (value === null) return null;
  const [head] = value;
  return typeof head === 'string' ? (head.split('\n', 1)[0] as string) : '';
}

function looksLikeText(line: string): boolean {
  return !/[\x00-\x08\x0e-\x1a]/.test(line) && !line.startsWith('\x7fELF') && !line.startsWith('<?');
}

/** Program and arguments of a `#!` line; `env` is followed. */
function interpreterOf(line: string): { readonly name: string; readonly args: readonly string[] } | null {
  const match = /^#!\s*(\S+)\s*(.*)$/.exec(line);
  if (!match) return null;
  const words = [match[1] as string, ...(match[2] as string).split(/\s+/).filter((w) => w !== '')];
  const names = words.map((w) => w.slice(w.lastIndexOf('/') + 1));
  if (names[0] !== 'env') return { name: names[0] as string, args: words.slice(1) };
  const at = words.findIndex((w, i) => i > 0 && !w.startsWith('-') && !w.includes('='));
  return at < 0 ? null : { name: names[at] as string, args: words.slice(at + 1) };
}
