import { type Matcher, matcherOf } from '../match.ts';
import { IDLE_MS, paceOf } from '../pace.ts';
import type { SessionSummary } from '../session.ts';
import type { Story } from '../story.ts';
import { EMPTY, type Step, type Timeline } from '../timeline.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Everything the terminal viewer shows is a function of this. */
export interface State {
  readonly size: Size;
  readonly view: 'sessions' | 'timeline' | 'detail' | 'help';
  /** Where help goes back to. */
  readonly behind: 'sessions' | 'timeline' | 'detail';
  readonly store: { readonly records: number };
  readonly sessions: readonly SessionSummary[];
  /** Cursor of the next page of sessions; null: all are here. */
  readonly moreSessions: number | null;
  readonly sessionCursor: number;
  /** Id of the open session; null: none. */
  readonly session: string | null;
  readonly timeline: Timeline;
  /** True when all records that were there have been read. */
  readonly whole: boolean;
  /** Record to go to as soon as it is read. */
  readonly goal: number | null;
  readonly filter: string;
  /** Indices of the steps that the filter lets through. */
  readonly shown: readonly number[];
  /** When each shown step is played. */
  readonly pace: readonly number[];
  /** Place in `shown`. */
  readonly cursor: number;
  readonly search: string;
  readonly prompt: { readonly kind: 'search' | 'filter'; readonly text: string } | null;
  readonly story: Story | null;
  readonly scroll: number;
  readonly playing: boolean;
  readonly speed: number;
  /** Played time in milliseconds. */
  readonly at: number;
  readonly idleMs: number;
  readonly follow: boolean;
  readonly message: string;
  readonly done: boolean;
  readonly suspend: boolean;
}

export function startState(size: Size, options: { readonly speed?: number; readonly idleMs?: number } = {}): State {
  return {
    size,
    view: 'sessions',
    behind: 'sessions',
    store: { records: 0 },
    sessions: [],
    moreSessions: Number.MAX_SAFE_INTEGER,
    sessionCursor: 0,
    session: null,
    timeline: EMPTY,
    whole: false,
    goal: null,
    filter: '',
    shown: [],
    pace: [],
    cursor: 0,
    search: '',
    prompt: null,
    story: null,
    scroll: 0,
    playing: false,
    speed: options.speed ?? 1,
    at: 0,
    idleMs: options.idleMs ?? IDLE_MS,
    follow: false,
    message: '',
    done: false,
    suspend: false,
  };
}

/** From so many columns on, the record stands beside the timeline. */
const WIDE_COLUMNS = 130;

export function isWide(state: State): boolean {
  return state.size.columns >= WIDE_COLUMNS;
}

/** Lines between header and footer. */
export function bodyRows(state: State): number {
  return Math.max(1, state.size.rows - 5);
}

/** The step under the cursor. */
export function currentStep(state: State): Step | null {
  const index = state.shown[state.cursor];
  return index === undefined ? null : (state.timeline.steps[index] ?? null);
}

export function shownStep(state: State, place: number): Step | null {
  const index = state.shown[place];
  return index === undefined ? null : (state.timeline.steps[index] ?? null);
}

/** The state with another timeline, filter or idle limit; the cursor stays on its record, or on the one before it. */
export function reshown(state: State, change: Partial<Pick<State, 'timeline' | 'filter' | 'idleMs' | 'whole'>>): State {
  const next = { ...state, ...change };
  const test: Matcher | null = matcherOf(next.filter);
  const { steps } = next.timeline;
  const shown: number[] = [];
  for (let i = 0; i < steps.length; i++) if (test === null || test(steps[i] as Step)) shown.push(i);
  const pace = paceOf(
    shown.map((i) => (steps[i] as Step).row.at),
    next.idleMs,
  );
  const old = state.shown[state.cursor] ?? 0;
  let cursor = 0;
  for (let low = 0, high = shown.length - 1; low <= high; ) {
    const middle = (low + high) >> 1;
    if ((shown[middle] as number) <= old) {
      cursor = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  return { ...next, shown, pace, cursor, at: pace[cursor] ?? 0 };
}
