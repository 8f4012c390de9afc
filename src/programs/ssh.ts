import type { DestDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { knownPrefix, taintsOf, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { isOption, reads, word } from './drafts.ts';
import { FROM_NETWORK, sendsOfStream } from './leaving.ts';
import { grammar, type Parsed, parseOptions } from './options.ts';
import { homeOf } from './paths.ts';
import { remoteCommand, sshOptions } from './ssh-config.ts';
import { merge } from './subcommands.ts';
import { joinWords, say } from './words.ts';

const OPTIONS =
  'B:, b:, c:, D:, E:, e:, F:, I:, i:, J:, L:, l:, m:, O:, o:, P:, p:, Q:, R:, S:, W:, w:, 4, 6, A, a, C, f, G, g, K, k, M, N, n, q, s, T, t, V, v, X, x, Y, y';
const FIRST = { stopAtOperand: true, abbreviations: false };
const SSH = grammar(OPTIONS, FIRST);
const AUTOSSH = grammar(OPTIONS.replace(', M,', ', M:,'), FIRST);

/** Shells on other machines, from ssh(1) and what wraps it. */
export const ssh: readonly Program[] = [
  define({
    names: ['ssh', 'autossh', 'slogin', 'dbclient'],
    manual: 'ssh(1), OpenSSH',
    summary: 'a command on another machine',
    options: OPTIONS,
    style: FIRST,
    run: (_, inv) => remote(inv, inv.argv, inv.name === 'autossh'),
  }),
  define({
    names: ['mosh'],
    manual: 'mosh(1)',
    summary: 'a shell on another machine',
    options: 'ssh:, p port:, server:, client:, predict:, a, n, 4, 6, no-init, local, family:',
    style: FIRST,
    run: (args, inv) => {
      const [host, ...rest] = args.operands;
      const command = word(rest[0]) === '--' ? rest.slice(1) : rest;
      const shell = args.values('ssh').map((text): Nested => ({ kind: 'script', via: 'mosh', text }));
      const there: Nested[] =
        command.length > 0 ? [{ kind: 'argv', via: inv.name, argv: command, elsewhere: 'remote' }] : [];
      return { dests: host ? [{ address: host, scheme: 'ssh', sends: 'nothing' }] : [], nested: [...shell, ...there] };
    },
  }),
  define({
    names: ['pssh', 'parallel-ssh', 'pdsh', 'dsh', 'clush', 'cssh', 'clusterssh', 'mpssh'],
    manual: 'pssh(1), pdsh(1), clush(1)',
    summary: 'a command on many machines',
    options:
      'h hosts:, H host:, l user:, p par:, o outdir:, e errdir:, t timeout:, O options:, w nodes:, g group:, x exclude:, f fanout:, m machine:, a all, M, i inline, A askpass, v verbose, X extra-args:, b gather, L line-buffer, c, R rcmd:, u command_timeout:',
    style: FIRST,
    run: (args, inv) => {
      const command = /^(?:cssh|clusterssh)$/.test(inv.name) ? [] : args.operands;
      const hosts = args.values('w', 'H', 'm', 'g');
      const text = command.length > 0 ? joinWords(command) : null;
      return {
        files: [
          ...reads(args.values('h')),
          ...args.values('o', 'e').map((path): FileDraft => ({ op: 'create', path, recursive: true })),
        ],
        dests: hosts.map((address): DestDraft => ({ address, scheme: 'ssh', sends: 'nothing' })),
        nested: text ? [{ kind: 'script', via: inv.name, text, elsewhere: 'remote' }] : [],
      };
    },
  }),
  define({
    names: ['sshpass'],
    manual: 'sshpass(1)',
    summary: 'gives a password to ssh',
    options: 'p:, f:, d:, e, P:, v, h, V',
    style: FIRST,
    run: (args) => ({
      files: reads(args.values('f')),
      nested: args.operands.length > 0 ? [{ kind: 'argv', via: 'sshpass', argv: args.operands }] : [],
    }),
  }),
  define({
    names: ['ssh-copy-id'],
    manual: 'ssh-copy-id(1)',
    summary: 'lets a key log in on another machine',
    options: 'i?, p:, o:, F:, f, n, s, x, t:, h',
    run: (args, inv) => {
      const [host] = args.operands;
      if (!host || args.has('n')) return {};
      return merge(sshOptions(args, inv), {
        dests: [{ address: host, scheme: 'ssh', sends: 'text' }],
        effects: [{ kind: 'persistence', target: `authorized_keys on ${say(host)}` }],
      });
    },
  }),
  define({
    names: ['ssh-keyscan'],
    manual: 'ssh-keyscan(1)',
    summary: 'host keys of other machines',
    options: 'f:, O:, p:, T:, t:, 4, 6, c, D, H, v',
    run: (args) => ({
      files: reads(args.values('f')),
      dests: args.operands.map((address): DestDraft => ({ address, scheme: 'ssh', sends: 'nothing' })),
      ...FROM_NETWORK,
    }),
  }),
];

function remote(inv: Invocation, argv: readonly Value[], auto: boolean): Outcome {
  const options = auto ? AUTOSSH : SSH;
  const args = parseOptions(argv, options);
  const [host, ...after] = args.operands;
  const more = after[0] && isOption(after[0]) ? parseOptions([['ssh'], ...after], options) : null;
  const command = (more ? more.operands : after).filter((w, i) => i > 0 || word(w) !== '--');
  const both = more ? joined(args, more) : args;
  const flags = [...new Set([...args.flags, ...(more?.flags ?? [])])];
  if (both.has('V', 'Q', 'G', 'O'))
    return { flags, operands: host ? [host] : [], files: [...(sshOptions(both, inv).files ?? [])] };
  const text = command.length > 0 ? joinWords(command) : remoteCommand(both);
  const given = !inv.stdinIsOpen && !both.has('n');
  const nested: Nested[] = [];
  const stream = given ? { stdin: inv.stdin } : {};
  // A log-in on this very machine is no other machine.
  const here = HERE.test(word(host));
  const there = here ? { cwd: homeOf(inv) } : ({ elsewhere: 'remote' } as const);
  if (text && !both.has('s')) nested.push({ kind: 'script', via: inv.name, text, ...there, ...stream });
  else if (host && given && !both.has('N', 'W'))
    nested.push({ kind: 'stdin', via: inv.name, ...there, stdin: inv.stdin });
  const port = Number(word(both.value('p')));
  const secret = text !== null && taintsOf(text).includes('secret');
  const sends = secret ? 'secret' : given ? sendsOfStream(inv.stdin) : 'nothing';
  const dests: DestDraft[] = host ? [{ address: host, scheme: 'ssh', sends, ...(port > 0 ? { port } : {}) }] : [];
  const files: FileDraft[] = [
    ...both.values('E').map((path): FileDraft => ({ op: 'write', path })),
    ...both.values('I').map((path): FileDraft => ({ op: 'exec', path })),
  ];
  return merge({ flags, operands: args.operands, files, dests }, sshOptions(both, inv), { nested }, FROM_NETWORK);
}

function joined(a: Parsed, b: Parsed): Parsed {
  return {
    ...a,
    has: (...names) => a.has(...names) || b.has(...names),
    value: (...names) => b.value(...names) ?? a.value(...names),
    values: (...names) => [...a.values(...names), ...b.values(...names)],
  };
}

const HERE = /^(?:[^@]*@)?(?:localhost|127(?:\.\d+){1,3}|\[?::1\]?)$/;

/** True for `localhost:path`: a path of this very machine. */
export function isHere(path: Value): boolean {
  const host = /^(?:[^@/]*@)?(\[[^\]]*\]|[^:/]*):/.exec(knownPrefix(path));
  return host !== null && HERE.test(host[1] as string);
}

/** True for `host:path`, `user@host:path`, `host::module` and `scheme://…`. */
export function isRemotePath(path: Value): boolean {
  const start = knownPrefix(path);
  if (/^(scp|sftp|rsync|ssh):\/\//i.test(start)) return true;
  if (/^[^/:]+:/.test(start)) return true;
  // `$HOST:path`: a hole, then a colon before any slash.
  if (start !== '' && start.includes('/')) return false;
  const rest = path.find((part) => typeof part === 'string' && part !== start);
  return textOf(path) === null && typeof rest === 'string' && /^[^/]*:/.test(rest);
}
