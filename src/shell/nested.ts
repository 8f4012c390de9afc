import { LIMITS } from '../base/limits.ts';
import type { Nested, NestedBase } from '../model/program.ts';
import { type Hole, known, type Stream, type Taint, taintsOf, textOf, type Value } from '../model/value.ts';
import { applyEffect, streamBehind } from './effects.ts';
import { parseShell } from './parse.ts';
import { type CommandDraft, noteUnknown } from './record.ts';
import { descriptor, flushKept, standardDescriptor } from './redirections.ts';
import type { Call, Run } from './run.ts';
import { isShellSetup } from './shell-setup.ts';
import { mergeTaints, pour } from './sinks.ts';
import { withMarks } from './source.ts';
import { childProcess, type Frame, functionMark, hole, type State, setVariable } from './state.ts';
import { runTraps } from './traps.ts';
import { placeOf } from './variables.ts';

/** Runs code that a program runs in turn. */
export function runNested(run: Run, s: State, call: Call, command: CommandDraft, nested: Nested): void {
  if (s.frame.via.length >= LIMITS.nesting) {
    noteUnknown(run.record, 'code inside code deeper than is analysed', call.text, call.span);
    return applyEffect(run, command, { kind: 'exec-unknown', detail: 'code inside code deeper than is analysed' });
  }
  const args = 'args' in nested && nested.args ? nested.args : [];
  const path = childProcess(s, {
    name: args[0] ?? known(nested.via.split(' ', 1)[0] ?? ''),
    values: args.slice(1),
    open: false,
  });
  path.frame = frameOf(s.frame, command, nested);
  const place = placeOf(run, s);
  const away = nested.elsewhere !== undefined && s.frame.elsewhere === '';
  path.places = [
    {
      value: nested.cwd ?? (away ? [hole('the directory elsewhere is not known')] : place.value),
      certain: place.certain,
      after: 'any',
    },
  ];
  for (const [name, value] of call.env) setVariable(path, name, { alts: [{ kind: 'text', value }], exported: true });
  importFunctions(run, path, nested.env);
  for (const [name, value] of nested.env ?? [])
    setVariable(path, name, { alts: [{ kind: 'text', value }], exported: true });
  if (nested.stdin)
    path.fds = new Map(path.fds).set(0, { sink: null, stream: nested.stdin, open: false, cursor: { lines: 0 } });
  runKind(run, s, path, call, command, nested);
  runTraps(run, path, s);
  s.status = 'maybe';
}

/** bash takes functions from variables named `BASH_FUNC_name%%`. */
function importFunctions(run: Run, path: State, env: NestedBase['env']): void {
  for (const [variable, value] of env ?? []) {
    const name = /^BASH_FUNC_(.+)(?:%%|\(\))$/.exec(variable)?.[1];
    const text = name === undefined ? null : textOf(value);
    if (text === null) continue;
    const { script, source } = parseShell(run, `${name} ${text}`);
    const node = script.commands[0]?.command;
    if (node?.type !== 'Function') continue;
    path.functions.set(name as string, [{ body: node.body, source }]);
    setVariable(path, functionMark(name as string), { alts: [{ kind: 'text', value: [] }], exported: true });
  }
}

function frameOf(frame: Frame, command: CommandDraft, nested: Nested): Frame {
  return {
    ...frame,
    via: [...frame.via, nested.via],
    parent: command.id,
    certain: command.certain && nested.certain !== false,
    privileged: frame.privileged || nested.privileged === true,
    elsewhere: nested.elsewhere ?? frame.elsewhere,
    mounts: nested.mounts ?? frame.mounts,
    depth: frame.depth + 1,
    returns: false,
    loops: 0,
    calls: nested.kind === 'argv' ? frame.calls : [],
    pipeline: nested.kind === 'argv' ? frame.pipeline : [],
    pipelineIndex: nested.kind === 'argv' ? frame.pipelineIndex : 0,
  };
}

function runKind(run: Run, s: State, path: State, call: Call, command: CommandDraft, nested: Nested): void {
  switch (nested.kind) {
    case 'argv': {
      if (nested.argv.length === 0) return;
      return run.up.invoke(run, path, {
        argv: nested.argv,
        env: nested.env ?? NO_ENV,
        redirects: [],
        text: call.text,
        span: call.span,
        lookup: 'program',
      });
    }
    case 'script':
      return runText(run, path, command, nested.text);
    case 'file':
      return runFile(run, path, command, nested.path, 'process');
    case 'stdin': {
      const input = nested.stdin ? { stream: nested.stdin, open: false } : descriptor(s, 0);
      if (input.open) return;
      return runStream(run, path, command, input.stream, 'standard input');
    }
  }
}

const NO_ENV: ReadonlyMap<string, Value> = new Map();

/** Runs shell text, as far as it is known, in the given state. What is unknown of it becomes an effect of `command`. */
export function runText(run: Run, path: State, command: CommandDraft, text: Value): void {
  const taints = taintsOf(text);
  const start = text.find((p): p is Hole => typeof p !== 'string' && 'hole' in p);
  if (start) noteUnknownCode(run, command, taints, isAllUnknown(text), start.hole);
  if (isAllUnknown(text)) {
    path.status = 'maybe';
    return pour(descriptor(path, 1).sink, { value: null, taints });
  }
  const code = withMarks(text, run.marks);
  run.codeChars += code.length;
  if (run.codeChars > LIMITS.shellChars / 2) {
    noteUnknown(run.record, 'more code inside code than is analysed', code, null);
    return noteUnknownCode(run, command, [], true, 'more code than is analysed');
  }
  const { script, source } = parseShell(run, code);
  run.up.script(run, path, script, source);
}

