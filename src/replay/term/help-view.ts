import { FILTER_HELP } from '../match.ts';
import { padTo } from './cells.ts';
import { BLANK, beside, type Line, lineOf, run } from './line.ts';
import type { State } from './state.ts';

/** Every key and what it does. */
const KEYS: readonly (readonly [string, string])[] = [
  ['space', 'play, pause'],
  ['< >', 'slower, faster'],
  ['i', 'longest pause played'],
  [', .', 'one step back, on'],
  ['[ ]', 'held call before, next'],
  ['j k ↓ ↑', 'down, up'],
  ['PgDn PgUp', 'a page; half: ctrl-d, -u'],
  ['g G', 'first, last'],
  ['enter → l', 'open'],
  ['esc ← h', 'back'],
  ['J K', 'scroll the record beside'],
  ['/ n N', 'search, next, previous'],
  ['& f', 'filter; empty shows all'],
  ['d', 'only what was held, or all'],
  ['F', 'follow new records'],
  ['? q Q', 'help, close, quit'],
];

/** The help page. */
export function helpLines(state: State): readonly Line[] {
  const keys = KEYS.map(([key, what]) => entry(key, what, 9));
  const filters = [lineOf(run('Filter words', 'title')), ...FILTER_HELP.map(([word, what]) => entry(word, what, 25))];
  const { columns, rows } = state.size;
  const title = lineOf(run('Keys', 'title'));
  const head = [lineOf(run(' gov replay: help', 'title'), run('   any key goes back', 'dim')), BLANK];
  if (columns >= 120) return [...head, ...beside([title, ...keys], filters, 52, columns - 56)];
  if (columns < WIDE || keys.length + filters.length + 2 <= rows - 4)
    return [...head, title, ...keys, BLANK, ...filters];
  // Two columns of keys leave room for the filter words in 24 rows.
  const half = Math.ceil(keys.length / 2);
  return [...head, title, ...beside(keys.slice(0, half), keys.slice(half), 38, columns - 42), BLANK, ...filters];
}

const WIDE = 80;

function entry(name: string, what: string, cells: number): Line {
  return lineOf(' ', run(padTo(name, cells), 'accent'), ' ', what);
}
