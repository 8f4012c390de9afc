import { visible } from '../base/escape.ts';
import { printable, settingsDiff } from '../register/diff.ts';
import type { Plan } from '../register/plan.ts';
import { changeSummary } from '../register/summary.ts';
import { folded } from './check-explain.ts';
import type { Paint } from './paint.ts';

/** A difference that is no longer than its summary and easier to trust. */
const SHORT = 12;

/** The lines that a plan would add to and take from its file. */
export function planDiff({ before, after }: Plan): readonly string[] {
  if (before === after) return [];
  const lone = before === null ? '-' : after === null ? '+' : null;
  return settingsDiff(before ?? '', after ?? '').filter((line) => line !== lone);
}

/** What a plan would do to its file, for people: the whole difference, or what is in it. */
export function planLines(plan: Plan, whole: boolean, p: Paint): readonly string[] {
  const { registrar, file, before, after } = plan;
  const note = after === null ? ' (the file goes)' : before === null ? ' (new file)' : '';
  const head = `${p.bold(registrar.title)}  ${visible(file)}${note}`;
  const diff = planDiff(plan);
  const dressed = (line: string, text = `  ${line}`): string =>
    line.startsWith('+') ? p.green(text) : line.startsWith('-') ? p.red(text) : p.dim(text);
  if (whole || diff.length <= SHORT) return [head, ...diff.map((line) => dressed(printable(line)))];
  const said = changeSummary(before, after);
  return [
    head,
    ...said.flatMap((line) => folded('    ', line).map((part, i) => dressed(line, i === 0 ? part.slice(2) : part))),
  ];
}
