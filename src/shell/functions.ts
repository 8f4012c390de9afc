import { LIMITS } from '../base/limits.ts';
import type { Value } from '../model/value.ts';
import { applyEffect } from './effects.ts';
import { join } from './joining.ts';
import { type CommandDraft, noteUnknown } from './record.ts';
import type { Call, Run } from './run.ts';
import { fork, type ShellFunction, type State, setVariable } from './state.ts';

const SAME_FUNCTION = 4;

/** Runs a function's body with the call's arguments; local variables end with it. */
export function callFunction(
  run: Run,
  s: State,
  call: Call,
  command: CommandDraft,
  functions: readonly ShellFunction[],
): void {
  const name = command.name ?? '';
  const again = s.frame.calls.filter((c) => c === name).length;
  if (again >= SAME_FUNCTION || s.frame.calls.length >= LIMITS.nesting * 4) {
    noteUnknown(run.record, `the function ${name} calls itself`, call.text, call.span);
    applyEffect(
      run,
      command,
      { kind: 'unknown', target: name, detail: 'a function that calls itself' },
      command.certain,
    );
    s.status = 'maybe';
    return;
  }
  if (functions.length === 1) return body(run, s, call, command, functions[0] as ShellFunction, name);
  const paths = functions.map((f) => {
    const path = fork(s);
    body(run, path, call, command, f, name);
    return path;
  });
  join(s, paths);
}

function body(run: Run, s: State, call: Call, command: CommandDraft, f: ShellFunction, name: string): void {
  const { frame, args, locals } = s;
  s.args = { ...args, values: call.argv.slice(1) as readonly Value[], open: false, alts: undefined };
  s.locals = new Map();
  s.frame = {
    ...frame,
    source: f.source,
    via: [...frame.via, name],
    parent: command.id,
    calls: [...frame.calls, name],
    returns: true,
    loops: 0,
    depth: frame.depth + 1,
    pipeline: [],
    pipelineIndex: 0,
  };
  s.status = 'ok';
  run.up.node(run, s, f.body);
  for (const [local, before] of s.locals) {
    if (before) setVariable(s, local, before);
    else {
      s.vars.delete(local);
      if (s.base) setVariable(s, local, { alts: [{ kind: 'unset' }], exported: false });
    }
  }
  s.frame = frame;
  s.args = args;
  s.locals = locals;
  if (s.ended === 'return') s.ended = '';
}
