import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOf, type RecordBody } from '../../../src/audit/format/body.ts';
import type { Row } from '../../../src/audit/read/store.ts';
import { footLine, isNoise, liveLines, type Tally, tally } from '../../../src/cli/live-lines.ts';
import { paint } from '../../../src/cli/paint.ts';
import { cellsOf } from '../../../src/replay/term/cells.ts';
import { type Governed, governed } from '../../support/governed.ts';

const plain = paint(process.stdout, { NO_COLOR: '1' });
const coloured = paint(process.stdout, { FORCE_COLOR: '1' });

/** The newest record of a place. */
function newest(place: Governed): { readonly row: Row; readonly body: RecordBody } {
  return place.store((store) => {
    const { row, body } = store.show(String(store.ends().last));
    return { row, body: body as RecordBody };
  });
}

function recordOf(command: string): { readonly row: Row; readonly body: RecordBody } {
  const place = governed();
  try {
    place.call({ command, session: 'session-1' });
    return newest(place);
  } finally {
    place.close();
  }
}

const clock = /^\d\d:\d\d:\d\d/;
const shown = (command: string, width: number): readonly string[] => {
  const { row, body } = recordOf(command);
  return liveLines(row, body, plain, width).map((line) =>
    line.replace(clock, 'hh:mm:ss').replace(/\b[0-9A-Z]{4}(?= {2})/, 'CODE'),
  );
};

describe('one record for somebody who watches', () => {
  test.each<[string, number, readonly string[]]>([
    ['npm test', 80, ['hh:mm:ss  claude   ✓ allow  npm test']],
    ['npm test', 200, ['hh:mm:ss  claude-code  session…  ✓ allow    Bash        npm test']],
    [
      'rm -rf ~/other',
      80,
      [
        'hh:mm:ss  claude   ✗ deny   rm -rf ~/other',
        '                     CODE  fs.delete-outside  This call would delete /home/dev/…',
      ],
    ],
    [
      'rm -rf ~/other',
      200,
      [
        'hh:mm:ss  claude-code  session…  ✗ deny     Bash        rm -rf ~/other',
        '                                   CODE  fs.delete-outside  This call would delete /home/dev/other, outside the workspace /home/dev/project.',
      ],
    ],
    [
      "echo '{}' > .claude/settings.json",
      80,
      [
        "hh:mm:ss  claude   ✗ deny   echo '{}' > .claude/settings.json",
        '                     guard.own-files  .claude/settings.json belongs to the guar…',
      ],
    ],
    [
      'git push --force',
      80,
      [
        'hh:mm:ss  claude   ? ask    git push --force',
        '                     CODE  git.force-push  A force push without a lease overwri…',
      ],
    ],
  ])('%s in %d columns', (command, width, want) => {
    expect(shown(command, width)).toEqual(want);
  });

  test('no line is wider than the screen, whatever was called', () => {
    const { row, body } = recordOf('rm -rf ~/other');
    const text = fc.string({ unit: 'grapheme', maxLength: 120 });
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: 60, max: 220 }), (said, agent, session, width) => {
        const call = { ...body.call, agent, session, input: { command: said } };
        const made: Row = { ...row, ...columnsOf({ ...body, call }) };
        for (const line of liveLines(made, body, plain, width)) {
          expect(cellsOf(line)).toBeLessThanOrEqual(width);
          expect(line).toMatch(/^[^\p{Cc}]*$/u);
        }
      }),
    );
  });

  test('what was denied stands out in red, what passed does not', () => {
    const denied = recordOf('rm -rf ~/other');
    const passed = recordOf('ls');
    expect(liveLines(denied.row, denied.body, coloured, 80)[0]).toContain('\x1b[1m\x1b[31m✗ deny ');
    expect(liveLines(passed.row, passed.body, coloured, 80)[0]).not.toContain('\x1b[31m');
  });
});

test.each([
  [{ kind: 'outcome', event: 'PostToolUse', rule: '', faulty: 0 }, true],
  [{ kind: 'outcome', event: 'PostToolUseFailure', rule: '', faulty: 0 }, false],
  [{ kind: 'outcome', event: 'PostToolUse', rule: 'exfil.secret-in-output', faulty: 0 }, false],
  [{ kind: 'outcome', event: 'PostToolUse', rule: '', faulty: 1 }, false],
  [{ kind: 'decision', event: 'PreToolUse', rule: '', faulty: 0 }, false],
  [{ kind: 'session', event: 'SessionStart', rule: '', faulty: 0 }, false],
])('%j is noise: %s', (row, want) => {
  expect(isNoise(row as Row)).toBe(want);
});

describe('the foot', () => {
  const counts: Tally = { calls: 0, denied: 0, asked: 0 };
  for (const answer of ['allow', 'deny', 'halt', 'ask', 'allow']) tally(counts, { kind: 'decision', answer } as Row);
  tally(counts, { kind: 'outcome', answer: '' } as Row);

  test.each([
    ['', ' s stops every agent at once   q leaves             5 calls  2 denied  1 asked '],
    [
      'every agent is blocked: gov resume',
      ' STOPPED  every agent is blocked: gov resume        5 calls  2 denied  1 asked ',
    ],
  ])('stopped: "%s"', (stopped, want) => {
    const [line, text] = footLine(counts, stopped, plain, 80).split('\n');
    expect([line, text]).toEqual(['─'.repeat(79), want]);
  });

  test.each([20, 40, 80, 200])('never wider than %d columns', (width) => {
    for (const line of footLine(counts, 'every agent is blocked: gov resume', plain, width).split('\n'))
      expect(cellsOf(line)).toBeLessThan(Math.max(width, 40));
  });
});
