import { messageOf } from '../../base/errors.ts';
import { rowsOf, type Start, sessionsOf } from '../session.ts';
import type { Source } from '../source.ts';
import { storyOf } from '../story.ts';
import { frameOf } from './frame.ts';
import { decodeKeys } from './keys.ts';
import { type Ability, abilityOf } from './paint.ts';
import { makeScreen } from './screen.ts';
import { type State, startState } from './state.ts';
import { type Event, update, type Want, wantOf } from './update.ts';

/** The terminal that the viewer runs on. */
export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
}

export interface ViewerOptions {
  readonly start: Start | null;
  readonly speed: number;
  readonly idleMs: number;
  readonly follow: boolean;
  /** '': everything. */
  readonly filter: string;
}

const NEWS_ROWS = 2000;
const PAGE_SESSIONS = 50;
const TICK_MS = 50;
const POLL_MS = 500;
/** After so long without more, an escape is a key of its own (over a slow line the rest of a sequence may be late). */
const ESCAPE_MS = 40;

/** Shows the store until the person leaves. The terminal is given back as it was, whatever happens. */
export function view(source: Source, terminal: Terminal, options: ViewerOptions): Promise<void> {
  const ability: Ability = abilityOf(terminal.env);
  const screen = makeScreen(terminal.output, ability);
  const { input } = terminal;
  let state: State = startState(screen.size(), options);
  let pending = '';
  let escapeTimer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  let ticked = performance.now();

  return new Promise((resolve, reject) => {
    const stop = (error?: unknown): void => {
      clearInterval(ticker);
      clearInterval(poller);
      clearTimeout(escapeTimer);
      if (turn !== undefined) clearImmediate(turn);
      input.off('data', onData);
      terminal.output.off('resize', onResize);
      for (const signal of SIGNALS) process.off(signal, onSignal);
      process.off('SIGCONT', onContinue);
      release();
      if (error === undefined) resolve();
      else reject(error);
    };
    const release = (): void => {
      screen.leave();
      if (input.isTTY) input.setRawMode(false);
      input.pause();
    };
    const take = (): void => {
      if (input.isTTY) input.setRawMode(true);
      input.resume();
      screen.enter();
    };
    /** One event, then the screen; what is still lacking is read in later turns, so that keys come in between. */
    const apply = (...events: readonly Event[]): void => {
      try {
        for (const event of events) state = update(state, event);
        if (state.done) return stop();
        if (state.suspend) return suspend();
        // A record that is one read away is there before the screen shows its absence.
        if (wantOf(state)?.what === 'story') state = update(state, answer(source, wantOf(state) as Want));
        screen.draw(frameOf(state));
        if (turn === undefined && wantOf(state) !== null) turn = setImmediate(fetchNext);
      } catch (error) {
        stop(error);
      }
    };
    const fetchNext = (): void => {
      turn = undefined;
      const want = wantOf(state);
      if (want === null) return;
      try {
        apply(answer(source, want));
      } catch (error) {
        stop(error);
      }
    };
    const suspend = (): void => {
      state = { ...state, suspend: false, playing: false };
      release();
      process.kill(process.pid, 'SIGSTOP');
    };
    const onContinue = (): void => {
      take();
      apply({ type: 'resize', size: screen.size() });
    };
    const onData = (chunk: Buffer | string): void => {
      clearTimeout(escapeTimer);
      const { keys, rest } = decodeKeys(pending + String(chunk), false);
      pending = rest;
      if (rest !== '') escapeTimer = setTimeout(flush, ESCAPE_MS);
      apply(...keys.map((key): Event => ({ type: 'key', key })));
    };
    const flush = (): void => {
      const { keys } = decodeKeys(pending, true);
      pending = '';
      apply(...keys.map((key): Event => ({ type: 'key', key })));
    };
    const onResize = (): void => {
      screen.clear();
      apply({ type: 'resize', size: screen.size() });
    };
    const onSignal = (): void => stop();
    const ticker = setInterval(() => {
      const now = performance.now();
      const ms = now - ticked;
      ticked = now;
      if (state.playing) apply({ type: 'tick', ms });
    }, TICK_MS);
    const poller = setInterval(() => {
      try {
        const news = newsOf(source, state);
        if (news.length > 0) apply(...news);
      } catch (error) {
        apply({ type: 'message', text: messageOf(error) });
      }
    }, POLL_MS);

    input.setEncoding('utf8');
    input.on('data', onData);
    input.on('end', onSignal);
    terminal.output.on('resize', onResize);
    terminal.output.once('error', onSignal);
    for (const signal of SIGNALS) process.on(signal, onSignal);
    process.on('SIGCONT', onContinue);
    take();
    apply(...beginning(options));
  });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function beginning({ start, follow, filter }: ViewerOptions): Event[] {
  if (start === null) return [];
  return [
    { type: 'open', session: start.session, seq: start.seq },
    ...(filter === '' ? [] : [{ type: 'filter', text: filter } as const]),
    ...(follow ? [{ type: 'key', key: 'F' } as const] : []),
  ];
}

/** What the store says to a want. */
export function answer(source: Source, want: Want): Event {
  return source.read((store): Event => {
    switch (want.what) {
      case 'sessions': {
        const page = sessionsOf(store, PAGE_SESSIONS, want.cursor);
        return { type: 'sessions', page, fresh: false, records: store.ends().last };
      }
      case 'rows': {
        const rows = rowsOf(store, want.session, want.after, want.limit);
        return { type: 'rows', session: want.session, rows, whole: rows.length < want.limit };
      }
      case 'story':
        return { type: 'story', story: storyOf(store.show(String(want.seq))) };
    }
  });
}

/** Records that came since the last look, for what is on the screen. */
function newsOf(source: Source, state: State): Event[] {
  return source.read((store): Event[] => {
    if (state.view === 'sessions') {
      const records = store.ends().last;
      if (records === state.store.records || state.sessions.length === 0) return [];
      return [{ type: 'sessions', page: sessionsOf(store, PAGE_SESSIONS), fresh: true, records }];
    }
    if (state.session === null || !state.whole) return [];
    const rows = rowsOf(store, state.session, state.timeline.lastSeq, NEWS_ROWS);
    return rows.length === 0 ? [] : [{ type: 'rows', session: state.session, rows, whole: rows.length < NEWS_ROWS }];
  });
}
