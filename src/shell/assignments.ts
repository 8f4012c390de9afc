import type { Assignment } from 'unbash';
import { concat, known, textOf, type Value } from '../model/value.ts';
import { evaluateText, numberValue } from './arithmetic.ts';
import { forEachChoice } from './choices.ts';
import { applyEffect } from './effects.ts';
import { parseShell } from './parse.ts';
import { toValue } from './pieces.ts';
import { expandPrompt } from './prompts.ts';
import type { CommandDraft } from './record.ts';
import type { Run } from './run.ts';
import { withMarks } from './source.ts';
import { findVariable, fork, type State, setHeld } from './state.ts';
import { runSubstitution } from './substitution.ts';
import { assignElement, assignList, assignText, follow, isAssociative } from './variables.ts';
import { expandText, expandWord } from './words.ts';

/** `name=value`, `name[i]=value`, `name=(…)`, `name+=…`. */
export function assign(run: Run, s: State, a: Assignment, assoc = false): void {
  if (a.value.type === 'ArrayValue') return assignArray(run, s, a, assoc);
  if (a.index) {
    const key = indexOf(run, s, a, assoc);
    const value = expandText(run, s, a.value, 'assignment');
    return assignElement(run, s, a.name, key, value, a.append === true);
  }
  const several = a.append ? null : alternativesOf(run, s, a);
  if (several && several.length > 1)
    setHeld(
      s,
      a.name,
      several.map((value) => ({ kind: 'text' as const, value })),
    );
  else
    assignText(
      run,
      s,
      a.name,
      finished(run, s, a, several?.[0] ?? expandText(run, s, a.value, 'assignment')),
      a.append === true,
    );
  noteCodeText(run, s, a.name);
}

/** As `noteCodeVariable`, for a variable that has just been set by whatever means. */
export function noteCodeText(run: Run, s: State, name: string): void {
  const real = follow(s, name);
  const [held] = findVariable(s, real)?.alts ?? [];
  if (held?.kind === 'text') noteCodeVariable(run, s, real, held.value, null);
}

function finished(run: Run, s: State, a: Assignment, value: Value): Value {
  return findVariable(s, a.name)?.integer ? numberValue(evaluateText(run, s, value)) : value;
}

/** The texts of a value that is nothing but one command substitution, or null. */
function alternativesOf(run: Run, s: State, a: Assignment): readonly Value[] | null {
  if (a.value.type !== 'Word') return null;
  const [only, ...more] = a.value.parts ?? [];
  const inner = only?.type === 'DoubleQuoted' && only.parts.length === 1 ? only.parts[0] : only;
  if (more.length > 0 || inner?.type !== 'CommandExpansion') return null;
  run.visited.add(inner);
  return runSubstitution(run, s, inner.script);
}

function indexOf(run: Run, s: State, a: Assignment, assoc: boolean): string | null {
  if (!a.index) return '0';
  const associative = assoc || isAssociative(s, a.name);
  const value = toValue(run.up.pieces(run, s, a.index, !associative));
  if (associative) return textOf(value);
  const n = evaluateText(run, s, value);
  return n === null ? null : String(n);
}

function assignArray(run: Run, s: State, a: Assignment, assoc: boolean): void {
  if (a.value.type !== 'ArrayValue') return;
  const entries: { key: string | null; value: Value }[] = [];
  let open = false;
  for (const element of a.value.elements) {
    const keyed = /^\[([^\]]*)\]=/.exec(element.text);
    if (keyed) {
      const whole = textOf(expandText(run, s, element));
      const at = whole === null ? -1 : whole.indexOf(']=');
      const index = at < 0 ? null : (whole as string).slice(1, at);
      const associative = assoc || isAssociative(s, a.name);
      const n = index === null || associative ? null : evaluateText(run, s, known(index));
      const key = associative ? index : n === null ? null : String(n);
      if (key === null || whole === null) open = true;
      else {
        const text = whole.slice(at + 2);
        // bash expands the tilde there, but not in associative arrays.
        const home = !associative && /^~(?:\/|$)/.test(element.text.slice(keyed[0].length));
        entries.push({ key, value: known(home ? run.world.home + text.slice(1) : text) });
      }
    } else
      for (const value of expandWord(run, s, element)) {
        entries.push({ key: null, value });
        if (value.some((p) => typeof p !== 'string')) open ||= value.length === 1 && !element.text.startsWith('"');
      }
  }
  assignList(run, s, a.name, entries, { append: a.append === true, assoc, open });
}

/** An assignment as the argument it looks like: `name=value`. */
export function assignmentText(run: Run, s: State, a: Assignment): Value {
  const index = a.index ? `[${a.index.text}]` : '';
  const start = known(`${a.name}${index}${a.append ? '+=' : '='}`);
  return a.value.type === 'ArrayValue' ? known(a.text) : concat(start, expandText(run, s, a.value, 'assignment'));
}

/** Variables whose text is a command line that some program runs. */
const COMMAND_LINES: ReadonlySet<string> = new Set([
  'PAGER', 'MANPAGER', 'GIT_PAGER', 'GH_PAGER', 'EDITOR', 'VISUAL', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR', 'FCEDIT',
  'GIT_SSH_COMMAND', 'GIT_SSH', 'GIT_ASKPASS', 'SSH_ASKPASS', 'SUDO_ASKPASS', 'GIT_EXTERNAL_DIFF', 'GIT_PROXY_COMMAND', 'RSYNC_RSH',
  'LESSOPEN', 'LESSCLOSE', 'PROMPT_COMMAND', 'BROWSER', 'FZF_DEFAULT_COMMAND', 'CVS_RSH', 'TAR_OPTIONS',
]); // biome-ignore format: a list

/** Prompt strings: bash expands them, substitutions included, when it shows them. */
const PROMPTS: ReadonlySet<string> = new Set(['PS0', 'PS1', 'PS2', 'PS4', 'PROMPT']);

/** A variable that makes a later program, or the shell itself, run code: the effect, and the code where it is shell. */
export function noteCodeVariable(run: Run, s: State, name: string, value: Value, command: CommandDraft | null): void {
  const effect = run.programs.codeVariable(name, value);
  if (effect) applyEffect(run, command, effect, s.frame.certain);
  if (PROMPTS.has(name)) expandPrompt(run, fork(s), value);
  else if (name === 'BASH_ENV' || name === 'ENV') expandPrompt(run, fork(s), value);
  else if (COMMAND_LINES.has(name)) runValue(run, s, name, value);
}

function runValue(run: Run, s: State, name: string, value: Value): void {
  const text = withMarks(value, run.marks).replace(/^\|-?/, '');
  if (!/[\s;&|<>$`(/]/.test(text)) return;
  const { script, source } = parseShell(run, text);
  const path = fork(s);
  path.frame = { ...s.frame, via: [...s.frame.via, name], source };
  forEachChoice(run, path, (p) => run.up.script(run, p, script, source));
}
