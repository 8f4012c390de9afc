import { describe, expect, it } from 'vitest';
import { holds } from '../../../src/evidence/ledger.ts';
import type { Mark } from '../../../src/model/decision.ts';
import type { CompiledEvidence } from '../../../src/model/policy.ts';
import { ENDED, evidencePlace } from '../../../src/policy/establish.ts';
import { memoryHistory } from '../../../src/policy/history.ts';

const NOW = 1_000_000;
const KIND: CompiledEvidence = { description: '', scope: 'session', unchanged: false, established: [], ended: [] };

/** What becomes of marks: `+`, `+state` or `-`, each with its age. */
function asked(
  marks: readonly (readonly [step: string, age: number])[],
  more: Partial<CompiledEvidence> = {},
  on: { readonly by?: string; readonly state?: string | null; readonly heard?: boolean } = {},
): boolean | null {
  const declared = { ...KIND, ...more };
  const place = evidencePlace('k', declared, on.by ?? 's', '/w/a');
  const history = memoryHistory();
  history.add(marks.map(([step, age]): Mark => ({ ...place, step, at: NOW - age, weight: 1 })));
  const hears = () => on.heard ?? true;
  return holds(
    { kind: 'k', key: '/w/a', declared, session: 's', now: NOW, history: { ...history, hears } },
    () => on.state ?? null,
  );
}

describe('evidence', () => {
  it.each<[string, boolean | null, Parameters<typeof asked>]>([
    ['never established', false, [[]]],
    ['established', true, [[['+', 5]]]],
    [
      'ended since',
      false,
      [
        [
          ['+', 5],
          [ENDED, 4],
        ],
      ],
    ],
    [
      'established again',
      true,
      [
        [
          ['+', 5],
          [ENDED, 4],
          ['+', 3],
        ],
      ],
    ],
    [
      'ended and established by one call',
      true,
      [
        [
          [ENDED, 3],
          ['+', 3],
        ],
      ],
    ],
    ['too long ago', false, [[['+', 50]], { withinMs: 40 }]],
    ['just in time', true, [[['+', 40]], { withinMs: 40 }]],
    ['by a clock that was ahead', false, [[['+', -5]]]],
    ['by another session', false, [[['+', 5]], {}, { by: 'other' }]],
    ['by another session, where that counts', true, [[['+', 5]], { scope: 'any' }, { by: 'other' }]],
    ['the file is as it was', true, [[['+1:2:3', 5]], { unchanged: true }, { state: '1:2:3' }]],
    ['the file changed', false, [[['+1:2:3', 5]], { unchanged: true }, { state: '1:9:3' }]],
    ['the file is gone', false, [[['+1:2:3', 5]], { unchanged: true }, { state: '' }]],
    ['the file can not be looked at', null, [[['+1:2:3', 5]], { unchanged: true }, { state: null }]],
    [
      'the file is as it was at one of several times',
      true,
      [
        [
          ['+1:2:3', 5],
          ['+4:5:6', 4],
        ],
        { unchanged: true },
        { state: '4:5:6' },
      ],
    ],
    ['the agent never tells how calls end', null, [[], {}, { heard: false }]],
    ['it was ended, so something was heard', false, [[[ENDED, 5]], {}, { heard: false }]],
  ])('%s: %s', (_name, want, args) => {
    expect(asked(...args)).toBe(want);
  });
  it('is not known without records', () => {
    expect(holds({ kind: 'k', key: '/w/a', declared: KIND, session: 's', now: NOW, history: undefined })).toBeNull();
  });
});
