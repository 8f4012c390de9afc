import { containing } from '../match.ts';
import { changedSpeed, IDLE_MS, stepAt } from '../pace.ts';
import type { SessionPage, StepRow } from '../session.ts';
import type { Story } from '../story.ts';
import { EMPTY, extended, isHeld } from '../timeline.ts';
import { detailLines } from './detail-view.ts';
import type { Key } from './keys.ts';
import { bodyRows, currentStep, isWide, reshown, type Size, type State, shownStep } from './state.ts';
import { detailRoom } from './timeline-view.ts';

export type Event =
  | { readonly type: 'key'; readonly key: Key }
  | { readonly type: 'resize'; readonly size: Size }
  /** Real time passed. */
  | { readonly type: 'tick'; readonly ms: number }
  | { readonly type: 'sessions'; readonly page: SessionPage; readonly fresh: boolean; readonly records: number }
  /** The next records of the open session; `whole`: there are no more now. */
  | { readonly type: 'rows'; readonly session: string; readonly rows: readonly StepRow[]; readonly whole: boolean }
  | { readonly type: 'story'; readonly story: Story }
  | { readonly type: 'open'; readonly session: string; readonly seq: number | null }
  | { readonly type: 'filter'; readonly text: string }
  | { readonly type: 'message'; readonly text: string };

/** What the state lacks and the store can give. */
export type Want =
  | { readonly what: 'sessions'; readonly cursor: number | null }
  | { readonly what: 'rows'; readonly session: string; readonly after: number; readonly limit: number }
  | { readonly what: 'story'; readonly seq: number };

const MIN_ROWS = 2000;
const MAX_ROWS = 50_000;

export function wantOf(state: State): Want | null {
  if (state.view === 'sessions' && state.moreSessions !== null) {
    const near = state.sessionCursor + state.size.rows * 2 >= state.sessions.length;
    if (near) return { what: 'sessions', cursor: state.sessions.length === 0 ? null : state.moreSessions };
  }
  if (state.session === null || state.view === 'sessions') return null;
  const step = currentStep(state);
  if (step !== null && (state.view === 'detail' || isWide(state)) && state.story?.seq !== step.row.seq)
    return { what: 'story', seq: step.row.seq };
  if (state.whole) return null;
  // Each page is as long as all before it, so that a timeline of any length is put together a few times only.
  const limit = Math.min(MAX_ROWS, Math.max(MIN_ROWS, state.timeline.steps.length));
  return { what: 'rows', session: state.session, after: state.timeline.lastSeq, limit };
}

/** The state after an event. */
export function update(state: State, event: Event): State {
  switch (event.type) {
    case 'key':
      return state.prompt === null ? pressed({ ...state, message: '' }, event.key) : typed(state, event.key);
    case 'resize':
      return { ...state, size: event.size };
    case 'tick':
      return played(state, event.ms);
    case 'sessions':
      return withSessions(state, event);
    case 'rows':
      return event.session === state.session ? withRows(state, event.rows, event.whole) : state;
    case 'story': {
      const same = state.story?.id === event.story.id;
      return { ...state, story: event.story, scroll: same ? state.scroll : 0 };
    }
    case 'open':
      return opened(state, event.session, event.seq);
    case 'filter':
      return filtered(state, event.text);
    case 'message':
      return { ...state, message: event.text };
  }
}

function withSessions(state: State, { page, fresh, records }: Event & { type: 'sessions' }): State {
  const store = { records };
  if (!fresh) return { ...state, store, sessions: [...state.sessions, ...page.sessions], moreSessions: page.next };
  const here = state.sessions[state.sessionCursor]?.id;
  const known = new Set(page.sessions.map((s) => s.id));
  const sessions = [...page.sessions, ...state.sessions.filter((s) => !known.has(s.id))];
  const place = sessions.findIndex((s) => s.id === here);
  return { ...state, store, sessions, sessionCursor: Math.max(0, state.sessionCursor === 0 ? 0 : place) };
}

function withRows(state: State, rows: readonly StepRow[], whole: boolean): State {
  const next = reshown(state, { timeline: extended(state.timeline, rows), whole });
  if (next.goal !== null && next.timeline.lastSeq >= next.goal) {
    const goal = next.goal;
    const place = next.shown.findIndex((i) => {
      const step = next.timeline.steps[i];
      return step?.row.seq === goal || step?.outcome?.seq === goal || step?.again?.seq === goal;
    });
    return at({ ...next, goal: null }, Math.max(0, place));
  }
  if (next.follow && rows.length > 0) return at(next, next.shown.length - 1);
  // An outcome may have arrived for the record that is shown.
  const stale =
    rows.length > 0 && rows.some((row) => row.kind === 'outcome' && row.call_id === currentStep(next)?.row.call_id);
  return stale ? { ...next, story: null } : next;
}

