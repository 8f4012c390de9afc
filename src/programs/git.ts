import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { concat, known, type Stream, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { reads, word } from './drafts.ts';
import { gitConfig, oneOffSettings } from './git-config.ts';
import { elsewhere, type Git, type GitCommand, isScratch, setting } from './git-context.ts';
import { gitTraces, isOff } from './git-environment.ts';
import { gitExtras } from './git-extras.ts';
import { gitHistory } from './git-history.ts';
import { gitOutput, namesOf } from './git-output.ts';
import { gitPush } from './git-push.ts';
import { gitTree } from './git-tree.ts';
import { isSecretFile } from './leaving.ts';
import { type Parsed, parseOptions } from './options.ts';
import { below } from './paths.ts';
import { QUIET } from './streams.ts';
import { merge, runSub, tableOf } from './subcommands.ts';
import { cut, drop, say, starts } from './words.ts';

const COMMANDS = tableOf<Git, GitCommand>(gitTree, gitPush, gitHistory, gitExtras, gitConfig, gitOutput);
/** Subcommands that only look and have no option that does more. */
const LOOKS = new Set(
  (
    'status rev-parse ls-files ls-tree describe name-rev merge-base for-each-ref show-ref show-branch check-ignore ' +
    'check-attr check-ref-format check-mailmap count-objects fsck verify-commit verify-tag verify-pack version help ' +
    'var cherry get-tar-commit-id patch-id interpret-trailers stripspace column fmt-merge-msg mailinfo mailsplit ' +
    'diagnose bugreport fast-export gui gitk citool whatchanged last-modified refs'
  ).split(' '),
);

const MOST_ALIASES = 8;

/** git and its separate programs, from git(1) and the pages it names. */
export const git: readonly Program[] = [
  define({
    names: ['git'],
    manual: 'git(1)',
    summary: 'version control',
    options:
      'C:, c:, config-env:, exec-path?, git-dir:, work-tree:, namespace:, super-prefix:, list-cmds:, p paginate, P no-pager, bare, no-replace-objects, no-lazy-fetch, no-optional-locks, no-advice, literal-pathspecs, glob-pathspecs, noglob-pathspecs, icase-pathspecs, attr-source:, html-path, man-path, info-path, v version, h help',
    style: { stopAtOperand: true, abbreviations: false },
    run: (args, inv) => {
      const context = { inv, dir: directory(args, inv), config: settings(args, inv), words: args.operands };
      return merge(
        { stdout: QUIET },
        globals(args),
        gitTraces(context),
        oneOffSettings(context),
        subcommand(context, args.flags, MOST_ALIASES),
      );
    },
  }),
  // The programs below `git --exec-path`, and those that are called by their own name.
  define({
    names: [...COMMANDS.keys()].map((name) => `git-${name}`),
    manual: 'git(1): the subcommands are programs',
    summary: 'a subcommand of git',
    style: { stopAtOperand: true },
    run: (_, inv) => ({
      nested: [{ kind: 'argv', via: inv.name, argv: [['git'], [inv.name.slice(4)], ...inv.argv.slice(1)] }],
    }),
  }),
  define({
    names: ['git-receive-pack', 'git-upload-pack', 'gitk', 'git-gui', 'tig', 'lazygit'],
    manual: 'git(1), gitk(1): --argscmd is run at each start and reload',
    summary: 'helpers and viewers of git',
    options: 'argscmd:',
    run: (args) => ({
      stdout: QUIET,
      nested: args.values('argscmd').map((text): Nested => ({ kind: 'script', via: 'gitk', text })),
    }),
  }),
  define({
    names: ['bfg'],
    manual: 'https://rtyley.github.io/bfg-repo-cleaner/',
    summary: 'removes files and texts from the history of a repository',
    run: () => ({ effects: [{ kind: 'vcs-rewrite', target: 'history', detail: 'bfg' }] }),
  }),
];

/** `-C` as often as given, then the work tree. */
function directory(args: Parsed, inv: Invocation): Value {
  let dir: Value = [];
  for (const next of args.values('C')) if (next.length > 0) dir = below(dir, next);
  const tree = args.value('work-tree') ?? inv.env.get('GIT_WORK_TREE');
  if (tree && tree.length > 0) return below(dir, tree);
  const own = args.value('git-dir') ?? inv.env.get('GIT_DIR');
  const end = own && textOf(own)?.replace(/\/?\.git\/?$/, '');
  return own && end !== '' && end !== '.' && dir.length === 0 ? (end ? [end] : own) : dir;
}

function settings(args: Parsed, inv: Invocation): ReadonlyMap<string, Value> {
  const out = new Map<string, Value>();
  const count = Number(word(inv.env.get('GIT_CONFIG_COUNT')));
  for (let i = 0; i < Math.min(count || 0, 64); i++) {
    const key = word(inv.env.get(`GIT_CONFIG_KEY_${i}`)).toLowerCase();
    if (key !== '') out.set(key, inv.env.get(`GIT_CONFIG_VALUE_${i}`) ?? []);
  }
  if (on(inv.env.get('GIT_SSL_NO_VERIFY'))) out.set('http.sslverify', ['false']);
  for (const one of args.values('c')) {
    const entry = setting(one);
    if (entry) out.set(...entry);
  }
  for (const one of args.values('config-env')) {
    const entry = setting(one);
    const name = entry && word(entry[1]);
    if (!entry || !name) continue;
    const inherited = inv.env.has(name) ? null : inv.world.env(name);
    out.set(entry[0], inv.env.get(name) ?? (inherited === null ? [{ hole: name, like: 'any' }] : known(inherited)));
  }
  return out;
}

/** A variable that is set to something, whatever it is. */
function on(value: Value | undefined): boolean {
  return value !== undefined && value.length > 0 && !isOff(textOf(value));
}

function globals(args: Parsed): Outcome {
  const path = args.value('exec-path');
  const effects: EffectDraft[] = [];
  if (path && path.length > 0) effects.push({ kind: 'env-inject', target: 'git --exec-path', detail: say(path) });
  return { effects };
}

function subcommand(context: Git, flags: readonly string[], aliases: number): Outcome {
  const [first] = context.words;
  if (!first) return { subcommand: '' };
  const name = textOf(first);
  if (name === null)
    return { subcommand: '', effects: [{ kind: 'exec-unknown', target: 'git', detail: 'unknown subcommand' }] };
  const row = COMMANDS.get(name);
  if (row) {
    const outcome = runSub(row, name, context.words, flags, context);
    const args = parseOptions(context.words, row.options);
    if (!row.writes(args) || args.has('dry-run', 'help')) return outcome;
    const change: EffectDraft = { kind: 'vcs-change', target: name };
    return merge({ files: elsewhere(context), effects: isScratch(context) ? [] : [change] }, outcome);
  }
  const operands = context.words.slice(1).filter((w) => !starts(w, '-'));
  const seen = context.words
    .slice(1)
    .filter((w) => starts(w, '-'))
    .map((w) => word(w).replace(/^-+/, ''));
  const facts = { subcommand: name, operands, flags: [...flags, ...seen.filter((f) => f !== '')] };
  if (LOOKS.has(name))
    return { ...facts, files: storedSecrets(name, operands, context), stdout: printed(name, context) };
  const alias = aliases > 0 ? aliasOf(name, context) : null;
  if (alias) return merge(facts, runAlias(alias, context, flags, aliases - 1));
  return {
    ...facts,
    nested: [{ kind: 'argv', via: 'git', argv: [concat(['git-'], first), ...context.words.slice(1)] }],
  };
}

/** `rev-parse HEAD:.env`: by its hash, what a commit holds of a secret file can be shown without its name. */
function storedSecrets(name: string, operands: readonly Value[], { inv, dir }: Git): readonly FileDraft[] {
  if (name !== 'rev-parse') return [];
  const paths = operands
    .map((operand) => cut(operand, ':')?.[1])
    .filter((path): path is Value => !!path && path.length > 0);
  return reads(paths.map((path) => below(dir, path)).filter((path) => isSecretFile(inv, path)));
}

/** The alias from the command line, the repository or the user, in git's order. */
function aliasOf(name: string, { inv, dir, config }: Git): Value | null {
  const given = config.get(`alias.${name.toLowerCase()}`);
  if (given) return given;
  const { world, cwd } = inv;
  const root = world.resolve(cwd, dir.length > 0 ? dir : ['.'], true).real ?? world.workspace;
  for (const path of [`${root}/.git/config`, `${world.workspace}/.git/config`, `${world.home}/.gitconfig`]) {
    const text = world.readText(path);
    const value = text === null ? null : aliasIn(text, name);
    if (value !== null) return known(value);
  }
  return null;
}

/** An alias in the text of a configuration file; git-config(1), "Syntax". */
function aliasIn(text: string, name: string): string | null {
  let section = '';
  let found: string | null = null;
  for (const line of text.replace(/\\\n/g, '').split('\n')) {
    const head = /^\s*\[\s*([^\]"\s]+)/.exec(line);
    if (head) section = (head[1] as string).toLowerCase();
    const entry = /^\s*([A-Za-z][\w-]*)\s*=\s*(.*?)\s*$/.exec(line);
    if (section !== 'alias' || !entry || (entry[1] as string).toLowerCase() !== name.toLowerCase()) continue;
    const raw = entry[2] as string;
    found = /^".*"$/.test(raw) ? raw.slice(1, -1).replace(/\\(["\\])/g, '$1') : raw;
  }
  return found;
}

function runAlias(alias: Value, context: Git, flags: readonly string[], aliases: number): Outcome {
  const rest = context.words.slice(1);
  if (starts(alias, '!')) {
    const text = rest.length > 0 ? concat(drop(alias, 1), [' "$@"']) : drop(alias, 1);
    const nested: Nested = { kind: 'script', via: 'git alias', text, args: [['git'], ...rest] };
    return { nested: [nested] };
  }
  const text = textOf(alias);
  if (text === null) return { effects: [{ kind: 'exec-unknown', target: 'git', detail: 'unknown alias' }] };
  const words = (text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []).map((w) => known(w.replace(/["']/g, '')));
  return subcommand({ ...context, words: [...words, ...rest] }, flags, aliases);
}

/** What looking commands print, where that can be told. */
function printed(name: string, { words, inv, dir }: Git): Stream {
  const options = words.slice(1).map(word);
  const hash: Stream = { value: [{ hole: `git ${name}`, like: 'name' }], taints: [] };
  if (name === 'merge-base' && options.every((o) => !o.startsWith('--is'))) return hash;
  if (name === 'ls-files') return namesOf(words);
  if (name !== 'rev-parse') return QUIET;
  const [only] = options;
  if (options.length === 1 && only === '--show-toplevel') {
    const { real, zone } = inv.world.resolve(inv.cwd, dir.length > 0 ? dir : ['.'], true);
    const top = inv.world.workspace;
    if (zone === 'workspace' || real === top) return { value: [top], taints: [] };
    return QUIET;
  }
  const refs = options.filter((o) => !o.startsWith('-'));
  const plain = options.every(
    (o) => !o.startsWith('-') || /^(--verify|--short(=\d+)?|-q|--quiet|--end-of-options)$/.test(o),
  );
  return plain && refs.length === 1 && refs[0] !== '' ? hash : QUIET;
}
