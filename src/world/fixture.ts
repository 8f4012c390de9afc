import { govPaths } from '../base/gov-paths.ts';
import type { NodeKind, World } from '../model/world.ts';
import { isDerivedName, isKeptData } from './derived.ts';
import { ignoreRules, isIgnored } from './ignore.ts';
import { isUnder, nameOf, normalise, parentOf } from './paths.ts';

/** A world written down: what `world` of a batch line or a rule test gives. Paths are absolute or relative to the workspace. */
export interface FixtureSpec {
  readonly home?: string;
  readonly workspace?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly symlinks?: Readonly<Record<string, string>>;
  readonly git?: FixtureGit;
  /** Variables that are known besides HOME, PWD, USER, LOGNAME, SHELL and TMPDIR. Null: unset. */
  readonly env?: Readonly<Record<string, string | null>>;
  readonly user?: string;
}

interface FixtureGit {
  readonly branch?: string | null;
  readonly remote?: string | null;
  /** True or false for the whole tree, or the paths with uncommitted changes. */
  readonly dirty?: boolean | readonly string[];
  /** Paths that git tracks, files or directories. */
  readonly tracked?: readonly string[];
}

const USUAL_DIRS = [
  '/',
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/home',
  '/lib',
  '/lib64',
  '/media',
  '/mnt',
  '/opt',
  '/proc',
  '/root',
  '/run',
  '/sbin',
  '/srv',
  '/sys',
  '/tmp',
  '/usr',
  '/usr/bin',
  '/usr/lib',
  '/usr/local',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/share',
  '/var',
  '/var/lib',
  '/var/log',
  '/var/tmp',
  '/dev/shm',
];
const USUAL_FILES = [
  '/bin/sh',
  '/bin/bash',
  '/bin/rm',
  '/bin/cat',
  '/bin/cp',
  '/bin/mv',
  '/bin/ls',
  '/bin/dd',
  '/usr/bin/env',
  '/usr/bin/python3',
  '/usr/bin/rm',
  '/usr/bin/cat',
  '/usr/bin/find',
  '/usr/bin/curl',
  '/usr/bin/git',
  '/usr/bin/node',
  '/usr/bin/sudo',
  '/usr/bin/bash',
  '/etc/passwd',
  '/etc/shadow',
  '/etc/group',
  '/etc/hosts',
  '/etc/fstab',
  '/etc/sudoers',
  '/etc/resolv.conf',
];

/**
 * A world that is all in its description. What is not listed is unknown (kind null), not absent: a description names
 * only what matters, so `cd build` may succeed and `git mv a b` finds its file. Only system directories, the home
 * directory, the workspace (a repository) and the directories above listed files are known. Reads nothing from the machine.
 */
export function fixtureWorld(spec: FixtureSpec): World {
  const home = normalise(spec.home ?? '/home/dev');
  const workspace = normalise(spec.workspace ?? `${home}/project`);
  const user = spec.user ?? (nameOf(home) || 'root');
  const absolute = (path: string): string =>
    normalise(
      path.startsWith('/')
        ? path
        : path === '~' || path.startsWith('~/')
          ? home + path.slice(1)
          : `${workspace}/${path}`,
    );

  const nodes = new Map<string, NodeKind>();
  const texts = new Map<string, string>();
  const links = new Map<string, string>();
  const children = new Map<string, Set<string>>();
  const add = (path: string, kind: NodeKind): void => {
    if (nodes.get(path) === 'link') return;
    nodes.set(path, kind);
    if (path === '/') return;
    const dir = parentOf(path);
    const names = children.get(dir) ?? new Set();
    names.add(nameOf(path));
    children.set(dir, names);
    if (!nodes.has(dir)) add(dir, 'dir');
  };
  for (const dir of [...USUAL_DIRS, home, workspace, `${workspace}/.git`]) add(dir, 'dir');
  for (const [path, target] of entries(spec.symlinks)) {
    links.set(absolute(path), target);
    add(absolute(path), 'link');
  }
  const listed = new Set<string>();
  for (const [path, text] of entries(spec.files)) {
    const file = absolute(path);
    if (path.endsWith('/')) {
      add(file, 'dir');
      continue;
    }
    texts.set(file, String(text));
    listed.add(file);
    add(file, 'file');
  }
  for (const path of USUAL_FILES) add(path, 'file');

  const git = spec.git ?? {};
  const tracked = git.tracked?.map(absolute);
  const changed = Array.isArray(git.dirty) ? git.dirty.map(absolute) : null;
  const isClean = (path: string): boolean =>
    git.dirty === false || (changed !== null && !changed.some((c) => isUnder(c, path) || isUnder(path, c)));
  const isTracked = (path: string): boolean | null => tracked?.some((t) => isUnder(path, t)) ?? null;
  const rules = ignoreRules(texts.get(`${workspace}/.gitignore`) ?? '');
  const temp = ['/tmp', '/var/tmp', '/dev/shm'];
  const env = new Map<string, string | null>([
    ['HOME', home],
    ['PWD', null],
    ['USER', user],
    ['LOGNAME', user],
    ['SHELL', '/bin/bash'],
    ['TMPDIR', ''],
    ['IFS', ' \t\n'],
    ['GOV_HOME', ''],
    ['XDG_CONFIG_HOME', ''],
    ['XDG_STATE_HOME', ''],
    ...entries(spec.env).map(([name, value]): [string, string | null] => [name, value ?? '']),
  ]);
  const paths = govPaths({ HOME: home, GOV_HOME: env.get('GOV_HOME') ?? '' });

  return {
    home,
    workspace,
    tempDirs: temp,
    user,
    partial: true,
    own: [paths.config, paths.state],
    env: (name) => env.get(name) ?? null,
    kind: (path) => nodes.get(path) ?? null,
    readLink: (path) => links.get(path) ?? null,
    list: (path) => {
      const names = children.get(path);
      return names && nodes.get(path) === 'dir' ? [...names].sort() : null;
    },
    readText: (path) => texts.get(path) ?? null,
    git: () => ({
      branch: git.branch ?? null,
      remote: git.remote ?? null,
      dirty: typeof git.dirty === 'boolean' ? git.dirty : changed ? changed.length > 0 : null,
    }),
    reversible: (path) => {
      if (temp.some((dir) => isUnder(path, dir)) && !isUnder(path, workspace)) return 'scratch';
      if (!isUnder(path, workspace)) return 'no';
      const below = path.slice(workspace.length + 1);
      if (below === '' || isUnder(`${workspace}/.git`, path) || below.startsWith('.git/')) return 'no';
      if (isTracked(path)) return isClean(path) ? 'tracked' : 'unknown';
      if (isDerivedName(below)) return 'derived';
      if (isIgnored(rules, below, nodes.get(path) === 'dir')) return isKeptData(below) ? 'no' : 'derived';
      return tracked ? 'no' : 'unknown';
    },
    tracked: (path) => (isUnder(path, workspace) ? isTracked(path) : false),
  };
}

function entries<T>(record: Readonly<Record<string, T>> | undefined): [string, T][] {
  return record && typeof record === 'object' ? Object.entries(record) : [];
}