function opened(state: State, session: string, seq: number | null): State {
  const fresh = { timeline: EMPTY, whole: false, shown: [], pace: [], cursor: 0, at: 0, story: null, scroll: 0 };
  return {
    ...state,
    ...fresh,
    session,
    goal: seq,
    view: 'timeline',
    playing: false,
    follow: false,
    filter: '',
    search: '',
  };
}

/** The state with the cursor on a place of what is shown; the played time goes with it. */
function at(state: State, place: number): State {
  const cursor = Math.max(0, Math.min(state.shown.length - 1, place));
  return { ...state, cursor, at: state.pace[cursor] ?? 0 };
}

function played(state: State, ms: number): State {
  if (!state.playing) return state;
  const end = state.pace[state.pace.length - 1] ?? 0;
  const now = Math.min(end, state.at + ms * state.speed);
  const next = { ...state, at: now, cursor: stepAt(state.pace, now) };
  const over = now >= end && state.whole && !state.follow;
  return over ? { ...next, playing: false, message: 'end of the session' } : next;
}

function typed(state: State, key: Key): State {
  const prompt = state.prompt as NonNullable<State['prompt']>;
  const text = (value: string): State => ({ ...state, prompt: { ...prompt, text: value } });
  if (key === 'escape' || key === 'ctrl-c') return { ...state, prompt: null };
  if (key === 'ctrl-u') return text('');
  if (key === 'ctrl-w') return text(prompt.text.replace(/\S+\s*$/, ''));
  if (key === 'backspace')
    return prompt.text === '' ? { ...state, prompt: null } : text([...prompt.text].slice(0, -1).join(''));
  if (key === 'space') return text(`${prompt.text} `);
  if (key !== 'enter') return [...key].length === 1 ? text(prompt.text + key) : state;
  const closed = { ...state, prompt: null };
  if (prompt.kind === 'search') return prompt.text === '' ? closed : found({ ...closed, search: prompt.text }, 1);
  return filtered(closed, prompt.text);
}

function filtered(state: State, filter: string): State {
  const next = reshown(state, { filter });
  if (next.shown.length > 0 || !next.whole) return next;
  return { ...reshown(state, { filter: state.filter }), message: `no step matches \`${filter}\`` };
}

function found(state: State, by: 1 | -1): State {
  if (state.search === '') return { ...state, message: 'nothing was searched for yet: /' };
  if (state.view === 'sessions') return foundSession(state, by);
  return moved(state, by, containing(state.search), `no step contains \`${state.search}\``);
}

function foundSession(state: State, by: 1 | -1): State {
  const wanted = state.search.toLowerCase();
  const n = state.sessions.length;
  for (let i = 1; i <= n; i++) {
    const place = (state.sessionCursor + by * i + n * i) % n;
    const s = state.sessions[place];
    if (s !== undefined && `${s.id} ${s.agent} ${s.repo}`.toLowerCase().includes(wanted))
      return { ...state, sessionCursor: place };
  }
  return { ...state, message: `no session contains \`${state.search}\`` };
}

/** To the next step that passes, going round at the ends. */
function moved(
  state: State,
  by: 1 | -1,
  test: (step: NonNullable<ReturnType<typeof shownStep>>) => boolean,
  none: string,
): State {
  const n = state.shown.length;
  for (let i = 1; i <= n; i++) {
    const place = (((state.cursor + by * i) % n) + n) % n;
    const step = shownStep(state, place);
    if (step === null || !test(step)) continue;
    const round = by === 1 ? place <= state.cursor : place >= state.cursor;
    return { ...at(state, place), message: round && i < n ? 'went round' : '' };
  }
  return { ...state, message: none };
}

function pressed(state: State, key: Key): State {
  if (key === 'ctrl-c' || key === 'Q') return { ...state, done: true };
  if (key === 'ctrl-z') return { ...state, suspend: true };
  if (state.view === 'help') return { ...state, view: state.behind };
  if (key === '?') return { ...state, view: 'help', behind: state.view, playing: false };
  if (key === 'q') return left(state, true);
  if (key === '/') return { ...state, prompt: { kind: 'search', text: '' } };
  if (key === 'n') return found(state, 1);
  if (key === 'N') return found(state, -1);
  if (state.view === 'sessions') return inSessions(state, key);
  return inSession(state, key);
}

