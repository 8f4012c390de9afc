import type { Nested, Outcome } from '../model/program.ts';
import { textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { word } from './drafts.ts';
import type { OptionLines, Parsed } from './options.ts';
import { shellText } from './split-value.ts';
import { atDashes } from './words.ts';

/** What a launcher does with the words it is given: run them, or hand one text to a shell. */
function launched(via: string, list: readonly Value[]): Outcome {
  const [only, ...more] = list;
  if (!only) return {};
  if (more.length === 0 && /\s/.test(textOf(only) ?? '')) return { nested: [{ kind: 'script', via, text: only }] };
  return { nested: [{ kind: 'argv', via, argv: list }] };
}

interface Terminal {
  readonly names: string;
  readonly manual: string;
  readonly options?: OptionLines;
  /** Options after which the program stands; without them the operands are none. */
  readonly after?: readonly string[];
  /** The operands are a program by themselves. */
  readonly operands?: boolean;
  /** Leading subcommands: `wezterm start -- PROGRAM`. */
  readonly verbs?: RegExp;
}

const TERMINALS: readonly Terminal[] = [
  {
    names: 'xterm uxterm urxvt rxvt st konsole alacritty foot terminology x-terminal-emulator lxterminal mate-terminal',
    manual: 'xterm(1): -e is the last option, the program follows it',
    after: ['-e', '--command'],
  },
  {
    names: 'gnome-terminal xfce4-terminal tilix terminator ptyxis',
    manual: 'gnome-terminal(1): the program follows `--`, or is one text with -e or -x',
    after: ['--', '-e', '-x', '--command', '--execute'],
  },
  {
    names: 'kitty ghostty',
    manual: 'kitty(1)',
    operands: true,
    after: ['-e'],
    options: '1, d:, T:, c:, o:, hold, detach',
  },
  {
    names: 'wezterm',
    manual: 'wezterm(1)',
    verbs: /^(start|cli|spawn|split-pane)$/,
    operands: true,
    options: 'cwd:, class:',
  },
  {
    names: 'zellij',
    manual: 'zellij(1)',
    verbs: /^(run|r|action)$/,
    operands: true,
    options: 'c close-on-exit, cwd:, d direction:, f floating, i in-place, n name:, s start-suspended',
  },
  {
    names: 'dtach',
    manual: 'dtach(1)',
    verbs: /^(?!-)/,
    operands: true,
    options: 'a:, A:, c:, n:, N:, p:, e:, E, r:, z',
  },
  { names: 'abduco', manual: 'abduco(1)', verbs: /^(?!-)/, operands: true, options: 'a, A, c, n, e:, f, l, p, q, r' },
];

function terminal(row: Terminal): Program {
  return define({
    names: words(row.names),
    manual: row.manual,
    summary: 'opens a terminal that runs a program',
    options: row.options ?? 'T title:, geometry:, working-directory:, fn:, bg:, fg:, hold, ls',
    style: { stopAtOperand: true, singleDashLong: !row.operands },
    run: (args, { name, argv }) => {
      const at = argv.findIndex((value) => row.after?.includes(textOf(value) ?? '') === true);
      if (at > 0) return launched(name, argv.slice(at + 1));
      if (!row.operands) return {};
      const typed = args.operands.slice(0, 2).map(word).join(' ');
      const text = args.operands[2];
      if (/^action write-chars$/.test(typed) && text) return { nested: [{ kind: 'script', via: name, text }] };
      return { subcommand: word(args.operands[0]), ...launched(name, program(args, row.verbs)) };
    },
  });
}

function program(args: Parsed, verbs: RegExp | undefined): readonly Value[] {
  if (!verbs) return args.operands;
  const { after } = atDashes(args.operands);
  if (after) return after;
  const [first, ...rest] = args.operands;
  if (!first || !verbs.test(word(first))) return [];
  // `dtach -n SOCKET PROGRAM` has its socket as an option's value, `abduco NAME PROGRAM` as an operand.
  const at = rest.findIndex((value) => !word(value).startsWith('-'));
  return args.has('a', 'A', 'c', 'n', 'N') && args.value('n', 'c', 'A', 'N')?.length
    ? args.operands
    : rest.slice(Math.max(at, 0));
}

/** Programs that start others in a window, or again and again, and that do nothing else. */
export const launchers: readonly Program[] = [
  ...TERMINALS.map(terminal),
  define({
    names: ['watchman-make', 'watchman-wait'],
    manual: 'watchman-make(1)',
    summary: 'runs a command when files change',
    options: 'p pattern:, t target:, run:, s settle:, make:, root:',
    run: (args, { name }) => ({
      nested: args.values('run', 'make').map((text): Nested => ({ kind: 'script', via: name, text })),
    }),
  }),
  define({
    names: ['air', 'gow', 'wgo', 'CompileDaemon'],
    manual: 'air, wgo, CompileDaemon',
    summary: 'builds and runs when files change',
    options: 'c:, d, build.cmd:, build.bin:, build.full_bin:, build.pre_cmd:, build.post_cmd:, command:, build:, e:, v',
    style: { singleDashLong: true, stopAtOperand: true },
    run: (args, { name }) => ({
      nested: args
        .values('build.cmd', 'build.bin', 'build.full_bin', 'build.pre_cmd', 'build.post_cmd', 'command', 'build')
        .map((text): Nested => ({ kind: 'script', via: name, text })),
    }),
  }),
  define({
    names: ['xdotool', 'ydotool', 'wtype', 'dotool'],
    manual: 'xdotool(1): `type` sends keys to the window in front, `exec` runs a program',
    summary: 'types and clicks in other windows',
    options: 'delay:, clearmodifiers, window:, args:, terminator:, file:, sync, next-delay:, key-delay:',
    run: (args, { name }) => {
      const [verb, ...rest] = args.operands;
      if (word(verb) === 'exec') return launched(name, rest);
      const typed = word(verb) === 'type' ? rest : name === 'wtype' ? args.operands : [];
      return typed.length > 0 ? { nested: [{ kind: 'script', via: name, text: shellText(typed) }] } : {};
    },
  }),
];
