import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, knownPrefix, render, textOf, type Value } from '../model/value.ts';
import type { Program } from './define.ts';
import { draft, isOption } from './drafts.ts';
import { outwardVerb } from './outward-verbs.ts';

/**
 * Programs whose names are hardly ever a subcommand of another, so that an unknown program followed by one is a
 * wrapper (`run-as-agent rm -rf ~`). Words such as `install`, `run`, `test`, `cp` are not among them.
 */
const TELLING = new Set([
  'rm',
  'rmdir',
  'shred',
  'dd',
  'wipefs',
  'mkfs',
  'srm',
  'sudo',
  'doas',
  'chmod',
  'chown',
  'mv',
  'rimraf',
  'trash',
  'bash',
  'sh',
  'zsh',
  'dash',
  'ksh',
  'ash',
  'fish',
  'busybox',
  'toybox',
  'pwsh',
  'powershell',
  'cmd',
  'env',
  'xargs',
  'find',
  'curl',
  'wget',
  'git',
  'python',
  'python3',
  'perl',
  'ruby',
  'node',
  'php',
  'terraform',
  'tofu',
  'kubectl',
  'psql',
  'mysql',
  'aws',
  'gcloud',
  'printenv',
  'crontab',
  'pkill',
  'killall',
]);

const MOST_READS = 32;
/** Letters of one cluster of short options. */
const MOST_LETTERS = 16;

/**
 * What is said of a program without a model: the effect `unknown`; a command that its arguments plainly hold, as one
 * that may run; and files named by its operands, as ones it may read.
 */
export function strangerOutcome(invocation: Invocation, find: (name: string) => Program | null): Outcome {
  const { name, argv } = invocation;
  const effects: EffectDraft[] = [{ kind: 'unknown', target: name, detail: `${name} is not known` }];
  const lookalike = readAs(name, argv, find);
  if (lookalike) {
    if (/[^\x20-\x7e]/.test(name))
      effects.push({
        kind: 'confusable',
        target: name,
        detail: `${name} looks like ${render(lookalike.argv[0] ?? [])}`,
      });
    return { effects, nested: [lookalike] };
  }
  // A program of the project that is named by its path is the project's own work.
  if (!(textOf(argv[0] ?? []) ?? '/').includes('/')) effects.push(...outwardVerb(name, argv.slice(1)));
  const at = commandAt(argv, find);
  const nested: Nested[] = at < 0 ? [] : [{ kind: 'argv', via: name, argv: argv.slice(at), certain: false }];
  return { ...byCustom(argv.slice(1)), effects, nested, files: mayRead(argv.slice(1, at < 0 ? argv.length : at)) };
}

/** Options and operands as programs customarily write them; which options take a value is not known, so values count as operands. */
function byCustom(words: readonly Value[]): Pick<Outcome, 'flags' | 'operands'> {
  const end = words.findIndex((word) => textOf(word) === '--');
  const isOption = (word: Value, i: number): boolean => (end < 0 || i < end) && /^-./.test(knownPrefix(word));
  const flags = words.filter(isOption).flatMap((word) => {
    const name = /^--?([^=]*)/.exec(knownPrefix(word))?.[1] ?? '';
    return knownPrefix(word).startsWith('--') ? [name] : [name, ...name.slice(0, MOST_LETTERS)];
  });
  return {
    flags: [...new Set(flags)].filter((flag) => flag !== ''),
    operands: words.filter((word, i) => i !== end && !isOption(word, i)),
  };
}

/**
 * A name that some file systems, terminals or people read as another: other letter case, full-width letters, invisible
 * characters, a no-break space that keeps `rm -rf` one word.
 */
function readAs(
  name: string,
  argv: readonly Value[],
  find: (name: string) => Program | null,
): Extract<Nested, { kind: 'argv' }> | null {
  const words = name
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '')
    .trim()
    .split(/\s+/);
  const first = (words[0] ?? '').toLowerCase();
  if (first === '' || (words.length === 1 && first === name) || !find(first)) return null;
  const rest = words.slice(1).map(known);
  return { kind: 'argv', via: name, argv: [known(first), ...rest, ...argv.slice(1)], certain: false };
}

/**
 * `tool exec -- CMD` and `tool exec rm -rf x`: a program that is known, with a subcommand that runs another and that its
 * model does not follow.
 */
export function execTail({ name, argv }: Invocation): Nested | null {
  const at = argv.slice(1, 4).findIndex((value) => /^(exec|run|dlx)$/.test(textOf(value) ?? ''));
  if (at < 0) return null;
  const verb = textOf(argv[at + 1] as Value);
  const via = `${name} ${verb}`;
  const dashes = argv.findIndex((value, i) => i > at + 1 && textOf(value) === '--');
  // `cargo run -- rm x` gives words to a program of the project.
  if (verb === 'exec' && dashes > 0 && dashes + 1 < argv.length)
    return { kind: 'argv', via, argv: argv.slice(dashes + 1) };
  const from = argv.findIndex((value, i) => i > at + 1 && !isOption(value));
  const base = from < 0 ? '' : baseName(textOf(argv[from] as Value) ?? '');
  if (!DESTROYERS.has(base) || from + 1 >= argv.length) return null;
  return { kind: 'argv', via, argv: argv.slice(from) };
}

const DESTROYERS = new Set(['rm', 'rmdir', 'shred', 'dd', 'rimraf', 'sh', 'bash', 'zsh', 'sudo']);

function commandAt(argv: readonly Value[], find: (name: string) => Program | null): number {
  for (let at = 1; at < argv.length; at++) {
    const value = argv[at] as Value;
    const text = textOf(value);
    if (text === '--') {
      const next = argv[at + 1];
      if (next && find(baseName(textOf(next) ?? ''))) return at + 1;
      continue;
    }
    if (text === null || isOption(value)) continue;
    const base = baseName(text);
    if (at + 1 < argv.length && (TELLING.has(base) || base.startsWith('mkfs.'))) return at;
  }
  return -1;
}

function mayRead(args: readonly Value[]): readonly FileDraft[] {
  const paths = args.filter((value, at) => {
    const before = args[at - 1];
    if (isOption(value) || (before && isOption(before))) return false;
    const start = knownPrefix(value);
    return start !== '' && /[./]/.test(start) && !/\s|:\/\//.test(start);
  });
  return paths.slice(0, MOST_READS).map((path) => draft('read', path, { certain: false }));
}

function baseName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}
