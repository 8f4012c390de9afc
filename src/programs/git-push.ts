import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Nested, Outcome } from '../model/program.ts';
import { concat, render, type Value } from '../model/value.ts';
import { word } from './drafts.ts';
import { cloneSettings, programOption } from './git-config.ts';
import {
  at,
  changes,
  changesWhen,
  contact,
  type Git,
  type GitCommand,
  local,
  looks,
  remoteKind,
  verbIs,
} from './git-context.ts';
import type { Parsed } from './options.ts';
import { lastComponent } from './paths.ts';
import { merge } from './subcommands.ts';
import { say, starts } from './words.ts';

const FETCH_OPTIONS =
  'all, a append, atomic, depth:, deepen:, shallow-since:, shallow-exclude:, unshallow, dry-run, f force, k keep, multiple, p prune, P prune-tags, n no-tags, t tags, refmap:, j jobs:, recurse-submodules?, u update-head-ok, upload-pack:, q quiet, v verbose, o server-option:, filter:, set-upstream, negotiation-tip:, no-recurse-submodules, write-fetch-head, stdin, refetch, progress';

/** Subcommands that talk to other repositories. */
export const gitPush: readonly GitCommand[] = [
  looks(
    'push',
    'all branches, prune, mirror, n dry-run, porcelain, d delete, tags, follow-tags, signed?, atomic, receive-pack exec:, force-with-lease?, force-if-includes, f force, repo:, thin, u set-upstream, q quiet, v verbose, progress, recurse-submodules?, no-verify, o push-option:, 4 ipv4, 6 ipv6, no-force',
    push,
  ),
  changesWhen(() => false, 'fetch', FETCH_OPTIONS, fetch),
  changes(
    'pull',
    `${FETCH_OPTIONS}, r rebase?, no-rebase, ff, no-ff, ff-only, commit, no-commit, e edit, squash, s strategy:, X strategy-option:, S gpg-sign?, autostash, no-verify, allow-unrelated-histories, stat, signoff`,
    fetch,
  ),
  looks(
    'ls-remote',
    'h heads, t tags, b branches, refs, upload-pack exec:, q quiet, exit-code, get-url, sort:, o server-option:, symref',
    fetch,
  ),
  looks(
    'clone',
    'template:, c config:, u upload-pack:, b branch:, o origin:, depth:, reference:, j jobs:, reference-if-able:, separate-git-dir:, filter:, shallow-since:, shallow-exclude:, l local, recurse-submodules recursive?, server-option:, bundle-uri:, no-hardlinks, s shared, q quiet, v verbose, progress, n no-checkout, bare, mirror, single-branch, no-single-branch, no-tags, sparse, ref-format:, revision:, dissociate, remote-submodules, shallow-submodules, also-filter-submodules',
    clone,
  ),
  changesWhen(
    verbIs(/^(add|rename|remove|rm|set-head|set-branches|set-url|prune)$/),
    'remote',
    'v verbose, t track:, m master:, f fetch, tags, no-tags, mirror?, add, push, delete, all, a auto, n, p prune, d',
    remote,
  ),
  looks('send-pack', 'all, dry-run, force, receive-pack exec:, mirror', push),
  looks('request-pull', ['p'], () => ({})),
];

function push(args: Parsed, git: Git): Outcome {
  if (args.has('dry-run')) return {};
  const target = args.value('repo') ?? args.operands[0] ?? null;
  const refs = args.value('repo') ? args.operands : args.operands.slice(1);
  const leased = args.has('force-with-lease');
  const forced = args.has('force') && !args.has('no-force');
  const effects: EffectDraft[] = [];
  const force = (what: string, detail: string): void => {
    effects.push({ kind: 'vcs-force-push', target: what, detail, force: true });
  };
  const where = say(target);
  if (args.has('mirror')) force(where || 'origin', 'mirror: overwrites and deletes every ref there');
  if (args.has('prune'))
    effects.push({ kind: 'vcs-delete-remote', target: where, detail: 'branches that are gone here' });
  for (const ref of refs) {
    if (word(ref) === 'tag') continue;
    const what = say(target, ref);
    if (args.has('delete') || (starts(ref, ':') && word(ref) !== ':')) {
      effects.push({ kind: 'vcs-delete-remote', target: what, detail: 'deletes it on the remote' });
    } else if (starts(ref, '+')) force(what, 'refspec with +');
    else if (forced) force(what, '--force');
    else
      effects.push({ kind: 'vcs-push', target: what, ...(leased ? { detail: 'force with lease', force: true } : {}) });
  }
  if (refs.length === 0 && !args.has('mirror')) {
    if (forced) force(where || 'the upstream branch', '--force');
    else
      effects.push({ kind: 'vcs-push', target: where, ...(leased ? { detail: 'force with lease', force: true } : {}) });
  }
  if (args.has('no-verify')) effects.push({ kind: 'vcs-no-verify', target: 'push' });
  return merge({ effects }, target ? contact(git, target, 'file') : {}, program(args, 'receive-pack', target));
}

