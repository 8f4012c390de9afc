import type { CompiledPolicy } from '../model/policy.ts';
import type { History } from './history.ts';

/** What happened in a session before this call. */
interface SessionFacts {
  /** Calls that were decided on. */
  readonly calls: number;
  /** Calls that were refused. */
  readonly denies: number;
  /** Calls that were made and failed. */
  readonly failures: number;
  /** Different files that calls which were let pass change, without temporary ones. */
  readonly files_changed: number;
  /** Lines that these calls add and remove. */
  readonly lines_changed: number;
  /** Whole seconds since the first record of the session. */
  readonly age_seconds: number;
  /** `rule/step` of each step of a sequence that was seen. */
  readonly labels: readonly string[];
}

export type SessionFact = keyof SessionFacts;

/** Looks up one fact of a session; null: not known. Asked only for what a condition reads. */
export type SessionSource = (fact: SessionFact) => unknown;

const FACTS: readonly SessionFact[] = [
  'calls',
  'denies',
  'failures',
  'files_changed',
  'lines_changed',
  'age_seconds',
  'labels',
];

/** The session as conditions see it: each member is looked up once, when it is first read, and noted in `read`. */
export function sessionView(source: SessionSource, read: Record<string, unknown>): object {
  const view = {};
  for (const fact of FACTS)
    Object.defineProperty(view, fact, {
      enumerable: true,
      get: () => {
        if (!Object.hasOwn(read, fact)) read[fact] = source(fact);
        return read[fact];
      },
    });
  return view;
}

/** Steps of sequences that a session went through; only those that are tied together by the session. */
export function labelsOf(policy: CompiledPolicy, history: History, session: string): readonly string[] {
  return policy.rules.flatMap(({ id, mode, sequence }) => {
    if (!sequence || mode === 'off' || sequence.key.source !== 'event.session') return [];
    const seen = new Set(history.marks(id, session, 0).map((mark) => mark.step));
    return sequence.steps.filter((step) => seen.has(step.name)).map((step) => `${id}/${step.name}`);
  });
}
