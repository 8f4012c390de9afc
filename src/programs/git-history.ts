import type { EffectDraft } from '../model/effect.ts';
import type { Nested, Outcome } from '../model/program.ts';
import { textOf } from '../model/value.ts';
import { reads, word } from './drafts.ts';
import {
  at,
  changes,
  changesWhen,
  contact,
  type Git,
  type GitCommand,
  local,
  pathsShown,
  verbIs,
} from './git-context.ts';
import { partlyKnown } from './in-place.ts';
import { isSecretFile } from './leaving.ts';
import type { Parsed } from './options.ts';
import { merge } from './subcommands.ts';
import { joinWords, say } from './words.ts';

const MERGING =
  'commit, no-commit, e edit, no-edit, ff, no-ff, ff-only, squash, s strategy:, q quiet, n, stat, X strategy-option:, S gpg-sign?, no-verify, m message:, F file:, abort, continue, quit, skip, allow-unrelated-histories, signoff, log?, autostash, into-name:, x, mainline:, keep-redundant-commits, allow-empty, empty:, cleanup:, verify-signatures, rerere-autoupdate, v verbose, no-stat';

/** Subcommands that make, move or purge commits and refs. */
export const gitHistory: readonly GitCommand[] = [
  changes(
    'commit',
    'a all, p patch, C reuse-message:, c reedit-message:, fixup:, squash:, reset-author, short, branch, porcelain, long, z null, F file:, author:, date:, m message:, t template:, s signoff, trailer:, no-verify n, allow-empty, allow-empty-message, cleanup:, e edit, no-edit, amend, no-post-rewrite, i include, o only, pathspec-from-file:, pathspec-file-nul, u untracked-files?, v verbose, q quiet, dry-run, status, no-status, S gpg-sign?, no-gpg-sign, verify',
    (args, git) => {
      if (args.has('dry-run')) return {};
      const files = reads([...args.values('file'), ...args.values('template')].map((p) => at(git, p)));
      const branch = git.inv.world.git().branch;
      return {
        files,
        effects: [{ kind: 'vcs-commit', ...(branch ? { target: branch } : {}) }, ...skipsHooks(args, 'commit')],
      };
    },
  ),
  changes('merge', MERGING, (args) => ({ effects: skipsHooks(args, 'merge') })),
  changes('cherry-pick|revert', MERGING, () => ({})),
  changes(
    'rebase',
    `${MERGING.replace(', n,', ',').replace(', x,', ',')}, onto:, keep-base, edit-todo, show-current-patch, apply, i interactive, x exec:, root, autosquash, no-autosquash, r rebase-merges?, f force-rebase no-ff, fork-point, C:, whitespace:, update-refs, committer-date-is-author-date, reset-author-date, reschedule-failed-exec, preserve-merges, p`,
    (args) => ({
      effects: skipsHooks(args, 'rebase'),
      nested: args.values('exec').map((text): Nested => ({ kind: 'script', via: 'git rebase --exec', text })),
    }),
  ),
  changesWhen(
    (args) =>
      args.has('d', 'D', 'm', 'M', 'c', 'C', 'set-upstream-to', 'unset-upstream', 'edit-description') ||
      (args.operands.length > 0 &&
        !args.has(
          'list',
          'contains',
          'no-contains',
          'merged',
          'no-merged',
          'points-at',
          'all',
          'remotes',
          'verbose',
          'vv',
        )),
    'branch',
    'd delete, D, f force, m move, M, c copy, C, r remotes, a all, l list, show-current, v verbose, vv, q quiet, abbrev?, no-abbrev, color?, no-color, column?, sort:, points-at:, format:, edit-description, t track?, no-track, u set-upstream-to:, unset-upstream, contains?, no-contains?, merged?, no-merged?, recurse-submodules, create-reflog, i ignore-case, omit-empty',
    (args, git) => {
      if (!args.has('d', 'D')) {
        const moved = args.has('force') && !args.has('m', 'M', 'c', 'C') ? args.operands[0] : undefined;
        return moved ? local(git, movesRef(say(moved))) : {};
      }
      const force = (args.has('D') || args.has('force')) && !args.has('remotes');
      return local(git, ...named(args, { kind: 'vcs-delete-branch', force }));
    },
  ),
  changesWhen(
    (args) =>
      args.operands.length > 0 &&
      !args.has('list', 'verify', 'contains', 'no-contains', 'merged', 'no-merged', 'points-at', 'n'),
    'tag',
    'a annotate, s sign, no-sign, u local-user:, f force, d delete, v verify, n?, l list, sort:, color?, i ignore-case, column?, contains?, no-contains?, merged?, no-merged?, points-at:, m message:, F file:, e edit, cleanup:, create-reflog, format:, trailer:, omit-empty',
    (args, git) =>
      args.has('delete')
        ? local(git, ...named(args, { kind: 'vcs-delete-branch', force: false, detail: 'a tag' }))
        : { files: reads(args.values('file').map((p) => at(git, p))) },
  ),
  changesWhen(
    (args) => !/^(list|show)$/.test(word(args.operands[0])),
    'stash',
    'p patch, k keep-index, no-keep-index, u include-untracked, a all, m message:, q quiet, index, S staged, pathspec-from-file:, only-untracked',
    (args, git) => {
      const verb = word(args.operands[0]);
      if (verb !== 'drop' && verb !== 'clear') {
        // Named files go back to what was committed; the stash keeps what they held.
        const paths =
          verb === 'push' || verb === 'save' ? args.operands.slice(1) : isStashVerb(verb) ? [] : args.operands;
        // `stash show -p -- PATH` prints it.
        if (verb === 'show' && args.has('patch'))
          return { files: reads(args.operands.slice(1).map((p) => at(git, p))) };
        return {
          files: paths.map((path) => ({
            op: 'write',
            path: at(git, path),
            content: partlyKnown('', 'what git keeps'),
          })),
        };
      }
      const target = verb === 'clear' ? 'all stashes' : say(args.operands[1]) || 'stash@{0}';
      return local(git, { kind: 'vcs-rewrite', target, detail: `stash ${verb} loses stashed work` });
    },
  ),
  changes('update-ref', 'd, no-deref, m:, stdin, z, create-reflog, batch-updates', (args, git) => {
    if (args.has('d')) {
      return local(git, {
        kind: 'vcs-rewrite',
        target: say(args.operands[0]),
        detail: `deletes the ref ${say(args.operands[0])}`,
      });
    }
    const [ref] = args.operands;
    if (ref && !args.has('stdin'))
      return /^(refs\/(heads|tags)\/|HEAD$)/.test(word(ref)) ? local(git, movesRef(say(ref))) : {};
    const given = git.inv.stdin.value && textOf(git.inv.stdin.value);
    if (!args.has('stdin') || (given && !/^(delete|update)\s/m.test(given))) return {};
    return local(git, { kind: 'vcs-rewrite', target: 'refs', detail: 'deletes refs', certain: !!given });
  }),
  changesWhen(
    (args) => args.operands.length > 1 || args.has('delete'),
    'symbolic-ref',
    'd delete, q quiet, short, recurse, m:',
    (args, git) => {
      const [ref] = args.operands;
      const moves = args.has('delete') || (args.operands.length > 1 && word(ref) === 'HEAD');
      return ref && moves ? local(git, movesRef(say(ref))) : {};
    },
  ),
  changesWhen(
    verbIs(/^(expire|delete|drop|write)$/),
    'reflog',
    'all, expire:, expire-unreachable:, updateref, rewrite, stale-fix, n dry-run, verbose, single-worktree, date:, format:, pretty?, oneline',
    (args, git) => {
      const verb = word(args.operands[0]);
      if (!['expire', 'delete', 'drop'].includes(verb) || args.has('dry-run')) return {};
      return local(git, {
        kind: 'vcs-rewrite',
        target: 'reflog',
        detail: `reflog ${verb}: lost commits can't be found again`,
      });
    },
  ),
  changes(
    'gc',
    'aggressive, auto, prune?, no-prune, q quiet, force, keep-largest-pack, cruft, detach, no-detach, max-cruft-size:',
    (args, git) => {
      const early = ['gc.pruneexpire', 'gc.reflogexpire', 'gc.reflogexpireunreachable'].find((key) =>
        EXPIRES_AT_ONCE.test(word(git.config.get(key))),
      );
      if (early) return local(git, { kind: 'vcs-rewrite', target: 'unreachable objects', detail: `gc with ${early}` });
      const prune = word(args.value('prune'));
      if (!args.has('prune') || /^\d+\.(week|month|year)s?\b/.test(prune) || prune === '') return {};
      return local(git, { kind: 'vcs-rewrite', target: 'unreachable objects', detail: `gc --prune=${prune}` });
    },
  ),
  changes('prune', 'n dry-run, v verbose, progress, expire:', (args, git) =>
    args.has('dry-run') ? {} : local(git, { kind: 'vcs-rewrite', target: 'unreachable objects', detail: 'prune' }),
  ),
  changes(
    'filter-branch',
    'setup:, env-filter:, tree-filter:, index-filter:, parent-filter:, msg-filter:, commit-filter:, tag-name-filter:, subdirectory-filter:, prune-empty, original:, d:, f force, state-branch:',
    (args, git) => {
      const code = [
        'setup',
        'env-filter',
        'tree-filter',
        'index-filter',
        'parent-filter',
        'msg-filter',
        'commit-filter',
        'tag-name-filter',
      ];
      const scripts = code.flatMap((option) => args.values(option));
      return merge(
        local(git, { kind: 'vcs-rewrite', target: 'history', detail: 'filter-branch', force: args.has('force') }),
        { nested: scripts.map((text): Nested => ({ kind: 'script', via: 'git filter-branch', text })) },
      );
    },
  ),
  changes(
    'filter-repo',
    'analyze, force f, path:, invert-paths, dry-run, replace-text:, mailmap:, subdirectory-filter:, strip-blobs-bigger-than:, path-glob:, path-rename:, refs:',
    (args, git) =>
      args.has('analyze', 'dry-run', 'help')
        ? {}
        : local(git, { kind: 'vcs-rewrite', target: 'history', detail: 'filter-repo', force: args.has('force') }),
  ),
  changesWhen(
    (args) => !/^(log|view|visualize|terms|help)$/.test(word(args.operands[0])),
    'bisect',
    'no-checkout, first-parent, term-new:, term-old:, term-good:, term-bad:',
    (args) => {
      const argv = args.operands.slice(1);
      if (word(args.operands[0]) !== 'run' || argv.length === 0) return {};
      return { nested: [{ kind: 'argv', via: 'git bisect run', argv }] };
    },
    { stopAtOperand: true },
  ),
  changesWhen(
    verbIs(/^(add|update|init|deinit|sync|set-branch|set-url|absorbgitdirs)$/),
    'submodule',
    'q quiet, cached, b branch:, f force, name:, reference:, depth:, init, remote, N no-fetch, checkout, rebase, merge, recursive, j jobs:, filter:, all, files, n summary-limit:',
    submodule,
    { stopAtOperand: false },
  ),
  changesWhen(
    () => false,
    'for-each-repo',
    ['config:', 'keep-going'],
    (args) => ({
      nested:
        args.operands.length > 0 ? [{ kind: 'argv', via: 'git for-each-repo', argv: [['git'], ...args.operands] }] : [],
    }),
    { stopAtOperand: true },
  ),
  changes(
    'add|stage',
    'n dry-run, v verbose, f force, i interactive, p patch, e edit, update u, A all, no-all, N intent-to-add, refresh, ignore-errors, ignore-missing, renormalize, chmod:, pathspec-from-file:, pathspec-file-nul, sparse',
    (args, git) => {
      if (args.has('dry-run')) return {};
      // What is added goes wherever the next push goes.
      const paths = args.operands.map((path) => at(git, path));
      return { files: reads(paths.filter((path) => isSecretFile(git.inv, path))) };
    },
  ),
  changes(
    'commit-tree|mktag|mktree|write-tree|update-index|fast-import|unpack-objects|index-pack|pack-objects|pack-refs|repack|multi-pack-index|commit-graph|update-server-info|merge-file|merge-index|flow|backfill',
    [],
    () => ({}),
  ),
  changesWhen(
    verbIs(/^run$/),
    'maintenance',
    'task:, auto, q quiet, schedule:, scheduler:, config-file:, force',
    (args) =>
      ['start', 'register'].includes(word(args.operands[0]))
        ? { effects: [{ kind: 'persistence', target: `git maintenance ${word(args.operands[0])}` }] }
        : {},
  ),
];

