import { type Mark, type Piece, piecesOf } from '../marks.ts';
import type { CommandLine, EffectLine, Pair, RuleLine, Story } from '../story.ts';
import { shown, shownLines } from '../text.ts';
import { cellsOf, cellsOfChar, padTo, wrapTo } from './cells.ts';
import { BLANK, type Line, type Look, lineOf, type Run, ruleLine, run } from './line.ts';

/** One record as lines of a width: what was asked, answered and why; what it would do; what came of it; its proof. */
export function detailLines(story: Story, columns: number): readonly Line[] {
  const known = cache.get(story);
  if (known?.columns === columns) return known.lines;
  const lines = [...told(story, Math.max(20, columns))];
  cache.set(story, { columns, lines });
  return lines;
}

const cache = new WeakMap<Story, { readonly columns: number; readonly lines: readonly Line[] }>();

const MAX_TEXT_LINES = 400;

function* told(story: Story, width: number): Generator<Line> {
  yield* headline(story, width);
  if (story.missing !== '') yield* paragraph(story.missing, width, '', 'ask');
  yield BLANK;
  yield ruleLine(width, story.tool === '' ? 'Call' : `Call: ${shown(story.tool)}`);
  if (story.cwd !== '') yield* paragraph(`in ${shown(story.cwd)}`, width, '', 'dim');
  if (story.source !== '') yield* sourceLines(story.source, story.marks, story.commands.length, width);
  for (const pair of story.input) yield* pairLines(pair, width);
  if (story.diff.length > 0) yield* diffLines(story, width);
  yield* rulesTold(story, width);
  yield* effectsTold(story, width);
  yield* outcomeTold(story, width);
  yield* pairsTold('Facts', story.facts, width);
  yield* pairsTold('Trace', story.trace, width);
  if (story.quiet !== null && story.quiet > 0)
    yield lineOf(run(`${story.quiet} more rules were looked at and did not fire`, 'dim'));
  yield* pairsTold('Record', story.proof, width);
}

export function lookOfAnswer(word: string): Look {
  if (word === 'deny' || word === 'halt') return 'deny';
  if (word === 'ask' || word === 'watch') return 'ask';
  return word === 'allow' ? 'allow' : 'dim';
}

function* headline(story: Story, width: number): Generator<Line> {
  const word = (story.answer || story.kind).toUpperCase();
  const watched = !story.enforced && story.answer === 'allow' && story.rule !== '';
  yield lineOf(
    run(` ${word} `, lookOfAnswer(story.answer)),
    ' ',
    run(shown(story.rule === '' ? (story.kind === 'decision' ? 'no rule objects' : '') : story.rule), 'bold'),
    run(watched ? `  only watched: ${shown(story.effect)} if it were enforced` : '', 'ask'),
  );
  if (story.reason !== '') yield* paragraph(story.reason, width, '');
}

function* paragraph(text: string, width: number, indent: string, look: Look = 'plain', hang = indent): Generator<Line> {
  let first = true;
  for (const source of shownLines(text).slice(0, MAX_TEXT_LINES))
    for (const line of wrapTo(source, width - hang.length)) {
      yield lineOf(first ? indent : hang, run(line, look));
      first = false;
    }
}

/** Visible units of the source: one character, or one escape, with the marks it lies in. */
interface Unit {
  readonly text: string;
  readonly cells: number;
  readonly marks: readonly Mark[];
}

function unitsOf(pieces: readonly Piece[]): Unit[] {
  const units: Unit[] = [];
  for (const piece of pieces)
    for (const char of shown(piece.text.replaceAll('\t', '    ').replace(/\r$/, '')))
      units.push({ text: char, cells: cellsOfChar(char), marks: piece.marks });
  return units;
}

function* sourceLines(source: string, marks: readonly Mark[], commands: number, width: number): Generator<Line> {
  const room = Math.max(10, width - 2);
  const obvious = commands === 1 && marks.length === 1 && !marks[0]?.decided;
  const all = piecesOf(source, marks);
  for (const pieces of all.slice(0, MAX_TEXT_LINES))
    for (const units of chunked(unitsOf(pieces), room)) {
      yield lineOf('  ', ...runsOf(units));
      if (!obvious) yield* markerLines(units);
    }
  if (all.length > MAX_TEXT_LINES) yield lineOf(run(`  … ${all.length - MAX_TEXT_LINES} more lines`, 'dim'));
}

function chunked(units: readonly Unit[], room: number): Unit[][] {
  const out: Unit[][] = [[]];
  let used = 0;
  for (const unit of units) {
    if (used + unit.cells > room) {
      out.push([]);
      used = 0;
    }
    out[out.length - 1]?.push(unit);
    used += unit.cells;
  }
  return out;
}

