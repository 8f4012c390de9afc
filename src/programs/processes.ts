import type { EffectDraft } from '../model/effect.ts';

import { knownPrefix, render, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { drafts, effect, word } from './drafts.ts';
import { guardedBy, holds, PARENT } from './guarded-processes.ts';
import { EVERY_PROCESS, PIDS } from './process-ids.ts';

const PATTERN =
  'f full, x exact, n newest, o oldest, v inverse, i ignore-case, u euid:, U uid:, g pgroup:, G group:, P parent:, s session:, t terminal:, F pidfile:, L logpidfile, r runstates:, O older:, A ignore-ancestors, cgroup:, env:, ns:, nslist:, signal:, q queue:, e echo, c count, l list-name, a list-full, d delimiter:, w lightweight, H require-handler, j:';

/** Programs that find and signal processes. */
export const processes: readonly Program[] = [
  define({
    names: ['kill', 'gkill', 'skill'],
    manual: 'kill(1), POSIX: -1 is every process that may be signalled; skill(1): -u, -t, -c select',
    summary: 'signals processes by id',
    run: (_args, { name, argv }) => {
      if (name === 'skill') {
        const at = argv.findIndex((value) => /^-[utc]$/.test(word(value)));
        if (at > 0) return { effects: [everyProcess(`of ${render(argv[at + 1] ?? [])}`)] };
      }
      const targets = signalled(argv.slice(1));
      if (targets === null) return {};
      return { operands: targets, effects: targets.flatMap(killed) };
    },
  }),
  define({
    names: [
      'pkill',
      'killall',
      'killall5',
      'fuser',
      'xkill',
      'slay',
      'taskkill',
      'tskill',
      'fkill',
      'kill-port',
      'killport',
    ],
    manual: 'pkill(1), killall(1), fuser(1): -k kills',
    summary: 'signals processes by name',
    options: `${PATTERN}, k kill, I interactive, m mount, M, S, W, y younger-than:, Z context:, process-group, regexp, T, PID:, IM:, KILL, TERM, HUP, INT, QUIT, USR1, USR2, STOP, CONT, 9, 15, 1, 2, 3, SIGKILL, SIGTERM, SIGINT`,
    style: { singleDashLong: true },
    run: (args, { name, argv }) => {
      if (name === 'fuser' && !args.has('k') && !argv.some((value) => /^-[a-z]*k/.test(word(value))))
        return {
          files: drafts(
            'list',
            args.operands.filter((value) => /^[/~.]/.test(knownPrefix(value))),
          ),
        };
      if (args.has('l', 'L', 'list') && name === 'killall') return {};
      if (
        name === 'fuser' &&
        (args.has('m') ||
          argv.some((value) => /^-[a-z]*m/.test(word(value))) ||
          args.operands.some((value) => /^[/~.]/.test(knownPrefix(value))))
      )
        return { operands: args.operands, effects: [everyProcess('that uses a directory or disk')] };
      if (name === 'killall5') return { effects: [everyProcess('of the machine')] };
      if (name === 'taskkill') {
        const images = argv.flatMap((value, at) => (/^[/-]im$/i.test(word(value)) ? [word(argv[at + 1])] : []));
        if (images.length > 0)
          return { effects: images.flatMap((image) => byName(image.replace(/\.exe$/i, ''), false)) };
      }
      const operands =
        name === 'pkill' || name === 'killall'
          ? argv.slice(1).filter((value, at, all) => isTarget(value, all[at - 1]))
          : args.operands;
      const full = argv.some((value) => /^-[a-zA-Z]*f|^--full$/.test(word(value)));
      if (operands.length === 0) {
        // Children of one process are no more than what that process started.
        const parent = args.value('P');
        if (name === 'pkill' && parent && !args.has('u', 'U', 'g', 't', 'F')) return { effects: killed(parent) };
        if (args.has('F', 'PID', 'IM')) {
          const who = word(args.value('F', 'PID', 'IM'));
          return { effects: [effect('process-kill-name', who, `${name} ${who}`)] };
        }
        const who = render(args.value('u', 'U', 'g', 'G', 't', 's') ?? []);
        return { effects: [everyProcess(`of ${who || 'this choice'}`)] };
      }
      if (name === 'pkill' && argv.some((value) => /^(-v|--inverse)$/.test(word(value))))
        return { operands, effects: [everyProcess('but some')] };
      return { operands, effects: operands.flatMap((value) => byName(render(value), full)) };
    },
  }),
  define({
    names: ['pgrep', 'pidof', 'pidwait'],
    manual: 'pgrep(1), pidof(1)',
    summary: 'prints process ids',
    options: PATTERN,
    run: (args) => {
      const pattern = args.operands.map(render).join(' ') || EVERY_PROCESS;
      return { stdout: { value: [{ hole: `${PIDS}${pattern}`, like: 'name' }, '\n'], taints: [] } };
    },
  }),
  define({
    names: [
      'shutdown',
      'reboot',
      'poweroff',
      'halt',
      'telinit',
      'init',
      'pm-suspend',
      'pm-hibernate',
      'zzz',
      'rtcwake',
      'kexec',
    ],
    manual: 'shutdown(8), reboot(8), init(8)',
    summary: 'ends or suspends the machine',
    options: 'h, r, P, H, c, k, f force, n, w wtmp-only, p poweroff, t:, m:, s:, l, e, u, help, version, show, no-wall',
    run: (args, { name }) => {
      const level = word(args.operands[0]);
      if (args.has('help', 'version', 'show', 'k')) return {};
      if (/^(init|telinit)$/.test(name) && !/^[0-6sSqQ]$/.test(level)) return {};
      if (name === 'shutdown' && args.has('c')) return {};
      return { effects: [effect('power', name, `${name} ${level}`.trim())] };
    },
  }),
  define({
    names: words('renice schedtool disown fg bg jobs suspend reptyr'),
    manual: 'renice(1), reptyr(1)',
    summary: 'changes running processes of the user',
    run: (args, { name }) => ({
      effects: /^(?:renice|reptyr)$/.test(name) ? holds(name, args.operands) : [],
    }),
  }),
];

/** The processes that kill would signal; null if it only lists signals. */
function signalled(args: readonly Value[]): readonly Value[] | null {
  const targets: Value[] = [];
  let options = true;
  let signal = false;
  for (let at = 0; at < args.length; at++) {
    const value = args[at] as Value;
    const text = textOf(value);
    if (options && text === '--') options = false;
    else if (options && text !== null && /^(-l|-L|--list|--table)/.test(text)) return null;
    else if (options && text !== null && /^(-s|-n|--signal|-q|--queue|--timeout)$/.test(text)) {
      at += text === '--timeout' ? 2 : 1;
      signal = true;
    } else if (options && !signal && text !== null && /^-([A-Za-z]|\d+$|-)/.test(text)) {
      // The first -N is a signal, any later one a process group.
      signal = !/^--(verbose|all|pid)/.test(text);
    } else targets.push(value);
  }
  // A lone `kill -1` has no target, signal 0 only asks whether the process is there.
  return args.some((value) => /^-(0|s0|n0)$/.test(word(value))) ? [] : targets;
}

function killed(target: Value): readonly EffectDraft[] {
  const text = render(target);
  const found = target.find((part) => typeof part !== 'string' && 'hole' in part && part.hole.startsWith(PIDS));
  if (found && typeof found !== 'string' && 'hole' in found) {
    const pattern = found.hole.slice(PIDS.length);
    return pattern === EVERY_PROCESS ? [everyProcess('there is')] : byName(pattern, true);
  }
  const parent = target.some((part) => typeof part !== 'string' && 'hole' in part && part.hole.startsWith(PARENT));
  if (parent) return [effect('process-kill', text, 'signals the parent of the shell')];
  const detail = text === '-1' ? 'signals every process of the user' : `signals process ${text}`;
  return [effect('process-kill', text, detail)];
}

function byName(pattern: string, full: boolean): readonly EffectDraft[] {
  const detail = `signals every process ${full ? 'whose command line matches' : 'named'} ${pattern}`;
  const others = guardedBy(pattern, full).filter((name) => name !== pattern);
  return [pattern, ...others].map((name) => effect('process-kill-name', name, detail));
}

function everyProcess(which: string): EffectDraft {
  return effect('process-kill-name', EVERY_PROCESS, `signals every process ${which}`);
}

function isTarget(value: Value, before: Value | undefined): boolean {
  const text = textOf(value);
  if (text?.startsWith('-') && text !== '-') return false;
  return (
    !/^-(u|U|g|G|P|s|t|F|r|o|y|Z|-signal|-euid|-uid|-user|-older-than|-parent|-pidfile|-exact-pid)$/.test(
      before ? word(before) : '',
    ) || /^-o$/.test(before ? word(before) : '')
  );
}
