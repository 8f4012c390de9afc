import type { StepRow } from './session.ts';

/** One step of a session: a decision with what became of it, or an event that stands for itself. */
export interface Step {
  readonly row: StepRow;
  /** The outcome that was recorded for the decision's call. */
  readonly outcome: StepRow | null;
  /** The agent asked again about the same call, before its own prompt (PermissionRequest), and the answer was the same. */
  readonly again?: StepRow;
}

/** A session's steps in the order of the records, as far as they were read. */
export interface Timeline {
  readonly steps: readonly Step[];
  /** The last record that is in; 0: none. */
  readonly lastSeq: number;
  /** Where the newest decision of a call stands. */
  readonly calls: ReadonlyMap<string, number>;
  /** Where the newest decision of a tool and text stands: Claude Code's PermissionRequest has no id of the call. */
  readonly said: ReadonlyMap<string, number>;
}

export const EMPTY: Timeline = { steps: [], lastSeq: 0, calls: new Map(), said: new Map() };

/**
 * The timeline with the next records. An outcome joins the decision of its call, and so does the question before the agent's
 * prompt where the answer is the same; alone each is a step of its own.
 */
export function extended(timeline: Timeline, rows: readonly StepRow[]): Timeline {
  if (rows.length === 0) return timeline;
  const steps = [...timeline.steps];
  const calls = new Map(timeline.calls);
  const said = new Map(timeline.said);
  let lastSeq = timeline.lastSeq;
  for (const row of rows) {
    lastSeq = Math.max(lastSeq, row.seq);
    const place = row.kind === 'outcome' && row.call_id !== '' ? calls.get(row.call_id) : undefined;
    const decided = place === undefined ? undefined : steps[place];
    if (place !== undefined && decided !== undefined && decided.outcome === null) {
      steps[place] = { ...decided, outcome: row };
      continue;
    }
    const key = `${row.raw_tool}\n${row.summary}`;
    const asked = row.kind === 'decision' && row.event === 'PermissionRequest' ? said.get(key) : undefined;
    const before = asked === undefined ? undefined : steps[asked];
    if (asked !== undefined && before !== undefined && isSameCall(before, row)) {
      steps[asked] = { ...before, again: row };
      continue;
    }
    if (row.kind === 'decision') said.set(key, steps.length);
    if (row.kind === 'decision' && row.call_id !== '') calls.set(row.call_id, steps.length);
    steps.push({ row, outcome: null });
  }
  return { steps, lastSeq, calls, said };
}

/** The call of the step has not run yet, and the question about it got the same answer. */
function isSameCall({ row, outcome, again }: Step, asked: StepRow): boolean {
  const sameId = asked.call_id === '' || asked.call_id === row.call_id;
  return outcome === null && again === undefined && sameId && row.event === 'PreToolUse' && row.answer === asked.answer;
}

/** What was answered, or what else the step is. `watch`: monitor mode let through what a rule would have held. */
export type Word = 'allow' | 'ask' | 'deny' | 'halt' | 'watch' | 'outcome' | 'session' | 'gov' | 'other';

export function wordOf({ row }: Step): Word {
  if (row.kind === 'decision') {
    if (row.enforced === 0 && row.answer === 'allow' && isHold(row.effect)) return 'watch';
    if (row.answer === 'allow' || row.answer === 'ask' || row.answer === 'deny' || row.answer === 'halt')
      return row.answer;
  }
  return row.kind === 'outcome' || row.kind === 'session' || row.kind === 'gov' ? row.kind : 'other';
}

function isHold(effect: string): boolean {
  return effect === 'deny' || effect === 'ask' || effect === 'halt';
}

/** True where somebody was stopped or asked, or would have been. */
export function isHeld(step: Step): boolean {
  const word = wordOf(step);
  return word === 'deny' || word === 'halt' || word === 'ask' || word === 'watch';
}

/**
 * What became of the call. `ran`, `failed`: an outcome was recorded; `blocked`: it was denied; `open`: allowed or
 * asked and nothing more is known (still running, refused by a person, or the agent sent no outcome); `none`: no call.
 */
export type Fate = 'ran' | 'failed' | 'blocked' | 'open' | 'none';

export function fateOf(step: Step): Fate {
  const after = step.row.kind === 'outcome' ? step.row : step.outcome;
  if (after !== null) return after.event === 'PostToolUseFailure' ? 'failed' : 'ran';
  if (step.row.kind !== 'decision') return 'none';
  return step.row.answer === 'deny' || step.row.answer === 'halt' ? 'blocked' : 'open';
}

/** Milliseconds from the decision to the recorded outcome; null where there is none. */
export function tookOf(step: Step): number | null {
  return step.outcome === null ? null : Math.max(0, step.outcome.at - step.row.at);
}

export interface Tally {
  readonly calls: number;
  readonly allowed: number;
  readonly asked: number;
  readonly denied: number;
  readonly watched: number;
  readonly other: number;
}

export function tallyOf(steps: readonly Step[]): Tally {
  const count = { calls: 0, allowed: 0, asked: 0, denied: 0, watched: 0, other: 0 };
  for (const step of steps) {
    const word = wordOf(step);
    if (word === 'allow') count.allowed++;
    else if (word === 'ask') count.asked++;
    else if (word === 'deny' || word === 'halt') count.denied++;
    else if (word === 'watch') count.watched++;
    else count.other++;
    if (step.row.kind === 'decision') count.calls++;
  }
  return count;
}

/** The agent's word for the tool; '' where no tool was called. */
export function nameOf({ row }: Step): string {
  return row.kind === 'session' || row.kind === 'gov' ? '' : row.raw_tool || row.event;
}

/** What was called, or which event it was, on one line; paths in the session's workspace are told from there. */
export function summaryOf({ row }: Step): string {
  if (row.kind === 'gov') return row.summary || row.rule || row.event;
  if (row.kind === 'session')
    return row.summary === row.event ? row.event : [row.event, row.summary].filter((text) => text !== '').join('  ');
  const inside = row.tool !== 'shell' && row.repo.length > 1 && row.summary.startsWith(`${row.repo}/`);
  return inside ? row.summary.slice(row.repo.length + 1) : row.summary;
}
