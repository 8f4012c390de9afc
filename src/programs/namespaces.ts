import type { Nested } from '../model/program.ts';
import { knownPrefix, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { word } from './drafts.ts';
import { below } from './paths.ts';
import { runs, wrapper } from './wrapper.ts';

/** Options of bwrap with two values, and those with none; the others have one. */
const BWRAP_TWO = /^((ro-|dev-)?bind(-try)?|symlink|setenv|file|(ro-)?bind-data|bind-fd|chmod|ro-bind-fd)$/;
const BWRAP_NONE =
  /^(unshare-.*|share-net|die-with-parent|new-session|clearenv|as-pid-1|disable-userns|assert-userns-disabled|help|version)$/;

/** Programs that run another one inside something: an applet box, a namespace, another root, a unit. */
export const namespaces: readonly Program[] = [
  define({
    names: ['busybox', 'toybox', 'coreutils', 'uutils'],
    manual: 'busybox(1): the first argument is the applet',
    summary: 'one program that is many',
    style: { stopAtOperand: true },
    run: (args, { name }) => {
      if (args.flags.length > 0 || args.operands.length === 0) return {};
      return { nested: [{ kind: 'argv', via: name, argv: args.operands }] };
    },
  }),
  wrapper({
    names: ['unshare'],
    manual: 'unshare(1), util-linux',
    summary: 'runs a program in new namespaces',
    options:
      'm mount?, u uts?, i ipc?, n net?, p pid?, U user?, C cgroup?, T time?, f fork, r map-root-user, c map-current-user, map-auto, map-user:, map-group:, map-users:, map-groups:, kill-child?, mount-proc?, propagation:, R root:, w wd:, S setuid:, G setgid:, keep-caps, monotonic:, boottime:, setgroups:',
    chdir: 'w',
  }),
  wrapper({
    names: ['nsenter'],
    manual: 'nsenter(1), util-linux',
    summary: 'runs a program in the namespaces of another process',
    options:
      'a all, t target:, m mount?, u uts?, i ipc?, n net?, N net-socket:, p pid?, U user?, C cgroup?, T time?, S setuid:, G setgid:, preserve-credentials, r root?, w wd?, W wdns:, F no-fork, Z follow-context, e env',
    effects: (args) => {
      const target = word(args.value('t'));
      return target === ''
        ? []
        : [{ kind: 'container-host', target: `pid ${target}`, detail: `enters the namespaces of process ${target}` }];
    },
  }),
  define({
    names: ['chroot', 'arch-chroot', 'systemd-nspawn', 'proot', 'schroot'],
    manual: 'chroot(8)',
    summary: 'runs a program below another root directory',
    options:
      'groups:, userspec:, skip-chdir, D directory:, r rootfs:, b bind:, w cwd:, c chroot:, u user:, M machine:, q, m',
    style: { stopAtOperand: true },
    run: (args, { name, cwd }) => {
      const option = args.value('D', 'r');
      const root = option ?? args.operands[0];
      const argv = option ? args.operands : args.operands.slice(1);
      if (!root || argv.length === 0) return { effects: [privilege(name)] };
      const host = below(cwd, root);
      const nested: Nested = {
        kind: 'argv',
        via: name,
        argv,
        elsewhere: 'container',
        mounts: [{ host, inside: '/' }],
        cwd: ['/'],
      };
      return { nested: [nested], effects: name === 'proot' ? [] : [privilege(name)] };
    },
  }),
  define({
    names: ['bwrap'],
    manual: 'bwrap(1): paths of the sandbox are taken as those outside',
    summary: 'runs a program in a sandbox',
    run: (_args, { argv }) => {
      let at = 1;
      while (at < argv.length && knownPrefix(argv[at] as Value).startsWith('--')) {
        const option = word(argv[at]).slice(2);
        if (option === '') {
          at++;
          break;
        }
        at += 1 + (BWRAP_TWO.test(option) ? 2 : BWRAP_NONE.test(option) ? 0 : 1);
      }
      return at < argv.length ? { nested: [{ kind: 'argv', via: 'bwrap', argv: argv.slice(at), certain: false }] } : {};
    },
  }),
  wrapper({
    names: ['systemd-run'],
    manual: 'systemd-run(1)',
    summary: 'runs a program as a transient unit',
    options:
      'user, system, scope, u unit:, p property:, description:, slice:, slice-inherit, r remain-after-exit, send-sighup, service-type:, uid:, gid:, nice:, working-directory:, d same-dir, E setenv:, t pty, P pipe, q quiet, G collect, S shell, path-property:, socket-property:, timer-property:, on-active:, on-boot:, on-startup:, on-unit-active:, on-unit-inactive:, on-calendar:, on-clock-change, on-timezone-change, no-ask-password, no-block, wait, H host:, M machine:, background:',
    chdir: 'working-directory',
    effects: (args) => {
      const later = args.flags.some((flag) => flag.startsWith('on-'));
      return [
        ...(args.has('user') ? [] : [privilege('systemd-run')]),
        ...(later ? [{ kind: 'persistence' as const, target: 'systemd timer', detail: 'a timer of systemd' }] : []),
      ];
    },
  }),
  define({
    names: ['start-stop-daemon', 'daemonize', 'daemon'],
    manual: 'start-stop-daemon(8), daemonize(1)',
    summary: 'starts and stops daemons',
    options:
      'S start, K stop, T status, x exec:, a startas:, p pidfile:, n name:, u user:, g group:, c chuid:, s signal:, r chroot:, d chdir:, b background, m make-pidfile, R retry:, N nicelevel:, t test, q quiet, v verbose, e:, o:, l:, E:, w',
    style: { stopAtOperand: true },
    run: (args, invocation) => {
      if (args.has('K')) {
        const target = word(args.value('n', 'x', 'p'));
        return { effects: [{ kind: 'process-kill-name', target, detail: `stops ${target}` }] };
      }
      const named = args.value('a', 'x');
      return runs(invocation, named ? [named, ...args.operands] : args.operands, { directory: args.value('d') });
    },
  }),
];

function privilege(name: string) {
  return { kind: 'privilege' as const, target: `root ${name}`, detail: `${name} needs the rights of root` };
}
