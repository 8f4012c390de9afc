import { describe, expect, it } from 'vitest';
import { concat, known, render, type Value } from '../../../src/model/value.ts';
import { type GrammarStyle, grammar, type OptionLines, parseOptions } from '../../../src/programs/options.ts';

/** Words of a line; `$X` stands for unknown text. */
function argv(line: string): readonly Value[] {
  return line.split(' ').map((word) => {
    const parts = word.split(/(\$\w+)/).filter(Boolean);
    return concat(
      ...parts.map((part) => (part.startsWith('$') ? [{ hole: part.slice(1), like: 'any' } as const] : known(part))),
    );
  });
}

interface Want {
  readonly given?: string;
  readonly operands?: string;
  readonly unknown?: string;
  readonly maybe?: boolean;
  readonly at?: number;
}

const RM: OptionLines = 'f force, r R recursive, v verbose, interactive?, t target:, reference:';

const ROWS: readonly (readonly [line: string, want: Want, lines?: OptionLines, style?: GrammarStyle])[] = [
  ['rm -rf a b', { given: 'r f', operands: 'a b', at: 2 }],
  ['rm a -f b', { given: 'f', operands: 'a b', at: 1 }],
  ['rm -- -f', { given: '', operands: '-f', at: 2 }],
  ['rm - x', { operands: '- x' }],
  ['rm --force --recursive x', { given: 'f r', operands: 'x' }],
  ['rm --rec --forc x', { given: 'r f', operands: 'x' }],
  ['rm --re x', { given: '', unknown: 're', operands: 'x' }],
  ['rm --rec x', { unknown: 'rec', operands: 'x' }, RM, { abbreviations: false }],
  ['rm --interactive=always x', { given: 'interactive=always', operands: 'x' }],
  ['rm --interactive always', { given: 'interactive', operands: 'always' }],
  ['rm --reference=a b', { given: 'reference=a', operands: 'b' }],
  ['rm --reference a b', { given: 'reference=a', operands: 'b' }],
  ['rm -ta b', { given: 't=a', operands: 'b' }],
  ['rm -t a b', { given: 't=a', operands: 'b' }],
  ['rm -rft a b', { given: 'r f t=a', operands: 'b' }],
  ['rm -t', { given: 't', operands: '' }],
  ['rm -zr x', { given: 'r', unknown: 'z', operands: 'x' }],
  ['rm --nope=1 x', { unknown: 'nope', operands: 'x' }],
  ['rm $X y', { operands: '${X} y', maybe: true }],
  ['rm -$X y', { operands: 'y', maybe: true }],
  ['rm --$X y', { operands: 'y', unknown: '', maybe: true }],
  ['rm a$X', { operands: 'a${X}', maybe: false }],
  ['rm --reference=$X y', { given: 'reference=${X}', operands: 'y', maybe: false }],
  ['rm -t$X y', { given: 't=${X}', operands: 'y' }],
  ['env -f ls -r', { given: 'f', operands: 'ls -r', at: 2 }, RM, { stopAtOperand: true }],
  ['env -f -- ls -r', { given: 'f', operands: 'ls -r', at: 3 }, RM, { stopAtOperand: true }],
  ['find -name x -f', { given: 'name=x f', operands: '' }, 'name:, f', { singleDashLong: true }],
  ['tf -auto-approve=true -x', { given: 'auto-approve=true', unknown: 'x' }, 'auto-approve', { singleDashLong: true }],
  ['tf --auto-approve', { given: 'auto-approve' }, 'auto-approve', { singleDashLong: true }],
  ['head -20 f', { given: '#=20', operands: 'f' }, 'n:', { numeric: true }],
  ['head -20 f', { unknown: '2 0', operands: 'f' }, 'n:'],
];

describe('parseOptions', () => {
  for (const [line, want, lines = RM, style] of ROWS) {
    it(`${line} ${style ? JSON.stringify(style) : ''}`, () => {
      const args = parseOptions(argv(line), grammar(lines, style));
      const given = args.given
        .map(({ name, value }) => (value.length > 0 ? `${name}=${render(value)}` : name))
        .join(' ');
      if (want.given !== undefined) expect(given).toBe(want.given);
      if (want.operands !== undefined) expect(args.operands.map(render).join(' ')).toBe(want.operands);
      expect(args.unknown.join(' ')).toBe(want.unknown ?? '');
      if (want.maybe !== undefined) expect(args.maybeOption).toBe(want.maybe);
      if (want.at !== undefined) expect(args.operandAt).toBe(want.at);
    });
  }

  it('knows an option by all its names', () => {
    const args = parseOptions(argv('rm -R -t a -t b'), grammar(RM));
    expect(args.flags).toEqual(['r', 'R', 'recursive', 't', 'target']);
    expect([args.has('recursive'), args.has('f', 'r'), args.has('f')]).toEqual([true, true, false]);
    expect(args.value('target')).toEqual(['b']);
    expect(args.values('t', 'target').map(render)).toEqual(['a', 'b']);
    expect(args.value('reference')).toBeNull();
  });

  it('reads a grammar as a list or as one string', () => {
    expect(grammar(['a all', 'b:']).options).toEqual(grammar('a all, b:').options);
  });

  it('grows linearly with its input', () => {
    const many = Array.from({ length: 50_000 }, (_, at) => known(at % 3 === 0 ? `-${'r'.repeat(20)}` : `--forc`));
    const start = performance.now();
    parseOptions([known('rm'), ...many], grammar(RM));
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
