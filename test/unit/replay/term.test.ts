import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { govPaths } from '../../../src/base/gov-paths.ts';
import { openSource, type Source } from '../../../src/replay/source.ts';
import { cellsOf } from '../../../src/replay/term/cells.ts';
import { frameOf } from '../../../src/replay/term/frame.ts';
import { decodeKeys } from '../../../src/replay/term/keys.ts';
import { fitted, lineOf, run, textOf } from '../../../src/replay/term/line.ts';
import { abilityOf, painted } from '../../../src/replay/term/paint.ts';
import { type Size, type State, startState } from '../../../src/replay/term/state.ts';
import { type Event, update, wantOf } from '../../../src/replay/term/update.ts';
import { answer } from '../../../src/replay/term/viewer.ts';
import { fillStore } from './place.ts';

describe('keys', () => {
  test.each<[string, string, boolean, readonly string[], string]>([
    ['characters', 'jk?', false, ['j', 'k', '?'], ''],
    ['named ones', ' \r\t\x7f\x03\x04', false, ['space', 'enter', 'tab', 'backspace', 'ctrl-c', 'ctrl-d'], ''],
    ['arrows of both kinds', '\x1b[A\x1bOB\x1b[1;5C', false, ['up', 'down', 'right'], ''],
    ['pages', '\x1b[5~\x1b[6~\x1b[H\x1b[4~', false, ['pageup', 'pagedown', 'home', 'end'], ''],
    ['half a sequence waits', 'j\x1b[', false, ['j'], '\x1b['],
    ['a lone escape waits', '\x1b', false, [], '\x1b'],
    ['until nothing more comes', '\x1b', true, ['escape'], ''],
    ['escape and a key', '\x1bq', false, ['escape', 'q'], ''],
    ['sequences that mean nothing are swallowed', '\x1b[200~x\x1b[I\x1b[<0;1;1M', false, ['x'], ''],
    ['control characters too', '\x00\x9b\x01', false, [], ''],
    ['characters beyond the basic plane', '✨価', false, ['✨', '価'], ''],
  ])('%s', (_name, input, final, keys, rest) => expect(decodeKeys(input, final)).toEqual({ keys, rest }));

  test('however it is cut, the same keys come out', () => {
    const parts = fc.array(fc.constantFrom('j', '\x1b[A', '\x1b[6~', ' ', '✨', '\x1bOC'), { maxLength: 8 });
    fc.assert(
      fc.property(parts, fc.nat(20), (sent, cut) => {
        const text = sent.join('');
        const first = decodeKeys(text.slice(0, cut), false);
        const second = decodeKeys(first.rest + text.slice(cut), false);
        if (/[\ud800-\udbff]$/.test(text.slice(0, cut))) return; // A stream never cuts there: it decodes UTF-8.
        expect([...first.keys, ...second.keys]).toEqual(decodeKeys(text, false).keys);
      }),
    );
  });
});

test.each([
  ['filled up', 6, 'ab    '],
  ['cut', 3, 'ab…'],
  ['exactly', 4, 'abcd'],
])('a line in its width: %s', (_name, cells, want) => {
  const line = cells === 6 ? lineOf('a', run('b', 'deny')) : lineOf('ab', run('cd', 'deny'));
  expect(textOf(fitted(line, cells))).toBe(want);
});

describe('what the terminal can show', () => {
  const line = lineOf(run('✗ deny', 'deny'), ' ', run('価', 'dim'));
  test.each<[string, NodeJS.ProcessEnv, string]>([
    ['colours', { LANG: 'C.UTF-8', TERM: 'xterm' }, '\x1b[1;31m✗ deny\x1b[0m \x1b[2m価\x1b[0m'],
    ['NO_COLOR', { LANG: 'C.UTF-8', NO_COLOR: '1' }, '\x1b[1m✗ deny\x1b[0m \x1b[2m価\x1b[0m'],
    ['no UTF-8', { LANG: 'C', NO_COLOR: '1' }, '\x1b[1mx deny\x1b[0m \x1b[2m?\x1b[0m'],
    ['LC_ALL before LANG', { LC_ALL: 'C', LANG: 'de_DE.utf8', NO_COLOR: '1' }, '\x1b[1mx deny\x1b[0m \x1b[2m?\x1b[0m'],
  ])('%s', (_name, env, want) => expect(painted(line, abilityOf(env))).toBe(want));
  test('the line under the cursor is turned round as a whole', () => {
    expect(painted({ ...line, selected: true }, { colour: true, unicode: true })).toBe('\x1b[7m✗ deny 価\x1b[0m');
  });
});

