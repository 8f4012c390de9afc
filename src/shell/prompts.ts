import type { Value } from '../model/value.ts';
import { parseShell } from './parse.ts';
import { toValue } from './pieces.ts';
import type { Run } from './run.ts';
import { withMarks } from './source.ts';
import type { State } from './state.ts';

const MAX_EVALUATING = 12;

/** What a text is in `${x@P}`, PS4, PS1 and the like (bash(1), "PROMPTING": the string is expanded after it is read). */
export function expandPrompt(run: Run, s: State, value: Value): Value {
  return expandText(run, s, value, 'prompt');
}

/** Expands a text as if it stood in double quotes, running its substitutions; `via` is what rules see of the reason. */
export function expandText(run: Run, s: State, value: Value, via: string | null): Value {
  const text = withMarks(value, run.marks);
  if (!/[$`\ue000]/.test(text)) return value;
  if (run.evaluating >= MAX_EVALUATING) return value;
  const { script, source } = parseShell(run, `cat <<GOV_END\n${text}\nGOV_END\n`);
  const command = script.commands[0]?.command;
  const heredoc = command?.type === 'Command' ? command.redirects.find((r) => r.type === 'HereDoc') : undefined;
  if (heredoc?.type !== 'HereDoc' || !heredoc.body.parts) return value;
  const before = s.frame;
  run.evaluating++;
  s.frame = { ...before, source, via: via === null ? before.via : [...before.via, via] };
  const { parts } = heredoc.body;
  const out = toValue(run.up.pieces(run, s, { type: 'Word', pos: 0, end: 0, text: '', value: '', parts }, true));
  run.evaluating--;
  s.frame = before;
  const last = out[out.length - 1];
  return typeof last === 'string' ? [...out.slice(0, -1), last.replace(/\n$/, '')] : out;
}
