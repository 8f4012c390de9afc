import type { FileDraft } from '../model/effect.ts';
import type { Nested, Outcome } from '../model/program.ts';
import { ANY_REPOSITORY_FILE, type Stream, textOf, type Value } from '../model/value.ts';
import { reads, word } from './drafts.ts';
import { programOption } from './git-config.ts';
import { at, changes, changesWhen, contact, type Git, type GitCommand, isPath, local, looks } from './git-context.ts';
import type { Parsed } from './options.ts';
import { addedLines, patchedContent, patchPaths } from './patch-paths.ts';
import { servesFiles } from './serving.ts';
import { contentOf, QUIET } from './streams.ts';
import { merge, printsSecret } from './subcommands.ts';
import { atDashes, cut, say, starts } from './words.ts';

/** Options of the log and diff family that take a value as their own word. */
const LOG =
  'output:, no-index, S:, G:, n max-count:, U unified?, O:, l:, since after:, until before:, author:, committer:, grep:, L:, skip:, format:, pretty?, date:, diff-filter:, ext-diff, textconv, color?, stat?, inter-hunk-context:, word-diff?, word-diff-regex:, ignore-submodules?, submodule?, src-prefix:, dst-prefix:, find-object:, exit-code, p patch u, name-only, name-status, cached staged, oneline, graph, all, follow, q quiet, s no-patch, w, b, remotes?, branches?, tags?, glob:, exclude:, decorate?, abbrev?, relative?, M find-renames?, C find-copies?';

