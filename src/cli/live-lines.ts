import type { RecordBody } from '../audit/format/body.ts';
import type { Row } from '../audit/read/store.ts';
import { visible } from '../base/escape.ts';
import { codeOf } from '../base/ids.ts';
import { liftableHits } from '../policy/lift.ts';
import { cellsOf, cutTo, padTo } from '../replay/term/cells.ts';
import type { Paint } from './paint.ts';
import { wordOf } from './record-lines.ts';

const GLYPH: Readonly<Record<string, string>> = { allow: '✓', ask: '?', deny: '✗', halt: '■', watch: '◦' };
/** From so many columns on there is room for the session and the tool. */
const WIDE = 110;

/** True if a record is nothing that somebody who watches waits for: a call that was made, and nothing came of it. */
export function isNoise(row: Row): boolean {
  return row.kind === 'outcome' && row.event === 'PostToolUse' && row.rule === '' && row.faulty === 0;
}

/** True if the record held a call up: then its body has more to say. */
export function isHeld(row: Row): boolean {
  return row.kind === 'decision' && row.answer !== 'allow' && row.answer !== '';
}

/**
 * One record for somebody who watches: time of day here, agent, answer, what was called; below what was held up the
 * code that lifts it, the rule and its reason. What passed stays quiet. No line has more than `width` cells; `body`
 * is only asked for where the call was held up.
 */
export function liveLines(row: Row, body: RecordBody | null, p: Paint, width: number): readonly string[] {
  const word = wordOf(row);
  const wide = width >= WIDE;
  const at = new Date(row.at).toTimeString().slice(0, 8);
  const agent = visible(row.agent);
  const who = wide ? `${padTo(agent, 11)}  ${padTo(visible(row.session), 8)}` : padTo(agent.split('-')[0] ?? agent, 7);
  const answer = `${GLYPH[word] ?? '·'} ${padTo(word, wide ? 7 : 5)}`;
  const indent = cellsOf(`${at}  ${who}  `);
  const room = Math.max(16, width - indent - cellsOf(`${answer}  `));
  const what = whatOf(row, wide);
  const text = cutTo(what, room);
  const loud = row.kind === 'decision' || row.kind === 'gov';
  const head = `${p.dim(at)}  ${p.dim(who)}  ${painted(row, answer, p)}  ${loud ? text : p.dim(text)}`;
  const below = indent + 2;
  const why = body?.decision && isHeld(row) ? whyOf(row, body, Math.max(16, width - below), p) : '';
  return why === '' ? [head] : [head, `${' '.repeat(below)}${why}`];
}

/** Shells say what they run; other tools are named. */
function whatOf(row: Row, wide: boolean): string {
  const tool = visible(row.raw_tool || row.event);
  const called = visible(row.summary);
  if (row.kind === 'gov' || called === tool) return called;
  if (row.kind === 'decision' && row.tool === 'shell' && !wide) return called;
  return `${wide ? padTo(tool, 10) : tool}  ${called}`;
}

function whyOf(row: Row, { decision }: RecordBody, room: number, p: Paint): string {
  if (decision === null) return '';
  const code = liftableHits(decision).length > 0 ? `${codeOf(row.id)}  ` : '';
  const rule = cutTo(visible(row.rule), Math.max(0, room - code.length));
  const left = room - code.length - cellsOf(rule) - 2;
  const reason = left < 8 ? '' : `  ${p.dim(cutTo(visible(decision.reason), left))}`;
  return `${p.bold(code)}${p.cyan(rule)}${reason}`;
}

function painted(row: Row, word: string, p: Paint): string {
  if (row.answer === 'deny' || row.answer === 'halt') return p.bold(p.red(word));
  if (row.answer === 'ask' || row.kind === 'gov') return p.yellow(word);
  return row.kind === 'decision' ? p.green(word) : p.dim(word);
}

/** What was seen while somebody watches. */
export interface Tally {
  calls: number;
  denied: number;
  asked: number;
}

/** Counts a record. */
export function tally(counts: Tally, row: Row): void {
  if (row.kind !== 'decision') return;
  counts.calls++;
  if (row.answer === 'ask') counts.asked++;
  else if (isHeld(row)) counts.denied++;
}

/** The line at the foot of the screen: the keys, or that all is stopped, and the counts; exactly `width - 1` cells. */
export function footLine(counts: Tally, stopped: string, p: Paint, width: number): string {
  const keys = stopped === '' ? ' s stops every agent at once   q leaves' : ` STOPPED  ${stopped}`;
  const said = `${counts.calls} calls  ${counts.denied} denied  ${counts.asked} asked `;
  const room = Math.max(0, width - 1 - cellsOf(said));
  const left = padTo(keys, room);
  const rule = '─'.repeat(Math.max(0, width - 1));
  const line = stopped === '' ? p.dim(rule) : p.red(rule);
  return `${line}\n${stopped === '' ? p.dim(left) : p.bold(p.red(left))}${counts.denied > 0 ? p.bold(said) : p.dim(said)}`;
}
