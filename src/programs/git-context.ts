import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { isDynamic, knownPrefix, type Part, render, textOf, type Value } from '../model/value.ts';
import { word } from './drafts.ts';
import { sendsOf } from './leaving.ts';
import type { Parsed } from './options.ts';
import { below } from './paths.ts';
import { type Subcommand, sub } from './subcommands.ts';
import { cut, drop, starts } from './words.ts';

/** A git command line after its global options: where it works and with what settings. */
export interface Git {
  readonly inv: Invocation;
  /** What `-C`, `--work-tree` or GIT_WORK_TREE make of the directory; empty: the current one. */
  readonly dir: Value;
  /** `-c key=value`, `--config-env` and GIT_CONFIG_KEY_n, keys in lower case. */
  readonly config: ReadonlyMap<string, Value>;
  /** The words from the subcommand on. */
  readonly words: readonly Value[];
}

export type GitCommand = Subcommand<Git> & {
  /** Does it change the repository it works in? That is a write where the repository lies elsewhere. */
  readonly writes: (args: Parsed) => boolean;
};

/** A subcommand that only looks. */
export const looks = (...row: Parameters<typeof sub<Git>>): GitCommand => ({
  ...sub<Git>(...row),
  writes: () => false,
});

/** A subcommand that changes the repository. */
export const changes = (...row: Parameters<typeof sub<Git>>): GitCommand => ({
  ...sub<Git>(...row),
  writes: () => true,
});

/** A subcommand that changes the repository in some of its forms. */
export const changesWhen = (writes: (args: Parsed) => boolean, ...row: Parameters<typeof sub<Git>>): GitCommand => ({
  ...sub<Git>(...row),
  writes,
});

/** True if the first operand is one of the verbs. */
export const verbIs =
  (pattern: RegExp) =>
  (args: Parsed): boolean =>
    pattern.test(word(args.operands[0]));

/** A path operand as the command's own directory sees it; pathspec magic for the top becomes the work tree. */
export function at(git: Git, path: Value): Value {
  if (starts(path, ':/') || starts(path, ':(top)')) {
    const rest = drop(path, starts(path, ':/') ? 2 : 6);
    return below([git.inv.world.workspace], rest.length > 0 ? rest : ['.']);
  }
  return below(git.dir, path);
}

/** True if the work tree lies in a scratch directory for certain: a throw-away clone loses nothing. */
export function isScratch(git: Git): boolean {
  const { world, cwd } = git.inv;
  return world.resolve(cwd, git.dir.length > 0 ? git.dir : ['.'], true).zone === 'temp';
}

/** Effects on the work tree or local history; none in a scratch clone. */
export function local(git: Git, ...effects: readonly EffectDraft[]): Outcome {
  return isScratch(git) ? {} : { effects };
}

/** The repository itself as a file that is written, when it is not the one the call works in. */
export function elsewhere(git: Git): readonly FileDraft[] {
  const { world, cwd } = git.inv;
  const path: Value = git.dir.length > 0 ? git.dir : ['.'];
  const { zone } = world.resolve(cwd, path, true);
  if (zone === 'workspace' || zone === 'temp') return [];
  if (zone === null && git.dir.length === 0) return [];
  return [{ op: 'write', path, partial: true }];
}

/** True if a path operand takes in more than one named file. */
export function isWide(git: Git, path: Value): boolean {
  const text = textOf(path);
  if (path.some((part) => typeof part !== 'string' && 'glob' in part)) return true;
  if (text === null) return false;
  if (text === '' || /(^|\/)\.{0,2}\/?$/.test(text) || /[*?[]/.test(text) || text.startsWith(':')) return true;
  const { real } = git.inv.world.resolve(git.inv.cwd, at(git, path), true);
  return real !== null && git.inv.world.kind(real) === 'dir';
}

/** True if the operand names something that exists below the command's directory. */
export function isPath(git: Git, path: Value): boolean {
  const text = textOf(path);
  if (text === null) return path.some((part) => typeof part !== 'string' && 'glob' in part);
  if (/^\.{1,2}(\/|$)/.test(text) || text.startsWith(':') || text.endsWith('/') || /[*?]/.test(text)) return true;
  const { real } = git.inv.world.resolve(git.inv.cwd, at(git, path), true);
  const kind = real === null ? null : git.inv.world.kind(real);
  return kind !== null && kind !== 'none';
}

/** What kind of remote a word is: a transport that runs a command, an address, a path of this machine, or a name. */
export function remoteKind(remote: Value): 'ext' | 'url' | 'path' | 'name' | 'unknown' {
  const start = knownPrefix(remote);
  if (start.startsWith('ext::')) return 'ext';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(start)) return start.startsWith('file://') ? 'path' : 'url';
  if (/^(\/|\.{1,2}(\/|$)|~)/.test(start)) return 'path';
  if (/^[^/]+:/.test(start)) return 'url';
  if (start === '' && isDynamic(remote)) return 'unknown';
  const text = textOf(remote);
  return text?.includes('/') ? 'path' : 'name';
}

/** Data goes to or comes from a remote given on the spot; nothing is said of a configured name. */
export function contact(git: Git, remote: Value, sends: 'nothing' | 'file'): Outcome {
  switch (remoteKind(remote)) {
    case 'ext':
      return { nested: [{ kind: 'argv', via: 'git', argv: extCommand(remote) }] };
    case 'url': {
      const scp = !/:\/\//.test(knownPrefix(remote));
      const leaks = sendsOf(git.inv, {}, remote) === 'secret';
      return {
        dests: [{ address: remote, sends: leaks ? 'secret' : sends, weighed: true, ...(scp ? { scheme: 'ssh' } : {}) }],
      };
    }
    case 'path': {
      const path = at(git, starts(remote, 'file://') ? drop(remote, 7) : remote);
      return {
        files: [sends === 'file' ? { op: 'write', path, partial: true } : { op: 'read', path, recursive: true }],
      };
    }
    default:
      return {};
  }
}

/** The words of `ext::sh -c foo% bar`; git-remote-ext(1): `% ` is a space inside a word, `%S` the service. */
function extCommand(remote: Value): readonly Value[] {
  const words: Part[][] = [[]];
  for (const part of drop(remote, 5)) {
    if (typeof part !== 'string') {
      words.at(-1)?.push(part);
      continue;
    }
    part.split(/(?<!%) +/).forEach((piece, i) => {
      if (i > 0) words.push([]);
      if (piece !== '') words.at(-1)?.push(piece.replaceAll('% ', ' '));
    });
  }
  return words.filter((words) => words.length > 0);
}

/** `key=value` with the key in lower case; a key alone is true. */
export function setting(word: Value): readonly [string, Value] | null {
  const parts = cut(word, '=');
  const key = textOf(parts ? parts[0] : word);
  return key === null ? null : [key.toLowerCase(), parts ? parts[1] : ['true']];
}

/** The paths for people, `.` when there are none. */
export function pathsShown(paths: readonly Value[]): string {
  return paths.length === 0 ? '.' : paths.map(render).join(' ');
}
