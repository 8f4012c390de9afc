import { describe, expect, it } from 'vitest';
import { EMPTY_STREAM, known, textOf } from '../../../src/model/value.ts';
import { families } from '../../../src/programs/families.ts';
import { findProgram, programs } from '../../../src/programs/index.ts';
import { fixtureWorld } from '../../../src/world/fixture.ts';
import { overlay } from '../../../src/world/overlay.ts';
import { linesOf, wordsOf } from './run-model.ts';

const world = overlay(fixtureWorld({ home: '/home/dev', workspace: '/home/dev/project' }));

function run(line: string, stdin = EMPTY_STREAM) {
  const argv = wordsOf(line);
  const name = (textOf(argv[0] ?? []) ?? '').replace(/^.*\//, '');
  return programs.model({ name, argv, env: new Map(), cwd: ['/home/dev/project'], stdin, stdinIsOpen: true, world });
}

describe('programs without a model', () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['frobnicate --input data/in.json', ['unknown frobnicate']],
    ['frobnicate data/in.json', ['read data/in.json ?', 'unknown frobnicate']],
    ["frobnicate 'see a/b for more' https://x.example/a", ['unknown frobnicate']],
    ['run-as-agent rm -rf ~', ['unknown run-as-agent', 'run ?: rm -rf ~']],
    ['run-as-agent -v bash -c id', ['unknown run-as-agent', 'run ?: bash -c id']],
    ['mytool -- cp a b', ['unknown mytool', 'run ?: cp a b']],
    ['mytool install test', ['unknown mytool']],
    ['mytool rm', ['unknown mytool']],
    ['mytool mkfs.ext4 /dev/sda', ['unknown mytool', 'run ?: mkfs.ext4 /dev/sda']],
    ['RM -RF ~', ['unknown RM', 'run ?: rm -RF ~']],
    ['ｒｍ -rf x', ['unknown ｒｍ', 'confusable ｒｍ', 'run ?: rm -rf x']],
    ['r\u200bm -rf x', ['unknown r\u200bm', 'confusable r\u200bm', 'run ?: rm -rf x']],
  ];
  it.each(rows)('%s', (line, want) => {
    expect(linesOf(run(line))).toEqual(want);
  });

  it('reads a no-break space as the space it looks like', () => {
    const argv = [known('rm\u00a0-rf'), known('x')];
    const outcome = programs.model({
      name: 'rm\u00a0-rf',
      argv,
      env: new Map(),
      cwd: ['/'],
      stdin: EMPTY_STREAM,
      stdinIsOpen: true,
      world,
    });
    expect(linesOf(outcome)).toContain('run ?: rm -rf x');
  });
});

describe('names', () => {
  it.each([
    ['rm', 'rm'],
    ['CMD.EXE', 'cmd'],
    ['cmd.exe', 'cmd'],
    ['gcc-13', 'gcc'],
    ['python3.12', 'python3'],
    ['bash5', 'bash'],
  ])('%s is %s', (name, model) => {
    expect(findProgram(name)?.names).toContain(model);
  });

  it.each(['s3', 'x2', 'nosuchprogram', '', 'constructor', '__proto__'])('%s is unknown', (name) => {
    expect(programs.has(name)).toBe(false);
  });

  it.each([
    ['/???/r?', 'rm', true],
    ['/bin/[r]m', 'rm', true],
    ['/bin/[!a]m', 'rm', true],
    ['r*', 'rmdir', true],
    ['?', 'rm', false],
    ['[', '[', true],
  ])('pattern %s and %s', (pattern, name, matches) => {
    expect(programs.matching(pattern).includes(name)).toBe(matches);
  });

  it('takes linear time for hostile patterns', () => {
    const start = performance.now();
    programs.matching(`${'*a'.repeat(2000)}b`);
    programs.matching('*'.repeat(10_000));
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

describe('every model', () => {
  const hostile = [
    '',
    '--',
    '-',
    '-a -b -c --x=y --',
    "-e '' -f '' -o '' -c '' -x '' -i '' -d ''",
    '$X $n * -$X --$X --out=$X',
    "( ! -name a ) -exec ; + {} ::: ' ",
    'run exec x -- y',
    '-exec',
    '-c',
    '-I',
  ];
  it('stands any arguments', () => {
    for (const program of families.flat())
      for (const name of program.names)
        for (const words of hostile) {
          const argv = [known(name), ...wordsOf(`x ${words}`).slice(1)];
          const own = programs.model({
            name,
            argv,
            env: new Map(),
            cwd: ['/home/dev/project'],
            stdin: { value: [{ hole: 'x', like: 'any' }, ' a b\n'], taints: ['network'] },
            stdinIsOpen: false,
            world,
          });
          const failed = own.effects?.find((effect) => effect.detail?.startsWith('model failed'));
          expect(failed, `${name} ${words}`).toBeUndefined();
        }
  });

  it('has a manual and a summary', () => {
    for (const program of families.flat()) {
      expect(program.manual, program.names[0]).not.toBe('');
      expect(program.summary, program.names[0]).not.toBe('');
    }
  });
});
