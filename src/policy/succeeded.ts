import type { CommandFact, Facts } from '../model/facts.ts';
import { OUTCOMES } from './outcomes.ts';
import { UNKNOWN } from './scope.ts';

type Globals = Readonly<Record<string, unknown>>;

/**
 * Did a command of a shell call end well? The call only says how it ended as a whole, so that is known where a failure
 * of the command would have been one of the call: `cd app && npm test`, not `npm test | tail`, `npm test; git status`
 * or `npm test || true`. Unknown before the call, and for what goes on in the background.
 */
export function succeeded(command: CommandFact, globals: Globals): boolean | null {
  const event = globals['event'] as Facts['event'];
  const result = globals['result'] as {
    readonly failed: boolean;
    readonly interrupted: boolean;
    readonly exit_code: number | null;
  };
  const { input } = globals['tool'] as Facts['tool'];
  const text = input['command'];
  if (!OUTCOMES.has(event.name) || result.interrupted || typeof text !== 'string' || isInBackground(input))
    return UNKNOWN;
  const commands = globals['commands'] as Facts['commands'];
  const outer = outermost(command, commands);
  if (outer?.span == null || !outer.certain) return UNKNOWN;
  const { start, end } = outer.span;
  const failed = result.failed || event.name === 'PostToolUseFailure' || (result.exit_code ?? 0) !== 0;
  // Codex and Gemini CLI tell of commands that failed in the same way as of others, and give no exit code.
  if (!failed && result.exit_code === null) return UNKNOWN;
  if (failed) return text.slice(0, start).trim() === '' && text.slice(end).trim() === '' ? false : UNKNOWN;
  return decides(text, start, end) ? true : UNKNOWN;
}

function isInBackground(input: Facts['tool']['input']): boolean {
  return ['run_in_background', 'is_background', 'background'].some((key) => input[key] === true);
}

/** The command that stands in the call's own text, if all it runs is this one. */
function outermost(command: CommandFact, commands: Facts['commands']): CommandFact | null {
  let at = command;
  while (at.parent >= 0) {
    const { parent } = at;
    const above = commands[parent];
    if (!above || commands.filter((c) => c.parent === parent).length > 1) return null;
    at = above;
  }
  return at;
}

/** True if a failure of what stands there makes the whole text fail. */
function decides(text: string, start: number, end: number): boolean {
  const before = text.slice(0, start);
  if (isTurned(before)) return false;
  const stops = /(?:^|[\s;&])set\s+-[a-z]*e/.test(before);
  const pipes = /\bpipefail\b/.test(before);
  const rest = unquoted(text.slice(end)).replace(/[;\s]+$/, '');
  let chained = false;
  for (const [operator] of rest.matchAll(/[|&;\n]+/g)) {
    if (operator === '&&') chained = true;
    else if (operator === '|' && pipes) continue;
    else if (/^[;\n]+$/.test(operator) && stops && !chained) continue;
    else return false;
  }
  return true;
}

/** True if what follows is an alternative, is negated, or stands where its output and not its end counts. */
function isTurned(before: string): boolean {
  const opened = Math.max(...['$(', '<(', '>('].map((word) => before.lastIndexOf(word)));
  if (opened > before.lastIndexOf(')') || before.split('`').length % 2 === 0) return true;
  let end = before.length;
  while (end > 0 && ' \t\n({'.includes(before[end - 1] as string)) end--;
  return before.endsWith('||', end) || before.endsWith('!', end);
}

/** The text without what is quoted and without redirections, in which `&` and `|` mean something else. */
function unquoted(text: string): string {
  return text.replace(/'[^']*'|"(?:\\.|[^"\\])*"|\\[\s\S]/g, '_').replace(/&>>?|\d*[<>]&[\d-]*|>\|/g, ' ');
}
