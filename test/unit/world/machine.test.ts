import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { machineWorld } from '../../../src/world/machine.ts';
import { overlay } from '../../../src/world/overlay.ts';

let root: string;
let home: string;
let repo: string;
const git = (...args: string[]): void => {
  execFileSync('git', args, {
    cwd: repo,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@b',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@b',
    },
    stdio: 'ignore',
  });
};
const world = (cwd: string, env: NodeJS.ProcessEnv = {}) =>
  machineWorld({ cwd, env: { HOME: home, ...env }, installed: '/opt/gov' });

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gov-world-')));
  home = join(root, 'home/dev');
  repo = join(home, 'project');
  mkdirSync(join(repo, 'src/deep'), { recursive: true });
  mkdirSync(join(home, '.ssh'), { recursive: true });
  mkdirSync(join(home, 'plain/sub'), { recursive: true });
  writeFileSync(join(home, '.ssh/id_ed25519'), 'key');
  git('init', '-q', '-b', 'topic');
  git('remote', 'add', 'origin', 'https://github.com/acme/widgets.git');
  for (const name of ['a.ts', 'deep/b.ts', 'deep/c.ts', 'prüfung.ts']) writeFileSync(join(repo, 'src', name), name);
  writeFileSync(join(repo, '.gitignore'), '*.secretlog\n/gen/\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'x');
  mkdirSync(join(repo, 'gen'));
  mkdirSync(join(repo, 'node_modules'));
  writeFileSync(join(repo, 'gen/x'), '');
  writeFileSync(join(repo, 'untracked.ts'), 'u');
  symlinkSync('/etc', join(repo, 'etc'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('workspace', () => {
  it('is the work tree that holds the directory', () => expect(world(join(repo, 'src/deep')).workspace).toBe(repo));
  it('is the directory itself without one', () =>
    expect(world(join(home, 'plain/sub')).workspace).toBe(join(home, 'plain/sub')));
  it('a linked work tree has its own', () => {
    git('worktree', 'add', '-q', '../linked', '-b', 'other');
    const w = world(join(home, 'linked'));
    expect([w.workspace, w.git().branch, w.git().remote]).toEqual([
      join(home, 'linked'),
      'other',
      'https://github.com/acme/widgets.git',
    ]);
    expect(w.tracked(join(home, 'linked/src/a.ts'))).toBe(true);
  });
  it('a home directory under git is no workspace of what lies in it', () => {
    mkdirSync(join(home, '.git'));
    expect(world(join(home, 'plain')).workspace).toBe(join(home, 'plain'));
    rmSync(join(home, '.git'), { recursive: true });
  });
  it('started at home, only visible files are ordinary', () => {
    const o = overlay(world(home));
    const zone = (path: string) => o.files([home], { op: 'write', path: [path] })[0]?.zone;
    expect(
      ['notes.txt', '.bashrc', '.ssh/id_ed25519', 'Documents', 'Documents/x', '.', '/etc/passwd'].map(zone),
    ).toEqual(['workspace', 'home', 'secret', 'home', 'workspace', 'home', 'system']);
  });
  it('a home directory inside of it does not shrink it', () => {
    mkdirSync(join(repo, 'tmp-home/.config'), { recursive: true });
    const o = overlay(world(repo, { HOME: join(repo, 'tmp-home') }));
    const zone = (path: string) => o.files([repo], { op: 'write', path: [path] })[0]?.zone;
    expect(['src/a.ts', 'tmp-home/x', 'tmp-home/.bashrc'].map(zone)).toEqual(['workspace', 'workspace', 'home']);
    rmSync(join(repo, 'tmp-home'), { recursive: true });
  });
  it.each(['/', '/etc', '/usr/local', '/tmp'])('%s is never one', (dir) => {
    const o = overlay(world(dir));
    expect(o.files([dir], { op: 'write', path: ['/etc/passwd'] })[0]).toMatchObject({
      zone: 'system',
      in_workspace: false,
    });
  });
});

describe('git, read from its files', () => {
  it('knows branch and remote', () =>
    expect(world(repo).git()).toEqual({ branch: 'topic', remote: 'https://github.com/acme/widgets.git', dirty: null }));
  it.each(['2', '4'])('reads an index of version %s', (version) => {
    git('update-index', '--index-version', version);
    const w = world(repo);
    expect(
      ['src/a.ts', 'src/deep/c.ts', 'src/prüfung.ts', 'src/deep', 'untracked.ts', 'src/none'].map((p) =>
        w.tracked(join(repo, p)),
      ),
    ).toEqual([true, true, true, true, false, false]);
  });
  it('reads extended entries (version 3)', () => {
    writeFileSync(join(repo, 'later.ts'), 'x');
    git('add', '-N', 'later.ts');
    expect(world(repo).tracked(join(repo, 'later.ts'))).toBe(true);
    git('rm', '-q', '--cached', 'later.ts');
    rmSync(join(repo, 'later.ts'));
  });
  it.each([
    ['src', 'tracked'],
    ['src/a.ts', 'tracked'],
    ['untracked.ts', 'no'],
    ['node_modules', 'derived'],
    ['gen', 'derived'],
    ['x.secretlog', 'derived'],
    ['.git', 'no'],
    ['.', 'no'],
    ['../plain', 'no'],
  ])('%s can be had again: %s', (path, want) => {
    const [f] = overlay(world(repo)).files([repo], { op: 'delete', path: [path], recursive: true });
    expect(f?.reversible).toBe(want);
  });
  it('a changed file, or a tree that holds one, can not', () => {
    writeFileSync(join(repo, 'src/deep/b.ts'), 'changed');
    const w = world(repo);
    expect([
      w.reversible(join(repo, 'src/deep/b.ts')),
      w.reversible(join(repo, 'src')),
      w.reversible(join(repo, 'src/a.ts')),
    ]).toEqual(['no', 'no', 'tracked']);
  });
});

describe('what it does not trust or know', () => {
  it('takes /proc/self for the process that will run, not for this one', () => {
    const o = overlay(world(repo));
    const real = (path: string) => o.files([repo], { op: 'read', path: [path] }).map((f) => `${f.real} ${f.zone}`)[0];
    expect(
      ['/proc/self/cwd/src/a.ts', '/proc/self/root/etc/hosts', '/proc/self/environ', '/dev/fd/0'].map(real),
    ).toEqual([`${repo}/src/a.ts workspace`, '/etc/hosts system', '/proc/self/environ secret', '/proc/self/fd/0 temp']);
  });
  it('follows links of the machine', () => {
    const [f] = overlay(world(repo)).files([repo], { op: 'write', path: ['etc/motd'] });
    expect(f).toMatchObject({ real: '/etc/motd', zone: 'system' });
  });
  it.each([
    ['/home/x', false],
    ['/', false],
    ['relative', false],
    ['/tmp/agent-7', true],
    ['/var/folders/ab/T', true],
  ])('TMPDIR=%s counts as scratch: %s', (dir, want) => {
    expect(world(repo, { TMPDIR: dir }).tempDirs.includes(dir)).toBe(want);
  });
  it('variables that a shell may have of its own are unknown, not unset', () => {
    const w = world(repo, { BUILD_DIR: '/tmp/x', GITHUB_TOKEN: 'x', USER: 'dev' });
    expect(['HOME', 'USER', 'TMPDIR', 'BUILD_DIR', 'GITHUB_TOKEN', 'NO_SUCH', 'PWD'].map((n) => w.env(n))).toEqual([
      home,
      'dev',
      '',
      null,
      null,
      null,
      null,
    ]);
  });
  it('never throws on what is not there', () => {
    const w = world('/no/such/dir');
    expect([
      w.kind('/no/such/x'),
      w.kind('/a\0b'),
      w.readText('/no'),
      w.list('/no'),
      w.readLink('/no'),
      w.tracked('/no'),
      w.git(),
    ]).toEqual(['none', 'none', null, null, null, null, { branch: null, remote: null, dirty: null }]);
  });
  it("knows gov's own files, wherever GOV_HOME is", () => {
    const o = overlay(world(repo, { GOV_HOME: join(root, 'gov') }));
    const role = (path: string) => o.files([repo], { op: 'write', path: [path] })[0]?.role;
    expect(
      [
        join(root, 'gov/config/config.json'),
        join(root, 'gov/state/audit.db'),
        '/opt/gov/hooks/pre-tool-use',
        '/opt/gov/src/x.ts',
      ].map(role),
    ).toEqual(['gov', 'gov', 'gov', '']);
  });
});

describe('files that a process which answers many calls may hold locks on', () => {
  it.each(['audit.db', 'audit.db-wal', 'audit.db-shm', 'daemon/lock'])('%s is not opened, by whatever name', (name) => {
    const state = join(home, '.local/state/gov');
    mkdirSync(join(state, 'daemon'), { recursive: true });
    writeFileSync(join(state, name), 'echo hello');
    writeFileSync(join(state, 'notes'), 'echo hello');
    symlinkSync(state, join(root, `state of ${name.replace('/', '-')}`));
    linkSync(join(state, name), join(root, `link to ${name.replace('/', '-')}`));
    const w = world(repo);
    const places = [join(state, name), join(root, `state of ${name.replace('/', '-')}`, name)];
    for (const path of [...places, join(root, `link to ${name.replace('/', '-')}`)])
      expect(w.readText(path)).toBeNull();
    expect(w.readText(join(state, 'notes'))).toBe('echo hello');
  });
});