function runsOf(units: readonly Unit[]): Run[] {
  const runs: { text: string; look: Look }[] = [];
  for (const unit of units) {
    const look: Look = unit.marks.some((m) => m.decided) ? 'mark' : unit.marks.length > 0 ? 'under' : 'plain';
    const last = runs[runs.length - 1];
    if (last?.look === look) last.text += unit.text;
    else runs.push({ text: unit.text, look });
  }
  return runs;
}

const MARKER_ROWS = 3;

/** Under a line of source: `1~~~~` from where command 1 begins to where it ends, `^` where the deciding rule fired. */
function* markerLines(units: readonly Unit[]): Generator<Line> {
  const here = [...new Set(units.flatMap((unit) => unit.marks))];
  if (here.length === 0) return;
  const rows: Mark[][] = [];
  for (const mark of here) {
    const free = rows.findIndex((row) => row.every((other) => other.end <= mark.start || other.start >= mark.end));
    if (free >= 0) rows[free]?.push(mark);
    else rows.push([mark]);
  }
  for (const row of rows.slice(0, MARKER_ROWS)) {
    const runs: Run[] = [run('  ')];
    let last: Mark | undefined;
    let label = '';
    for (const unit of units) {
      const mark = row.find((one) => unit.marks.includes(one));
      if (mark !== last) label = mark === undefined ? '' : String(mark.n);
      last = mark;
      let text = '';
      for (let i = 0; i < unit.cells; i++) {
        text += label === '' ? (mark === undefined ? ' ' : mark.decided ? '^' : '~') : label[0];
        label = label.slice(1);
      }
      runs.push(run(text, mark?.decided ? 'deny' : 'accent'));
    }
    yield { runs: joined(runs) };
  }
}

function joined(runs: readonly Run[]): Run[] {
  const out: { text: string; look: Look }[] = [];
  for (const one of runs) {
    const last = out[out.length - 1];
    if (last?.look === one.look) last.text += one.text;
    else out.push({ ...one });
  }
  const last = out[out.length - 1];
  if (last !== undefined) last.text = last.text.trimEnd();
  return out;
}

const NAME_CELLS = 15;

function* pairLines([name, value]: Pair, width: number): Generator<Line> {
  const label = shown(name);
  const indent = ' '.repeat(NAME_CELLS + 3);
  const lines = shownLines(value)
    .slice(0, 60)
    .flatMap((line) => wrapTo(line, width - indent.length));
  if (cellsOf(label) > NAME_CELLS) yield lineOf(run(`  ${label}`, 'dim'));
  for (const [i, line] of lines.entries())
    yield lineOf(run(i === 0 && cellsOf(label) <= NAME_CELLS ? `  ${padTo(label, NAME_CELLS)} ` : indent, 'dim'), line);
}

function* pairsTold(title: string, pairs: readonly Pair[], width: number): Generator<Line> {
  if (pairs.length === 0) return;
  yield BLANK;
  yield ruleLine(width, title);
  for (const pair of pairs) yield* pairLines(pair, width);
}

function* diffLines(story: Story, width: number): Generator<Line> {
  yield BLANK;
  for (const line of story.diff.slice(0, MAX_TEXT_LINES)) {
    if (line === null) {
      yield lineOf(run('  …', 'dim'));
      continue;
    }
    const look: Look = line.sign === '+' ? 'allow' : line.sign === '-' ? 'deny' : 'dim';
    yield* paragraph(line.text, width, `  ${line.sign} `, look, '    ');
  }
  if (story.diff.length > MAX_TEXT_LINES)
    yield lineOf(run(`  … ${story.diff.length - MAX_TEXT_LINES} more lines`, 'dim'));
}

const PART: Readonly<Record<RuleLine['part'], string>> = {
  decided: 'decided',
  lost: 'fired too; another rule decided',
  lifted: 'lifted',
  shadow: 'shadow: would have, is not in force',
  advice: 'advice',
};

function* rulesTold(story: Story, width: number): Generator<Line> {
  if (story.kind !== 'decision' && story.rules.length === 0) return;
  yield BLANK;
  yield ruleLine(width, 'Rules');
  if (story.rules.length === 0) yield lineOf(run('  none fired', 'dim'));
  for (const rule of story.rules) {
    const won = rule.part === 'decided';
    yield lineOf(
      won ? '▸ ' : '  ',
      run(padTo(shown(rule.effect), 8), lookOfAnswer(rule.effect)),
      run(shown(rule.id), won ? 'bold' : 'plain'),
      run(`  ${PART[rule.part]}`, 'dim'),
    );
    yield* paragraph(rule.about, width, ' '.repeat(10), 'dim');
    if (rule.message !== '' && rule.message !== story.reason) yield* paragraph(rule.message, width, ' '.repeat(10));
    if (rule.subject !== '') yield* paragraph(`on ${shown(rule.subject)}`, width, ' '.repeat(10), 'dim');
    if (rule.instead !== '') yield* paragraph(`instead: ${rule.instead}`, width, ' '.repeat(10));
  }
}