let root: string;
let source: Source;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gov-replay-'));
  const paths = govPaths({ GOV_HOME: root, HOME: root });
  fillStore(paths, ['alpha-1', 'beta']);
  source = openSource(paths.database);
});
afterAll(() => {
  source.close();
  rmSync(root, { recursive: true });
});

/** The state after events, with all that it wanted on the way. */
function stateAfter(state: State, ...events: readonly (string | Event)[]): State {
  let now = state;
  const settle = (): void => {
    for (let want = wantOf(now), i = 0; want !== null && i < 50; want = wantOf(now), i++)
      now = update(now, answer(source, want));
  };
  settle();
  for (const event of events) {
    now = update(now, typeof event === 'string' ? { type: 'key', key: event } : event);
    settle();
  }
  return now;
}
const start = (size: Size = { columns: 80, rows: 24 }): State => startState(size);
const opened = (...keys: readonly (string | Event)[]): State => stateAfter(start(), 'j', 'enter', ...keys);
const tick = (ms: number): Event => ({ type: 'tick', ms });

describe('state and key', () => {
  test.each<[string, readonly (string | Event)[], (s: State) => unknown, unknown]>([
    ['down and open', [], (s) => [s.view, s.session, s.shown.length, s.whole], ['timeline', 'alpha-1', 7, true]],
    ['down', ['j', 'j'], (s) => s.cursor, 2],
    ['not beyond the end', ['G', 'j'], (s) => s.cursor, 6],
    ['not before the beginning', ['k'], (s) => s.cursor, 0],
    ['a page', ['pagedown'], (s) => s.cursor, 6],
    ['the next held call', [']'], (s) => s.cursor, 4],
    ['the one after, and round', [']', ']', ']', ']'], (s) => [s.cursor, s.message], [4, 'went round']],
    ['the held call before', ['['], (s) => s.cursor, 6],
    ['the record', ['G', 'enter'], (s) => [s.view, s.story?.seq], ['detail', 10]],
    ['scroll', ['j', 'j', 'j', 'j', 'enter', 'j', 'j'], (s) => [s.view, s.scroll, s.cursor], ['detail', 2, 4]],
    [
      'not beyond the last line',
      [']', 'enter', 'G', 'j'],
      (s) => [s.scroll > 0, frameOf(s).some((line) => textOf(line).includes('↓'))],
      [true, false],
    ],
    ['the next record from the record', ['enter', '.', '.'], (s) => [s.view, s.story?.seq, s.scroll], ['detail', 4, 0]],
    ['back, and back', ['enter', 'escape', 'escape'], (s) => [s.view, s.sessionCursor], ['sessions', 1]],
    ['escape does not quit', ['escape', 'escape'], (s) => [s.view, s.done], ['sessions', false]],
    ['q closes, q quits', ['q', 'q'], (s) => s.done, true],
    ['Q quits at once', ['enter', 'Q'], (s) => s.done, true],
    ['search', ['/', 't', 'e', 'r', 'r', 'enter'], (s) => [s.cursor, s.search], [5, 'terr']],
    [
      'search again goes round',
      ['/', 'r', 'm', 'enter', 'n', 'n', 'n'],
      (s) => [s.cursor, s.message],
      [4, 'went round'],
    ],
    ['search back', ['/', 'r', 'm', 'enter', 'N'], (s) => s.cursor, 6],
    ['nothing found', ['/', 'x', 'q', 'z', 'enter'], (s) => [s.cursor, s.message], [0, 'no step contains `xqz`']],
    ['a search can be left', ['/', 'q', 'escape'], (s) => [s.prompt, s.done, s.view], [null, false, 'timeline']],
    ['typing is no command', ['/', 'q', 'space', 'j', 'backspace'], (s) => [s.prompt?.text, s.cursor], ['q ', 0]],
    ['only what was held', ['d'], (s) => [s.filter, s.shown], ['held', [4, 5, 6]]],
    ['all again', ['d', 'd'], (s) => [s.filter, s.shown.length], ['', 7]],
    ['filter by words', ['&', ...'deny', 'space', ...'ask', 'enter'], (s) => [s.filter, s.shown], ['deny ask', [4, 5]]],
    ['the cursor keeps its record', ['j', 'j', 'j', 'j', 'j', 'd'], (s) => [s.cursor, s.shown[s.cursor]], [1, 5]],
    [
      'a filter that lets nothing through is not taken',
      ['&', 'x', 'q', 'z', 'enter'],
      (s) => [s.filter, s.message],
      ['', 'no step matches `xqz`'],
    ],
    ['faster and slower', ['>', '>', '<'], (s) => s.speed, 2],
    ['pauses', ['i'], (s) => [s.idleMs, s.message], [500, 'pauses are cut to 0.5 s']],
    ['help and back', ['?', 'x'], (s) => s.view, 'timeline'],
    ['help says nothing of what was there', ['?'], (s) => s.view, 'help'],
    ['suspend', ['ctrl-z'], (s) => s.suspend, true],
    [
      'keys that mean nothing',
      ['x', 'delete', 'constructor', '__proto__'],
      (s) => [s.view, s.cursor, s.done],
      ['timeline', 0, false],
    ],
  ])('%s', (_name, keys, of, want) => expect(of(opened(...keys))).toEqual(want));
});

