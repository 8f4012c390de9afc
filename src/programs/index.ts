import type { Invocation, Outcome, ProgramModels } from '../model/program.ts';
import { withoutWhatHelpExplains } from './asking-help.ts';
import { programNamed, programNames } from './catalogue.ts';
import { type Program, runModel } from './define.ts';
import { loadedCode, loadsCode } from './loaded-code.ts';
import { execTail, strangerOutcome } from './stranger.ts';
import { merge } from './subcommands.ts';
import { codeVariable } from './variables.ts';

/** The model of a program: by its name, without `.exe`, or without a version at the end (`gcc-13`, `python3.12`). */
export function findProgram(name: string): Program | null {
  const exact = programNamed(name);
  if (exact) return exact;
  const bare = name.replace(/\.(exe|cmd|bat)$/i, '');
  const known = programNamed(bare) ?? (bare === name ? undefined : programNamed(bare.toLowerCase()));
  if (known) return known;
  const versionless = bare.replace(/[-.]?\d+(\.\d+)*$/, '');
  return (versionless.length < 3 ? undefined : programNamed(versionless)) ?? null;
}

/** The models of all programs. */
export const programs: ProgramModels = {
  has: (name) => findProgram(name) !== null,
  model: (invocation) => {
    const program = findProgram(invocation.name);
    const loads = loadsCode(invocation.name);
    if (!program) {
      const outcome = strangerOutcome(invocation, findProgram);
      return loads ? merge(loadedCode(invocation), outcome) : outcome;
    }
    try {
      const ran = runModel(program, invocation);
      const outcome = withoutWhatHelpExplains(invocation, loads ? merge(loadedCode(invocation), ran) : ran);
      const inside = (outcome.nested ?? []).length === 0 ? execTail(invocation) : null;
      return inside ? { ...outcome, nested: [inside] } : outcome;
    } catch (error) {
      return failed(invocation, error);
    }
  },
  matching: (pattern) => {
    const shape = shellPattern(pattern);
    return shape ? programNames().filter((name) => shape.test(name)) : [];
  },
  codeVariable,
};

/** A fault in a model must not hide a command: what it does is unknown then. */
function failed(invocation: Invocation, error: unknown): Outcome {
  const detail = `model failed: ${error instanceof Error ? error.message : String(error)}`;
  return { effects: [{ kind: 'exec-unknown', target: invocation.name, detail }], opaque: true };
}

/** A file name pattern of the shell (its last component) as a linear regular expression; null if it can't be one. */
function shellPattern(pattern: string): RegExp | null {
  const base = pattern.slice(pattern.lastIndexOf('/') + 1);
  let source = '';
  for (let at = 0; at < base.length; at++) {
    const char = base[at] as string;
    if (char === '*') {
      if (!source.endsWith('.*')) source += '.*';
    } else if (char === '?') source += '.';
    else if (char === '[') {
      const end = base.indexOf(']', at + 2);
      if (end < 0) source += '\\[';
      else {
        const inside = base
          .slice(at + 1, end)
          .replace(/^!/, '^')
          .replace(/[\\[\]]/g, '\\$&');
        source += `[${inside}]`;
        at = end;
      }
    } else source += char.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  }
  try {
    return new RegExp(`^${source}$`, 's');
  } catch {
    return null;
  }
}
