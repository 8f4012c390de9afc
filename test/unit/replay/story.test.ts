import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../src/audit/read/store.ts';
import { contextOf, diffOf } from '../../../src/replay/diff.ts';
import { marksOf, piecesOf } from '../../../src/replay/marks.ts';
import { storyOf } from '../../../src/replay/story.ts';
import { detailLines } from '../../../src/replay/term/detail-view.ts';
import { textOf } from '../../../src/replay/term/line.ts';
import { callOf, factsOf, hitOf, scratchPaths } from '../audit/draft.ts';
import { fillStore, NASTY } from './place.ts';

describe('changes', () => {
  const told = (before: string, after: string): string[] => diffOf(before, after).map((l) => l.sign + l.text);
  test.each([
    ['a line changed', 'a\nb\nc\n', 'a\nB\nc\n', [' a', '-b', '+B', ' c']],
    ['nothing before', '', 'x\ny\n', ['+x', '+y']],
    ['nothing after', 'x\n', '', ['-x']],
    ['the same', 'x\n', 'x\n', [' x']],
    ['moved', 'a\nb\n', 'b\na\n', ['-a', ' b', '+a']],
  ])('%s', (_name, before, after, want) => expect(told(before, after)).toEqual(want));

  test('either side can be read back', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const side = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
        const diff = diffOf(side(a), side(b));
        expect(diff.filter((l) => l.sign !== '+').map((l) => l.text)).toEqual(a);
        expect(diff.filter((l) => l.sign !== '-').map((l) => l.text)).toEqual(b);
      }),
    );
  });

  test('a change of two long texts is all out, all in', () => {
    const long = (word: string): string => Array.from({ length: 700 }, (_, i) => `${word}${i}`).join('\n');
    expect(diffOf(long('a'), long('b'))).toHaveLength(1400);
  });

  test('far lines are left out', () => {
    const lines = diffOf('1\n2\n3\n4\n5\n6\n7\n8\n9\n', '1\n2\n3\n4\n5\n6\n7\n8\nX\n');
    expect(contextOf(lines, 1).map((l) => (l === null ? '…' : l.sign + l.text))).toEqual(['…', ' 8', '-9', '+X']);
  });
});

describe('marks', () => {
  const source = 'cd x && rm -rf y';
  const command = (id: number, text: string, start: number) => {
    const [base] = factsOf(callOf(text), text.split(' ')).commands;
    return { ...(base as NonNullable<typeof base>), id, text, span: { start, end: start + text.length } };
  };
  test('commands by place; the deciding rule marks the one that it fired on', () => {
    const hit = hitOf('fs.x', 'deny', { subject: 'delete y', span: { start: 8, end: 16 } });
    expect(marksOf(source, [command(1, 'rm -rf y', 8), command(0, 'cd x', 0)], hit, true)).toEqual([
      { start: 0, end: 4, n: 1, decided: false },
      { start: 8, end: 16, n: 2, decided: true },
    ]);
  });
  test('after a redaction spans are not believed, texts are', () => {
    expect(marksOf('T=[redacted] && rm y', [command(0, 'rm y', 3)], null, false)).toEqual([
      { start: 16, end: 20, n: 1, decided: false },
    ]);
    expect(marksOf('rm y; rm y', [command(0, 'rm y', 0)], null, false)).toEqual([]);
  });
  test('spans outside the source are dropped', () =>
    expect(marksOf('ls', [command(0, 'ls -la', 0)], null, true)).toEqual([]));

  test('pieces are the whole source, in order', () => {
    const mark = fc
      .tuple(fc.nat(30), fc.nat(30))
      .map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) + 1, n: 1, decided: false }));
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '\n', '✨'), maxLength: 30 }),
        fc.array(mark, { maxLength: 4 }),
        (text, marks) => {
          expect(
            piecesOf(text, marks)
              .map((line) => line.map((p) => p.text).join(''))
              .join('\n'),
          ).toBe(text);
        },
      ),
    );
  });
});

