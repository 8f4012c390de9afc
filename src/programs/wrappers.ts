import type { Nested } from '../model/program.ts';
import { concat, known, knownPrefix, render, textOf, type Value } from '../model/value.ts';
import { wholeEnvironment } from './coreutils-print.ts';
import { define, type Program, words } from './define.ts';
import { drafts, effect, isOption, word } from './drafts.ts';
import { holds } from './guarded-processes.ts';
import { strangeCode } from './named-programs.ts';
import { grammar, parseOptions } from './options.ts';
import { below } from './paths.ts';
import { shellText, xargsWords } from './split-value.ts';
import { contentOf } from './streams.ts';
import { assigned, runs, wrapper } from './wrapper.ts';

const PERF = grammar(
  'e event:, F freq:, c count:, o output:, i input:, p pid:, t tid:, C cpu:, r repeat:, x field-separator:, call-graph:, m mmap-pages:, D delay:, I interval-print:, G cgroup:, u uid:, j branch-filter:, k clockid:, s:, d, g, a, v, q, n',
  { stopAtOperand: true },
);

/** Programs that run another program, changed in its surroundings: environment, priority, time, tracing. */
export const wrappers: readonly Program[] = [
  define({
    names: ['env', 'genv'],
    manual: 'env(1), GNU coreutils: -S splits a string into arguments',
    summary: 'runs a program with another environment, or prints the environment',
    options:
      '0 null, a argv0:, C chdir:, i ignore-environment, u unset:, S split-string:, v debug, P:, block-signal?, default-signal?, ignore-signal?, list-signal-handling',
    style: { stopAtOperand: true },
    run: (args, invocation) => {
      const split = args.values('S').flatMap(xargsWords);
      const words = [...split, ...args.operands].filter((value, at) => at > 0 || textOf(value) !== '-');
      const { argv, nested } = assigned(invocation, words);
      if (argv.length > 0) return runs(invocation, words, { assigns: true, directory: args.value('C') });
      const empty = args.has('i') || textOf(args.operands[0] ?? []) === '-';
      return empty ? {} : { ...wholeEnvironment(), nested };
    },
  }),
  wrapper({
    names: ['nice', 'gnice'],
    manual: 'nice(1), GNU coreutils',
    summary: 'runs a program with another priority',
    options: 'n adjustment:',
    style: { numeric: true },
  }),
  wrapper({
    names: ['ionice'],
    manual: 'ionice(1), util-linux',
    summary: 'runs a program with another input and output priority',
    options: 'c class:, n classdata:, p pid:, P pgid:, u uid:, t ignore',
    unless: ['p', 'P', 'u'],
    effects: (args) => holds('ionice', [...args.values('p'), ...args.operands]),
  }),
  wrapper({
    names: ['timeout', 'gtimeout'],
    manual: 'timeout(1), GNU coreutils',
    summary: 'runs a program for a limited time',
    options: 'f foreground, k kill-after:, p preserve-status, s signal:, v verbose',
    skip: 1,
  }),
  wrapper({
    names: words(
      'nohup gnohup setsid chronic unbuffer catchsegv eatmydata dbus-run-session dbus-launch nocache noglob nocorrect winpty tini dumb-init catatonit rlwrap ifne memusage sotruss',
    ),
    manual: 'nohup(1), setsid(1), chronic(1), unbuffer(1)',
    summary: 'runs a program',
    options: 'c, f fork, w wait, v verbose, e, p, a:, config-file:, dbus-daemon:',
  }),
  wrapper({
    names: ['command', 'builtin', 'exec'],
    manual: 'command(1), POSIX; as a program, where xargs or find run it',
    summary: 'runs a program',
    options: 'v, V, p, c, l, a:',
    unless: ['v', 'V'],
  }),
  wrapper({
    names: ['retry', 'zrun', 'vault-env'],
    manual: 'retry(1), zrun(1) of moreutils',
    summary: 'runs a program, again if it fails or with other inputs',
    options: 'd delay:, m message min:, t times tries:, u until:, s sleep:, M max:, f fail:, v verbose',
  }),
  wrapper({
    names: ['lckdo'],
    manual: 'lckdo(1), moreutils: the first operand is the lock file',
    summary: 'runs a program while a lock is held',
    options: 'w, W:, e, E:, q, s',
    skip: 1,
  }),
  wrapper({
    names: ['gprofng'],
    manual: 'gprofng(1): `gprofng collect app PROGRAM`',
    summary: 'runs a program and measures it',
    program: (operands) => (word(operands[0]) === 'collect' ? withoutOptions(operands.slice(2)) : []),
  }),
  wrapper({
    names: ['caffeinate'],
    manual: 'caffeinate(8), macOS',
    summary: 'runs a program and keeps the machine awake',
    options: 'd, i, m, s, u, t:, w:',
  }),
  wrapper({
    names: ['stdbuf', 'gstdbuf'],
    manual: 'stdbuf(1), GNU coreutils',
    summary: 'runs a program with other buffering',
    options: 'i input:, o output:, e error:',
  }),
  wrapper({
    names: ['time', 'gtime'],
    manual: 'time(1), GNU time',
    summary: 'runs a program and measures it',
    options: 'a append, f format:, o output:, p portability, q quiet, v verbose, l, h',
    files: (args) => drafts('write', args.values('o')),
  }),
  wrapper({
    names: ['faketime', 'envdir', 'setlock', 'envchain', 'chruby-exec', 's6-setlock', 's6-envdir'],
    manual: 'faketime(1), envdir(8), setlock(8): the first operand is a time, a directory, a file or a name',
    summary: 'runs a program with another clock or environment',
    options: 'f, m, p:, exclude-monotonic, date-prog:, n, N, x, X',
    skip: 1,
  }),
  wrapper({
    names: ['setarch', 'choom', 'coresched'],
    manual: 'setarch(8): `setarch [ARCH] [OPTION…] PROGRAM`',
    summary: 'runs a program with another architecture',
    options: 'v verbose, R addr-no-randomize, B 32bit, F, I, L, S, T, X, Z, 3, uname-2.6, list, n:, p:',
    unless: ['list'],
    program: (operands) => {
      const named = /^(linux|x86|i[3-6]86|arm|aarch|ppc|s390|mips|sparc|riscv|alpha|ia64|uname)/.test(
        word(operands[0]),
      );
      return named ? withoutOptions(operands.slice(1)) : operands;
    },
  }),
  wrapper({
    names: words('proxychains proxychains4 torsocks torify tsocks proxychains-ng graftcp'),
    manual: 'proxychains(1), torsocks(1)',
    summary: 'runs a program through a proxy',
    options: 'q, f:, i isolate, a address:, P port:, p pass:, u user:, d debug',
  }),
  wrapper({
    names: [
      'xvfb-run',
      'firejail',
      'arch',
      'linux32',
      'linux64',
      'i386',
      'x86_64',
      'systemd-inhibit',
      'gamemoderun',
      'rosetta',
    ],
    manual: 'xvfb-run(1), firejail(1), caffeinate(8), arch(1)',
    summary: 'runs a program',
    options:
      'a auto-servernum, e error-file:, f auth-file:, n server-num:, l, p xauth-protocol:, s server-args:, w, d, i, m, u, t, what:, who:, why:, mode:, 3, B, R',
  }),
  wrapper({
    names: ['numactl', 'cgexec', 'systemd-cat', 'cpulimit', 'prlimit', 'chpst', 'softlimit', 's6-softlimit'],
    manual: 'numactl(8), cgexec(1), cpulimit(1), prlimit(1), chpst(8)',
    summary: 'runs a program within limits',
    options:
      'g:, sticky, N cpunodebind:, m membind:, C physcpubind:, i interleave:, l limit:, localalloc, p pid:, t identifier:, priority P:, u:, U:, e:, b:, c core?, d data?, f fsize?, n nofile?, as v?, cpu?, nproc?, rss?, stack s?, memlock?, o output:, r:, a:, raw, verbose, z',
    unless: ['p'],
    effects: (args, { name }) => holds(name, args.values('p')),
  }),
  wrapper({
    names: ['systemd-socket-activate'],
    manual: 'systemd-socket-activate(1): listens, and starts the program at the first connection',
    summary: 'runs a program for a socket',
    options: 'l listen:, a accept, d datagram, seqpacket, inetd, E setenv:, fdname:, h help, version',
    files: (args) =>
      drafts(
        'create',
        args.values('l').filter((path) => /^[/~]/.test(knownPrefix(path))),
      ),
    effects: (args) => args.values('l').map((at) => effect('listen', render(at))),
  }),
  wrapper({
    names: ['taskset', 'chrt'],
    manual: 'taskset(1), chrt(1), util-linux',
    summary: 'runs a program on chosen processors or with a scheduling policy',
    options:
      'a all-tasks, c cpu-list, p pid, b batch, d deadline, f fifo, i idle, o other, r rr, m max, R, T sched-runtime:, P sched-period:, D sched-deadline:, v verbose',
    skip: 1,
    unless: ['p', 'm'],
    effects: (args, { name }) => (args.has('p') ? holds(name, args.operands) : []),
  }),
  wrapper({
    names: ['strace', 'ltrace', 'dtruss', 'truss', 'ktrace', 'xtrace'],
    manual: 'strace(1), ltrace(1)',
    summary: 'runs a program and traces it',
    options:
      'a:, b:, c, C, d, D, e:, E env:, f, F, h, i, I:, k, n, o output:, O:, p:, P:, q, r, s:, S:, t, T, u user:, v, w, x, X:, y, z, Z, A:, l:, L, output-separately, follow-forks, trace:',
    files: (args) =>
      drafts(
        'write',
        args.values('o').filter((path) => !/^[|!]/.test(knownPrefix(path))),
      ),
    nested: (args) =>
      args
        .values('o')
        .filter((path) => /^[|!]/.test(knownPrefix(path)))
        .map((path): Nested => ({ kind: 'script', via: 'strace -o', text: tail(path, 1) })),
    effects: (args) => {
      const pid = word(args.value('p'));
      return pid === ''
        ? holds('strace', args.values('p'))
        : [{ kind: 'kernel', target: pid, detail: `traces process ${pid}` }];
    },
  }),
  wrapper({
    names: ['rr', 'perf', 'operf', 'samply', 'flamegraph', 'uftrace', 'coz'],
    manual: 'valgrind(1), rr(1), perf(1): the program follows the options and, with perf, a subcommand',
    summary: 'runs a program and measures it',
    options:
      'v verbose, q quiet, tool:, o output:, e event:, F freq:, g, c count:, p pid:, t tid:, a all-cpus, C cpu:, r repeat:, d, s, i input:, x:, call-graph:, delay:, n',
    program: (operands, { name }) =>
      /^(record|stat|trace|mem|c2c|lock|run|live)$/.test(word(operands[0]))
        ? parseOptions(operands, PERF).operands
        : name === 'perf'
          ? []
          : operands,
    files: (args) => drafts('write', args.values('o')),
  }),
  define({
    names: ['hyperfine', 'bench'],
    manual: 'hyperfine(1): each operand is a shell command',
    summary: 'measures shell commands',
    options:
      'w warmup:, m min-runs:, M max-runs:, r runs:, s setup:, p prepare:, C conclude:, c cleanup:, P parameter-scan:, D parameter-step-size:, L parameter-list:, S shell:, N, i ignore-failure, style:, sort:, u time-unit:, export-json:, export-csv:, export-markdown:, export-asciidoc:, export-orgmode:, show-output, output:, input:, n command-name:',
    run: (args) => ({
      files: drafts(
        'write',
        args.values('export-json', 'export-csv', 'export-markdown', 'export-asciidoc', 'export-orgmode'),
      ),
      nested: [...args.operands, ...args.values('s', 'p', 'C', 'c')].map((text) => ({
        kind: 'script',
        via: 'hyperfine',
        text,
      })),
    }),
  }),
  define({
    names: ['gdb', 'lldb', 'cgdb'],
    manual: 'gdb(1): --args PROGRAM ARG…; -ex runs a command, `shell` and `!` among them',
    summary: 'debugs a program',
    options:
      'args, ex eval-command:, iex init-eval-command:, x command:, ix init-command:, batch, q quiet silent, nx n, p pid:, c core:, d directory:, cd:, s symbols:, e exec:, se:, tty:, o one-line:, O one-line-before-file:, b, S source-before-file:, f file:, k one-line-on-crash:',
    style: { singleDashLong: true, stopAtOperand: true },
    run: (args, inv) => {
      const { name } = inv;
      const scripts: Nested[] = [];
      const named = args.values('x', 'ix', ...(name === 'lldb' ? ['s', 'S'] : []));
      const lines = named.flatMap((path) => (textOf(contentOf(inv, path).value ?? []) ?? '').split('\n').map(known));
      for (const command of [...args.values('ex', 'iex', 'o', 'O'), ...lines]) {
        const match = /^\s*(?:shell|!|platform shell|make)\s*/.exec(knownPrefix(command));
        if (match) scripts.push({ kind: 'script', via: name, text: tail(command, match[0].length) });
        // `call (int)system("…")` has the program that is debugged run it.
        for (const [, text] of render(command).matchAll(
          /\b(?:system|popen|execlp?)\s*\(\s*"((?:[^"\\]|\\.){1,2000})"/g,
        ))
          scripts.push({
            kind: 'script',
            via: name,
            text: known((text as string).replace(/\\(.)/g, '$1')),
            certain: false,
          });
        const code = /^\s*(?:python|py|pi|script)\s+/.exec(knownPrefix(command));
        if (code) scripts.push({ kind: 'argv', via: name, argv: [['python3'], ['-c'], tail(command, code[0].length)] });
      }
      const program: Nested[] =
        args.has('args') || name === 'lldb'
          ? [{ kind: 'argv', via: name, argv: args.operands, certain: args.has('ex') }]
          : [];
      const { length } = args.operands;
      return {
        files: drafts('read', named),
        nested: [...scripts, ...(length > 0 ? program : [])],
        effects: [...strangeCode(inv, named), ...holds(name, args.values('p'))],
        opaque: named.length > 0,
      };
    },
  }),
  define({
    names: ['watch', 'gwatch', 'viddy', 'hwatch'],
    manual: 'watch(1), procps: `sh -c` unless -x',
    summary: 'runs a command over and over',
    options:
      'b beep, c color, d differences?, e errexit, g chgexit, n interval:, p precise, q equexit:, r no-rerun, t no-title, w no-wrap, x exec, C',
    style: { stopAtOperand: true },
    run: (args, { name }) => {
      if (args.operands.length === 0) return {};
      if (args.has('x')) return { nested: [{ kind: 'argv', via: name, argv: args.operands }] };
      return { nested: [{ kind: 'script', via: name, text: shellText(args.operands) }] };
    },
  }),
  wrapper({
    names: ['uclampset'],
    manual: 'uclampset(1), util-linux',
    summary: 'runs a program with bounds on its use of the processor',
    options: 'm:, M:, a all-tasks, p pid:, s system, R reset-on-fork, v verbose',
    unless: ['p', 's'],
  }),
  wrapper({
    names: ['ld.so', 'ld-linux', 'ld-linux-x86-64.so', 'ld-linux-aarch64.so', 'ld-musl-x86_64.so'],
    manual: 'ld.so(8): the loader, run as a program, runs the program it is given',
    summary: 'runs a program',
    options:
      'list, verify, inhibit-cache, library-path:, glibc-hwcaps-prepend:, glibc-hwcaps-mask:, inhibit-rpath:, audit:, preload:, argv0:, list-tunables, list-diagnostics, help, version',
    unless: ['list', 'verify', 'list-tunables', 'list-diagnostics'],
    effects: (args) =>
      args
        .values('preload', 'audit')
        .map((path) => ({ kind: 'env-inject', target: 'ld.so --preload', detail: word(path) })),
  }),
  define({
    names: ['mispipe', 'pee'],
    manual: 'mispipe(1), pee(1), moreutils: shell commands',
    summary: 'pipes into shell commands',
    run: (args, { name }) => ({ nested: args.operands.map((text) => ({ kind: 'script', via: name, text })) }),
  }),
  define({
    names: ['run-parts'],
    manual: 'run-parts(8): every program in a directory',
    summary: 'runs the programs of a directory',
    options: 'test, list, v verbose, report, reverse, exit-on-error, new-session, regex:, a arg:, u umask:, stdin',
    run: (args, { cwd, world }) => {
      const [directory] = args.operands;
      if (!directory || args.has('test', 'list')) return {};
      const { real } = world.resolve(cwd, directory, true);
      const names = real === null ? null : world.list(real);
      if (names === null) return { effects: [unknownCode(directory)], opaque: true };
      return {
        nested: names.map((name) => ({
          kind: 'argv',
          via: 'run-parts',
          argv: [below(directory, [name]), ...args.values('a')],
        })),
      };
    },
  }),
];

/** What follows leading options whose values, if they have any, are attached. */
function withoutOptions(words: readonly Value[]): readonly Value[] {
  const at = words.findIndex((value) => !isOption(value));
  return at < 0 ? [] : words.slice(at);
}

function unknownCode(path: Value) {
  const target = word(path);
  return { kind: 'exec-unknown' as const, target, detail: `programs in ${target || 'an unknown directory'}` };
}

function tail(value: Value, from: number): Value {
  const [first, ...rest] = value;
  return typeof first === 'string' ? concat([first.slice(from)], rest) : value;
}
