import type { FileDraft } from '../model/effect.ts';
import type { Nested, Outcome } from '../model/program.ts';
import { concat, isDynamic, known, knownPrefix, type Part, type Stream, textOf, type Value } from '../model/value.ts';
import { wholeEnvironment } from './coreutils-print.ts';
import { define, type Program } from './define.ts';
import { drafts, effect, reads, word } from './drafts.ts';
import { codeFrom } from './interpreter.ts';
import { strangeCode } from './named-programs.ts';
import { type Grammar, grammar, parseOptions } from './options.ts';
import { below } from './paths.ts';
import { contentOf } from './streams.ts';

const TMUX: Grammar = grammar('2, C, D, l, N, u, v, V, c:, f:, L:, S:, T:', { stopAtOperand: true });
const STARTS = grammar(
  'A, a, b, d, D, E, h, I, k, l, n:, N, P, R, v, X, Z, c:, e:, F:, f:, p:, s:, S:, t:, x:, y:, w:, T:, B, C',
  { stopAtOperand: true },
);
const STARTING = new Set([
  'new-session',
  'new',
  'new-window',
  'neww',
  'split-window',
  'splitw',
  'respawn-pane',
  'respawnp',
  'respawn-window',
  'respawnw',
  'display-popup',
  'popup',
]);

