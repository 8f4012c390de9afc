import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../support/judge.ts';
import { COMMANDS, PLACES } from './places.ts';
import { runs } from './runs.ts';
import { EXPANSIONS, QUOTINGS, type Spelling, VARIABLES } from './spellings.ts';

const STOPPED = [
  ['rm', '-rf', '/home/dev/work'],
  ['dd', 'if=/dev/zero', 'of=/dev/sda'],
  ['chmod', '-R', '777', '/etc'],
  ['git', 'reset', '--hard'],
  ['cat', '/home/dev/.ssh/id_rsa'],
] as const;
const PASSED = [
  ['npm', 'test'],
  ['ls', '-la', 'src'],
  ['git', 'status', '--short'],
  ['cargo', 'build', '--release'],
] as const;

const WORDS = [...QUOTINGS, ...EXPANSIONS, ...VARIABLES];
const RANK = { allow: 0, ask: 1, deny: 2, halt: 3 } as const;

function rank(text: string): number {
  return RANK[judge(text).answer];
}

/** The command with each word spelled, in its place. */
function written(words: readonly string[], spell: (i: number) => Spelling, form = COMMANDS[0], places = [PLACES[0]]) {
  const before: string[] = [];
  const spelled = words.map((word, i) => spell(i)(word, `v${i}`, before));
  const text = [...before, form?.(spelled) ?? ''].join('\n');
  return places.reduce((inner, place) => place?.(inner) ?? inner, text);
}

/** All texts in which one thing is unusual. */
function* once(
  words: readonly string[],
  spellings: readonly Spelling[],
  forms: readonly (typeof COMMANDS)[number][],
): Iterable<string> {
  const plain = QUOTINGS[0] as Spelling;
  for (const spelling of spellings)
    for (const at of words.keys()) yield written(words, (i) => (i === at ? spelling : plain));
  for (const form of forms) yield written(words, () => plain, form);
  for (const place of PLACES) yield written(words, () => plain, COMMANDS[0], [place]);
}

describe('a command is the same command, however it is written', () => {
  it.each(STOPPED.map((words) => words.join(' ')))('%s, one thing at a time', (command) => {
    const least = rank(command);
    const words = command.split(' ');
    // What depends on a variable of the environment may be asked about where the plain command is denied.
    const exact = [...once(words, [...QUOTINGS, ...VARIABLES], [])].filter((text) => rank(text) < least);
    const known = [...once(words, WORDS, COMMANDS)].filter((text) => rank(text) === RANK.allow);
    expect([exact, known]).toEqual([[], []]);
  });

  it('in all of it', () => {
    const some = fc.record({
      words: fc.constantFrom(...STOPPED),
      spellings: fc.array(fc.constantFrom(...WORDS), { minLength: 4, maxLength: 4 }),
      form: fc.constantFrom(...COMMANDS),
      places: fc.array(fc.constantFrom(...PLACES), { maxLength: 2 }),
    });
    const property = fc.property(some, ({ words, spellings, form, places }) => {
      const text = written(words, (i) => spellings[i] as Spelling, form, places);
      expect([rank(text) > RANK.allow, text]).toEqual([true, text]);
    });
    fc.assert(property, { numRuns: runs(700) });
  });
});

describe('ordinary work stays ordinary, however it is written', () => {
  const forms = COMMANDS.filter((form) => !/_unset_/.test(form(['a', 'b'])));

  it.each(PASSED.map((words) => words.join(' ')))('%s', (command) => {
    const stopped = [...once(command.split(' '), [...QUOTINGS, ...VARIABLES], forms)].filter(
      // A subcommand that the environment may set, a file whose name a program prints: these are asked about.
      (text) => !/:=|^true > "\$\(/.test(text) && rank(text) > RANK.allow,
    );
    expect(stopped).toEqual([]);
  });
});
