import { COLUMN_NAMES } from '../audit/format/chain.ts';
import type { Row } from '../audit/read/store.ts';
import { csvCell } from '../base/csv.ts';
import { visible } from '../base/escape.ts';
import { time } from '../report/sections.ts';
import type { Paint } from './paint.ts';

/** Characters of an id that lists show; a unique prefix is enough to look a record up. */
export const ID_SHOWN = 12;

/** One record on one line of at most `width` columns. */
export function lineOf(row: Row, paint: Paint, width: number): string {
  const word = wordOf(row).padEnd(7);
  const rule = row.rule === '' ? '' : `  [${visible(row.rule)}]`;
  // What people did with gov, and faults inside of it, are events of no agent.
  const called = row.raw_tool || (row.kind === 'gov' ? '' : row.event);
  const head = `${row.id.slice(0, ID_SHOWN)}  ${time(row.at)}  ${word}  ${visible(called).slice(0, 12).padEnd(12)}  `;
  const room = Math.max(20, width - head.length - rule.length);
  const text = visible(row.summary);
  const summary = text.length > room ? `${text.slice(0, room - 1)}…` : text;
  return `${head.slice(0, ID_SHOWN + 23)}${coloured(row, paint, word)}${head.slice(ID_SHOWN + 23 + word.length)}${summary}${paint.dim(rule)}`;
}

/** What became of the call, in a word. */
export function wordOf(row: Row): string {
  if (row.kind !== 'decision') return row.kind;
  if (row.enforced === 0 && row.rule !== '' && row.answer === 'allow') return 'watch';
  return row.answer || '-';
}

function coloured(row: Row, paint: Paint, word: string): string {
  if (row.answer === 'deny' || row.answer === 'halt') return paint.red(word);
  if (row.answer === 'ask') return paint.yellow(word);
  return row.kind === 'decision' ? word : paint.dim(word);
}

const CSV_COLUMNS = ['seq', ...COLUMN_NAMES, 'spooled', 'hash'] as const;

export const CSV_HEAD: string = `${CSV_COLUMNS.join(',')}\r\n`;

/** A record's columns as a line of CSV. */
export function csvOf(row: Row): string {
  return `${CSV_COLUMNS.map((column) => csvCell(row[column])).join(',')}\r\n`;
}
