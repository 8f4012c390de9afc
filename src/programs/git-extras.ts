import type { Nested } from '../model/program.ts';
import { reads, word } from './drafts.ts';
import { at, changesWhen, contact, type GitCommand, local, looks, verbIs } from './git-context.ts';
import { merge } from './subcommands.ts';
import { say } from './words.ts';

/** Subcommands beside the history itself: notes, replacements, large files, other version control. */
export const gitExtras: readonly GitCommand[] = [
  looks('merge-tree', [], () => ({})),
  changesWhen(
    (args) => args.operands.length > 0 && !/^(list|show|get-ref)$/.test(word(args.operands[0])),
    'notes',
    'F file:, m message:, C reuse-message:, f force, ref:, allow-empty, separator:',
    (args, git) => ({ files: reads(args.values('file').map((p) => at(git, p))) }),
  ),
  changesWhen(
    (args) => args.operands.length > 0 && !args.has('list'),
    'replace',
    'd delete, e edit, f force, l list, format:, g graft, raw',
    () => ({}),
  ),
  changesWhen(
    (args) => !/^(status|diff|remaining|)$/.test(word(args.operands[0])),
    'rerere',
    [],
    () => ({}),
  ),
  // What is stored can be shown by its hash.
  changesWhen(
    (args) => args.has('w'),
    'hash-object',
    'w, t:, stdin, stdin-paths, path:, no-filters, literally',
    (args, git) => (args.has('w') ? { files: reads(args.operands.map((p) => at(git, p))) } : {}),
  ),
  changesWhen(
    (args) =>
      !/^(?:(?:ls-files|status|env|logs|locks|ext|version|pointer|migrate info)\b|$)/.test(
        args.operands.slice(0, 2).map(word).join(' '),
      ),
    'lfs',
    'everything, include:, exclude:, I:, X:, include-ref:, exclude-ref:, above:, yes, l local, f force',
    (args, git) =>
      /^migrate (import|export)$/.test(args.operands.slice(0, 2).map(word).join(' '))
        ? local(git, { kind: 'vcs-rewrite', target: 'history', detail: 'lfs migrate' })
        : word(args.operands[0]) === 'push'
          ? merge(
              { effects: [{ kind: 'vcs-push', target: say(args.operands[1]) }] },
              args.operands[1] ? contact(git, args.operands[1], 'file') : {},
            )
          : {},
  ),
  changesWhen(
    verbIs(/^(add|merge|pull|push|split)$/),
    'subtree',
    'P prefix:, squash, m message:, b branch:, rejoin, onto:, q quiet, annotate:',
    (args, git) => {
      const [verb, remote] = [word(args.operands[0]), args.operands[1]];
      if (!remote || !/^(add|pull|push)$/.test(verb)) return {};
      const pushes = verb === 'push';
      return merge(
        { effects: pushes ? [{ kind: 'vcs-push', target: say(remote) }] : [] },
        contact(git, remote, pushes ? 'file' : 'nothing'),
      );
    },
  ),
  changesWhen(
    (args) => !/^(log|info|blame|find-rev|show-ignore|)$/.test(word(args.operands[0])),
    'svn|p4',
    'n dry-run, m message:, authors-prog:, A authors-file:, r revision:, s stdlayout',
    (args) => ({
      effects:
        /^(dcommit|submit|branch|tag|commit-diff|set-tree)$/.test(word(args.operands[0])) && !args.has('dry-run')
          ? [{ kind: 'vcs-push', target: 'the remote' }]
          : [],
      nested: args.values('authors-prog').map((text): Nested => ({ kind: 'script', via: 'git svn', text })),
    }),
  ),
];
