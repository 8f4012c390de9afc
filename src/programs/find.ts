import type { FileDraft } from '../model/effect.ts';
import type { Nested, Outcome } from '../model/program.ts';
import { concat, knownPrefix, type Part, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, effect, word } from './drafts.ts';
import { agentFiles } from './guarded-names.ts';
import { grammar, parseOptions } from './options.ts';
import { below } from './paths.ts';
import { contains, replaceIn } from './split-value.ts';

/** Tests and their number of arguments, find(1) of GNU findutils and BSD. */
const TESTS = new Map<string, number>();
for (const name of words(`amin anewer atime cmin cnewer context ctime fstype gid group ilname iname inum ipath iregex
  iwholename links lname mmin mtime name newer newerXY path perm regex regextype samefile size type uid used user
  wholename xtype flags maxdepth mindepth Bmin Bnewer Btime since`))
  TESTS.set(name, 1);
for (const name of words(`daystart depth d mount xdev x noleaf ignore_readdir_race noignore_readdir_race warn nowarn
  follow true false empty executable readable writable nouser nogroup print print0 ls prune quit not a o and or
  depth acl sparse`))
  TESTS.set(name, 0);

/** Tests that choose some of the files by what they are called or are, unless negated. */
const NARROWING = new Set(
  words(`amin anewer atime cmin cnewer context ctime gid group ilname iname inum ipath iregex iwholename links lname
    mmin mtime name newer path perm regex samefile size uid used user wholename empty executable nouser nogroup
    Bmin Bnewer Btime since xtype`),
);

const WRITES = new Set(['fprint', 'fprint0', 'fls', 'fprintf']);
const RUNS = new Set(['exec', 'execdir', 'ok', 'okdir']);

const FD = grammar(
  'H hidden, I no-ignore, u unrestricted, s case-sensitive, i ignore-case, g glob, regex, F fixed-strings, a absolute-path, l list-details, L follow, p full-path, 0 print0, d max-depth:, min-depth:, exact-depth:, E exclude:, prune, t type:, e extension:, S size:, changed-within newer:, changed-before older:, o owner:, format:, x exec:, X exec-batch:, batch-size:, ignore-file:, c color:, j threads:, max-buffer-time:, max-results:, 1, q quiet, show-errors, base-directory:, C:, and:, path-separator:, search-path:, strip-cwd-prefix?, one-file-system, hyperlink?',
);

/** What an expression of find(1) says. */
interface Search {
  readonly roots: readonly Value[];
  /** Patterns of -name and -iname that stand without a negation. */
  readonly names: readonly string[];
  /** Patterns of -path, and of what is left out by a negation or -prune. */
  readonly paths: readonly string[];
  readonly without: readonly string[];
  readonly depth: number;
  readonly ignoreCase: boolean;
  readonly narrowed: boolean;
  /** Nothing below the directories named is looked at. */
  readonly shallow: boolean;
  /** The starting points themselves are left out. */
  readonly below: boolean;
  /** A starting point that is a link is followed: -L, -H, -follow. */
  readonly follows: boolean;
  readonly deletes: boolean;
  readonly separator: string;
  readonly prints: boolean;
  readonly format: boolean;
  readonly written: readonly Value[];
  readonly read: readonly Value[];
  readonly commands: readonly Command[];
}

interface Command {
  readonly verb: string;
  readonly argv: readonly Value[];
}

/** Names of one search that are followed one by one. */
const MOST_NAMES = 8;
/** Places times what is done in each that are looked at. */
const MOST_PAIRS = 40_000;