function fetch(args: Parsed, git: Git): Outcome {
  const remotes = args.has('multiple') ? args.operands : args.operands.slice(0, 1);
  const refs = args.has('multiple') || args.has('dry-run') ? [] : args.operands.slice(1);
  const moved = refs.flatMap((ref) => movedBranch(ref, args.has('force')));
  return merge(
    ...remotes.map((r) => contact(git, r, 'nothing')),
    program(args, 'upload-pack', remotes[0]),
    moved.length > 0 ? local(git, ...moved) : {},
  );
}

/** A refspec that overwrites a local branch: `+main:main`, or any with --force. Remote-tracking branches are copies. */
function movedBranch(ref: Value, forced: boolean): readonly EffectDraft[] {
  // Refspecs have `*` of their own.
  const text = render(ref);
  const match = /^(\+?)[^:]*:(?:refs\/heads\/)?([^:]+)$/.exec(text);
  if (!match || (match[1] === '' && !forced) || /^refs\//.test(match[2] as string)) return [];
  return [{ kind: 'vcs-rewrite', target: match[2] as string, detail: `overwrites the branch ${match[2]}` }];
}

/** The program that serves the other end: run here when the remote is a path, there when it is not. */
function program(args: Parsed, option: string, remote: Value | null | undefined): Outcome {
  const given = args.values(option);
  const certain = !!remote && remoteKind(remote) === 'path';
  return {
    effects: given.flatMap((text) => programOption(`--${option}`, text, /^(\S*\/)?git[- ](upload|receive)-pack$/)),
    nested: given.map((text): Nested => ({ kind: 'script', via: 'git', text, certain })),
  };
}

function clone(args: Parsed, git: Git): Outcome {
  const [source, given] = args.operands;
  if (!source) return {};
  const bare = args.has('bare', 'mirror');
  const directory = given ?? (args.has('help') ? null : cloneName(source, bare));
  const files: FileDraft[] = [];
  const content: Value =
    remoteKind(source) === 'path' ? [] : [{ hole: `a clone of ${say(source)}`, like: 'any', taint: 'network' }];
  if (directory) {
    files.push({ op: 'create', path: at(git, directory), recursive: true, ...(content.length > 0 ? { content } : {}) });
  }
  const own = args.value('separate-git-dir');
  if (own) files.push({ op: 'create', path: at(git, own), recursive: true });
  const template = args.value('template');
  const effects: EffectDraft[] =
    template && template.length > 0 ? [{ kind: 'vcs-config', target: 'init.templateDir', detail: say(template) }] : [];
  const from = contact(git, source, 'nothing');
  return merge(from, { files, effects }, program(args, 'upload-pack', source), cloneSettings(args.values('config')));
}

/** The directory git makes up for a clone: the last component without `.git`. */
function cloneName(source: Value, bare: boolean): Value | null {
  const last = lastComponent(
    source.map((part) => (typeof part === 'string' ? part.replace(/^[^/]*:(?=[^/]*$)/, '/') : part)),
  );
  if (!last) return null;
  const end = last[last.length - 1];
  if (typeof end !== 'string') return bare ? concat(last, ['.git']) : last;
  const name = concat(last.slice(0, -1), [end.replace(/\.(git|bundle)$/, '')]);
  return bare ? concat(name, ['.git']) : name;
}

function remote(args: Parsed, git: Git): Outcome {
  const [verb, name, url] = args.operands;
  switch (word(verb)) {
    case 'add':
    case 'set-url': {
      if (!url) return {};
      const code = remoteKind(url) === 'ext';
      const effects: EffectDraft[] = [{ kind: 'vcs-remote', target: say(url), detail: `${word(verb)} ${say(name)}` }];
      if (code) effects.push({ kind: 'vcs-config', target: `remote.${say(name)}.url`, detail: say(url) });
      return { effects };
    }
    case 'update':
      return fetch({ ...args, operands: [] }, git);
    default:
      return {};
  }
}