/** Programs that run others elsewhere in time or in another terminal: multiplexers, job tables, recorders, locks. */
export const sessions: readonly Program[] = [
  define({
    names: ['tmux', 'byobu', 'psmux'],
    manual: 'tmux(1)',
    summary: 'terminal multiplexer',
    run: (_args, invocation) => {
      const globals = parseOptions(invocation.argv, TMUX);
      const shell = globals.value('c');
      const nested: Nested[] = shell ? [{ kind: 'script', via: 'tmux', text: shell }] : [];
      const commands = separated(globals.operands);
      const settings = [
        ...globals.values('f').filter((path) => word(path) !== '/dev/null'),
        ...commands.flatMap((command) => (/^source(-file)?$/.test(word(command[0])) ? command.slice(1) : [])),
      ].filter((path) => !knownPrefix(path).startsWith('-'));
      const outcomes = commands.map((command) => tmuxCommand(command));
      return {
        subcommand: word(globals.operands[0]),
        operands: globals.operands,
        files: [...reads(settings), ...outcomes.flatMap((outcome) => outcome.files ?? [])],
        effects: [...outcomes.flatMap((outcome) => outcome.effects ?? []), ...strangeCode(invocation, settings)],
        nested: [
          ...nested,
          ...settings.flatMap((path) => settingsRun(contentOf(invocation, path))),
          ...outcomes.flatMap((outcome) => outcome.nested ?? []),
        ],
      };
    },
  }),
  define({
    names: ['screen'],
    manual: 'screen(1)',
    summary: 'terminal multiplexer',
    options:
      'a, A, c:, d, D, e:, f, h:, i, l, ls, list, L, Logfile:, m, O, p:, q, Q, r, R, s:, S:, t:, T:, U, v, wipe, x, X',
    style: { stopAtOperand: true },
    run: (args, inv) => {
      const [verb, ...rest] = args.operands;
      if (args.has('X')) {
        const name = word(verb);
        if (name === 'stuff') return { nested: typed('screen', rest.map(unstuffed)) };
        if (name === 'exec' || name === 'screen') return { nested: [{ kind: 'argv', via: 'screen', argv: rest }] };
        return {};
      }
      const files = drafts('write', args.values('Logfile'));
      const effects = strangeCode(inv, args.values('c'));
      return args.operands.length > 0
        ? { files, effects, nested: [{ kind: 'argv', via: 'screen', argv: args.operands }] }
        : { files, effects };
    },
  }),
  define({
    names: ['at', 'batch'],
    manual: 'at(1), POSIX',
    summary: 'runs shell text later',
    options: 'c, d, f file:, l, m, M, q:, r, t:, v, V',
    run: (args, { name }) => {
      if (args.has('c', 'l', 'V')) return {};
      if (args.has('d', 'r')) return { effects: [effect('persistence', name, 'removes timed jobs')] };
      const file = args.value('f');
      const script: Nested = file ? { kind: 'file', via: name, path: file } : { kind: 'stdin', via: name };
      return {
        files: file ? reads([file]) : [],
        effects: [effect('persistence', name, 'a job that runs later')],
        nested: [script],
      };
    },
  }),
  define({
    names: ['atrm', 'atq'],
    manual: 'atrm(1), atq(1)',
    summary: 'lists and removes timed jobs',
    run: (_args, { name }) => (name === 'atrm' ? { effects: [effect('persistence', name, 'removes timed jobs')] } : {}),
  }),
  define({
    names: ['crontab'],
    manual: 'crontab(1)',
    summary: 'sets the timed jobs of a user',
    options: 'u:, l, r, e, i, s, n:, T:, V',
    run: (args, invocation) => {
      if (args.has('l', 'T', 'V')) return {};
      if (args.has('r')) return { effects: [effect('persistence', 'crontab', 'removes every timed job of the user')] };
      if (args.has('e')) return { effects: [effect('persistence', 'crontab', 'edits the timed jobs of the user')] };
      const file = args.operands[0] ?? ['-'];
      const { value } = contentOf(invocation, file);
      return {
        files: reads([file]),
        effects: [effect('persistence', 'crontab', 'sets the timed jobs of the user')],
        nested: value === null ? [] : jobs(value),
      };
    },
  }),
  define({
    names: ['script', 'scriptlive'],
    manual: 'script(1), util-linux; script(1), BSD: the program follows the file',
    summary: 'records a terminal session',
    options:
      'a append, B log-io:, c command:, E echo:, e return, f flush, force, F:, I log-in:, m logging-format:, O log-out:, o output-limit:, q quiet, T log-timing:, t timing?, k, r, p, d',
    style: { stopAtOperand: true },
    run: (args) => {
      const [file, ...program] = args.operands;
      const trailing = program.filter((value, at) => !(at === 0 && textOf(value) === '-c'));
      const text = args.value('c') ?? (textOf(program[0] ?? []) === '-c' ? program[1] : null);
      const files = drafts('write', [...(file ? [file] : [['typescript']]), ...args.values('B', 'I', 'O', 'T')]);
      if (text) return { files, nested: [{ kind: 'script', via: 'script', text }] };
      if (trailing.length > 0) return { files, nested: [{ kind: 'argv', via: 'script', argv: trailing }] };
      return { files, nested: [{ kind: 'stdin', via: 'script' }] };
    },
  }),
  define({
    names: ['expect', 'autoexpect', 'tclsh', 'wish'],
    manual: 'expect(1): spawn, exec and system of Tcl run programs',
    summary: 'runs Tcl programs',
    options: 'b, c:, d, D:, f:, i, n, N, v',
    style: { stopAtOperand: true },
    run: (args, invocation) => {
      const file = args.value('f') ?? (args.has('c') ? null : (args.operands[0] ?? null));
      const fromStdin = !file && !args.has('c');
      const text = args.value('c') ?? (file ? contentOf(invocation, file).value : invocation.stdin.value);
      const code = text === null ? null : textOf(text);
      const foreign = effect('exec-foreign', 'Tcl', 'a Tcl program');
      return {
        files: [...(file ? reads([file]) : []), ...(code === null ? [] : tclFiles(code))],
        effects:
          fromStdin && code === null && invocation.stdinIsOpen
            ? []
            : [foreign, ...(fromStdin ? codeFrom(invocation.stdin.taints, invocation.name) : [])],
        nested: code === null ? [] : tclCommands(code),
        opaque: true,
      };
    },
  }),
  define({
    names: ['flock', 'lockf', 'shlock'],
    manual: 'flock(1): `flock FILE PROGRAM …`, `flock FILE -c COMMAND`',
    summary: 'runs a program while a lock is held',
    options:
      'c command:, E conflict-exit-code:, F no-fork, e x exclusive, n nb nonblock, o close, s shared, u unlock, w wait timeout:, v verbose, k, t:',
    style: { stopAtOperand: true },
    run: (args, { name }) => {
      const [file, ...rest] = args.operands;
      if (!file || /^\d+$/.test(word(file))) return {};
      const files = drafts('create', [file]);
      const text = args.value('c') ?? (/^(-c|--command)$/.test(word(rest[0])) ? rest[1] : null);
      if (text) return { files, nested: [{ kind: 'script', via: name, text }] };
      return { files, nested: rest.length > 0 ? [{ kind: 'argv', via: name, argv: rest }] : [] };
    },
  }),
];

