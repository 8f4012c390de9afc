import { hashOf } from '../link.ts';
import { matcherOf } from '../match.ts';
import { changedSpeed, IDLE_MS, paceOf, SPEEDS, stepAt } from '../pace.ts';
import { countOf, offsetOf, timeOf } from '../text.ts';
import { EMPTY, extended, isHeld, type Step, type Timeline, tallyOf } from '../timeline.ts';
import { ask } from './ask.ts';
import type { Chart } from './chart.ts';
import { byId, el } from './dom.ts';
import type { StepList } from './list.ts';
import { showRecord } from './record.ts';
import type { SessionNav } from './sessions.ts';

export interface Player {
  /** Opens a session, at a record if one is named. */
  open(session: string, seq: number | null, filter: string): void;
  /** To a place in the list; beyond the ends is the end. */
  go(place: number): void;
  move(by: number): void;
  /** To the next or the previous call that was held. */
  held(by: 1 | -1): void;
  toggle(): void;
  faster(by: 1 | -1): void;
}

interface Parts {
  readonly list: StepList;
  readonly chart: Chart;
  readonly sessions: SessionNav;
  say(message: string): void;
}

const POLL_MS = 1000;

/** Holds the open session and what is shown of it; everything that moves the cursor goes through here. */
export function makePlayer({ list, chart, sessions, say }: Parts): Player {
  let session: string | null = null;
  let timeline: Timeline = EMPTY;
  let whole = false;
  let goal: number | null = null;
  let filter = '';
  let shown: readonly Step[] = [];
  let pace: readonly number[] = [];
  let cursor = 0;
  let at = 0;
  let speed = 1;
  let idleMs = IDLE_MS;
  let playing = false;
  let frame = 0;
  let told = -1;
  let reading: AbortController | null = null;

  const filterBox = byId<HTMLInputElement>('filter');
  const heldButton = byId('only-held');
  const playButton = byId('play');
  const scrub = byId<HTMLInputElement>('scrub');
  const speedBox = byId<HTMLSelectElement>('speed');
  const follow = byId<HTMLInputElement>('follow');
  speedBox.append(...SPEEDS.map((s) => el('option', { value: s, selected: s === 1 }, `${s}×`)));

  const step = (): Step | null => shown[cursor] ?? null;
  const link = (): string => hashOf({ session, seq: step()?.row.seq ?? null, filter });

  /** Works out again what is shown; the cursor stays on its record, or on the one before. */
  const reshow = (): void => {
    const seq = goal ?? step()?.row.seq ?? 0;
    const test = matcherOf(filter);
    shown = test === null ? timeline.steps : timeline.steps.filter(test);
    pace = paceOf(
      shown.map((s) => s.row.at),
      idleMs,
    );
    cursor = 0;
    for (let low = 0, high = shown.length - 1; low <= high; ) {
      const middle = (low + high) >> 1;
      if ((shown[middle] as Step).row.seq <= seq) {
        cursor = middle;
        low = middle + 1;
      } else high = middle - 1;
    }
    if (goal !== null && timeline.lastSeq >= goal) goal = null;
    at = pace[cursor] ?? 0;
    list.show(shown, timeline.steps[0]?.row.at ?? 0);
    chart.show(shown, pace);
    byId('empty').hidden = shown.length > 0 || !whole;
    byId('empty').textContent = filter === '' ? 'This session has no records.' : 'No step matches the filter.';
    heldButton.setAttribute('aria-pressed', String(filter === 'held'));
    scrub.max = String(Math.max(0, shown.length - 1));
    heading();
  };

  const heading = (): void => {
    const t = tallyOf(timeline.steps);
    const first = timeline.steps[0]?.row;
    byId('session-name').textContent = session === '' ? '(no session)' : (session ?? '');
    const counts = [
      first === undefined ? '' : `${timeOf(first.at)} UTC`,
      `${countOf(t.calls)} calls`,
      `${countOf(t.allowed)} allowed`,
      `${countOf(t.asked)} asked`,
      `${countOf(t.denied)} denied`,
      t.watched > 0 ? `${countOf(t.watched)} watched` : '',
      filter === '' ? '' : `${countOf(shown.length)} shown`,
      whole ? '' : 'reading …',
    ];
    byId('session-facts').textContent = counts.filter((text) => text !== '').join(' · ');
    byId('chart').setAttribute('aria-label', `Timeline: ${shown.length} steps, ${t.denied} denied, ${t.asked} asked`);
  };

  const place = (): void => {
    list.select(cursor);
    list.fade(playing ? cursor : -1);
    chart.head(at);
    scrub.value = String(cursor);
    const clock = `${offsetOf(at)} / ${offsetOf(pace[pace.length - 1] ?? 0)}`;
    byId('clock').textContent = clock;
    byId('place').textContent = shown.length === 0 ? '0 / 0' : `${countOf(cursor + 1)} / ${countOf(shown.length)}`;
    scrub.setAttribute('aria-valuetext', `step ${cursor + 1} of ${shown.length}, ${clock}`);
    playButton.textContent = playing ? '❚❚' : '▶';
    playButton.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    const hash = link();
    if (location.hash !== hash) history.replaceState(null, '', hash);
    tell();
  };

  /** The record of the current step; a step that was passed by meanwhile is left out. */
  const tell = (): void => {
    const seq = step()?.row.seq ?? -1;
    if (seq === told) return;
    told = seq;
    reading?.abort();
    if (seq < 0) return showRecord(null, '');
    const mine = new AbortController();
    reading = mine;
    ask('story', { seq }, mine.signal).then(
      (story) => {
        if (told === seq) showRecord(story, new URL(link(), location.href).href);
      },
      (error: unknown) => {
        if (!mine.signal.aborted) say((error as Error).message);
      },
    );
  };

  const stop = (): void => {
    playing = false;
    cancelAnimationFrame(frame);
  };
  const go = (to: number): void => {
    stop();
    cursor = Math.max(0, Math.min(shown.length - 1, to));
    at = pace[cursor] ?? 0;
    place();
  };
  const play = (): void => {
    let last = performance.now();
    const tick = (now: number): void => {
      const end = pace[pace.length - 1] ?? 0;
      at = Math.min(end, at + Math.max(0, now - last) * speed);
      last = now;
      cursor = stepAt(pace, at);
      if (at >= end && !follow.checked) stop();
      place();
      if (playing) frame = requestAnimationFrame(tick);
    };
    if (cursor >= shown.length - 1) at = 0;
    playing = shown.length > 1;
    if (playing) frame = requestAnimationFrame(tick);
  };

  const read = async (of: string): Promise<void> => {
    for (;;) {
      // Each page is as long as all before it: a timeline of any length is put together a few times only.
      const limit = Math.max(2000, timeline.steps.length);
      const page = await ask('rows', { session: of, after: timeline.lastSeq, limit });
      if (session !== of) return;
      const grown = page.rows.length > 0;
      timeline = extended(timeline, page.rows);
      const changed = whole !== page.whole;
      whole = page.whole;
      if (grown || changed) {
        const joined = page.rows.some((row) => row.kind === 'outcome' && row.call_id === step()?.row.call_id);
        const playedAt = at;
        reshow();
        if (playing) at = playedAt;
        else if (follow.checked) {
          cursor = Math.max(0, shown.length - 1);
          at = pace[cursor] ?? 0;
        }
        if (joined) told = -1;
        place();
      }
      if (whole) return;
    }
  };

  const open = (id: string, seq: number | null, text: string): void => {
    const same = id === session && whole;
    if (same && text === filter && (seq === null || seq === step()?.row.seq)) return;
    stop();
    filter = text;
    filterBox.value = text;
    goal = seq;
    if (same) {
      reshow();
      return place();
    }
    session = id;
    timeline = EMPTY;
    whole = false;
    told = -1;
    shown = [];
    cursor = 0;
    sessions.select(id);
    chart.fit();
    showRecord(null, '');
    say('');
    read(id).then(
      () => chart.fit(),
      (error: unknown) => say((error as Error).message),
    );
  };

  const refilter = (text: string): void => {
    filter = text;
    reshow();
    place();
  };
  const held = (by: 1 | -1): void => {
    for (let i = cursor + by; i >= 0 && i < shown.length; i += by) if (isHeld(shown[i] as Step)) return go(i);
    say(by === 1 ? 'No call was held after this one.' : 'No call was held before this one.');
    setTimeout(() => say(''), 3000);
  };

  let typing: ReturnType<typeof setTimeout> | undefined;
  filterBox.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => refilter(filterBox.value.trim()), 120);
  });
  heldButton.addEventListener('click', () => {
    filterBox.value = filter === 'held' ? '' : 'held';
    refilter(filterBox.value);
  });
  byId('step-back').addEventListener('click', () => go(cursor - 1));
  byId('step-on').addEventListener('click', () => go(cursor + 1));
  byId('held-before').addEventListener('click', () => held(-1));
  byId('held-next').addEventListener('click', () => held(1));
  scrub.addEventListener('input', () => go(Number(scrub.value)));
  speedBox.addEventListener('change', () => {
    speed = Number(speedBox.value);
  });
  byId<HTMLSelectElement>('idle').addEventListener('change', (event) => {
    idleMs = Number((event.target as HTMLSelectElement).value);
    reshow();
    chart.fit();
    place();
  });
  follow.addEventListener('change', () => {
    if (follow.checked) go(shown.length - 1);
  });
  setInterval(() => {
    if (document.hidden || session === null || !whole) return;
    Promise.all([read(session), sessions.refresh()]).then(
      () => undefined,
      (error: unknown) => say((error as Error).message),
    );
  }, POLL_MS);

  const toggle = (): void => {
    if (playing) {
      stop();
      place();
    } else play();
  };
  playButton.addEventListener('click', toggle);
  return {
    open,
    go,
    move: (by) => go(cursor + by),
    held,
    toggle,
    faster(by) {
      speed = changedSpeed(speed, by);
      speedBox.value = String(speed);
    },
  };
}
