import { FILTER_HELP } from '../match.ts';
import { byId, el } from './dom.ts';

const KEYS: readonly (readonly [string, string])[] = [
  ['space', 'play, pause'],
  ['< >', 'slower, faster'],
  [', .', 'one step back, on'],
  ['[ ]', 'to the call held before, next'],
  ['j k ↓ ↑', 'down, up'],
  ['PgDn PgUp', 'a page'],
  ['g G', 'first, last'],
  ['enter', 'to the record'],
  ['esc', 'back to the steps'],
  ['/', 'to the filter'],
  ['d', 'only what was held, or all'],
  ['F', 'follow: wait for new records'],
  ['+ − 0', 'zoom in, out, fit'],
  ['?', 'this help'],
];

/** Fills the help dialog; the returned function opens it. */
export function makeHelp(): () => void {
  const fill = (id: string, pairs: readonly (readonly [string, string])[]): void => {
    byId(id).append(...pairs.flatMap(([name, what]) => [el('dt', {}, el('kbd', {}, name)), el('dd', {}, what)]));
  };
  fill('help-keys', KEYS);
  fill('help-words', FILTER_HELP);
  const dialog = byId<HTMLDialogElement>('help');
  return () => {
    if (!dialog.open) dialog.showModal();
  };
}