describe('a record told', () => {
  const store = () => {
    const paths = scratchPaths();
    fillStore(paths);
    return openStore(paths.database);
  };

  test('names of directories and files stay on one line: they can not write lines of their own', () => {
    const opened = store();
    const story = storyOf(opened.show('7'));
    opened.close();
    const [rule, ...others] = story.rules;
    const odd = {
      ...story,
      cwd: '/w\n  by              ann',
      rules: [{ ...rule!, subject: '/f\nallowed' }, ...others],
    };
    const lines = detailLines(odd, 100).map((line) => textOf(line).trimEnd());
    expect(lines).toContain('in /w\\n  by              ann');
    expect(lines).toContain('          on /f\\nallowed');
  });

  test('a denied call: rules by the part they played, commands with who runs them, effects with places', () => {
    const opened = store();
    const story = storyOf(opened.show('7'));
    opened.close();
    expect([story.answer, story.rule, story.reason]).toEqual([
      'deny',
      'git.force-push',
      'This call would rewrite the history of others.',
    ]);
    expect(story.rules.map((r) => [r.id, r.part])).toEqual([
      ['git.force-push', 'decided'],
      ['net.ssh', 'lost'],
      ['fs.shadow', 'shadow'],
      ['fs.old', 'lifted'],
    ]);
    expect(story.commands.map((c) => [c.n, c.parent, c.depth, c.text, c.notes, c.decided])).toEqual([
      [1, 0, 0, "ssh build@ci.example 'cd /srv && sudo rm -rf data'", [], false],
      [2, 1, 1, 'cd /srv', ['in an unknown directory', 'on another machine'], false],
      [3, 1, 1, 'rm -rf data', ['via sudo', 'in an unknown directory', 'privileged', 'on another machine'], false],
      [4, 0, 0, 'git push --force', [], true],
    ]);
    expect(story.commands.map((c) => c.effects)).toEqual([
      [{ verb: 'connect', target: 'ci.example:22', zone: '', notes: [] }],
      [],
      [{ verb: 'delete', target: '/srv/data', zone: 'system', notes: ['recursive', 'force', 'can not be undone'] }],
      [{ verb: 'vcs-force-push', target: 'origin', zone: '', notes: ['overwrites the branch', 'force'] }],
    ]);
    expect(story.marks.map((m) => [m.n, story.source.slice(m.start, m.end), m.decided])).toEqual([
      [1, "ssh build@ci.example 'cd /srv && sudo rm -rf data'", false],
      [2, 'cd /srv', false],
      [3, 'rm -rf data', false],
      [4, 'git push --force', true],
    ]);
    expect(story.unknowns).toEqual([['parse error', 'fi']]);
    expect(story.quiet).toBe(1);
    expect(story.outcome).toEqual({ word: 'blocked', notes: 'it did not run', text: '' });
  });

  test('outcomes, changes, events', () => {
    const opened = store();
    const [event, test_, , edit, , nasty] = [1, 2, 3, 4, 5, 6].map((seq) => storyOf(opened.show(String(seq))));
    const asked = storyOf(opened.show('8'));
    opened.close();
    expect([event?.kind, event?.outcome, event?.rules, event?.quiet]).toEqual(['session', null, [], null]);
    expect(test_?.outcome).toEqual({
      word: 'exit 1',
      notes: 'after 1.2 s',
      text: 'not ok 1\n\u001b[31mred\u001b[0m\n',
    });
    expect(edit?.diff.map((l) => l && l.sign + l.text)).toEqual([' a', '-b', '+B', ' c']);
    expect(edit?.effects).toEqual([
      { verb: 'write', target: '/home/dev/project/src/cart.js', zone: 'workspace', notes: ['+1 −1', 'tracked'] },
    ]);
    expect(edit?.input).toEqual([]);
    expect([nasty?.source, nasty?.outcome?.word]).toEqual([NASTY, 'open']);
    expect([asked.answer, asked.outcome?.word]).toEqual(['ask', 'exit 0']);
  });

  test('without a body the columns are told, and why there is not more', () => {
    const opened = store();
    const story = storyOf({ ...opened.show('7'), body: null, outcome: null });
    opened.close();
    expect([story.answer, story.rule, story.commands, story.marks, story.missing]).toEqual([
      'deny',
      'git.force-push',
      [],
      [],
      'The body of this record was erased or is damaged; `gov audit verify` says which.',
    ]);
  });
});
