import { describe, expect, it } from 'vitest';
import type { Compilation } from '../../../src/rulebook/compile.ts';
import { briefly, compiled, compiledWith, HEAD, ruleText } from './compiled.ts';

const kinds = (text: string) =>
  `apiVersion: gov/v1\nkind: Library\nlists: { words: { items: [a], open: append } }\nevidence:\n${text}`;
const DONE = "  done: { established: [{ each: command, when: 'command.name in lists.words' }] }\n";
const asking = (expr: string) => HEAD + ruleText(`requires: '${expr}'`);
const found = (...texts: readonly string[]) => briefly(compiled(...texts).findings);

describe('kinds of evidence', () => {
  it.each<[string, string, string, string[]]>([
    ['one that is declared', DONE, 'evidence("done", event.workspace)', []],
    [
      'one that is not',
      DONE,
      'evidence("dnoe", event.workspace)',
      ['evidence-unknown-kind 11:25 there is no kind of evidence `dnoe` | did you mean `done`?'],
    ],
    [
      'one that is worked out',
      DONE,
      'evidence(command.text, "x")',
      ['cel-unsupported 11:16 evidence() takes the name of a kind as a text, not an expression'],
    ],
    [
      'a key that is no text',
      DONE,
      'evidence("done", 1)',
      ["cel-type 11:16 found no matching overload for 'evidence(string, int)' | it is evidence(string, string): bool"],
    ],
  ])('%s', (_name, library, expr, want) => {
    expect(found(kinds(library), asking(expr))).toEqual(want);
  });

  it.each<[string, string, string]>([
    ['a misspelt key', '  done: { established: [{ each: command, wehn: "true" }] }\n', 'unknown-key 5:42 '],
    ['nothing establishes it', '  done: { ended: [{ when: "true" }] }\n', 'missing-key 5:9 '],
    [
      'a condition that is none',
      '  done: { established: [{ when: "1" }] }\n',
      'cel-type 5:34 the expression is an int, not a bool',
    ],
    ['a key that is none', '  done: { established: [{ when: "true", key: "true" }] }\n', 'cel-type 5:47 '],
    [
      'it rests on evidence',
      `${DONE}  more: { established: [{ when: 'evidence("done", "x")' }] }\n`,
      'cel-unsupported 6:33 evidence can not rest on evidence',
    ],
  ])('%s', (_name, text, want) => {
    expect(found(kinds(text))).toEqual([expect.stringContaining(want)]);
  });

  it('of which no rule asks for is not in the bundle', () => {
    const bundle = (text: string) => Object.keys(compiled(kinds(DONE), text).policy.evidence ?? {});
    expect(bundle(HEAD + ruleText(''))).toEqual([]);
    expect(bundle(asking('evidence("done", "x")'))).toEqual(['done']);
  });

  it('are found in macros', () => {
    const macro = `${kinds(DONE)}macros: { ready: { params: { c: Command }, expr: 'evidence("done", c.text)' } }\n`;
    const { policy, findings } = compiled(macro, asking('ready(command)'));
    expect([findings, policy.rules[0]?.asks]).toEqual([[], ['done']]);
  });
});

describe('layers', () => {
  const org = [
    { text: kinds(DONE), layer: 'org' as const },
    { text: asking('evidence("done", "x")').replaceAll('a.b', 'org.a'), layer: 'org' as const },
  ];
  const asks = ({ policy }: Compilation) => policy.rules.map((r) => [r.id, r.asks]);

  it('a lower layer that declares a kind of the same name has it for its own rules alone', () => {
    const own = {
      text: kinds('  done: { established: [{ when: "true" }] }\n').replace(
        'lists: { words: { items: [a], open: append } }\n',
        '',
      ),
      layer: 'project' as const,
    };
    const rule = {
      text: asking('evidence("done", "x")').replace('name: pack', 'name: mine').replace('a.b', 'mine.b'),
      layer: 'project' as const,
    };
    const result = compiledWith({}, ...org, own, rule);
    expect(result.findings).toEqual([]);
    expect(asks(result)).toEqual([
      ['org.a', ['done']],
      ['mine.b', ['done@project']],
    ]);
  });

  it('a project may not add to a list that a kind uses', () => {
    const overlay = 'apiVersion: gov/v1\nkind: Overlay\ntarget: pack\nlists: { words: { append: [echo] } }\n';
    expect(briefly(compiledWith({}, ...org, { text: overlay, layer: 'project' }).findings)).toEqual([
      expect.stringContaining('`lists.words` is refused: more entries could establish evidence `done` for less'),
    ]);
    expect(compiledWith({}, ...org, { text: overlay, layer: 'user' }).findings).toEqual([]);
  });
});
