import type { Row } from '../audit/read/store.ts';
import { visible } from '../base/escape.ts';
import type { Paint } from './paint.ts';
import { wordOf } from './record-lines.ts';

/**
 * One record for somebody who watches: time of day here, agent, answer, what was called, rule. What was held up stands
 * out, what passed stays quiet; at most `width` columns.
 */
export function liveLine(row: Row, p: Paint, width: number): string {
  const at = new Date(row.at).toTimeString().slice(0, 8);
  const word = wordOf(row).padEnd(7);
  const agent = visible(row.agent).slice(0, 12).padEnd(12);
  const tool = visible(row.raw_tool || row.event);
  const called = visible(row.summary);
  const what = row.kind === 'decision' && called !== tool ? `${tool}  ${called}` : called;
  const rule = row.rule === '' ? '' : `  ${visible(row.rule)}`;
  const room = Math.max(16, width - at.length - agent.length - word.length - 6 - rule.length);
  const text = what.length > room ? `${what.slice(0, room - 1)}…` : what.padEnd(rule === '' ? 0 : room);
  return `${p.dim(at)}  ${p.dim(agent)}  ${paintWord(row, word, p)}  ${isQuiet(row) ? p.dim(text) : text}${p.dim(rule)}`;
}

function isQuiet(row: Row): boolean {
  return row.kind === 'outcome' || row.kind === 'session';
}

function paintWord(row: Row, word: string, p: Paint): string {
  if (row.answer === 'deny' || row.answer === 'halt') return p.bold(p.red(word));
  if (row.answer === 'ask' || row.kind === 'gov') return p.yellow(word);
  return row.kind === 'decision' ? p.green(word) : p.dim(word);
}
