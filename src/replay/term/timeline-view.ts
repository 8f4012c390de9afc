import { countOf, durationOf, offsetOf, shown, timeOf } from '../text.ts';
import { fateOf, isHeld, nameOf, type Step, summaryOf, tallyOf, tookOf, wordOf } from '../timeline.ts';
import { cellsOf, cutTo, padTo } from './cells.ts';
import { detailLines, lookOfAnswer } from './detail-view.ts';
import { BLANK, beside, type Line, lineOf, type Run, run, spread } from './line.ts';
import { topOf } from './sessions-view.ts';
import { bodyRows, currentStep, isWide, type Size, type State, shownStep } from './state.ts';

/** The open session: two header lines, then the steps; with room, the record of the current step beside them. */
export function timelineLines(state: State): readonly Line[] {
  const { columns } = state.size;
  const rows = bodyRows(state);
  const left = isWide(state) ? leftColumns(state) : columns;
  const list = stepLines(state, left, rows);
  const body = isWide(state) ? beside(list, recordLines(state), left, columns - left - 2) : list;
  return [...headerLines(state), ...body];
}

/** The record alone. */
export function detailViewLines(state: State): readonly Line[] {
  return [...headerLines(state), ...recordLines(state)];
}

function leftColumns(state: State): number {
  return Math.floor(state.size.columns * 0.46);
}

/** The room that the record has. */
export function detailRoom(state: State): Size {
  const { columns } = state.size;
  const beside = state.view !== 'detail' && isWide(state);
  return { columns: beside ? columns - leftColumns(state) - 3 : columns - 2, rows: bodyRows(state) };
}

function recordLines(state: State): Line[] {
  const room = detailRoom(state);
  if (state.story === null) return [lineOf(run(currentStep(state) === null ? '' : '  …', 'dim'))];
  const lines = detailLines(state.story, room.columns);
  const indent = state.view === 'detail' ? [run(' ')] : [];
  const page = lines
    .slice(state.scroll, state.scroll + room.rows)
    .map((line): Line => ({ ...line, runs: [...indent, ...line.runs] }));
  const below = lines.length - state.scroll - room.rows;
  if (below > 0) page[page.length - 1] = lineOf(run(` ↓ ${below + 1} more lines`, 'dim'));
  return page;
}

function headerLines(state: State): Line[] {
  const { columns } = state.size;
  const first = state.timeline.steps[0]?.row;
  const id = state.session === '' ? '(no session)' : shown(state.session ?? '');
  const started = first === undefined ? '' : `${timeOf(first.at)} UTC `;
  const tally = tallyOf(state.timeline.steps);
  const held = [
    ['denied', tally.denied, 'deny'],
    ['asked', tally.asked, 'ask'],
    ['watched', tally.watched, 'ask'],
  ] as const;
  const counts: Run[] = [run(` ${countOf(tally.calls)} calls`), run(`  ${countOf(tally.allowed)} allowed`, 'dim')];
  for (const [word, n, look] of held) if (n > 0) counts.push(run(`  ${countOf(n)} ${word}`, look));
  if (!state.whole) counts.push(run('  reading …', 'dim'));
  if (state.filter !== '')
    counts.push(run(`  filter: ${shown(state.filter)} (${countOf(state.shown.length)})`, 'accent'));
  const step = currentStep(state);
  const where =
    step === null
      ? ''
      : state.view === 'detail'
        ? `${shown(nameOf(step) || step.row.event)} at ${timeOf(step.row.at)} `
        : state.follow
          ? 'following '
          : '';
  return [
    spread([run(' gov replay ', 'title'), run(id, 'bold')], [run(started, 'dim')], columns),
    spread(counts, [run(where, 'dim')], columns),
  ];
}

