import type { Invocation, Outcome } from '../model/program.ts';
import {
  concat,
  isDynamic,
  known,
  knownPrefix,
  type Part,
  render,
  type Stream,
  textOf,
  type Value,
} from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, reads, word } from './drafts.ts';
import { PARENT } from './guarded-processes.ts';
import type { Parsed } from './options.ts';
import { below, parentOf } from './paths.ts';
import { formatPrintf, unescapeText } from './printf-format.ts';
import { processLines } from './process-ids.ts';
import { isSecretName } from './secret-names.ts';
import { NOTHING, printed, QUIET } from './streams.ts';

const MOST_NUMBERS = 256;

/** Programs that print what their arguments say, or a fact of the machine. */
export const coreutilsPrint: readonly Program[] = [
  define({
    names: ['echo', 'gecho'],
    manual: 'echo(1), bash(1)',
    summary: 'prints its arguments',
    run: (_args, invocation) => ({
      operands: invocation.argv.slice(1),
      flags: [],
      stdout: printed(echoed(invocation.argv)),
    }),
  }),
  define({
    names: ['printf', 'gprintf'],
    manual: 'printf(1), bash(1)',
    summary: 'prints formatted text',
    run: (_args, invocation) => {
      const rest = invocation.argv.slice(1);
      const [format, ...values] = textOf(rest[0] ?? []) === '--' ? rest.slice(1) : rest;
      const text = format ? textOf(format) : null;
      const taints = printed(concat(rest.flat())).taints;
      const value = text === null ? null : formatPrintf(text, values);
      return { operands: rest, flags: [], stdout: { value, taints } };
    },
  }),
  define({
    names: ['pwd', 'gpwd'],
    manual: 'pwd(1), POSIX',
    summary: 'prints the working directory',
    options: 'P physical, L logical',
    run: (args, { cwd, world }) => {
      const { real } = args.has('P') ? world.resolve(cwd, ['.'], true) : { real: null };
      return { stdout: printed(concat(real === null ? cwd : known(real), ['\n'])) };
    },
  }),
  define({
    names: ['basename', 'gbasename'],
    manual: 'basename(1), GNU coreutils',
    summary: 'prints the last component',
    options: 'a multiple, s suffix:, z zero',
    run: (args) => {
      const suffix = word(args.has('s') ? args.value('s') : args.has('a') ? null : args.operands[1]);
      const paths = args.has('a', 's') ? args.operands : args.operands.slice(0, 1);
      const name = paths[0] && paths.length === 1 ? nameIn(paths[0], suffix) : null;
      return { stdout: name ? printed(concat(name, ['\n'])) : eachPath(paths, (text) => baseName(text, suffix)) };
    },
  }),
  define({
    names: ['dirname', 'gdirname'],
    manual: 'dirname(1), GNU coreutils',
    summary: 'prints all but the last component',
    options: 'z zero',
    run: (args) => ({ stdout: eachPath(args.operands, (text) => word(parentOf([text]))) }),
  }),
  define({
    names: ['realpath', 'grealpath', 'readlink', 'greadlink'],
    manual: 'realpath(1), readlink(1), GNU coreutils',
    summary: 'resolves links',
    options:
      'f canonicalize, e canonicalize-existing, m canonicalize-missing, n no-newline, q quiet, s no-symlinks strip, z zero, relative-to:, relative-base:, L logical, P physical, v verbose',
    run: (args, { name, cwd, world }) => {
      const files = drafts('list', args.operands);
      const [path] = args.operands;
      if (!path || args.operands.length > 1 || args.has('relative-to', 'relative-base'))
        return { files, stdout: QUIET };
      const end: Value = args.has('n', 'z') ? [] : ['\n'];
      const { real } = world.resolve(cwd, path, true);
      if (name.endsWith('readlink') && !args.has('f', 'e', 'm')) {
        const at = world.resolve(cwd, path, false).real;
        const target = at === null ? null : world.readLink(at);
        return { files, stdout: target === null ? QUIET : printed(concat(known(target), end)) };
      }
      return { files, stdout: real === null ? QUIET : printed(concat(known(real), end)) };
    },
  }),
  define({
    names: ['mktemp', 'gmktemp', 'tempfile'],
    manual: 'mktemp(1), GNU coreutils; mktemp(1), macOS',
    summary: 'makes a temporary file and prints its name',
    options: 'd directory, u dry-run, q quiet, p:, tmpdir?, suffix:, t',
    run: (args, invocation) => {
      const path = temporary(args, invocation);
      return {
        files: args.has('u') ? [] : [draft('create', path)],
        stdout: printed(concat(path, ['\n'])),
      };
    },
  }),
  define({
    names: ['seq', 'gseq', 'jot'],
    manual: 'seq(1), GNU coreutils',
    summary: 'prints numbers',
    options: 'f format:, s separator:, w equal-width',
    run: (_args, { argv }) => {
      // A negative number looks like an option.
      const value = numbers(argv.slice(1).map(word));
      return { stdout: value === null ? QUIET : printed(known(value)) };
    },
  }),
  define({
    names: ['date', 'gdate'],
    manual: 'date(1), GNU coreutils: -f reads dates from a file, an error prints the line',
    summary: 'prints or sets the time',
    options:
      'd date:, debug, f file:, I?, iso-8601?, R rfc-email, rfc-3339:, r reference:, s set:, u utc universal, j, v:, n, z:',
    run: (args) => {
      const format = args.operands.find((value) => knownPrefix(value).startsWith('+'));
      const sets =
        args.has('s') || (!args.has('j') && args.operands.some((value) => /^\d{8,}(\.\d\d)?$/.test(word(value))));
      const named: Part = { hole: 'date', like: args.has('I') ? 'name' : 'any' };
      const text = format && textOf(format);
      return {
        files: [...reads(args.has('j') ? [] : args.values('f')), ...drafts('list', args.values('r'))],
        effects: sets ? [{ kind: 'kernel', target: 'clock', detail: 'sets the clock' }] : [],
        ...(args.has('f') && !args.has('j')
          ? {}
          : { stdout: printed(concat(text ? dated(text.slice(1)) : [named], ['\n'])) }),
      };
    },
  }),
  define({
    names: ['printenv', 'gprintenv'],
    manual: 'printenv(1), GNU coreutils',
    summary: 'prints variables',
    options: '0 null',
    run: (args, invocation) => {
      if (args.operands.length === 0) return wholeEnvironment();
      const unknown = args.operands.filter(isDynamic).map(render);
      if (unknown.length > 0) {
        const effects = unknown.map((target) => ({
          kind: 'secret-read' as const,
          target,
          detail: 'a variable whose name is not known',
          certain: false,
        }));
        return { effects };
      }
      const secret = args.operands.map(word).filter(isSecretName);
      if (secret.length > 0) {
        const effects = secret.map((target) => ({
          kind: 'secret-read' as const,
          target,
          detail: `the variable ${target}`,
        }));
        return { effects, stdout: { value: null, taints: ['secret'] } };
      }
      const values = args.operands.map((name) => variable(invocation, word(name)));
      if (values.some((value) => value === null)) return { stdout: QUIET };
      return { stdout: printed(concat(values.flatMap((value) => [...(value ?? []), '\n']))) };
    },
  }),
  define({
    names: ['true', 'gtrue', ':'],
    manual: 'true(1)',
    summary: 'succeeds',
    run: () => ({ stdout: NOTHING, succeeds: true }),
  }),
  define({
    names: ['false', 'gfalse'],
    manual: 'false(1)',
    summary: 'fails',
    run: () => ({ stdout: NOTHING, succeeds: false }),
  }),
  define({
    names: ['sleep', 'gsleep', 'usleep', 'sync', 'clear', 'reset', 'stty', 'tput', 'tset', 'wait', 'setterm', 'tabs'],
    manual: 'sleep(1), sync(1), tput(1), stty(1)',
    summary: 'waits, or sets the terminal',
    run: () => ({ stdout: NOTHING }),
  }),
  define({
    names: ['whoami', 'gwhoami', 'logname'],
    manual: 'whoami(1)',
    summary: 'prints the user name',
    run: (_args, { world }) => ({
      stdout: printed(world.user === '' ? [{ hole: 'user', like: 'name' }] : [`${world.user}\n`]),
    }),
  }),
  define({
    names: words(`hostname uname nproc uptime id groups who w last lastb lastlog users tty hostid getconf locale
      localedef free vmstat iostat mpstat sar dmesg pstree  top htop btop atop glances lsof  
        cal ncal factor expr units  uuidgen uuid  which whereis whatis apropos
      type locate mlocate plocate  tldr cheat sw_vers system_profiler vm_stat sysinfo neofetch
      fastfetch screenfetch lsb_release hostinfo machine procinfo pmap pidstat slabtop lsns lslocks lsipc ipcs
      inxi acpi sensors nvidia-smi rocm-smi xdpyinfo xrandr fc-list fc-match getopt infocmp toe`),
    manual: 'ps(1), id(1), uname(1), lsof(8), ss(8), which(1), locate(1)',
    summary: 'shows facts of the machine',
    run: (_args, { name, argv }) => ({
      // Whose processes have it open.
      files:
        name === 'lsof'
          ? drafts(
              'list',
              argv.slice(1).filter((value) => /^[/~.]/.test(word(value))),
            )
          : [],
      stdout: FACT,
    }),
  }),
  define({
    names: ['ps'],
    manual: 'ps(1), procps: `e` without a dash, and -E on macOS, show the environment of each process',
    summary: 'shows processes',
    run: (_args, { argv }) => {
      const [first] = argv.slice(1).map(word);
      const shown = argv.slice(1).some((value) => /^-[a-zA-Z]*E[a-zA-Z]*$/.test(word(value)));
      const letters = first !== undefined && /^[a-zA-Z]+$/.test(first) && first.includes('e');
      if (shown || letters) return wholeEnvironment();
      // `ps -o ppid= -p $$`: the process that runs the agent's commands.
      if (argv.some((value) => /^(?:-o|-O|--format=?|o)?ppid=?$/.test(word(value))))
        return { stdout: printed([{ hole: `${PARENT}of a process`, like: 'name' }, '\n']) };
      // Of one process or its children: no more than was asked for.
      const some = argv
        .slice(1)
        .some((value) => /^(-[a-zA-Z]*[pqC]\d*|--(pid|ppid|quick-pid)(=.*)?|\d+)$/.test(word(value)));
      return { stdout: some || argv.length === 1 ? FACT : processLines() };
    },
  }),
  define({
    names: ['ss', 'bc', 'arp'],
    manual: 'ss(8), bc(1), arp(8)',
    summary: 'shows sockets, calculates, shows neighbours; each reads files of its own language',
    options:
      'F filter:, D diag:, f family:, l, i, q, s, w, h, v, n, a, t, u, p, e, m, x, o, H, O, N net:, K, Z, E, A query:',
    run: (args, { name }) => ({
      files: reads(name === 'bc' ? args.operands : name === 'arp' ? args.values('f') : args.values('F')),
      stdout: FACT,
    }),
  }),
  define({
    names: ['envsubst'],
    manual: 'envsubst(1), gettext: variables in its input become their values',
    summary: 'fills variables into text',
    options: 'v variables',
    run: (args, { stdin }) => {
      const text =
        stdin.value === null ? '' : stdin.value.map((part) => (typeof part === 'string' ? part : ' ')).join('');
      const names = [...text.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map((match) => match[1] as string);
      const only = args.operands.length > 0 ? args.operands.map(word).join(' ') : null;
      const secret = names.filter((name) => isSecretName(name) && (only === null || only.includes(name)));
      if (secret.length === 0) return {};
      const taints = [...new Set([...stdin.taints, 'secret' as const])];
      return {
        effects: secret.map((target) => ({ kind: 'secret-read' as const, target, detail: `the variable ${target}` })),
        stdout: { value: null, taints },
      };
    },
  }),
  define({
    names: ['yes', 'gyes'],
    manual: 'yes(1), GNU coreutils',
    summary: 'prints a line over and over',
    run: (args) => ({
      stdout: printed(args.operands.length === 0 ? ['y\n'] : concat(joined(args.operands).flat(), ['\n'])),
    }),
  }),
];

/** What programs print that show the machine. */
const FACT: Stream = { value: [{ hole: 'fact of the machine', like: 'any' }], taints: [] };

/** Every variable is printed, the secret ones too. */
export function wholeEnvironment(): Outcome {
  const effect = { kind: 'secret-read' as const, target: 'environment', detail: 'every environment variable' };
  return { effects: [effect], stdout: { value: null, taints: ['secret'] } };
}

function variable({ env, world }: Invocation, name: string): Value | null {
  const set = env.get(name);
  if (set) return set;
  const inherited = world.env(name);
  return inherited === null ? null : known(inherited);
}

function joined(values: readonly Value[]): readonly Value[] {
  return values.flatMap((value, at): Value[] => (at === 0 ? [value] : [[' '], value]));
}

function echoed(argv: readonly Value[]): Value {
  let at = 1;
  let newline = true;
  let escapes = false;
  for (; at < argv.length; at++) {
    const flag = textOf(argv[at] as Value);
    if (flag === null || !/^-[neE]+$/.test(flag)) break;
    if (flag.includes('n')) newline = false;
    if (/[eE]/.test(flag)) escapes = flag.lastIndexOf('e') > flag.lastIndexOf('E');
  }
  const value = concat(joined(argv.slice(at)).flat());
  if (!escapes) return concat(value, newline ? ['\n'] : []);
  const out: Part[] = [];
  for (const part of value) {
    const plain = typeof part === 'string' ? unescapeText(part, 'zero') : null;
    if (plain) out.push(plain.text);
    else out.push(part);
    if (plain?.stop) return out;
  }
  return concat(out, newline ? ['\n'] : []);
}

/** The last component of a path of which the end is a name: that name, with what is known of it. */
function nameIn(path: Value, suffix: string): Value | null {
  const at = path.findLastIndex((part) => typeof part === 'string' && part.includes('/'));
  const slash = at < 0 ? '' : (path[at] as string);
  const name = at < 0 ? path : concat([slash.slice(slash.lastIndexOf('/') + 1)], path.slice(at + 1));
  const sure = name.every((part) => typeof part === 'string' || ('hole' in part && part.like === 'name'));
  if (!sure || !name.some((part) => typeof part !== 'string')) return null;
  const end = name.at(-1);
  return typeof end === 'string' && suffix !== '' && end.endsWith(suffix)
    ? concat(name.slice(0, -1), [end.slice(0, -suffix.length)].filter(Boolean))
    : name;
}

function eachPath(paths: readonly Value[], change: (text: string) => string) {
  const texts = paths.map(textOf);
  if (texts.length === 0 || texts.some((text) => text === null)) {
    return printed([{ hole: 'part of a path', like: 'any' }, '\n']);
  }
  return printed(known(texts.map((text) => `${change(text as string)}\n`).join('')));
}

function baseName(path: string, suffix: string): string {
  const trimmed = path.replace(/\/+$/, '');
  if (trimmed === '') return path === '' ? '' : '/';
  const base = trimmed.slice(trimmed.lastIndexOf('/') + 1);
  return suffix !== '' && base !== suffix && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base;
}

function temporary(args: Parsed, invocation: Invocation): Value {
  const hole: Part = { hole: 'mktemp', like: 'name' };
  const usual = variable(invocation, 'TMPDIR');
  const temp: Value = usual && usual.length > 0 ? usual : ['/tmp'];
  const given = args.value('p') ?? (args.value('tmpdir')?.length ? args.value('tmpdir') : null);
  const directory = given ?? (args.has('tmpdir', 't') ? temp : null);
  const suffix = args.value('suffix') ?? [];
  const [template] = args.operands;
  if (!template) return concat(below(directory ?? temp, ['tmp.']), [hole], suffix);
  const text = textOf(template);
  if (text === null) return concat(below(directory ?? [], template), [hole], suffix);
  const run = /X{3,}(?!.*X{3,})/.exec(text);
  const filled: Value = run
    ? concat(known(text.slice(0, run.index)), [hole], known(text.slice(run.index + run[0].length)))
    : concat(known(text), ['.'], [hole]);
  return concat(directory ? below(directory, filled) : filled, suffix);
}

function numbers(operands: readonly string[]): string | null {
  if (operands.length === 0 || operands.some((text) => !/^-?\d{1,9}$/.test(text))) return null;
  const list = operands.map(Number);
  const first = list.length > 1 ? (list[0] as number) : 1;
  const step = list.length > 2 ? (list[1] as number) : 1;
  const last = list.at(-1) as number;
  if (step === 0 || Math.abs((last - first) / step) > MOST_NUMBERS) return null;
  let out = '';
  for (let n = first; step > 0 ? n <= last : n >= last; n += step) out += `${n}\n`;
  return out;
}

function dated(format: string): Value {
  const out: Part[] = [];
  let at = 0;
  for (const match of format.matchAll(/%[-_0^#+]*\d*[EO]?:{0,3}([a-zA-Z%])/g)) {
    out.push(format.slice(at, match.index));
    at = match.index + match[0].length;
    const letter = match[1] as string;
    if (letter === '%' || letter === 'n' || letter === 't') out.push({ '%': '%', n: '\n', t: '\t' }[letter]);
    else out.push({ hole: 'date', like: 'cDhprxX+'.includes(letter) ? 'any' : 'name' });
  }
  out.push(format.slice(at));
  return concat(out);
}