/** Commands of tmux on one line, separated by words `;`. */
function separated(words: readonly Value[]): readonly (readonly Value[])[] {
  const out: Value[][] = [[]];
  for (const value of words) {
    if (textOf(value) === ';' || textOf(value) === '\\;') out.push([]);
    else out.at(-1)?.push(value);
  }
  return out.filter((command) => command.length > 0);
}

function tmuxCommand(words: readonly Value[]): Outcome {
  const verb = word(words[0]);
  if (/^(send-keys|send)$/.test(verb)) {
    const args = parseOptions(words, grammar('l, R, M, X, H, F, K, N:, t:, c:'));
    return args.has('X', 'H')
      ? {}
      : { nested: typed('tmux', args.has('l') ? args.operands : args.operands.map(keyed)) };
  }
  const args = parseOptions(words, STARTS);
  const [only, ...more] = args.operands;
  const directory = args.value('c');
  const base = {
    via: 'tmux',
    ...(directory && knownPrefix(directory).startsWith('/') ? { cwd: below([], directory) } : {}),
  };
  if (STARTING.has(verb)) {
    if (!only) return {};
    return {
      nested: [
        more.length > 0 ? { kind: 'argv', argv: args.operands, ...base } : { kind: 'script', text: only, ...base },
      ],
    };
  }
  if (/^(run-shell|run|pipe-pane|pipep)$/.test(verb))
    return only ? { nested: [{ kind: 'script', text: only, ...base }] } : {};
  if (/^(if-shell|if)$/.test(verb)) {
    const branches = more.flatMap((value) => tmuxCommand(splitText(value)).nested ?? []);
    return { nested: [...(only ? [{ kind: 'script' as const, text: only, ...base }] : []), ...branches] };
  }
  if (/^(set-hook|bind-key|bind|confirm-before|confirm)$/.test(verb)) {
    return tmuxCommand(args.operands.slice(verb.startsWith('confirm') ? 0 : 1).flatMap(splitText));
  }
  if (/^(show-environment|showenv)$/.test(verb)) return wholeEnvironment();
  if (/^(load-buffer|loadb|source-file|source)$/.test(verb)) return { files: reads(args.operands) };
  if (/^kill-server$/.test(verb))
    return { effects: [effect('process-kill-name', 'tmux server', 'ends every tmux session')] };
  return {};
}

