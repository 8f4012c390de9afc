import { offsetOf, shown } from '../text.ts';
import { cellsOf, cutTo } from './cells.ts';
import { helpLines } from './help-view.ts';
import { BLANK, fitted, type Line, lineOf, type Run, ruleLine, run, spread } from './line.ts';
import { sessionsLines } from './sessions-view.ts';
import type { State } from './state.ts';
import { detailViewLines, scrubber, timelineLines } from './timeline-view.ts';

/** The whole screen: exactly as many lines as it has rows, each exactly as wide as it is. */
export function frameOf(state: State): readonly Line[] {
  const { columns, rows } = state.size;
  const body = bodyOf(state).slice(0, Math.max(0, rows - 3));
  const filled = [...body, ...Array.from({ length: Math.max(0, rows - 3 - body.length) }, () => BLANK)];
  const footer = [ruleLine(columns), statusLine(state), hintLine(state)];
  return [...filled, ...footer].slice(-rows).map((line) => fitted(line, columns));
}

function bodyOf(state: State): readonly Line[] {
  if (state.view === 'sessions') return sessionsLines(state);
  if (state.view === 'help') return helpLines(state);
  return state.view === 'detail' ? detailViewLines(state) : timelineLines(state);
}

function statusLine(state: State): Line {
  const { columns } = state.size;
  if (state.view === 'help') return BLANK;
  if (state.view === 'sessions') {
    const session = state.sessions[state.sessionCursor];
    return session === undefined
      ? BLANK
      : lineOf(run(` ${shown(session.id) || '(no session)'}  ${shown(session.repo)}`, 'dim'));
  }
  const end = state.pace[state.pace.length - 1] ?? 0;
  const place = state.shown.length === 0 ? 0 : state.cursor + 1;
  const left = [
    run(state.playing ? ' ▶ ' : state.follow ? ' ⇣ ' : ' ❙❙', 'accent'),
    run(` ${state.speed}×  ${offsetOf(state.at)} / ${offsetOf(end)}  `),
  ];
  const right = [run(`  ${place}/${state.shown.length} `)];
  const used = [...left, ...right].reduce((sum, r) => sum + cellsOf(r.text), 0);
  const room = columns - used;
  return spread([...left, ...(room >= 10 ? scrubber(state, room) : [])], right, columns);
}

type Hint = readonly [key: string, what: string];

const HINTS: Readonly<Record<State['view'], readonly Hint[]>> = {
  sessions: [
    ['enter', 'open'],
    ['?', 'help'],
    ['q', 'quit'],
    ['/', 'search'],
    ['j k', 'move'],
  ],
  timeline: [
    ['space', 'play'],
    ['enter', 'record'],
    ['?', 'help'],
    ['q', 'back'],
    ['[ ]', 'held'],
    ['d', 'only held'],
    ['/', 'search'],
    ['&', 'filter'],
    ['F', 'follow'],
    ['< >', 'speed'],
  ],
  detail: [
    ['j k', 'scroll'],
    [', .', 'step'],
    ['?', 'help'],
    ['q', 'back'],
    ['[ ]', 'held'],
    ['space', 'play'],
    ['/', 'search'],
  ],
  help: [['any key', 'back']],
};

function hintLine(state: State): Line {
  const { columns } = state.size;
  if (state.prompt !== null) {
    const name = state.prompt.kind === 'search' ? '/' : 'filter: ';
    const text = shown(state.prompt.text);
    const room = columns - name.length - 3;
    const tail = cellsOf(text) > room ? `…${[...text].slice(-(room - 1)).join('')}` : text;
    return lineOf(run(` ${name}`, 'accent'), tail, run('█', 'accent'));
  }
  if (state.message !== '') return lineOf(run(` ${cutTo(shown(state.message), columns - 2)}`, 'ask'));
  const runs: Run[] = [run(' ')];
  let used = 1;
  for (const [key, what] of HINTS[state.view]) {
    const size = key.length + what.length + 3;
    if (used + size > columns) break;
    used += size;
    runs.push(run(key, 'bold'), run(` ${what}  `, 'dim'));
  }
  return { runs };
}