/** find and fd: programs that walk a tree and act on what they find. */
export const find: readonly Program[] = [
  define({
    names: ['find', 'gfind', 'bfs'],
    manual: 'find(1), GNU findutils; find(1), FreeBSD',
    summary: 'walks trees; deletes, runs and writes',
    run: (_args, invocation) => {
      const whole = parse(invocation.argv.slice(1));
      const most = Math.floor(MOST_PAIRS / (whole.commands.length + whole.names.length + 1));
      const cut = whole.roots.length > 1 && whole.roots.length > most;
      const search = cut ? { ...whole, roots: whole.roots.slice(0, Math.max(1, most)) } : whole;
      const files: FileDraft[] = [
        ...drafts('list', whole.roots, { recursive: true }),
        ...drafts('write', search.written),
        ...drafts('read', search.read),
      ];
      const acts = search.narrowed && (search.deletes || search.commands.length > 0 || search.prints);
      const guarded = acts ? search.roots.flatMap((root) => agentFiles(invocation, root, search)) : [];
      if (search.deletes) {
        for (const root of search.roots) files.push(...removals(root, search));
        files.push(...drafts('delete', guarded, { recursive: true, follow: false }));
      }
      const nested = search.roots.flatMap((root) =>
        search.commands.flatMap((command) => executed(command, root, search, invocation.cwd)),
      );
      for (const command of search.commands) nested.push(...onPaths(command, guarded, {}));
      return {
        files,
        nested,
        operands: whole.roots,
        flags: flagsOf(invocation.argv),
        ...(cut ? { effects: [effect('exec-unknown', 'find', 'find in more places than are analysed')] } : {}),
        ...printedBy(search, guarded),
      };
    },
  }),
  define({
    names: ['fd', 'fdfind'],
    manual: 'fd(1): -x runs a command for each result, -X once for all',
    summary: 'finds files by name; runs programs on them',
    run: (_args, invocation) => {
      const { argv, cwd } = invocation;
      // What follows -x belongs to the command, whatever it looks like.
      const at = argv.findIndex((value) => /^(-[a-zA-Z0]*[xX]|--exec|--exec-batch)$/.test(word(value)));
      const args = parseOptions(at < 0 ? argv : argv.slice(0, at), FD);
      const [pattern, ...places] = args.operands;
      const tail = at < 0 ? [] : argv.slice(at + 1);
      const end = tail.findIndex((value) => textOf(value) === ';');
      const command = end < 0 ? tail : tail.slice(0, end);
      const base = args.value('base-directory', 'C');
      const root: Value = base ?? ['.'];
      const roots = [...(places.length > 0 ? places : [root]), ...args.values('search-path')];
      const text = pattern ? (textOf(pattern) ?? '?') : '';
      const extension = word(args.value('e'));
      const narrowed =
        !['', '.', '.*', '*'].includes(text) || args.has('e', 'S', 'changed-within', 'changed-before', 'o');
      const names =
        extension !== '' ? [`*.${extension}`] : narrowed ? fdNames(text, args.has('g'), args.has('H', 'u')) : [];
      const files = drafts('list', roots, { recursive: true });
      const search: Search = {
        ...NO_SEARCH,
        roots,
        names,
        narrowed,
        prints: command.length === 0,
        separator: args.has('0') ? '\0' : '\n',
      };
      const nested =
        command.length === 0
          ? []
          : roots.flatMap((place) => executed({ verb: 'exec', argv: withPlaceholder(command) }, place, search, cwd));
      return { files, nested, ...printedBy(search) };
    },
  }),
];

const NO_SEARCH: Search = {
  roots: [],
  names: [],
  paths: [],
  without: [],
  depth: Number.POSITIVE_INFINITY,
  ignoreCase: false,
  narrowed: false,
  shallow: false,
  below: false,
  follows: false,
  deletes: false,
  separator: '\n',
  prints: true,
  format: false,
  written: [],
  read: [],
  commands: [],
};

function parse(args: readonly Value[]): Search {
  let at = 0;
  let follows = false;
  for (; at < args.length && /^-(H|L|P|E|X|d|f|s|x|O\d*|D)$/.test(word(args[at])); at++) {
    const option = word(args[at]);
    if (option === '-D') at++;
    if (/^-[HLP]$/.test(option)) follows = option !== '-P';
  }
  const roots: Value[] = [];
  for (; at < args.length; at++) {
    const start = knownPrefix(args[at] as Value);
    if (/^(-.|[(!),]$)/.test(start)) break;
    roots.push(args[at] as Value);
  }
  const names: string[] = [];
  const paths: string[] = [];
  const without: string[] = [];
  let depth = Number.POSITIVE_INFINITY;
  let ignoreCase = false;
  let last = '';
  const written: Value[] = [];
  const read: Value[] = [];
  const commands: { verb: string; argv: readonly Value[] }[] = [];
  let shallow = false;
  let [narrowed, negated, deletes, belowRoot, acts, separator, format] = [
    false,
    false,
    false,
    false,
    false,
    '\n',
    false,
  ];
  for (; at < args.length; at++) {
    const text = word(args[at]);
    if (text === '!' || text === '-not') {
      negated = !negated;
      continue;
    }
    if (text === '(' || text === '\\(') continue;
    const name = text.replace(/^-/, '');
    const value = args[at + 1];
    if (RUNS.has(name)) {
      const end = endOfCommand(args, at + 1);
      commands.push({ verb: name, argv: args.slice(at + 1, end) });
      acts = true;
      at = end;
    } else if (WRITES.has(name)) {
      if (value) written.push(value);
      acts = true;
      at += name === 'fprintf' ? 2 : 1;
    } else if (name === 'delete') {
      deletes = true;
      acts = true;
    } else if (name === 'files0-from') {
      if (value) read.push(value);
      at++;
    } else if (name === 'printf') {
      format = true;
      at++;
    } else {
      if (name === 'print0') separator = '\0';
      if (name === 'follow') follows = true;
      const narrows = NARROWING.has(name) || name.startsWith('newer') || (name === 'type' && !/[fd]/.test(word(value)));
      const byPath = /^i?(path|wholename)$/.test(name);
      if (/^i(name|path|wholename)$/.test(name)) ignoreCase = true;
      if (byPath || name === 'name' || name === 'iname') last = word(value);
      if (negated && last !== '' && (byPath || name === 'name' || name === 'iname')) without.push(last);
      else if (byPath && word(value) !== '') paths.push(last);
      if (name === 'prune' && last !== '') without.push(last);
      if (name === 'maxdepth' && /^\d+$/.test(word(value))) depth = Number(word(value));
      const all = /^(name|iname|path|ipath|wholename)$/.test(name) && /^(\.\/)?\*+(\/\*+)*$/.test(word(value));
      if (narrows && !negated && !all) {
        narrowed = true;
        if ((name === 'name' || name === 'iname') && word(value) !== '') names.push(word(value));
      }
      if (name === 'maxdepth' && /^[01]$/.test(word(value))) shallow = true;
      if (name === 'mindepth' && word(value) !== '0') belowRoot = true;
      at += name.startsWith('newer') ? 1 : (TESTS.get(name) ?? 0);
    }
    negated = false;
  }
  return {
    roots: roots.length > 0 ? roots : [['.']],
    names,
    paths,
    without,
    depth,
    ignoreCase,
    narrowed,
    shallow,
    below: belowRoot,
    follows,
    deletes,
    separator,
    prints: !acts || separator === '\0',
    format,
    written,
    read,
    commands,
  };
}

