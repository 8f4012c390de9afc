import type { FileDraft } from '../model/effect.ts';
import type { Outcome } from '../model/program.ts';
import { textOf, type Value } from '../model/value.ts';
import { word } from './drafts.ts';
import {
  at,
  changes,
  changesWhen,
  type Git,
  type GitCommand,
  isPath,
  isWide,
  local,
  pathsShown,
  verbIs,
} from './git-context.ts';
import { isOff } from './git-environment.ts';
import { partlyKnown } from './in-place.ts';
import type { Parsed } from './options.ts';
import { merge } from './subcommands.ts';
import { atDashes, say } from './words.ts';

const QUIETLY = 'q quiet, v verbose, progress, no-progress';
const PATHSPEC = 'pathspec-from-file:, pathspec-file-nul';

/** Subcommands that change files of the work tree. */
export const gitTree: readonly GitCommand[] = [
  changes(
    'checkout',
    `${QUIETLY}, ${PATHSPEC}, f force, ours, theirs, b:, B:, t track?, no-track, l, d detach, orphan:, m merge, conflict:, p patch, guess, no-guess, overlay, no-overlay, recurse-submodules?, ignore-skip-worktree-bits, overwrite-ignore, ignore-other-worktrees, U unified:`,
    checkout,
  ),
  changes(
    'switch',
    `${QUIETLY}, c create:, C force-create:, d detach, guess, no-guess, f force, discard-changes, m merge, conflict:, t track?, no-track, orphan:, ignore-other-worktrees, recurse-submodules?`,
    (args, git) =>
      merge(
        args.has('force', 'discard-changes') ? discardAll(git, 'switch --discard-changes') : {},
        startsAgain(git, args.value('force-create'), args.operands[0]),
      ),
  ),
  changes(
    'restore',
    `${QUIETLY}, ${PATHSPEC}, s source:, p patch, W worktree, S staged, ours, theirs, m merge, conflict:, ignore-unmerged, ignore-skip-worktree-bits, recurse-submodules?, overlay, no-overlay, U unified:`,
    (args, git) => {
      if (args.has('patch') || (args.has('staged') && !args.has('worktree'))) return {};
      return discardPaths(git, pathsOf(args), args.value('source'));
    },
  ),
  changes(
    'reset',
    `${QUIETLY}, ${PATHSPEC}, soft, mixed, hard, merge, keep, N intent-to-add, p patch, no-refresh, recurse-submodules?`,
    (args, git) => {
      const mode = ['hard', 'merge', 'keep'].find((m) => args.has(m));
      if (!mode) return {};
      const to = say(args.operands[0]) || 'HEAD';
      return local(git, { kind: 'vcs-reset-hard', target: to, detail: `reset --${mode} to ${to}` });
    },
  ),
  changes(
    'checkout-index',
    'u index, q quiet, f force, a all, n no-create, prefix:, stage:, temp, stdin, z',
    (args, git) => {
      const prefix = args.value('prefix');
      if (prefix) return { files: [{ op: 'write', path: at(git, prefix), recursive: true, partial: true }] };
      return args.has('force') && args.has('all') ? discardAll(git, 'checkout-index -f -a') : {};
    },
  ),
  changes(
    'read-tree',
    'm, u, i, n dry-run, v, q quiet, reset, trivial, aggressive, prefix:, index-output:, empty',
    (args, git) => {
      if (!(args.has('reset') && args.has('u')) || args.has('dry-run')) return {};
      return local(git, { kind: 'vcs-reset-hard', target: say(args.operands[0]), detail: 'read-tree --reset -u' });
    },
  ),
  changesWhen(
    (args) => !args.has('dry-run'),
    'clean',
    'd, f force, i interactive, n dry-run, q quiet, e exclude:, x, X',
    clean,
  ),
  changes('rm', `${PATHSPEC}, f force, n dry-run, r, cached, ignore-unmatch, q quiet, sparse`, (args, git) => {
    if (args.has('cached', 'dry-run')) return {};
    const options = { recursive: args.has('r'), force: args.has('force'), follow: false };
    return { files: args.operands.map((path) => ({ op: 'delete', path: at(git, path), ...options })) };
  }),
  changes('mv', 'f force, k, n dry-run, v verbose, sparse', (args, git) => {
    const to = args.operands[args.operands.length - 1];
    if (!to || args.has('dry-run')) return {};
    const sources = args.operands.slice(0, -1);
    const moved = sources.map(
      (path): FileDraft => ({ op: 'move', path: at(git, path), to: at(git, to), follow: false }),
    );
    return { files: moved };
  }),
  changesWhen(
    verbIs(/^(add|move|remove|lock|unlock|repair|prune)$/),
    'worktree',
    'f force, d detach, checkout, no-checkout, lock, reason:, orphan, q quiet, b:, B:, track, guess-remote, n dry-run, v verbose, porcelain, z, expire:, relative-paths',
    worktree,
  ),
  changesWhen(
    (args) => word(args.operands[0]) !== 'list',
    'sparse-checkout',
    'cone, no-cone, sparse-index, stdin, skip-checks',
    () => ({}),
  ),
  changes(
    'init|init-db',
    'q quiet, bare, template:, separate-git-dir:, object-format:, ref-format:, b initial-branch:, shared?',
    (args, git) => {
      const directory = args.operands[0];
      const own = args.value('separate-git-dir');
      const template = args.value('template');
      return {
        files: [directory, own].filter((p): p is Value => !!p).map((path) => ({ op: 'create', path: at(git, path) })),
        effects:
          template && template.length > 0
            ? [{ kind: 'vcs-config', target: 'init.templateDir', detail: say(template) }]
            : [],
      };
    },
  ),
];