/** No word of it is known. */
function isAllUnknown(text: Value): boolean {
  return text.some((p) => typeof p !== 'string') && text.every((p) => typeof p !== 'string' || /^[\s;"']*$/.test(p));
}

export function noteUnknownCode(
  run: Run,
  command: CommandDraft,
  taints: readonly Taint[],
  whole: boolean,
  reason: string,
): void {
  const certain = command.certain;
  const by = command.name ?? 'a program';
  const from = command.frame.pipeline[command.frame.pipelineIndex - 1] ?? reason;
  if (taints.includes('network'))
    applyEffect(
      run,
      command,
      { kind: 'exec-remote', target: reason, detail: `${by} runs what ${from} got from there` },
      certain,
    );
  else if (!whole) return;
  else if (taints.includes('decoded'))
    applyEffect(
      run,
      command,
      { kind: 'exec-decoded', target: reason, detail: `${by} runs what ${from} decoded` },
      certain,
    );
  else if (isShellSetup(reason))
    applyEffect(
      run,
      command,
      { kind: 'unknown', target: reason, detail: 'text that a tool sets the shell up with' },
      certain,
    );
  else applyEffect(run, command, { kind: 'exec-unknown', target: reason, detail: `${by} runs ${reason}` }, certain);
  if (whole) command.opaque = true;
}

/** Runs what arrives on a stream as shell text. */
function runStream(run: Run, path: State, command: CommandDraft, stream: Stream, what: string): void {
  if (stream.value !== null) {
    if (stream.taints.includes('network')) noteUnknownCode(run, command, stream.taints, false, what);
    return runText(run, path, command, stream.value);
  }
  noteUnknownCode(run, command, stream.taints, true, what);
  path.status = 'maybe';
}

function reasonOf(value: Value): string {
  return value.find((p): p is Hole => typeof p !== 'string' && 'hole' in p)?.hole ?? 'a process substitution';
}

/** `. "$NVM_DIR/nvm.sh"`: the variable is set by the tool's installer, which put the file there. */
function isVersionManager([first, second, ...more]: Value): boolean {
  const place = typeof first === 'object' && 'hole' in first && first.like === 'any' ? first.hole : '';
  return more.length === 0 && /\bNVM_DIR\b/.test(place) && /^\/(?:nvm\.sh|bash_completion)$/.test(String(second));
}

/** Runs a script file: what the call wrote to it, or what the world holds. */
export function runFile(run: Run, path: State, command: CommandDraft, file: Value, how: 'process' | 'source'): void {
  path.frame = { ...path.frame, returns: true };
  if (how === 'process') path.args = { ...path.args, name: file };
  const behind = streamBehind(run, file);
  if (behind) return runStream(run, path, command, behind.stream, reasonOf(file));
  const text = textOf(file);
  const fd = text === null ? null : standardDescriptor(text);
  if (fd !== null) {
    const input = descriptor(path, fd);
    return input.open ? undefined : runStream(run, path, command, input.stream, text as string);
  }
  if (path.frame.elsewhere !== '')
    return applyEffect(
      run,
      command,
      { kind: 'unknown', target: text ?? '', detail: 'a script elsewhere' },
      command.certain,
    );
  const place = placeOf(run, path).value;
  const { real, reason } = run.world.resolve(place, file, true);
  if (real === null) {
    const taints = taintsOf(file);
    if (taints.length > 0) return noteUnknownCode(run, command, taints, true, reason ?? 'its path is not known');
    command.opaque = true;
    if (how === 'source' && isVersionManager(file)) return;
    return applyEffect(
      run,
      command,
      { kind: 'exec-unknown', target: reason ?? '', detail: 'a script whose path is not known' },
      command.certain,
    );
  }
  runReal(run, path, command, real);
}

function runReal(run: Run, path: State, command: CommandDraft, real: string): void {
  if (run.kept.length > 0) flushKept(run);
  if (path.frame.calls.filter((c) => c === `file ${real}`).length > 1)
    return noteUnknown(run.record, 'a script that runs itself', real, null);
  const written = run.world.content(real);
  const taints = mergeTaints(written?.taints ?? [], treeTaints(run, real));
  if (taints.includes('network')) noteUnknownCode(run, command, taints, false, real);
  const text = written?.value ?? (written ? null : fileText(run, real));
  if (text === null) {
    command.opaque = true;
    if (taints.some((t) => t !== 'secret')) return noteUnknownCode(run, command, taints, true, real);
    // Too large or not to be read, and not the repository's own: padding must not hide a script.
    if (!written && run.world.kind(real) === 'file' && run.world.tracked(real) !== true)
      return noteUnknownCode(run, command, taints, true, `${real}, which can't be read`);
    // Written in this call by something that can't be followed: nobody has seen it.
    if (written && taints.length === 0)
      return noteUnknownCode(run, command, taints, true, `what was written to ${real}`);
    return applyEffect(
      run,
      command,
      { kind: 'unknown', target: real, detail: "a script that can't be read" },
      command.certain,
    );
  }
  path.frame = { ...path.frame, calls: [...path.frame.calls, `file ${real}`] };
  runText(run, path, command, text);
}

export function fileText(run: Run, real: string): Value | null {
  const text = run.world.readText(real);
  return text === null || text.length > LIMITS.scriptBytes ? null : known(text);
}

/** The taints of the tree filled in this call that a path lies in. */
export function treeTaints(run: Run, real: string): readonly Taint[] {
  for (let at = real; at.length > 1; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = run.tainted.get(at);
    if (found) return found;
  }
  return [];
}
