import type { SessionSummary } from '../session.ts';
import { countOf, durationOf, shown, timeOf } from '../text.ts';
import { cellsOf, cutTo, padTo } from './cells.ts';
import { type Line, lineOf, run, spread } from './line.ts';
import { bodyRows, type State } from './state.ts';

/** The list of sessions: exactly `bodyRows + 2` lines. */
export function sessionsLines(state: State): readonly Line[] {
  const { columns } = state.size;
  const total = `${countOf(state.sessions.length)}${state.moreSessions === null ? '' : '+'} sessions, ${countOf(state.store.records)} records`;
  const out: Line[] = [
    spread([run(' gov replay', 'title')], [run(`${total} `, 'dim')], columns),
    lineOf(run(sessionHead(columns), 'dim')),
  ];
  const rows = bodyRows(state);
  const top = topOf(state.sessionCursor, state.sessions.length, rows);
  if (state.sessions.length === 0) out.push(lineOf('  no session has been recorded yet'));
  for (let i = top; i < Math.min(state.sessions.length, top + rows); i++) {
    const session = state.sessions[i] as SessionSummary;
    const selected = i === state.sessionCursor;
    const line = sessionLine(session, columns, selected ? '▸ ' : '  ');
    out.push(selected ? { ...line, selected } : line);
  }
  return out;
}

/** The first of `count` rows to show so that the cursor stands in the middle, except near the ends. */
export function topOf(cursor: number, count: number, rows: number): number {
  return Math.max(0, Math.min(count - rows, cursor - (rows >> 1)));
}

interface Widths {
  /** 0: left out. */
  readonly length: number;
  readonly repo: number;
  readonly id: number;
}

const FIXED = 2 + 18 + 9 + 14 + 13;

function widths(columns: number): Widths {
  const length = columns < 100 ? 0 : 9;
  const room = Math.max(16, columns - FIXED - length);
  const repo = Math.min(60, Math.floor(room * 0.6));
  return { length, repo, id: room - repo };
}

/** What stands above the columns of `sessionLine`; `mark` as there. */
export function sessionHead(columns: number, mark = '  '): string {
  const { length, repo } = widths(columns);
  return `${mark}${padTo('last record UTC', 18)}${padTo('length', length)}${'records'.padStart(7)}  ${'denied'.padStart(6)} ${'asked'.padStart(6)}  ${padTo('agent', 12)}${padTo('where', repo)}session`;
}

/** One session on one line. */
export function sessionLine(s: SessionSummary, columns: number, mark = '  '): Line {
  const { length, repo, id } = widths(columns);
  const number = (n: number, cells: number): string => (n === 0 ? '·' : countOf(n)).padStart(cells);
  return lineOf(
    run(`${mark}${padTo(timeOf(s.last).slice(0, 16), 18)}`),
    run(padTo(durationOf(s.last - s.first), length), 'dim'),
    run(`${countOf(s.records).padStart(7)}  `),
    run(`${number(s.denied, 6)} `, s.denied > 0 ? 'deny' : 'dim'),
    run(`${number(s.asked, 6)}  `, s.asked > 0 ? 'ask' : 'dim'),
    run(`${padTo(shown(s.agent), 11)} `),
    run(padTo(tailTo(shown(s.repo), repo - 1), repo)),
    run(cutTo(s.id === '' ? '(none)' : shown(s.id), id), 'dim'),
  );
}

/** The end of a path says more than its beginning. */
function tailTo(path: string, cells: number): string {
  const chars = [...path];
  while (chars.length > 0 && cellsOf(chars.join('')) > cells) {
    chars.splice(0, chars[0] === '…' ? 2 : 1, '…');
  }
  return chars.join('');
}