function left(state: State, quit: boolean): State {
  if (state.view === 'detail') return { ...state, view: 'timeline' };
  if (state.view === 'timeline') return { ...state, view: 'sessions', playing: false, follow: false };
  return quit ? { ...state, done: true } : state;
}

function steps(state: State, key: Key): number | null {
  const page = bodyRows(state);
  const moves: Readonly<Record<string, number>> = {
    j: 1,
    down: 1,
    k: -1,
    up: -1,
    pagedown: page,
    pageup: -page,
    'ctrl-d': page >> 1,
    'ctrl-u': -(page >> 1),
    g: -1e9,
    home: -1e9,
    G: 1e9,
    end: 1e9,
  };
  return Object.hasOwn(moves, key) ? (moves[key] as number) : null;
}

function inSessions(state: State, key: Key): State {
  const by = steps(state, key);
  if (by !== null) {
    const sessionCursor = Math.max(0, Math.min(state.sessions.length - 1, state.sessionCursor + by));
    return { ...state, sessionCursor };
  }
  const here = state.sessions[state.sessionCursor];
  if ((key === 'enter' || key === 'right' || key === 'l') && here !== undefined) return opened(state, here.id, null);
  return state;
}

function inSession(state: State, key: Key): State {
  const by = steps(state, key);
  if (by !== null)
    return state.view === 'detail'
      ? scrolled(state, by)
      : at({ ...state, playing: false, follow: false }, state.cursor + by);
  switch (key) {
    case 'escape':
    case 'left':
    case 'h':
    case 'backspace':
      return left(state, false);
    case 'enter':
    case 'right':
    case 'l':
      return state.shown.length === 0 ? state : { ...state, view: 'detail', scroll: 0 };
    case 'space':
      return togglePlay(state);
    case '>':
    case '<': {
      const speed = changedSpeed(state.speed, key === '>' ? 1 : -1);
      return { ...state, speed, message: `speed ${speed}×` };
    }
    case 'i':
      return nextIdle(state);
    case ']':
      return moved({ ...state, playing: false }, 1, isHeld, 'nothing was held in this session');
    case '[':
      return moved({ ...state, playing: false }, -1, isHeld, 'nothing was held in this session');
    case '.':
      return at({ ...state, playing: false }, state.cursor + 1);
    case ',':
      return at({ ...state, playing: false }, state.cursor - 1);
    case 'J':
      return scrolled(state, 1);
    case 'K':
      return scrolled(state, -1);
    case 'd':
      return filtered(state, state.filter === 'held' ? '' : 'held');
    case '&':
    case 'f':
      return { ...state, prompt: { kind: 'filter', text: state.filter } };
    case 'F': {
      const follow = !state.follow;
      const next = {
        ...state,
        follow,
        playing: false,
        message: follow ? 'waiting for new records' : 'no longer following',
      };
      return follow ? at(next, state.shown.length - 1) : next;
    }
    default:
      return state;
  }
}

function scrolled(state: State, by: number): State {
  if (state.story === null) return state;
  const room = detailRoom(state);
  const most = Math.max(0, detailLines(state.story, room.columns).length - room.rows);
  return { ...state, scroll: Math.max(0, Math.min(most, state.scroll + by)) };
}

function togglePlay(state: State): State {
  if (state.playing) return { ...state, playing: false };
  const end = state.pace[state.pace.length - 1] ?? 0;
  const fresh = state.cursor >= state.shown.length - 1 && state.whole;
  const from = fresh ? { cursor: 0, at: 0 } : { at: Math.min(end, Math.max(state.at, state.pace[state.cursor] ?? 0)) };
  return { ...state, ...from, playing: state.shown.length > 1, follow: false };
}

const IDLE_LIMITS = [IDLE_MS, 500, 10_000, Number.MAX_SAFE_INTEGER];

function nextIdle(state: State): State {
  const idleMs = IDLE_LIMITS[(IDLE_LIMITS.indexOf(state.idleMs) + 1) % IDLE_LIMITS.length] as number;
  const message = idleMs > 1e9 ? 'pauses are played in full' : `pauses are cut to ${idleMs / 1000} s`;
  return { ...reshown(state, { idleMs }), message };
}