/** Subcommands that print, or write their output to a file. */
export const gitOutput: readonly GitCommand[] = [
  looks('diff|log|show|whatchanged|diff-tree|diff-index|diff-files|range-diff|shortlog|rev-list', LOG, shows),
  looks(
    'cat-file',
    't, s, e, p, textconv, filters, path:, batch?, batch-check?, batch-command?, batch-all-objects, unordered, filter:',
    shows,
  ),
  looks(
    'blame|annotate',
    'contents:, L:, S:, date:, ignore-rev:, ignore-revs-file:, since:, M?, C?, p porcelain, w, e, s, l, t',
    (args, git) => ({
      files: reads([...args.values('contents'), ...args.operands.slice(-1)].map((p) => at(git, p))),
    }),
  ),
  looks(
    'archive',
    'format:, o output:, prefix:, add-file:, add-virtual-file:, worktree-attributes, remote:, exec:, l list, v verbose, mtime:',
    (args, git) => {
      const from = args.value('remote');
      const served = args
        .values('exec')
        .flatMap((text) => programOption('--exec', text, /^(\S*\/)?git[- ]upload-archive$/));
      return merge(
        from ? contact(git, from, 'nothing') : {},
        { effects: served },
        {
          files: [
            ...writes(git, args.values('output')),
            ...reads([...args.values('add-file'), ...args.operands.slice(1)].map((p) => at(git, p))),
          ],
        },
      );
    },
  ),
  looks('bundle', 'q quiet, all-progress, progress, version:, all, branches?, tags?, since:, not', (args, git) =>
    word(args.operands[0]) === 'create' ? { files: writes(git, args.operands.slice(1, 2)) } : {},
  ),
  looks(
    'format-patch',
    'n numbered, N no-numbered, o output-directory:, stdout, start-number:, v reroll-count:, cover-letter, output:, attach?, inline?, thread?, in-reply-to:, to:, cc:, from?, subject-prefix:, rfc?, suffix:, signature:, base:, interdiff:, range-diff:, q quiet, k, s signoff, root, zero-commit',
    (args, git) => {
      if (args.has('stdout')) return {};
      const file = args.values('output');
      if (file.length > 0) return { files: writes(git, file) };
      return { files: [{ op: 'create', path: at(git, args.value('output-directory') ?? ['.']), partial: true }] };
    },
  ),
  changesWhen(
    (args) => !args.has('stat', 'numstat', 'summary', 'check') || args.has('apply'),
    'apply',
    'stat, numstat, summary, check, index, intent-to-add, N, 3 3way, build-fake-ancestor:, R reverse, reject, z, p:, C:, unidiff-zero, apply, no-add, binary, exclude:, include:, whitespace:, inaccurate-eof, v verbose, q quiet, recount, directory:, unsafe-paths, allow-empty, cached, ours, theirs, union, ignore-whitespace',
    apply,
  ),
  changes(
    'am',
    's signoff, k keep, m message-id, q quiet, u utf8, 3 3way, i interactive, whitespace:, C:, p:, directory:, patch-format:, S gpg-sign?, continue r resolved, skip, abort, quit, retry, show-current-patch?, empty:, n no-verify, ignore-whitespace, reject, c scissors, include:, exclude:',
    (args, git) =>
      args.has('continue', 'skip', 'abort', 'quit', 'show-current-patch', 'retry') ? {} : patched(args, git),
  ),
  looks('credential', [], (args) => (word(args.operands[0]) === 'fill' ? printsSecret('git credential') : {})),
  looks(
    'credential-store|credential-cache|credential-libsecret|credential-osxkeychain|credential-manager|credential-manager-core|credential-wincred|credential-gnome-keyring|credential-netrc|credential-oauth',
    ['file:', 'timeout:', 'socket:'],
    (args) => (word(args.operands[0]) === 'get' ? printsSecret('git credential') : {}),
  ),
  looks(
    'send-email',
    'to:, cc:, bcc:, from:, subject:, smtp-server:, smtp-server-port:, smtp-user:, smtp-pass?, smtp-encryption:, sendmail-cmd:, to-cmd:, cc-cmd:, dry-run, confirm:, annotate, compose, in-reply-to:, envelope-sender:, identity:, quiet, suppress-cc:',
    (args) => {
      if (args.has('dry-run')) return {};
      const commands = ['sendmail-cmd', 'to-cmd', 'cc-cmd'].flatMap((o) => args.values(o));
      const server = args.value('smtp-server') ?? [{ hole: 'the mail server', like: 'any' } as const];
      return {
        files: reads(args.operands, { certain: false }),
        dests: [{ address: server, scheme: 'smtp', sends: 'file', method: 'SEND' }],
        nested: commands.map((text): Nested => ({ kind: 'script', via: 'git send-email', text })),
      };
    },
  ),
  looks(
    'daemon|instaweb|http-backend',
    'port:, p port:, listen:, base-path:, export-all, inetd, d httpd:, b browser:, stop, start, restart',
    (args, git) => {
      if (args.has('stop')) return {};
      const port = say(args.value('port')) || '9418';
      const base = args.value('base-path') ?? args.operands[0] ?? null;
      return {
        effects: base ? servesFiles(git.inv, base, port) : [{ kind: 'listen', target: port }],
        nested: args.values('httpd').map((text): Nested => ({ kind: 'script', via: 'git instaweb', text })),
      };
    },
  ),
  looks(
    'grep',
    'O open-files-in-pager?, no-index, e:, f:, m max-count:, A:, B:, C:, max-depth:, threads:, cached, untracked, n line-number, i, l files-with-matches name-only, c count, w, E, F, P, G, h, H, r, v, o, p, W, q quiet, L, a, I, z, color?, exclude-standard, no-exclude-standard',
    (args, git) => {
      const pager = args.value('open-files-in-pager');
      const paths = args.operands.slice(args.has('e', 'f') ? 0 : 1);
      const recursive = args.has('no-index');
      const above = paths.some((p) => textOf(p) === null || /(^|\/)\.\.(\/|$)|^\//.test(word(p)));
      const names: Value = [{ hole: 'file that matches', like: 'name' }, args.has('z') ? '\0' : '\n'];
      const printed = args.has('files-with-matches', 'L', 'count', 'quiet') && !recursive ? [] : paths;
      return {
        ...(args.has('l') && !recursive && !above ? { stdout: { value: names, taints: [] } } : {}),
        files: [
          ...reads(
            printed.map((p) => at(git, p)),
            { recursive },
          ),
          ...reads(args.values('f').map((p) => at(git, p))),
        ],
        effects: pager && pager.length > 0 ? programOption('grep -O', pager, USUAL_VIEWER) : [],
        nested: pager && pager.length > 0 ? [{ kind: 'script', via: 'git grep -O', text: pager }] : [],
      };
    },
  ),
  looks(
    'difftool|mergetool',
    'x extcmd:, t tool:, d dir-diff, y no-prompt, prompt, g gui, tool-help, cached, trust-exit-code, rotate-to:, skip-to:, O:',
    (args) => ({
      effects: args.values('extcmd').flatMap((text) => programOption('difftool -x', text, USUAL_VIEWER)),
      nested: args.values('extcmd').map((text): Nested => ({ kind: 'script', via: 'git difftool', text })),
    }),
  ),
];

/** Pagers, editors and diff viewers. */
const USUAL_VIEWER =
  /^(less|more|most|cat|bat|vim?|nvim|vimdiff|nano|emacs|code|subl|meld|diff|colordiff|delta|difft|icdiff|kdiff3|opendiff|ksdiff)( [\w-]+)*$/;

/**
 * Names of files of the repository, one a line, as `git ls-files` prints them: all of them without a pathspec, some of
 * them with one. Nothing is known when they could lie above the directory, or when other things stand beside them.
 */
export function namesOf(words: readonly Value[]): Stream {
  const options = words.slice(1).filter((w) => starts(w, '-') && word(w) !== '--');
  const specs = words.slice(1).filter((w) => !starts(w, '-'));
  const plain = options.every((o) =>
    /^-[cmz]+$|^--(cached|modified|exclude-standard|recurse-submodules)$/.test(word(o)),
  );
  if (!plain || specs.some((s) => textOf(s) === null || /(^|\/)\.\.(\/|$)|^\//.test(word(s)))) return QUIET;
  const wide = specs.every((s) => /^(\.\/?|\*|:.*)$/.test(word(s)));
  const end = options.some((o) => /^-[cm]*z/.test(word(o))) ? '\0' : '\n';
  return { value: [{ hole: wide ? ANY_REPOSITORY_FILE : 'file of the repository', like: 'name' }, end], taints: [] };
}

function writes(git: Git, paths: readonly Value[]): readonly FileDraft[] {
  return paths.filter((p) => word(p) !== '-').map((path) => ({ op: 'write', path: at(git, path) }));
}

/** Output files, files that are read without git, and files of a commit (`REV:PATH`) as reads of that path. */
function shows(args: Parsed, git: Git): Outcome {
  const files: FileDraft[] = [...writes(git, args.values('output'))];
  const orders = args.values('O');
  files.push(...reads(orders.map((p) => at(git, p))));
  if (args.has('no-index'))
    files.push(
      ...reads(
        args.operands.map((p) => at(git, p)),
        { recursive: true },
      ),
    );
  const command = word(git.words[0]);
  const listsOnly = args.has('name-only', 'name-status', 'stat', 'no-patch', 't', 's', 'e');
  const prints = command === 'log' || command === 'rev-list' ? args.has('patch', 'L') : command !== 'shortlog';
  const { before, after } = atDashes(git.words.slice(1));
  const committed = before.some((w) => word(w).includes('..'));
  // Behind `--`, and what lies there: paths whose content is shown. What two commits hold was shared before.
  if (prints && !listsOnly && !committed && !args.has('no-index')) {
    const named = after ?? before.filter((w) => !starts(w, '-') && isPath(git, w));
    files.push(...reads(named.map((p) => at(git, p))));
  }
  if (/^(show|cat-file)$/.test(command) && !listsOnly) {
    for (const operand of args.operands) {
      const parts = cut(operand, ':');
      const path = parts?.[1];
      if (path && path.length > 0 && textOf(path) !== '/' && !/^\d:/.test(word(path))) {
        files.push({ op: 'read', path: at(git, path) });
      }
    }
  }
  return {
    files,
    ...(isListOfNames(args, git)
      ? { stdout: { value: [{ hole: ANY_REPOSITORY_FILE, like: 'name' }, listEnd(args)], taints: [] } }
      : {}),
  };
}

/** `git diff --name-only`, and what prints no more than that: which files, nobody knows, so it may be all of them. */
function isListOfNames(args: Parsed, git: Git): boolean {
  const verb = word(git.words[0]);
  if (!args.has('name-only') || args.has('no-index', 'p', 'stat', 'output', 'line-prefix', 'graph')) return false;
  return verb === 'diff' || (verb === 'show' && args.has('format') && word(args.value('format')) === '');
}

function listEnd(args: Parsed): string {
  return args.has('z') ? '\0' : '\n';
}

function apply(args: Parsed, git: Git): Outcome {
  const looking = args.has('stat', 'numstat', 'summary', 'check') && !args.has('apply');
  if (looking || args.has('cached')) return { files: reads(args.operands.map((p) => at(git, p))) };
  return patched(args, git);
}

/** The files that patches name, when the patches are known; the place they go to when they are not. */
function patched(args: Parsed, git: Git): Outcome {
  const paths = args.operands.map((p) => at(git, p));
  const inputs = paths.length > 0 ? paths.map((p) => contentOf(git.inv, p)) : [git.inv.stdin];
  const strip = Number.parseInt(word(args.value('p')) || '1', 10);
  const directory = args.value('directory');
  const files: FileDraft[] = [...reads(paths)];
  let known = true;
  for (const input of inputs) {
    const text = input.value === null ? null : textOf(input.value);
    if (text === null) known = false;
    else {
      for (const { path, op } of patchPaths(text, strip)) {
        const target = at(git, directory ? [...directory, `/${path}`] : [path]);
        files.push({ op, path: target, ...patchedContent(op, addedLines(text)) });
      }
    }
  }
  // `git diff | git apply -R` takes back what is not committed.
  const undoes = args.has('reverse') && !known && paths.length === 0 && inputs.length > 0;
  if (directory && (!known || args.has('unsafe-paths')))
    files.push({ op: 'write', path: at(git, directory), recursive: true, partial: true });
  else if (args.has('unsafe-paths') && files.length === paths.length)
    files.push({ op: 'write', path: [{ hole: 'what the patch names', like: 'any' }] });
  if (!undoes) return { files };
  return merge({ files }, local(git, { kind: 'vcs-discard', target: '.', detail: 'apply -R of what a pipe gives' }));
}