/** The operands that are certainly paths: all of them, or those after `--`. */
function pathsOf(args: Parsed): readonly Value[] {
  const from = args.value('pathspec-from-file');
  return from ? [['.']] : args.operands;
}

function checkout(args: Parsed, git: Git): Outcome {
  if (args.has('patch')) return {};
  const { after } = atDashes(git.words.slice(1));
  const before = after ? args.operands.slice(0, args.operands.length - after.length) : args.operands;
  if (args.has('b', 'B', 'orphan'))
    return merge(
      args.has('force') ? discardAll(git, 'checkout -f') : {},
      startsAgain(git, args.value('B'), args.operands[0]),
    );
  if (after && after.length > 0) return discardPaths(git, after, before[0] ?? null);
  if (args.value('pathspec-from-file')) return discardPaths(git, [['.']], before[0] ?? null);
  const [first, ...others] = before;
  if (args.has('ours', 'theirs')) return discardPaths(git, before, null);
  if (first && others.length > 0 && !after) {
    return isPath(git, first) ? discardPaths(git, before, null) : discardPaths(git, others, first);
  }
  if (first && !after && !args.has('detach', 'track') && isPath(git, first)) return discardPaths(git, [first], null);
  return args.has('force') ? discardAll(git, 'checkout -f') : {};
}

/**
 * `checkout -B main HEAD~3`: a branch that starts again further back, if it was there. From a branch, `-B` is how a
 * topic is made whether or not an old one is left.
 */
function startsAgain(git: Git, branch: Value | null, start: Value | undefined): Outcome {
  if (!branch || !start || !/[~^]|@\{/.test(word(start))) return {};
  const detail = `points ${say(branch)} back to ${say(start)}`;
  return local(git, { kind: 'vcs-rewrite', target: say(branch), detail });
}

function discardAll(git: Git, how: string): Outcome {
  return local(git, { kind: 'vcs-discard', target: '.', detail: `${how}: every uncommitted change`, recursive: true });
}

/** Overwrites paths of the work tree; a named file counts as a write, more than that as thrown-away work too. */
function discardPaths(git: Git, paths: readonly Value[], source: Value | null): Outcome {
  const kept = paths.filter((path) => !/^:(!|\^|\(exclude\))/.test(word(path)));
  const all: readonly Value[] = kept.length > 0 ? kept : [['.']];
  const files = all.map((path): FileDraft => {
    const wide = isWide(git, path);
    const more = wide ? { recursive: true, partial: true } : { content: partlyKnown('', 'what git keeps') };
    return { op: 'write', path: at(git, path), ...more };
  });
  const wide = all.filter((path) => isWide(git, path) || textOf(path) === null);
  if (wide.length === 0) return { files };
  const detail = `overwrites ${pathsShown(wide)} with ${source ? say(source) : 'the index'}`;
  return merge({ files }, local(git, { kind: 'vcs-discard', target: pathsShown(wide), detail, recursive: true }));
}

function clean(args: Parsed, git: Git): Outcome {
  const free = isOff(textOf(git.config.get('clean.requireforce') ?? ['true']));
  if (args.has('dry-run') || !(args.has('force') || free || args.has('interactive'))) return {};
  const which = args.has('X') ? 'ignored files' : args.has('x') ? 'untracked and ignored files' : 'untracked files';
  const target = pathsShown(args.operands);
  const files = args.operands.map(
    (path): FileDraft => ({
      op: 'delete',
      path: at(git, path),
      recursive: args.has('d'),
      partial: true,
      follow: false,
    }),
  );
  return merge(
    { files },
    local(git, { kind: 'vcs-clean', target, detail: `deletes ${which} in ${target}`, force: args.has('force') }),
  );
}

function worktree(args: Parsed, git: Git): Outcome {
  const [verb, first, second] = args.operands;
  if (!first) return {};
  const path = at(git, first);
  switch (word(verb)) {
    case 'add':
      return { files: [{ op: 'create', path, recursive: true }] };
    case 'move':
      return second ? { files: [{ op: 'move', path, to: at(git, second) }] } : {};
    case 'remove': {
      const force = args.has('force');
      const scratch = git.inv.world.resolve(git.inv.cwd, path, false).zone === 'temp';
      const removed: FileDraft = { op: 'delete', path, recursive: true, force, partial: !force };
      if (scratch) return { files: [removed] };
      return { files: [removed], effects: [{ kind: 'vcs-worktree-remove', target: say(first), force }] };
    }
    default:
      return {};
  }
}