/** The place of the `;` or `{} +` that ends a command, or the end of all. */
function endOfCommand(args: readonly Value[], from: number): number {
  for (let at = from; at < args.length; at++) {
    const text = textOf(args[at] as Value);
    if (text === ';' || (text === '+' && word(args[at - 1]) === '{}')) return at;
  }
  return args.length;
}

function removals(root: Value, search: Search): readonly FileDraft[] {
  const more = { recursive: true, partial: search.narrowed, contentsOnly: search.below, follow: search.follows };
  // Names without wildcards that matter by themselves (.git, .env) are said as well.
  const named = search.names.map((name) =>
    draft('delete', below(root, nameValue(name)), { partial: true, follow: false }),
  );
  return [draft('delete', root, more), ...named];
}

/** The paths that {} stands for, one for each kind. */
function found(root: Value, search: Search): readonly Value[] {
  if (search.names.length > 0 && search.names.length <= MOST_NAMES) {
    return search.names.map((name) => below(root, nameValue(name)));
  }
  if (search.narrowed) return [below(root, [{ hole: 'found by find', like: 'name' }])];
  return [below(root, [{ glob: '*' }])];
}

/** The names that a pattern of fd stands for, when it is plain enough: a regular expression found anywhere, or a glob. */
function fdNames(pattern: string, glob: boolean, hidden: boolean): readonly string[] {
  if (glob) return [pattern];
  const bare = pattern
    .replace(/^\^/, '')
    .replace(/(?<!\\)\$$/, '')
    .replace(/\\([.\-_])/g, '$1');
  if (bare === '' || /[\\^$*+?()[\]{}|/]/.test(bare)) return [];
  const [start, end] = [pattern.startsWith('^') ? '' : '*', pattern.endsWith('$') ? '' : '*'];
  const name = `${start}${bare}${end}`;
  return hidden && start === '*' ? [name, `.*${bare}${end}`] : [name];
}

function nameValue(name: string): Value {
  return /[*?[\]]/.test(name) ? [{ glob: name }] : [name];
}

function executed(command: Command, root: Value, search: Search, cwd: Value): readonly Nested[] {
  if (command.argv.length === 0) return [];
  const inPlace = command.verb.endsWith('dir');
  const place = inPlace ? { cwd: below(cwd, root) } : {};
  return onPaths(command, found(inPlace ? ['.'] : root, search), place);
}

function onPaths(command: Command, paths: readonly Value[], place: { readonly cwd?: Value }): readonly Nested[] {
  if (command.argv.length === 0) return [];
  return paths.map((path) => {
    const argv = command.argv.map((value) => replaceIn(value, '{}', path));
    return { kind: 'argv', via: 'find', argv, ...place };
  });
}

function printedBy(search: Search, guarded: readonly Value[] = []): Pick<Outcome, 'stdout'> {
  if (!search.prints || search.format)
    return { stdout: { value: [{ hole: 'output of find', like: 'any' }], taints: [] } };
  const lines: Part[] = [];
  for (const root of search.roots) for (const path of found(root, search)) lines.push(...path, search.separator);
  for (const path of guarded) lines.push(...path, search.separator);
  return { stdout: { value: concat(lines), taints: [] } };
}

function withPlaceholder(command: readonly Value[]): readonly Value[] {
  const named = command.map((value) =>
    ['{/}', '{//}', '{.}', '{/.}'].reduce((done, mark) => replaceIn(done, mark, ['{}']), value),
  );
  return named.some((value) => contains(value, '{}')) ? named : [...named, ['{}']];
}

function flagsOf(argv: readonly Value[]): readonly string[] {
  return [
    ...new Set(
      argv
        .slice(1)
        .map(word)
        .filter((text) => /^-[a-zA-Z]/.test(text))
        .map((text) => text.slice(1)),
    ),
  ];
}
