import type { EffectLine } from '../story.ts';
import { el } from './dom.ts';

/** What a call would do, one effect a line. */
export function effectList(effects: readonly EffectLine[]): HTMLElement {
  return el('ul', { class: 'effects' }, ...effects.map(effectItem));
}

function effectItem(effect: EffectLine): HTMLElement {
  return el(
    'li',
    {},
    el('span', { class: 'verb' }, effect.verb),
    ' ',
    effect.target === '' ? null : el('code', {}, effect.target),
    effect.zone === ''
      ? null
      : el('span', { class: `zone zone-${effect.zone}` }, effect.zone === 'unknown' ? 'unknown place' : effect.zone),
    effect.notes.length === 0 ? null : el('span', { class: 'notes' }, ` ${effect.notes.join(', ')}`),
  );
}
