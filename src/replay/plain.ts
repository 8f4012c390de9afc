import type { SessionSummary } from './session.ts';
import type { Story } from './story.ts';
import { detailLines } from './term/detail-view.ts';
import { type Line, lineOf, run } from './term/line.ts';
import { sessionHead, sessionLine } from './term/sessions-view.ts';
import { stepLine } from './term/timeline-view.ts';
import { shown, timeOf } from './text.ts';
import { type Step, tallyOf } from './timeline.ts';

/** The viewer's lists without a screen, for pipes, scripts and `--no-interactive`. */

export function sessionsPlain(sessions: readonly SessionSummary[], columns: number): readonly Line[] {
  // What gov did by itself, outside of any session, is nothing to step through: `gov audit list` has it.
  const own = sessions.filter((session) => session.id !== '');
  if (own.length === 0) return [];
  return [lineOf(run(sessionHead(columns, ''), 'dim')), ...own.map((session) => sessionLine(session, columns, ''))];
}

/** What stands above a session's steps. */
export function headPlain(session: string, steps: readonly Step[]): readonly Line[] {
  const first = steps[0]?.row;
  const t = tallyOf(steps);
  const counts = [
    `${t.calls} calls`,
    `${t.allowed} allowed`,
    `${t.asked} asked`,
    `${t.denied} denied`,
    ...(t.watched > 0 ? [`${t.watched} watched`] : []),
  ];
  return [
    lineOf(run(shown(session) || '(no session)', 'bold'), first === undefined ? '' : `  from ${timeOf(first.at)} UTC`),
    lineOf(counts.join(', ')),
  ];
}

/** One step; where somebody was stopped or asked, the reason below it; with `full`, the whole record. */
export function stepPlain(step: Step, start: number, story: Story | null, full: boolean, columns: number): Line[] {
  const lines = [stepLine(step, step.row.at - start, columns, '')];
  if (story === null) return lines;
  if (full) return [...lines, ...indented(detailLines(story, columns - 4)), lineOf('')];
  return story.reason === '' ? lines : [...lines, lineOf(run(`${' '.repeat(9)}${shown(story.reason)}`, 'dim'))];
}

function indented(lines: readonly Line[]): Line[] {
  return lines.map((line) => ({ ...line, runs: line.runs.length === 0 ? [] : [run('    '), ...line.runs] }));
}
