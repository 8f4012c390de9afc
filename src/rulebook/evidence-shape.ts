import type { ObjectShape, Shape } from './shape.ts';
import { bool, cel, choice, duration, list, object, text } from './shape-parts.ts';
import { EACH_WORDS, EVIDENCE_SCOPE_WORDS, OUTCOME_WORDS } from './words.ts';

const steps = (doc: string, outcome: string): Shape =>
  list(
    doc,
    object(
      'one way',
      {
        outcome: choice(`how the call ended; default ${outcome}`, OUTCOME_WORDS),
        each: choice('what it ranges over; default: once per call', EACH_WORDS),
        when: cel('true: it does; what is unknown or only guessed at does not'),
        key: cel('a text: what it is about; default `event.workspace`'),
      },
      ['when'],
    ),
    { min: 1 },
  );

/** A kind of evidence: which outcomes of calls establish it, and what ends it. */
export const EVIDENCE: ObjectShape = object(
  'one kind of evidence',
  {
    description: text('what is known when it holds'),
    established: steps('outcomes that establish it', 'success'),
    ended: steps('outcomes that end it', 'any'),
    unchanged: bool('the key is a path: it holds while the file there is as it was (size, time of change, inode)'),
    within: duration('how long it holds; default: until it ends'),
    scope: choice('whose calls count; default session', EVIDENCE_SCOPE_WORDS),
  },
  ['established'],
);
