import { join } from './joining.ts';
import type { Run } from './run.ts';
import { alternate, markSink, rewind } from './sinks.ts';
import { fork, type State } from './state.ts';

/** Which alternative is taken where a variable or the directory has several; fixed while one command is expanded. */
export interface Choices {
  /** The number of the alternative to take, by the identity of the list of them; -1: none (it is unknown). */
  pick(alternatives: object, count: number): number;
  /** True if it is already decided. */
  has(alternatives: object): boolean;
}

const MAX_COMBINATIONS = 8;
/** Alternatives in one command that are told apart; combinations of more are not tried. */
const MAX_PINS = 64;
/** Combinations that one analysis tries; with nested code they multiply. */
const ALL_COMBINATIONS = 4_000;

/** Takes the first of everything. */
export const FIRST: Choices = { pick: () => 0, has: () => false };
const NONE: Choices = { pick: () => -1, has: () => true };

interface Pin {
  readonly alternatives: object;
  readonly count: number;
  index: number;
}

/**
 * Runs `step` once for each combination of the alternatives that it asks for, each on its own path, and joins the
 * paths. Past the bound one more pass takes all that differs as unknown. `always`: also when no variable
 * has alternatives, because the words themselves have.
 */
export function forEachChoice(run: Run, s: State, step: (path: State) => void, always = false): void {
  if (!always && !s.many && s.places.length < 2) return step(s);
  const outer = run.choices;
  const pins: Pin[] = [];
  const pinned = new Map<object, Pin>();
  let over = false;
  const choices: Choices = {
    pick(alternatives, count) {
      if (outer.has(alternatives)) return outer.pick(alternatives, count);
      const before = pinned.get(alternatives);
      if (before) return before.index;
      over ||= pins.length >= MAX_PINS;
      if (over) return -1;
      const pin = { alternatives, count, index: 0 };
      pins.push(pin);
      pinned.set(alternatives, pin);
      return 0;
    },
    has: (alternatives) => outer.has(alternatives) || pinned.has(alternatives),
  };
  const paths: State[] = [];
  const printed = s.fds.get(1)?.sink ?? null;
  const out = printed?.each ? printed : null;
  const start = markSink(out);
  const walk = (with_: Choices): void => {
    const path = fork(s);
    const before = paths.length === 0 ? null : rewind(out, start);
    run.choices = with_;
    step(path);
    run.choices = outer;
    if (paths.length > 0) alternate(out, before);
    paths.push(path);
  };
  for (let made = 0; made < MAX_COMBINATIONS && run.combinations < ALL_COMBINATIONS; made++) {
    run.combinations++;
    walk(choices);
    if (over) break;
    if (!advance(pins, pinned)) return join(s, paths);
  }
  // The last of everything: of a value and its default, the default.
  if (run.combinations++ < ALL_COMBINATIONS)
    walk({ pick: (a, n) => (outer.has(a) ? outer.pick(a, n) : n - 1), has: NONE.has });
  walk({ pick: (a, n) => (outer.has(a) ? outer.pick(a, n) : -1), has: NONE.has });
  join(s, paths);
}

/** The next combination, as an odometer counts; false after the last. */
function advance(pins: Pin[], pinned: Map<object, Pin>): boolean {
  while (pins.length > 0) {
    const last = pins[pins.length - 1] as Pin;
    last.index++;
    if (last.index < last.count) return true;
    pins.pop();
    pinned.delete(last.alternatives);
  }
  return false;
}
