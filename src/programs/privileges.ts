import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { render, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { drafts, word } from './drafts.ts';
import type { Parsed } from './options.ts';
import { quotedText } from './split-value.ts';
import { runs, wrapper } from './wrapper.ts';

const SUDO =
  'A askpass, B bell, b background, C close-from:, D chdir:, E, preserve-env?, e edit, g group:, H set-home, h host:, i login, K remove-timestamp, k reset-timestamp, l list, N no-update, n non-interactive, P preserve-groups, p prompt:, R chroot:, r role:, S stdin, s shell, t type:, T command-timeout:, U other-user:, u user:, V version, v validate';

/** Programs that run others with the rights of another user. */
export const privileges: readonly Program[] = [
  define({
    names: ['sudo', 'sudo-rs'],
    manual: 'sudo(8)',
    summary: 'runs a program as another user',
    options: SUDO,
    style: { stopAtOperand: true },
    run: (args, invocation) => {
      if (args.has('V', 'K', 'l') || (args.has('k', 'v') && args.operands.length === 0)) return {};
      const user = word(args.value('u')) || 'root';
      if (args.has('e')) return { ...edits(args), ...raised(invocation, user, args.operands) };
      const shell = args.has('i', 's');
      return asUser(invocation, user, args.operands, { shell, directory: args.value('D'), assigns: true });
    },
  }),
  define({
    names: ['sudoedit'],
    manual: 'sudo(8): sudoedit is sudo -e',
    summary: 'edits files as another user',
    options: SUDO,
    run: (args, invocation) => ({
      ...edits(args),
      ...raised(invocation, word(args.value('u')) || 'root', args.operands),
    }),
  }),
  define({
    names: ['doas'],
    manual: 'doas(1), OpenBSD',
    summary: 'runs a program as another user',
    options: 'a:, C:, L, n, s, u:',
    style: { stopAtOperand: true },
    run: (args, invocation) => {
      if (args.has('C', 'L')) return {};
      return asUser(invocation, word(args.value('u')) || 'root', args.operands, {
        shell: args.has('s'),
        assigns: true,
      });
    },
  }),
  define({
    names: ['pkexec', 'gksudo', 'gksu', 'kdesu', 'kdesudo', 'run0', 'please', 'calife', 'super'],
    manual: 'pkexec(1), run0(1)',
    summary: 'runs a program as another user',
    options: 'user u:, disable-internal-agent, keep-cwd, D chdir:, g group:, E setenv:, unit:, nice:, property:',
    style: { stopAtOperand: true },
    run: (args, invocation) => {
      const directory = args.value('D');
      return asUser(invocation, word(args.value('user')) || 'root', args.operands, { shell: false, directory });
    },
  }),
  define({
    names: ['su', 'runuser'],
    manual: 'su(1), runuser(1), util-linux',
    summary: 'runs a shell or program as another user',
    options:
      'c command:, session-command:, f fast, g group:, G supp-group:, l login, m p preserve-environment, P pty, s shell:, u user:, w whitelist-environment:, T no-pty',
    run: (args, invocation) => {
      const named = args.value('u');
      // `-` stands for --login; with -u the operands are the program, else the user and arguments of the shell.
      const operands = args.operands.filter((value) => textOf(value) !== '-');
      const user = word(named ?? operands[0]) || 'root';
      const command = args.value('c', 'session-command');
      if (command) {
        const script: Nested = { kind: 'script', via: invocation.name, text: command, privileged: user === 'root' };
        return { ...raised(invocation, user, [command]), nested: [script] };
      }
      if (named) return asUser(invocation, user, operands, { shell: false });
      return asUser(invocation, user, [], { shell: true, shellArgs: operands.slice(1) });
    },
  }),
  define({
    names: ['gosu', 'su-exec', 'setuidgid', 's6-setuidgid', 's6-applyuidgid'],
    manual: 'gosu(1), su-exec(1), setuidgid(8)',
    summary: 'runs a program as another user',
    style: { stopAtOperand: true },
    run: (args, invocation) =>
      asUser(invocation, word(args.operands[0]) || 'root', args.operands.slice(1), { shell: false }),
  }),
  define({
    names: ['sg', 'newgrp'],
    manual: 'sg(1): `sg GROUP -c TEXT` or `sg GROUP TEXT`; newgrp(1) starts a shell',
    summary: 'runs shell text or a shell with another group',
    options: 'c:',
    run: (args, { name }) => {
      // ast-grep's short name is `sg` too: its verbs are no groups, and it has options.
      const search = args.unknown.length > 0 || /^(run|scan|test|new|lsp|completions)$/.test(word(args.operands[0]));
      if (name === 'sg' && search) return {};
      const text = args.value('c') ?? (name === 'sg' ? args.operands[1] : null);
      if (!text) return { nested: [{ kind: 'argv', via: name, argv: [['sh']] }] };
      return { nested: [{ kind: 'script', via: name, text }] };
    },
  }),
  define({
    names: ['capsh'],
    manual: 'capsh(1): what follows `--` are arguments of a shell',
    summary: 'runs a shell with other capabilities',
    run: (_args, { name, argv }) => {
      const at = argv.findIndex((value) => textOf(value) === '--' || textOf(value) === '==');
      return at < 0 ? {} : { nested: [{ kind: 'argv', via: name, argv: [['sh'], ...argv.slice(at + 1)] }] };
    },
  }),
  wrapper({
    names: ['setpriv', 'fakeroot', 'fakechroot'],
    manual: 'setpriv(1), fakeroot(1)',
    summary: 'runs a program with other credentials',
    options:
      'clear-groups, groups:, inh-caps:, ambient-caps:, bounding-set:, keep-groups, init-groups, no-new-privs, reuid:, regid:, ruid:, euid:, rgid:, egid:, securebits:, pdeathsig:, selinux-label:, apparmor-profile:, reset-env, l:, s:, i:, u, b:, c:',
  }),
];

interface As {
  readonly shell: boolean;
  readonly directory?: Value | null;
  readonly assigns?: boolean;
  readonly shellArgs?: readonly Value[];
}

function asUser(invocation: Invocation, user: string, rest: readonly Value[], as: As): Outcome {
  const privileged = user === 'root' || user === '#0' || user === '0';
  const { effects = [] } = raised(invocation, user, rest);
  if (!as.shell) {
    return runs(invocation, rest, {
      assigns: as.assigns ?? false,
      directory: as.directory ?? null,
      more: { privileged },
      effects,
    });
  }
  const base = { via: invocation.name, privileged };
  if (rest.length > 0) return { effects, nested: [{ kind: 'script', text: quotedText(rest), ...base }] };
  const shell: Nested = { kind: 'argv', argv: [['sh'], ...(as.shellArgs ?? [])], ...base };
  return { effects, nested: [shell] };
}

function raised({ name }: Invocation, user: string, rest: readonly Value[]): Outcome {
  const program = rest.map(render).find((text) => !/^\w+=/.test(text));
  const what = program === undefined ? 'a shell' : program;
  return { effects: [{ kind: 'privilege', target: `${user} ${what}`, detail: `${name}: ${what} as ${user}` }] };
}

function edits(args: Parsed): Outcome {
  return { files: drafts('write', args.operands) };
}
