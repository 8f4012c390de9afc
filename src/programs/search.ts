import type { FileDraft } from '../model/effect.ts';
import type { Nested, Outcome } from '../model/program.ts';
import { concat, known, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { draft, isStdin, reads, word } from './drafts.ts';
import { namedPrograms } from './named-programs.ts';
import type { Parsed } from './options.ts';
import { below } from './paths.ts';
import { chosenProcesses } from './process-ids.ts';
import { printed, QUIET, selected } from './streams.ts';

const GREP =
  'E extended-regexp, F fixed-strings, G basic-regexp, P perl-regexp, e regexp:, f file:, i y ignore-case, no-ignore-case, v invert-match, w word-regexp, x line-regexp, c count, color?, colour?, L files-without-match, l files-with-matches, m max-count:, o only-matching, q quiet silent, s no-messages, b byte-offset, H with-filename, h no-filename, label:, n line-number, T initial-tab, Z null, A after-context:, B before-context:, C context:, a text, binary-files:, D devices:, d directories:, exclude:, exclude-from:, exclude-dir:, I, include:, r recursive, R dereference-recursive, line-buffered, U binary, z null-data, include-dir:, S, p, O';

const RIPGREP =
  'e regexp:, f file:, A after-context:, B before-context:, C context:, E encoding:, M max-columns:, max-columns-preview, color:, colors:, g glob:, iglob:, j threads:, m max-count:, r replace:, t type:, T type-not:, type-add:, type-clear:, type-list, d max-depth maxdepth:, max-filesize:, pre:, pre-glob:, hostname-bin:, hyperlink-format:, ignore-file:, dfa-size-limit:, regex-size-limit:, engine:, path-separator:, sort:, sortr:, context-separator:, field-context-separator:, field-match-separator:, generate:, c count, count-matches, l files-with-matches, files-without-match, files, q quiet, i ignore-case, s case-sensitive, S smart-case, F fixed-strings, P pcre2, U multiline, multiline-dotall, u unrestricted, hidden ., no-ignore, L follow, n line-number, N no-line-number, o only-matching, p pretty, v invert-match, w word-regexp, x line-regexp, z search-zip, 0 null, a text, H with-filename, I no-filename, json, vimgrep, column, heading, no-heading, trim, stats, debug, b byte-offset, no-messages, passthru, stop-on-nonmatch, crlf, no-config, one-file-system, block-buffered, line-buffered, null-data, mmap, V version, auto-hybrid-regex, no-ignore-vcs, no-ignore-parent, no-ignore-dot, no-ignore-global, no-ignore-exclude, no-ignore-files, glob-case-insensitive, no-hidden, binary';

/** Options with which only names or counts are printed. */
const NAMES_ONLY = ['l', 'L', 'c', 'q', 'count-matches', 'files-without-match', 'files', 'type-list'];

/** Programs that search files for patterns. */
export const search: readonly Program[] = [
  define({
    names: [
      'grep',
      'egrep',
      'fgrep',
      'ggrep',
      'gegrep',
      'zgrep',
      'bzgrep',
      'xzgrep',
      'zegrep',
      'zfgrep',
      'rgrep',
      'pcregrep',
      'pcre2grep',
      'agrep',
      'ugrep',
      'ug',
      'sift',
    ],
    manual: 'grep(1), GNU grep',
    summary: 'prints lines that match',
    options: GREP,
    style: { numeric: true },
    run: (args, invocation) => {
      const recursive = args.has('r', 'R') || invocation.name === 'rgrep' || word(args.value('d')) === 'recurse';
      const paths = searched(args, recursive);
      const globs = args.values('include');
      return {
        files: [...reads(args.values('f', 'exclude-from')), ...places(args, paths, recursive, globs, false)],
        ...outputOf(args, recursive, paths, () => ({
          ...selected(invocation, paths, true, () => null),
          ...(paths.length === 0 && !args.has('v') ? chosenProcesses(invocation.stdin, patternOf(args)) : {}),
        })),
      };
    },
  }),
  define({
    names: ['rg', 'ripgrep', 'rga'],
    manual: 'rg(1): --pre runs a program for each file, --hostname-bin one for links',
    summary: 'prints lines that match, below directories too',
    options: RIPGREP,
    run: (args, invocation) => {
      const names = args.has('files', 'type-list', 'V');
      const [first] = args.operands;
      const patterns = names || args.has('e', 'f') ? 0 : 1;
      const given = args.operands.slice(patterns);
      const filters = given.length === 0 && patterns === 1 && first !== undefined && !invocation.stdinIsOpen;
      // Without a path rg searches the directory unless it is given text.
      const paths = given.length > 0 || (filters && invocation.stdin.value !== null) ? given : [known('.')];
      const globs = args.values('g', 'iglob').filter((glob) => !word(glob).startsWith('!'));
      const hidden =
        args.has('hidden', '.') ||
        args.flags.includes('uu') ||
        args.given.filter(({ name }) => name === 'u').length > 1;
      const runs = namedPrograms('rg --pre', [...args.values('pre'), ...args.values('hostname-bin')]);
      return {
        files: [...reads(args.values('f', 'ignore-file')), ...places(args, paths, true, globs, !hidden)],
        ...runs,
        ...outputOf(args, true, paths, () => selected(invocation, given, true, () => null)),
      };
    },
  }),
  define({
    names: ['ag', 'ack', 'pt', 'ucg', 'ast-grep', 'comby'],
    manual: 'ag(1), ack(1): --pager runs a program',
    summary: 'prints lines that match below directories',
    options:
      'A after:, B before:, C context:, G file-search-regex:, m max-count:, pager:, depth:, ignore:, ignore-dir:, p pattern path-to-ignore:, color?, c count, l files-with-matches, L files-without-matches, g, i, Q literal, w, v, u, hidden, q, o, match:, type:, output:, W:, lang:, r rewrite:, json?, U update-all, f, H, h, n, s, S, a, k, x',
    run: (args, { name }) => {
      const rewrites = /^(ast-grep|sg|comby)$/.test(name);
      const verb = /^(run|scan|test|new|outline)$/.test(word(args.operands[0]));
      const given = args.operands.slice(rewrites && (args.has('p') || verb) ? (verb ? 1 : 0) : 1);
      const paths = given.length > 0 ? given : [known('.')];
      const nested = args.values('pager').map((text): Nested => ({ kind: 'script', via: `${name} --pager`, text }));
      const writes: readonly FileDraft[] =
        rewrites && args.has('U') ? paths.map((path) => draft('write', path, { recursive: true, partial: true })) : [];
      return {
        files: [...places(args, paths, true, [], true), ...writes],
        nested,
        ...outputOf(args, true, paths, () => ({})),
      };
    },
  }),
];

function patternOf(args: Parsed): string {
  return args.has('f') ? '' : word(args.value('e') ?? args.operands[0]);
}

function searched(args: Parsed, recursive: boolean): readonly Value[] {
  const paths = args.has('e', 'f') ? args.operands : args.operands.slice(1);
  return paths.length > 0 || !recursive ? paths : [known('.')];
}

/** The files that a search reads; globs that choose names are part of the path, so that `.env*` shows. */
function places(
  args: Parsed,
  paths: readonly Value[],
  recursive: boolean,
  globs: readonly Value[],
  partial: boolean,
): readonly FileDraft[] {
  const op = args.has(...NAMES_ONLY) ? 'list' : 'read';
  const more = recursive ? { recursive, ...(partial || globs.length > 0 ? { partial: true } : {}) } : {};
  return paths
    .filter((path) => !isStdin(path))
    .flatMap((path) => [
      draft(op, path, more),
      ...(recursive ? globs.flatMap(globNames).map((name) => draft(op, below(path, name))) : []),
    ]);
}

/** The names that a glob of grep or rg stands for; the first braces are spelled out. */
function globNames(glob: Value): readonly Value[] {
  const text = word(glob).replace(/^(\*\*\/)+/, '');
  const braces = /^(.*?)\{([^{}]*)\}(.*)$/.exec(text);
  const texts = braces ? (braces[2] as string).split(',').map((part) => `${braces[1]}${part}${braces[3]}`) : [text];
  return texts.map((name) => (/[*?[{]/.test(name) ? [{ glob: name }] : known(name)));
}

/** Matching lines carry what was read, counts nothing; names of files are places below those searched. */
function outputOf(
  args: Parsed,
  recursive: boolean,
  paths: readonly Value[],
  lines: () => Pick<Outcome, 'stdout'>,
): Pick<Outcome, 'stdout'> {
  if (args.has('l', 'L', 'files-without-match', 'files')) {
    const separator = args.has('0', 'Z', 'null') ? '\0' : '\n';
    const some: Value = [{ hole: 'file that matches', like: 'name' }];
    const names = paths.flatMap((path): Value => [...(recursive ? below(path, some) : path), separator]);
    return { stdout: printed(concat(names)) };
  }
  if (args.has(...NAMES_ONLY)) return { stdout: QUIET };
  return args.has('o') ? {} : lines();
}