describe('playing', () => {
  test.each<[string, readonly (string | Event)[], readonly [cursor: number, at: number, playing: boolean]]>([
    ['nothing moves by itself', [tick(5000)], [0, 0, false]],
    ['the recorded gaps', ['space', tick(399)], [0, 399, true]],
    ['reach the next step', ['space', tick(400)], [1, 400, true]],
    ['pauses are cut to two seconds', ['space', tick(400), tick(2000)], [2, 2400, true]],
    ['twice as fast', ['>', 'space', tick(1200)], [2, 2400, true]],
    ['pause', ['space', tick(400), 'space', tick(9000)], [1, 400, false]],
    ['to the end, where it stops', ['space', tick(60_000)], [6, 9100, false]],
    ['from the end it begins again', ['G', 'space', tick(100)], [0, 100, true]],
    ['moving stops it', ['space', tick(400), 'j', tick(9000)], [2, 2400, false]],
    ['on from where the cursor is', ['j', 'space', tick(1)], [1, 401, true]],
  ])('%s', (_name, events, want) => {
    const state = opened(...events);
    expect([state.cursor, state.at, state.playing]).toEqual(want);
  });
});

describe('a live session', () => {
  const more = (state: State, over: object): Event => {
    const row = { ...(state.timeline.steps[0]?.row as object), seq: 99, call_id: 'new', kind: 'decision', ...over };
    return { type: 'rows', session: 'alpha-1', rows: [row as never], whole: true };
  };
  test('followed, the cursor goes to what comes', () => {
    const state = opened('F');
    expect([state.follow, state.cursor]).toEqual([true, 6]);
    expect(update(state, more(state, {})).cursor).toBe(7);
  });
  test('not followed, it stays', () => {
    const state = opened('j');
    const next = update(state, more(state, {}));
    expect([next.cursor, next.shown.length]).toEqual([1, 8]);
  });
  test('an outcome that comes later joins its call, and the record is read again', () => {
    const state = opened('j', 'j', 'j', 'enter');
    const call = state.timeline.steps[3]?.row.call_id;
    const next = update(state, more(state, { kind: 'outcome', call_id: call }));
    expect([next.shown.length, next.timeline.steps[3]?.outcome?.seq, next.story]).toEqual([7, 99, null]);
  });
  test('rows of a session that was left are dropped', () => {
    const state = opened('j');
    expect(update(state, { type: 'rows', session: 'beta', rows: [], whole: true })).toBe(state);
  });
  test('moving ends it', () => expect(opened('F', 'k').follow).toBe(false));
  test('new sessions come in above; the cursor keeps its session', () => {
    const state = stateAfter(start(), 'j');
    const [beta, alpha] = state.sessions;
    const page = {
      sessions: [{ ...(alpha as NonNullable<typeof alpha>), id: 'new' }, beta as NonNullable<typeof beta>],
      next: null,
    };
    const next = update(state, { type: 'sessions', page, fresh: true, records: 21 });
    expect([next.sessions.map((s) => s.id), next.sessions[next.sessionCursor]?.id]).toEqual([
      ['new', 'beta', 'alpha-1'],
      'alpha-1',
    ]);
  });
});