function stepLines(state: State, columns: number, rows: number): Line[] {
  const out: Line[] = [];
  const top = topOf(state.cursor, state.shown.length, rows);
  const start = state.timeline.steps[0]?.row.at ?? 0;
  if (state.shown.length === 0) out.push(lineOf(run(state.whole ? '  no step here' : '  reading …', 'dim')));
  for (let place = top; place < Math.min(state.shown.length, top + rows); place++) {
    const step = shownStep(state, place) as Step;
    const selected = place === state.cursor;
    const line = stepLine(step, step.row.at - start, columns, selected ? '▸' : ' ');
    out.push(
      selected ? { ...line, selected } : state.playing && place > state.cursor ? { ...line, faded: true } : line,
    );
  }
  while (out.length < rows) out.push(BLANK);
  return out;
}

const GLYPH: Readonly<Record<string, string>> = { allow: '✓', ask: '?', deny: '✗', halt: '■', watch: '◦' };

/** One step on one line: when, what was answered, what was called, and by which rule or with which outcome. */
export function stepLine(step: Step, offset: number, columns: number, mark = ' '): Line {
  const word = wordOf(step);
  const tail = tailOf(step, Math.max(8, Math.floor(columns / 3)));
  const name = padTo(shown(nameOf(step)), columns < 100 ? 6 : 10);
  const head = `${mark}${offsetOf(Math.max(0, offset)).padStart(8)} `;
  const room = Math.max(
    8,
    columns - head.length - 8 - cellsOf(name) - 1 - (tail.text === '' ? 0 : cellsOf(tail.text) + 2) - 1,
  );
  const look = lookOfAnswer(word);
  return lineOf(
    run(head, 'dim'),
    run(padTo(`${GLYPH[word] ?? '·'} ${word === 'session' ? 'event' : word}`, 8), look === 'allow' ? 'dim' : look),
    run(`${name} `, 'dim'),
    run(padTo(shown(summaryOf(step)), room), isHeld(step) ? 'bold' : 'plain'),
    run(tail.text === '' ? '' : `  ${tail.text}`, tail.look),
  );
}

function tailOf(step: Step, most: number): Run {
  if (isHeld(step)) {
    const ran = step.row.answer === 'ask' && step.outcome !== null ? 'went on, ' : '';
    return run(cutTo(ran + shown(step.row.rule), most), lookOfAnswer(wordOf(step)));
  }
  const fate = fateOf(step);
  if (step.row.kind === 'outcome') return run('no decision', 'ask');
  if (fate === 'failed') return run('failed', 'deny');
  if (step.row.rule !== '') return run(cutTo(shown(step.row.rule), most), 'dim');
  if (fate === 'open') return run('no outcome', 'dim');
  const took = tookOf(step);
  return run(took === null ? '' : durationOf(took), 'dim');
}

const HEIGHTS = '▁▂▃▄▅▆▇█';

/**
 * The scrubber: where the session stands in played time. `━` played, `─` to come, `✗` and `?` where calls were
 * denied or asked about, `●` now. With more of those than fit, bars say how many stand where.
 */
export function scrubber(state: State, cells: number): Run[] {
  const end = state.pace[state.pace.length - 1] ?? 0;
  const placeOf = (ms: number): number => (end === 0 ? 0 : Math.min(cells - 1, Math.round((ms / end) * (cells - 1))));
  const denied = new Uint32Array(cells);
  const held = new Uint32Array(cells);
  let all = 0;
  for (const [i, ms] of state.pace.entries()) {
    const step = shownStep(state, i);
    if (step === null || !isHeld(step)) continue;
    const place = placeOf(ms);
    all++;
    held[place] = (held[place] as number) + 1;
    if (step.row.answer === 'deny' || step.row.answer === 'halt') denied[place] = (denied[place] as number) + 1;
  }
  const most = Math.max(...held, 1);
  const now = placeOf(state.at);
  return Array.from({ length: cells }, (_, i) => {
    if (i === now) return run('●', 'accent');
    const n = held[i] as number;
    if (n === 0) return run(i < now ? '━' : '─', i < now ? 'accent' : 'dim');
    const look = (denied[i] as number) > 0 ? 'deny' : 'ask';
    if (all * 2 <= cells) return run(look === 'deny' ? '✗' : '?', look);
    return run(HEIGHTS[Math.min(7, Math.ceil((n / most) * 8) - 1)] as string, look);
  });
}
