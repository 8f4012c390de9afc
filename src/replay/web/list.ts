import { clipped, durationOf, offsetOf, shown } from '../text.ts';
import { fateOf, isHeld, nameOf, type Step, summaryOf, tookOf, wordOf } from '../timeline.ts';
import { byId, el } from './dom.ts';

export interface StepList {
  /** Shows other steps. */
  show(steps: readonly Step[], start: number): void;
  /** Marks the current step; brings it into view. */
  select(place: number): void;
  /** Steps after this one are not played yet; -1: no playing. */
  fade(after: number): void;
}

const ROW = 30;
const BEYOND = 8;
export const GLYPHS: Readonly<Record<string, string>> = { allow: '✓', ask: '?', deny: '✗', halt: '■', watch: '◦' };

/** The list of steps: only the rows in view are in the page, however many there are. */
export function makeList(onPick: (place: number, open: boolean) => void): StepList {
  const box = byId('steps');
  const rows = byId('rows');
  let steps: readonly Step[] = [];
  let start = 0;
  let current = -1;
  let faded = -1;
  let drawn = new Map<number, HTMLElement>();
  let waiting = false;

  const draw = (): void => {
    waiting = false;
    const first = Math.max(0, Math.floor(box.scrollTop / ROW) - BEYOND);
    const last = Math.min(steps.length, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + BEYOND);
    const next = new Map<number, HTMLElement>();
    for (let i = first; i < last; i++) {
      const row = drawn.get(i) ?? rowOf(steps[i] as Step, i, steps.length, start);
      row.setAttribute('aria-selected', String(i === current));
      row.classList.toggle('faded', faded >= 0 && i > faded);
      if (row.parentNode === null) rows.append(row);
      next.set(i, row);
    }
    for (const [i, row] of drawn) if (!next.has(i)) row.remove();
    drawn = next;
    if (next.has(current)) box.setAttribute('aria-activedescendant', `step-${current}`);
    else box.removeAttribute('aria-activedescendant');
  };
  const later = (): void => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(draw);
  };
  box.addEventListener('scroll', later, { passive: true });
  new ResizeObserver(later).observe(box);
  const placeOf = (event: Event): number => {
    const row = (event.target as Element).closest('[role=option]');
    return row === null ? -1 : Number(row.id.slice(5));
  };
  rows.addEventListener('click', (event) => {
    const place = placeOf(event);
    if (place >= 0) onPick(place, false);
  });
  rows.addEventListener('dblclick', (event) => {
    const place = placeOf(event);
    if (place >= 0) onPick(place, true);
  });
  return {
    show(all, from) {
      // Rows of steps that stayed the same are kept: following a session must not flicker.
      const kept = all.length > 0 && from === start;
      for (const [i, row] of drawn)
        if (!kept || steps[i] !== all[i] || steps.length !== all.length) {
          row.remove();
          drawn.delete(i);
        }
      steps = all;
      start = from;
      rows.style.height = `${steps.length * ROW}px`;
      later();
    },
    select(place) {
      current = place;
      const top = place * ROW;
      if (top < box.scrollTop + ROW) box.scrollTop = Math.max(0, top - ROW * 3);
      else if (top + ROW * 2 > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW * 4 - box.clientHeight;
      later();
    },
    fade(after) {
      faded = after;
      later();
    },
  };
}

function rowOf(step: Step, i: number, count: number, start: number): HTMLElement {
  const word = wordOf(step);
  const kind = word === 'session' ? 'event' : word;
  const row = el(
    'div',
    {
      id: `step-${i}`,
      role: 'option',
      class: `step is-${word}${isHeld(step) ? ' held' : ''}`,
      'aria-posinset': i + 1,
      'aria-setsize': count,
    },
    el('span', { class: 'at' }, offsetOf(Math.max(0, step.row.at - start))),
    el('span', { class: 'word' }, el('b', { 'aria-hidden': 'true' }, GLYPHS[word] ?? '·'), ` ${kind}`),
    el('span', { class: 'tool' }, clipped(shown(nameOf(step)), 40)),
    el('span', { class: 'what' }, summaryOf(step)),
    el('span', { class: 'tail' }, tailOf(step)),
  );
  row.style.top = `${i * ROW}px`;
  return row;
}

function tailOf(step: Step): string {
  if (isHeld(step)) return `${step.row.answer === 'ask' && step.outcome !== null ? 'went on, ' : ''}${step.row.rule}`;
  if (step.row.kind === 'outcome') return 'no decision was recorded';
  const fate = fateOf(step);
  if (fate === 'failed') return 'failed';
  if (step.row.rule !== '') return step.row.rule;
  if (fate === 'open') return 'no outcome';
  const took = tookOf(step);
  return took === null ? '' : durationOf(took);
}