function* effectsTold(story: Story, width: number): Generator<Line> {
  if (story.commands.length > 0) {
    yield BLANK;
    yield ruleLine(width, 'Commands and what they would do');
    for (const command of story.commands) yield* commandTold(command, width);
  }
  if (story.effects.length > 0) {
    yield BLANK;
    yield ruleLine(width, story.commands.length > 0 ? 'Besides' : 'What it would do');
    for (const effect of story.effects) yield* effectTold(effect, '  ', width);
  }
  if (story.unknowns.length > 0) {
    yield BLANK;
    yield ruleLine(width, 'Not understood');
    for (const [reason, text] of story.unknowns) yield* paragraph(`${reason}: ${text}`, width, '  ', 'ask', '    ');
  }
}

function* commandTold(command: CommandLine, width: number): Generator<Line> {
  const indent = '  '.repeat(command.depth);
  const number = padTo(String(command.n), 3);
  const [first = '', ...rest] = wrapTo(shown(command.text.replaceAll('\n', ' ⏎ ')), width - indent.length - 5);
  const look: Look = command.decided ? 'mark' : 'bold';
  yield lineOf(`  ${indent}`, run(number, 'accent'), run(first, look));
  for (const line of rest.slice(0, 3)) yield lineOf(`  ${indent}   `, run(line, look));
  const inner = `  ${indent}   `;
  if (command.notes.length > 0) yield* paragraph(command.notes.join('; '), width, inner, 'ask');
  for (const effect of command.effects) yield* effectTold(effect, inner, width);
}

const GRAVE = new Set(['secret', 'guard', 'system', 'device', 'outside', 'unknown', 'vcs']);

function* effectTold(effect: EffectLine, indent: string, width: number): Generator<Line> {
  const zone = effect.zone === '' ? '' : `[${effect.zone === 'unknown' ? 'unknown place' : effect.zone}]`;
  const verb = `${padTo(shown(effect.verb), Math.max(8, cellsOf(shown(effect.verb))))} `;
  const room = Math.max(10, width - indent.length - cellsOf(verb));
  const lines = wrapTo(shown(effect.target), room);
  const last = lines[lines.length - 1] ?? '';
  const notes = effect.notes.map(shown).join(', ');
  const tail = [zone, notes].filter((t) => t !== '').join(' ');
  const fits = cellsOf(last) + 2 + cellsOf(tail) <= room;
  for (const [i, line] of lines.entries()) {
    const head = i === 0 ? run(indent + verb) : run(' '.repeat(indent.length + cellsOf(verb)));
    if (i < lines.length - 1 || tail === '' || !fits) yield lineOf(head, line);
    else
      yield lineOf(
        head,
        `${line}  `,
        run(zone, GRAVE.has(effect.zone) ? 'ask' : 'accent'),
        run(zone !== '' && notes !== '' ? ` ${notes}` : notes, 'dim'),
      );
  }
  if (!fits && tail !== '')
    for (const line of wrapTo(tail, room))
      yield lineOf(run(' '.repeat(indent.length + cellsOf(verb))), run(line, 'dim'));
}

function* outcomeTold(story: Story, width: number): Generator<Line> {
  if (story.outcome === null) return;
  yield BLANK;
  yield ruleLine(width, 'Outcome');
  const { word, notes, text } = story.outcome;
  const bad = word === 'failed' || word === 'interrupted' || (word.startsWith('exit ') && word !== 'exit 0');
  yield lineOf(
    '  ',
    run(word, word === 'blocked' || bad ? 'deny' : word === 'open' ? 'ask' : 'allow'),
    run(`  ${notes}`, 'dim'),
  );
  const lines = text.trimEnd() === '' ? [] : shownLines(text.trimEnd());
  for (const line of lines.slice(0, MAX_TEXT_LINES))
    for (const part of wrapTo(line, width - 4)) yield lineOf(run('  │ ', 'dim'), part);
  if (lines.length > MAX_TEXT_LINES) yield lineOf(run(`  … ${lines.length - MAX_TEXT_LINES} more lines`, 'dim'));
}
