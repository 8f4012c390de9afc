import { FILTER_HELP } from '../match.ts';
import { padTo } from './cells.ts';
import { BLANK, beside, type Line, lineOf, run } from './line.ts';
import type { State } from './state.ts';

/** Every key and what it does. */
const KEYS: readonly (readonly [string, string])[] = [
  ['space', 'play, pause'],
  ['< >', 'slower, faster'],
  ['i', 'how long a pause is played at most'],
  [', .', 'one step back, on'],
  ['[ ]', 'to the call held before, next'],
  ['j k ↓ ↑', 'down, up'],
  ['PgDn PgUp', 'a page; ctrl-d ctrl-u half of one'],
  ['g G', 'first, last'],
  ['enter → l', 'open'],
  ['esc ← h', 'back'],
  ['J K', 'scroll the record beside the list'],
  ['/ n N', 'search, next, previous'],
  ['& f', 'filter; empty shows all'],
  ['d', 'only what was held, or all'],
  ['F', 'follow: wait for new records'],
  ['? q Q', 'help, close, quit'],
];

/** The help page. */
export function helpLines(state: State): readonly Line[] {
  const keys = [lineOf(run('Keys', 'title')), ...KEYS.map(([key, what]) => entry(key, what, 11))];
  const filters = [lineOf(run('Filter words', 'title')), ...FILTER_HELP.map(([word, what]) => entry(word, what, 25))];
  const { columns } = state.size;
  const head = [lineOf(run(' gov replay: help', 'title'), run('   any key goes back', 'dim')), BLANK];
  if (columns >= 120) return [...head, ...beside(keys, filters, 52, columns - 56)];
  const room = state.size.rows - 4;
  if (keys.length + filters.length + 1 <= room) return [...head, ...keys, BLANK, ...filters];
  return [
    ...head,
    ...keys,
    lineOf(
      run(
        ` Filter words: ${FILTER_HELP.map(([word]) => word)
          .slice(0, 5)
          .join(' ')}`,
        'dim',
      ),
    ),
  ];
}

function entry(name: string, what: string, cells: number): Line {
  return lineOf(' ', run(padTo(name, cells), 'accent'), ' ', what);
}
