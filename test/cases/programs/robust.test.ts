import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EFFECT_KINDS } from '../../../src/model/effect-kinds.ts';
import { families } from '../../../src/programs/families.ts';
import { runLine } from './run-model.ts';

/** Words that steer models: verbs, options with and without values, paths, addresses, unknown and empty words. */
const WORDS = [
  ...[
    'run',
    'exec',
    'delete',
    'rm',
    'push',
    'apply',
    'cp',
    'get',
    'secret',
    'config',
    'set',
    'create',
    'add',
    'list',
    'api',
    's3',
  ],
  ...[
    '-f',
    '-c',
    '-o',
    '-e',
    '-v',
    '-rf',
    '--',
    '-',
    '--force',
    '--help=',
    '-x=y',
    '--file',
    '-K',
    '-oProxyCommand=id',
    '--mount=type=bind',
  ],
  ...[
    'a.txt',
    '/etc/x',
    '../x',
    '~',
    '.',
    'host:path',
    'https://x.example/a?b',
    'file:///etc/passwd',
    '@x',
    '+main',
    ':main',
    'a=b',
    '*',
    "''",
  ],
  ...['$X', '"-$X"', '"$X:/y"', '$MY_SECRET', "'DROP TABLE x; /* \\'", "'!sh -c id'", '"a b"', '{}', 'x,y=z', '%h'],
];

const line = fc.array(fc.constantFrom(...WORDS), { maxLength: 7 }).map((words) => words.join(' '));
const stdin = fc.constantFrom(undefined, '', 'DROP TABLE x;', 'put a b\n!id');

describe('models', () => {
  const programs = families.flat();
  it.each(programs.map((p) => [p.names[0] as string, p] as const))(
    '%s never throws and names known effects only',
    (name, program) => {
      fc.assert(
        fc.property(line, stdin, (rest, text) => {
          const outcome = runLine([program], `${name} ${rest}`, text === undefined ? {} : { stdin: text });
          for (const effect of outcome.effects ?? []) expect(EFFECT_KINDS).toHaveProperty([effect.kind]);
          for (const file of outcome.files ?? []) expect(Array.isArray(file.path)).toBe(true);
          for (const nested of outcome.nested ?? [])
            if (nested.kind === 'argv') expect(nested.argv.length).toBeGreaterThan(0);
        }),
        { numRuns: 60 },
      );
    },
  );

  it('stand under one name each', () => {
    const seen = new Map<string, number>();
    for (const program of programs) for (const name of program.names) seen.set(name, (seen.get(name) ?? 0) + 1);
    expect([...seen].filter(([, count]) => count > 1).map(([name]) => name)).toEqual([]);
  });
});
