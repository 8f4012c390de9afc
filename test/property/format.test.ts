import { Environment } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { formatPolicy } from '../../src/rulebook/format.ts';

/** Expressions as authors write them: any grouping, any spaces and line breaks. */
const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression');
  const atom = fc.constantFrom(
    'a',
    'file.path',
    'lists.words',
    '"text"',
    "'it is'",
    '\'say "hi"\'',
    '"// no comment"',
    'r"\\d+"',
    '12',
    '0x1f',
    '1.50',
    'true',
    '"# : {"',
  );
  const space = fc.constantFrom('', ' ', '  ', '\n', ' \n  ');
  const binary = fc.constantFrom('&&', '||', '==', '!=', '<', ' in ', '+', '-', '*', '/', '%');
  return {
    expression: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      atom,
      fc.tuple(inner, space, binary, space, inner).map((parts) => parts.join('')),
      fc.tuple(inner).map(([x]) => `(${x})`),
      fc.tuple(inner).map(([x]) => `!(${x})`),
      fc.tuple(inner).map(([x]) => `-(${x})`),
      fc.tuple(inner, inner, inner).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc.tuple(inner, inner).map(([a, b]) => `(${a}).exists(x, ${b})`),
      fc.tuple(inner, inner).map(([a, b]) => `size( ${a},${b} )`),
      fc.tuple(inner, inner).map(([a, b]) => `[${a} ,${b}][0]`),
      fc.tuple(inner).map(([a]) => `{"k":${a}}.k`),
    ),
  };
});

const environment = new Environment({ unlistedVariablesAreDyn: true });

/** The tree without places; a chain of one logical operator is one list, however it was grouped. */
function meaning(source: string): unknown {
  const plain = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(plain);
    if (typeof node !== 'object' || node === null || !('op' in node))
      return typeof node === 'bigint' ? `${node}n` : node;
    const { op, args } = node as { op: string; args: unknown };
    if (op !== '&&' && op !== '||') return [op, plain(args)];
    const chain = (n: unknown): unknown[] =>
      (n as { op: string }).op === op ? (n as { args: unknown[] }).args.flatMap(chain) : [plain(n)];
    return [op, ...chain(node)];
  };
  return plain(environment.parse(source).ast);
}

const HEAD = 'apiVersion: gov/v1\nkind: Rules\nmetadata: { name: x }\nrules:\n  - id: a.b # the first\n';
const inBlock = (header: string, source: string): string =>
  `    # what it is about\n    when: ${header}\n${source.replace(/^/gm, '      ')}\n`;
const oneLine = (source: string): string => source.replace(/\s+/g, ' ').trim();

const written = fc
  .tuple(expression, fc.constantFrom('|', '>-', '| # why', '>', "'", '"', ''))
  .map(([source, style]) => {
    switch (style) {
      case "'":
        return { source, text: `    when: '${oneLine(source).replaceAll("'", "''")}'\n` };
      case '"':
        return { source, text: `    when: ${JSON.stringify(oneLine(source))}\n` };
      case '':
        return { source, text: `    when: ${oneLine(source)}\n` };
      default:
        return { source, text: inBlock(style, source.trim()) };
    }
  });

function conditionIn(text: string): string {
  const when = parseDocument(text, { logLevel: 'silent' }).getIn(['rules', 0, 'when']);
  if (typeof when !== 'string') throw new Error('not a text');
  return when;
}

/** True if YAML reads back what was meant: not all texts can stand in plain style. */
function readsBack(text: string, source: string): boolean {
  try {
    return JSON.stringify(meaning(conditionIn(text))) === JSON.stringify(meaning(source));
  } catch {
    return false;
  }
}

test('formatting keeps the meaning and the comments, and doing it again changes nothing', () => {
  fc.assert(
    fc.property(written, ({ source, text }) => {
      const before = `${HEAD}${text}    effect: deny   # hard\n    # at the end\n`;
      fc.pre(readsBack(before, source));
      const after = formatPolicy(before);
      expect(meaning(conditionIn(after))).toEqual(meaning(source));
      expect(formatPolicy(after)).toBe(after);
      const comments = (file: string): string[] =>
        file.match(/# (?:the first|what it is about|why|hard|at the end)$/gm) ?? [];
      expect(comments(after)).toEqual(comments(before));
      expect(after.split('\n').filter((line) => /\s$/.test(line))).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});