function isStashVerb(verb: string): boolean {
  return /^(list|show|pop|apply|branch|create|store|export|import|)$/.test(verb);
}

/** Ages at which nothing is kept. */
const EXPIRES_AT_ONCE = /^(now|all|0|[0-9](\.|\s)?seconds?(\.ago)?)$/;

/** A ref that is pointed elsewhere, whatever it held: commits may no longer be reached from it. */
function movesRef(ref: string): EffectDraft {
  return { kind: 'vcs-rewrite', target: ref, detail: `points ${ref} elsewhere` };
}

function skipsHooks(args: Parsed, name: string): readonly EffectDraft[] {
  return args.has('no-verify') ? [{ kind: 'vcs-no-verify', target: name }] : [];
}

function named(args: Parsed, draft: EffectDraft): readonly EffectDraft[] {
  if (args.operands.length === 0) return [{ ...draft, target: '' }];
  return args.operands.map((operand) => ({ ...draft, target: say(operand) }));
}

function submodule(args: Parsed, git: Git): Outcome {
  const verb = word(args.operands[0]);
  const rest = args.operands.slice(1);
  switch (verb) {
    case 'foreach': {
      const start = git.words.findIndex((w) => textOf(w) === 'foreach') + 1;
      const words = git.words.slice(start).filter((w, i) => i > 1 || !/^(--recursive|-q|--quiet)$/.test(word(w)));
      if (words.length === 0) return {};
      return { nested: [{ kind: 'script', via: 'git submodule foreach', text: joinWords(words) }] };
    }
    case 'add':
    case 'set-url': {
      const url = verb === 'add' ? rest[0] : rest[1];
      const path = verb === 'add' ? rest[1] : null;
      return merge(url ? contact(git, url, 'nothing') : {}, {
        effects: url ? [{ kind: 'vcs-remote', target: say(url), detail: `submodule ${verb}` }] : [],
        files: path ? [{ op: 'create', path: at(git, path), recursive: true }] : [],
      });
    }
    case 'update': {
      if (!args.has('force')) return {};
      const target = rest.length > 0 ? pathsShown(rest) : 'all submodules';
      return local(git, { kind: 'vcs-discard', target, detail: `submodule update --force ${target}`, recursive: true });
    }
    case 'deinit': {
      if (!args.has('force')) return {};
      const target = args.has('all') ? 'all submodules' : pathsShown(rest);
      return local(git, { kind: 'vcs-discard', target, detail: `submodule deinit -f ${target}`, recursive: true });
    }
    default:
      return {};
  }
}