test('a record that was asked for is gone to as soon as it is read', () => {
  const state = stateAfter(start(), { type: 'open', session: 'beta', seq: 15 });
  expect([state.session, state.cursor, state.timeline.steps[state.cursor]?.outcome?.seq]).toEqual(['beta', 2, 15]);
});

describe('the screen', () => {
  const sizes: readonly Size[] = [
    { columns: 80, rows: 24 },
    { columns: 200, rows: 60 },
    { columns: 20, rows: 6 },
    { columns: 41, rows: 10 },
  ];
  const paths: readonly (readonly (string | Event)[])[] = [
    [],
    ['j', 'enter'],
    ['enter', 'j', 'j', 'j', 'enter'],
    ['enter', '?'],
    ['enter', '/', ...'価格✨', 'x'.repeat(1)],
    ['enter', 'space', tick(500)],
  ];
  test.each(sizes.flatMap((size) => paths.map((keys) => ({ size, keys }))))(
    'is filled exactly: $size.columns×$size.rows $keys',
    ({ size, keys }) => {
      const frame = frameOf(stateAfter(start(size), ...keys));
      expect(frame).toHaveLength(size.rows);
      for (const line of frame) {
        expect(cellsOf(textOf(line))).toBe(size.columns);
        expect(textOf(line)).not.toMatch(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
      }
    },
  );

  const golden: readonly (readonly [name: string, size: Size, keys: readonly (string | Event)[]])[] = [
    ['sessions-80x24', { columns: 80, rows: 24 }, []],
    ['timeline-80x24', { columns: 80, rows: 24 }, ['j', 'enter', ']']],
    ['timeline-200x60', { columns: 200, rows: 60 }, ['j', 'enter', ']']],
    ['record-80x24', { columns: 80, rows: 24 }, ['j', 'enter', ']', 'enter']],
    ['record-80x24-scrolled', { columns: 80, rows: 24 }, ['j', 'enter', ']', 'enter', 'pagedown']],
    ['record-hostile-100x30', { columns: 100, rows: 30 }, ['j', 'enter', 'j', 'j', 'j', 'enter']],
    ['record-change-100x30', { columns: 100, rows: 30 }, ['j', 'enter', 'j', 'j', 'enter']],
    ['playing-80x24', { columns: 80, rows: 24 }, ['j', 'enter', 'space', tick(3000)]],
    ['filter-80x24', { columns: 80, rows: 24 }, ['j', 'enter', '&', ...'held']],
    ['help-80x24', { columns: 80, rows: 24 }, ['?']],
    ['help-200x60', { columns: 200, rows: 60 }, ['?']],
  ];
  test.each(golden)('%s', async (name, size, keys) => {
    const frame = frameOf(stateAfter(start(size), ...keys)).map((line) => textOf(line).trimEnd());
    // Salts are random, and with them the hashes.
    const text = `${frame.join('\n').replace(/\b[0-9a-f]{64}\b/g, 'h'.repeat(64))}\n`;
    await expect(text).toMatchFileSnapshot(`../../golden/replay/${name}.txt`);
  });
});
