import type { FileDraft } from '../model/effect.ts';
import type { Nested, Outcome } from '../model/program.ts';
import { isDynamic, known, knownPrefix, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { isStdin, reads, word } from './drafts.ts';

/** What the words of a shell's command line ask for. */
interface ShellLine {
  readonly letters: ReadonlySet<string>;
  readonly long: readonly string[];
  readonly startup: readonly Value[];
  readonly rest: readonly Value[];
  /** A word that may be an option or a script stood before the operands. */
  readonly unclear: boolean;
}

const TAKES_FILE = new Set(['rcfile', 'init-file', 'env-file']);
const TAKES_TEXT = new Set(['command', 'commands', 'init-command', 'execute']);

/** Shells: text after -c, a script file, or standard input. */
export const shells: readonly Program[] = [
  define({
    names: words(
      'sh bash dash zsh ksh ksh93 mksh pdksh oksh loksh ash hush yash rbash rzsh posh fish csh tcsh elvish nu xonsh osh ysh oil sash',
    ),
    manual: 'sh(1), bash(1), dash(1), zsh(1), ksh(1), fish(1)',
    summary: 'runs shell text',
    run: (_args, invocation) => {
      const { name, argv } = invocation;
      const line = read(argv);
      const flags = [...line.letters, ...line.long];
      const text = line.long.some((option) => TAKES_TEXT.has(option.split('=')[0] as string));
      const common = { flags, operands: line.rest, files: reads(line.startup) };
      const startup = line.startup.map(
        (path): Nested => ({ kind: 'file', via: name, path, certain: line.letters.has('i') }),
      );
      if (line.letters.has('n') || line.long.some((option) => option === 'version' || option === 'help')) return common;
      const outcome = body(name, line, startup, text);
      return { ...common, ...outcome, files: [...common.files, ...(outcome.files ?? [])] };
    },
  }),
];

function body(name: string, line: ShellLine, startup: readonly Nested[], textOption: boolean): Outcome {
  const [first, ...others] = line.rest;
  const dialect = name.includes('zsh') ? 'zsh' : name === 'bash' || name === 'rbash' ? 'bash' : 'sh';
  if (line.letters.has('c') || textOption) {
    if (!first) return { nested: startup };
    return { nested: [...startup, { kind: 'script', via: `${name} -c`, text: first, args: others, dialect }] };
  }
  if (line.letters.has('s') || !first || isStdin(first)) {
    const args = line.letters.has('s') || !first ? line.rest : others;
    return { nested: [...startup, { kind: 'stdin', via: name, args: [known(name), ...args] }] };
  }
  const unclear = line.unclear && isDynamic(first);
  const effects = unclear
    ? [{ kind: 'exec-unknown' as const, target: name, detail: `${name} with unknown arguments` }]
    : [];
  const script: Nested = { kind: 'file', via: name, path: first, args: [first, ...others] };
  const path = textOf(first);
  const files: FileDraft[] = path === null || path.startsWith('/dev/') ? [] : [{ op: 'exec', path: first }];
  return { files, effects, nested: [...startup, script] };
}

/** Sorts the words as shells do: clusters with - and +, values of o and O after the cluster, then operands. */
function read(argv: readonly Value[]): ShellLine {
  const letters = new Set<string>();
  const long: string[] = [];
  const startup: Value[] = [];
  let unclear = false;
  let at = 1;
  for (; at < argv.length; at++) {
    const value = argv[at] as Value;
    const text = textOf(value);
    const start = knownPrefix(value);
    if (text === '-' || text === '--') {
      at++;
      break;
    }
    if (start.startsWith('--')) {
      const option = start.slice(2);
      long.push(option);
      if (TAKES_FILE.has(option)) startup.push(argv[++at] ?? []);
      continue;
    }
    if (start === '' && isDynamic(value)) unclear = true;
    if (!/^[-+]./.test(start) && !(/^[-+]$/.test(start) && isDynamic(value))) break;
    if (isDynamic(value)) unclear = true;
    let values = 0;
    for (const letter of start.slice(1)) {
      if (start.startsWith('-')) letters.add(letter);
      if (letter === 'o' || letter === 'O') values++;
    }
    // `-c` ends the options of fish and zsh only after its cluster: what follows is the text.
    for (; values > 0 && at + 1 < argv.length && !/^[-+]/.test(word(argv[at + 1])); values--) at++;
  }
  return { letters, long, startup, rest: argv.slice(at), unclear };
}
