import { describe, expect, it } from 'vitest';
import type { FileDraft } from '../../../src/model/effect.ts';
import { known, type Taint } from '../../../src/model/value.ts';
import type { Overlay } from '../../../src/model/world.ts';
import { fixtureWorld } from '../../../src/world/fixture.ts';
import { overlay } from '../../../src/world/overlay.ts';

const CWD = known('/home/dev/project');
const make = () =>
  overlay(
    fixtureWorld({
      files: { 'src/a.ts': 'a', 'src/deep/b.ts': 'b', 'run.sh': 'echo hi', '.env': 'K=1' },
      symlinks: { out: '/home/dev' },
    }),
  );
function run(world: Overlay, draft: FileDraft, taints: readonly Taint[] = []): void {
  for (const f of world.files(CWD, draft)) world.apply(f, draft, taints);
}
const at = (world: Overlay, path: string, op: FileDraft['op'] = 'write') => world.files(CWD, { op, path: [path] })[0];

describe('what earlier commands of the call did', () => {
  it('sees a written file with its content and taints', () => {
    const world = make();
    run(world, { op: 'write', path: ['x.sh'], content: ['rm -rf ~'] }, ['network']);
    expect(world.content('/home/dev/project/x.sh')).toEqual({ value: ['rm -rf ~'], taints: ['network'] });
    expect(world.readText('/home/dev/project/x.sh')).toBe('rm -rf ~');
  });
  it('follows a new symbolic link, relative to its own directory', () => {
    const world = make();
    run(world, { op: 'link', path: ['src/up'], to: ['../../elsewhere'] });
    expect(at(world, 'src/up/x')?.real).toBe('/home/dev/elsewhere/x');
    expect(at(world, 'src/up', 'delete')?.real).toBe('/home/dev/project/src/up');
  });
  it('takes a hard link for the file that it shares', () => {
    const world = make();
    run(world, { op: 'link', path: ['p'], to: ['/home/dev/.profile'], hard: true });
    expect(at(world, 'p')).toMatchObject({ real: '/home/dev/.profile', zone: 'home', role: 'shell-startup' });
    expect(at(world, 'p', 'delete')?.real).toBe('/home/dev/project/p');
  });
  it('does not know where a link with an unknown target leads', () => {
    const world = make();
    run(world, { op: 'link', path: ['l'], to: [{ hole: '$TARGET', like: 'any' }] });
    expect(at(world, 'l/x')).toMatchObject({ real: null, zone: null, reason: 'link to an unknown place' });
  });
  it('moves a tree with all below it', () => {
    const world = make();
    run(world, { op: 'move', path: ['src'], to: ['lib'] });
    expect(world.content('/home/dev/project/lib/deep/b.ts')).toEqual({ value: ['b'], taints: [] });
    expect(at(world, 'src/a.ts')?.exists).toBe(false);
    run(world, { op: 'write', path: ['lib/a.ts'], content: ['new'] });
    expect(world.readText('/home/dev/project/lib/a.ts')).toBe('new');
    expect(world.readText('/home/dev/project/lib/deep/b.ts')).toBe('b');
  });
  it('moves into a directory that is there', () => {
    const world = make();
    run(world, { op: 'move', path: ['run.sh'], to: ['src'] });
    expect(world.readText('/home/dev/project/src/run.sh')).toBe('echo hi');
  });
  it('forgets what lay in a deleted tree, and sees what is made anew', () => {
    const world = make();
    run(world, { op: 'delete', path: ['src'], recursive: true });
    expect(world.kind('/home/dev/project/src/a.ts')).toBe('none');
    run(world, { op: 'create', path: ['src'], dir: true });
    run(world, { op: 'write', path: ['src/c.ts'], content: ['c'] });
    expect(world.kind('/home/dev/project/src')).toBe('dir');
    expect(world.kind('/home/dev/project/src/a.ts')).toBe('none');
    expect(world.glob(CWD, ['src/', { glob: '*' }])).toEqual(['src/c.ts']);
  });
  it('deleting some of a tree deletes none of it for certain', () => {
    const world = make();
    run(world, { op: 'delete', path: ['src'], recursive: true, partial: true });
    expect(world.kind('/home/dev/project/src/a.ts')).toBe('file');
  });
  it('what the call made itself can be lost', () => {
    const world = make();
    run(world, { op: 'delete', path: ['new'] });
    run(world, { op: 'write', path: ['new'], content: ['x'] });
    expect(at(world, 'new', 'delete')?.reversible).toBe('scratch');
    expect(at(world, 'run.sh', 'delete')?.reversible).toBe('unknown');
  });
  it('a secret file has no content, only its taint', () => {
    expect(make().content('/home/dev/project/.env')).toEqual({ value: null, taints: ['secret'] });
  });
});

describe('forks', () => {
  it('do not see each other', () => {
    const one = make();
    run(one, { op: 'write', path: ['shared'], content: ['s'] });
    const two = one.fork();
    run(two, { op: 'write', path: ['only-two'], content: ['2'] });
    run(one, { op: 'write', path: ['only-one'], content: ['1'] });
    expect(
      [one, two].map((w) => ['shared', 'only-one', 'only-two'].map((n) => w.readText(`/home/dev/project/${n}`))),
    ).toEqual([
      ['s', '1', null],
      ['s', null, '2'],
    ]);
  });
  it('stay right however many there are', () => {
    let world = make();
    for (let i = 0; i < 200; i++) {
      run(world, { op: 'write', path: [`f${i}`], content: [`${i}`] });
      if (i === 100) run(world, { op: 'delete', path: ['f7'] });
      world = world.fork();
    }
    expect([0, 7, 150].map((i) => world.kind(`/home/dev/project/f${i}`))).toEqual(['file', 'none', 'file']);
  });
});

describe('resolve', () => {
  it.each([
    [CWD, ['a/./b/../c'], { real: '/home/dev/project/a/c', zone: 'workspace', reason: null }],
    [CWD, ['out/../x'], { real: '/home/x', zone: 'outside', reason: null }],
    [[{ hole: 'cd failed?', like: 'any' } as const], ['x'], { real: null, zone: null, reason: 'cd failed?' }],
    [[{ hole: 'd', like: 'any' } as const], ['/tmp/x'], { real: '/tmp/x', zone: 'temp', reason: null }],
    [['/tmp/', { hole: 'mktemp', like: 'name' } as const], ['x'], { real: null, zone: 'temp', reason: 'mktemp' }],
  ])('%j %j', (cwd, path, want) => {
    expect(make().resolve(cwd, path, true)).toEqual(want);
  });
});