/** Commands for a shell in settings of tmux, one a line. */
function settingsRun({ value }: Stream): readonly Nested[] {
  const text = value ? textOf(value) : null;
  return (text ?? '').split('\n').flatMap((line): readonly Nested[] => {
    const match = /^\s*(?:set-hook\s.*\s)?(?:run-shell|run|if-shell|if)\s+(?:-\w+\s+)*(.+)$/.exec(line);
    const command = match ? (match[1] as string).trim().replace(/^(["'])(.*)\1$/, '$2') : '';
    return command === '' ? [] : [{ kind: 'script', via: 'tmux', text: known(command), certain: false }];
  });
}

/** A word that holds several, as hooks of tmux are written. */
function splitText(value: Value): readonly Value[] {
  const text = textOf(value);
  return text === null ? [value] : text.split(/\s+/).filter(Boolean).map(known);
}

/** A key of tmux as the text it types. */
function keyed(value: Value): Value {
  const text = textOf(value);
  if (text === null) return value;
  if (/^(Enter|C-m|C-j|KPEnter)$/i.test(text)) return ['\n'];
  if (text === 'Space') return [' '];
  if (text === 'Tab') return ['\t'];
  return /^((C|M|S|\^)-?.|Escape|BSpace|Up|Down|Left|Right|Home|End|PageUp|PageDown|PPage|NPage|DC|IC|F\d+)$/.test(text)
    ? []
    : value;
}

/** Text typed into another terminal, which may be a shell; prose for a person or an agent is none. */
function typed(via: string, keys: readonly Value[]): readonly Nested[] {
  const text = concat(keys.flat());
  if (text.length === 0 || (!isDynamic(text) && (textOf(text) ?? '').trim() === '')) return [];
  if (/^\s*[A-Z][a-z']*,? [a-zA-Z]+ /.test(knownPrefix(text))) return [];
  return [{ kind: 'script', via, text }];
}

/** `^M` and `\\n`, as `screen -X stuff` writes them. */
function unstuffed(value: Value): Value {
  return value.map(
    (part): Part =>
      typeof part === 'string' ? part.replace(/\^M|\\n|\\r|\\015|\\012/g, '\n').replace(/\r/g, '\n') : part,
  );
}

/** The commands of a table of timed jobs. */
function jobs(table: Value): readonly Nested[] {
  const text = textOf(table);
  if (text === null) return [{ kind: 'script', via: 'crontab', text: table, certain: false }];
  const commands: Nested[] = [];
  for (const line of text.split('\n')) {
    if (/^\s*(#|$)/.test(line) || /^\s*\w+\s*=/.test(line)) continue;
    const command = line.replace(/^\s*(@\w+|(\S+\s+){4}\S+)\s+/, '');
    commands.push({ kind: 'script', via: 'crontab', text: known(command.replace(/([^\\])%.*$/, '$1')) });
  }
  return commands;
}

/** Files that a Tcl program deletes, renames, copies over, opens. */
function tclFiles(code: string): readonly FileDraft[] {
  const path = String.raw`("[^"]*"|\{[^}]*\}|[^\s;\]]+)`;
  const found: FileDraft[] = [];
  const bare = (text: string): Value => known(text.replace(/^["{]|["}]$/g, ''));
  for (const match of code.matchAll(new RegExp(String.raw`\bfile\s+delete\s+(?:-force\s+|--\s+)*${path}`, 'g')))
    found.push({ op: 'delete', path: bare(match[1] as string), recursive: true, certain: false });
  for (const match of code.matchAll(
    new RegExp(String.raw`\bfile\s+(?:rename|copy)\s+(?:-force\s+)?${path}\s+${path}`, 'g'),
  ))
    found.push({ op: 'write', path: bare(match[2] as string), certain: false });
  for (const match of code.matchAll(new RegExp(String.raw`\bopen\s+${path}(?:\s+([\w+]+))?`, 'g')))
    if (!/^["{]?\|/.test(match[1] as string))
      found.push({
        op: /[wa+]/.test(match[2] ?? 'r') ? 'write' : 'read',
        path: bare(match[1] as string),
        certain: false,
      });
  return found;
}

/** Commands that a Tcl program starts with spawn, exec or system. */
function tclCommands(code: string): readonly Nested[] {
  const out: Nested[] = [];
  for (const match of code.matchAll(/(?:^|[;[{\n])\s*(spawn|exec|system)\s+((?:-\w+\s+)*)([^;\n]*)/g)) {
    const text = closed(match[3] as string).replace(
      /\{([^}]*)\}/g,
      (_, braced: string) => `'${braced.replaceAll("'", "'\\''")}'`,
    );
    out.push({ kind: 'script', via: 'expect', text: known(text), certain: match[1] === 'spawn' });
  }
  for (const match of code.matchAll(/\bopen\s+(?:"\|([^"]*)"|\{\|([^}]*)\})/g))
    out.push({ kind: 'script', via: 'expect', text: known(match[1] ?? match[2] ?? ''), certain: false });
  return out;
}

/** Without the bracket that closes what the command stands in. */
function closed(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '[' || text[i] === '{') depth++;
    else if ((text[i] === ']' || text[i] === '}') && --depth < 0) return text.slice(0, i);
  }
  return text;
}
