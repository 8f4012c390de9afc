import type { SessionSummary } from '../session.ts';
import { countOf, durationOf, timeOf } from '../text.ts';
import { ask } from './ask.ts';
import { byId, el } from './dom.ts';

export interface SessionNav {
  /** Reads the newest sessions again. */
  refresh(): Promise<void>;
  select(id: string | null): void;
  newest(): SessionSummary | null;
}

/** The list of sessions on the left. */
export function makeSessions(onOpen: (id: string) => void): SessionNav {
  const list = byId('session-list');
  const more = byId<HTMLButtonElement>('more-sessions');
  let sessions: readonly SessionSummary[] = [];
  let next: number | null = null;
  let current: string | null = null;
  let read = -1;

  const draw = (): void => {
    list.replaceChildren(...sessions.map((session) => item(session, session.id === current)));
    more.hidden = next === null;
  };
  list.addEventListener('click', (event) => {
    const button = (event.target as Element).closest('button');
    const place = button === null ? -1 : [...list.querySelectorAll('button')].indexOf(button);
    const session = sessions[place];
    if (session !== undefined) onOpen(session.id);
  });
  more.addEventListener('click', () => {
    if (next === null) return;
    more.disabled = true;
    ask('sessions', { before: next })
      .then((page) => {
        const known = new Set(sessions.map((s) => s.id));
        sessions = [...sessions, ...page.sessions.filter((s) => !known.has(s.id))];
        next = page.next;
        draw();
      })
      .finally(() => {
        more.disabled = false;
      });
  });
  return {
    async refresh() {
      const page = await ask('sessions');
      if (page.records === read) return;
      read = page.records;
      const known = new Set(page.sessions.map((s) => s.id));
      const older = sessions.filter((s) => !known.has(s.id));
      if (sessions.length === 0) next = page.next;
      sessions = [...page.sessions, ...older];
      draw();
    },
    select(id) {
      current = id;
      draw();
    },
    newest: () => sessions[0] ?? null,
  };
}

function item(s: SessionSummary, isCurrent: boolean): HTMLElement {
  return el(
    'li',
    {},
    el(
      'button',
      { type: 'button', class: 'session', 'aria-current': isCurrent ? 'true' : null },
      el(
        'span',
        { class: 'line' },
        el('b', {}, lastOf(s.repo)),
        el('span', { class: 'last' }, timeOf(s.last).slice(0, 16)),
      ),
      el(
        'span',
        { class: 'line dim' },
        el('span', { class: 'id' }, s.id || '(no session)'),
        el('span', {}, durationOf(s.last - s.first)),
      ),
      el(
        'span',
        { class: 'line dim' },
        el('span', {}, `${s.agent} · ${countOf(s.records)} records`),
        el('span', {}, count('deny', '✗', s.denied, 'denied'), count('ask', '?', s.asked, 'asked')),
      ),
    ),
  );
}

function count(look: string, sign: string, n: number, word: string): HTMLElement | null {
  if (n === 0) return null;
  return el(
    'span',
    { class: `count ${look}`, title: word },
    `${sign} ${countOf(n)}`,
    el('span', { class: 'sr' }, ` ${word}`),
  );
}

function lastOf(path: string): string {
  return (
    path
      .split('/')
      .filter((part) => part !== '')
      .pop() ?? path
  );
}
