import type { DestDraft, EffectDraft, FileDraft, Sends } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { concat, knownPrefix, type Stream, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { word } from './drafts.ts';
import { FROM_NETWORK, isSecretFile, sendsOfStream } from './leaving.ts';
import { merge } from './subcommands.ts';
import { cut, drop, say } from './words.ts';

const NETWORK: Stream = { value: null, taints: ['network'] };

/** Plain connections, from ncat(1), nc(1), socat(1), telnet(1). */
export const sockets: readonly Program[] = [
  define({
    names: ['nc', 'ncat', 'netcat', 'nc.openbsd', 'nc.traditional', 'rustcat', 'rcat'],
    manual: 'ncat(1), nc(1)',
    summary: 'a connection from standard input and to standard output',
    options:
      'e exec:, c sh-exec:, lua-exec:, l listen, k keep-open, p source-port:, s source:, w wait:, i idle-timeout:, q:, x proxy:, X:, o output:, hex-dump:, m max-conns:, I:, O:, T:, V:, W:, M:, P:, g:, G:, proxy-type:, proxy-auth:, u udp, U unixsock, z, v verbose, n nodns, d, N, 4, 6, C crlf, t telnet, ssl, ssl-cert:, ssl-key:, allow:, deny:, r, D, S, b, broker, chat, h help, version, send-only, recv-only, vsock, sctp',
    run: (args, inv) => {
      const output = args.values('output', 'hex-dump').map((path): FileDraft => ({ op: 'write', path }));
      const nested: Nested[] = [
        ...args.values('exec').map((v): Nested => ({ kind: 'script', via: inv.name, text: v, stdin: NETWORK })),
        ...args.values('sh-exec').map((v): Nested => ({ kind: 'script', via: inv.name, text: v, stdin: NETWORK })),
      ];
      if (args.has('listen')) {
        const last = args.operands[args.operands.length - 1];
        const port = say(args.value('source-port') ?? last);
        // A socket of the file system comes into being at its path.
        if (args.has('unixsock') && last) {
          const files: FileDraft[] = [...output, { op: 'create', path: last }];
          return { files, nested, effects: [{ kind: 'listen', target: port }], ...FROM_NETWORK };
        }
        const at = word(args.value('source') ?? (args.operands.length > 1 ? args.operands[0] : null));
        return { files: output, nested, effects: listening(port, at), ...FROM_NETWORK };
      }
      if (args.has('unixsock')) return { files: output, nested, ...FROM_NETWORK };
      const [host, port] = args.operands;
      const sends = args.has('z') ? 'nothing' : nested.length > 0 ? 'file' : fromStdin(inv);
      return {
        files: output,
        nested,
        dests: host ? [tcp(host, port, sends, args.has('udp') ? 'udp' : 'tcp')] : [],
        ...FROM_NETWORK,
      };
    },
  }),
  define({
    names: ['telnet', 'tcping', 'gsocket', 'gs-netcat'],
    manual: 'telnet(1)',
    summary: 'a connection',
    options: 'l:, a, b:, e:, n:, 4, 6, K, X:, s:, i, w:, x:',
    run: (args, inv) => {
      const [host, port] = args.operands;
      return { dests: host ? [tcp(host, port, fromStdin(inv), 'telnet')] : [], ...FROM_NETWORK };
    },
  }),
  define({
    names: ['socat'],
    manual: 'socat(1)',
    summary: 'joins two addresses: files, programs, sockets',
    options: 'u, U, d, D, v, x, b:, s, t:, T:, l?, L:, W:, g, 4, 6, h, V, r:, R:, S:',
    style: { abbreviations: false },
    run: (args, inv) => {
      const [left, right] = args.operands;
      if (!left || !right) return {};
      return merge(
        end(left, right, inv, !args.has('U'), !args.has('u')),
        end(right, left, inv, !args.has('u'), !args.has('U')),
        FROM_NETWORK,
      );
    },
  }),
];

/** A bare port: whoever reaches this machine may connect, unless it is bound to this machine alone. */
function listening(port: string, address: string): readonly EffectDraft[] {
  const listen: EffectDraft = { kind: 'listen', target: port };
  if (/^(127\.|localhost$|\[?::1\]?$)/.test(address)) return [listen];
  return [listen, { kind: 'share-publicly', target: port, detail: `a port that anybody may connect to` }];
}

function fromStdin(inv: Invocation): Sends {
  return inv.stdinIsOpen ? 'nothing' : sendsOfStream(inv.stdin);
}

function tcp(host: Value, port: Value | undefined, sends: Sends, scheme: string): DestDraft {
  const number = Number(word(port));
  return { address: host, scheme, sends, ...(number > 0 && number < 65_536 ? { port: number } : {}) };
}

/** One of socat's two addresses; `from`: data is read from it, `into`: data is written to it. */
function end(address: Value, other: Value, inv: Invocation, from: boolean, into: boolean): Outcome {
  const type = (/^[A-Za-z0-9-]+(?=:|,|$)/.exec(knownPrefix(address))?.[0] ?? '').toUpperCase();
  const rest = cut(address, ':')?.[1] ?? [];
  const bare: Value = textOf(rest) !== null ? [(textOf(rest) as string).split(',')[0] as string] : rest;
  const files: FileDraft[] = [];
  if (/^(EXEC|SYSTEM|SHELL)$/.test(type)) {
    const stdin: Stream = isRemote(other) ? NETWORK : { value: null, taints: [] };
    return { nested: [{ kind: 'script', via: 'socat', text: bare, stdin }] };
  }
  if (/^(FILE|OPEN|CREATE|GOPEN|CREAT|PIPE|FIFO)$/.test(type) || (type === '' && knownPrefix(address).includes('/'))) {
    const path = type === '' ? address : bare;
    if (from) files.push({ op: 'read', path });
    if (into) files.push({ op: 'write', path });
    return { files };
  }
  if (/^UNIX-(?:L$|LISTEN|RECV)/.test(type))
    return { files: [{ op: 'create', path: bare }], effects: [{ kind: 'listen', target: word(bare) }] };
  if (/LISTEN|RECV|^(TCP|UDP|OPENSSL|SSL|SCTP)[46]?-L|^(TCP|UDP)[46]?-LISTEN$/.test(type)) {
    const bound = /,bind=([^,]+)/.exec(textOf(rest) ?? '')?.[1] ?? '';
    return { effects: listening(word(bare), /^UNIX|VSOCK/.test(type) ? 'localhost' : bound) };
  }
  if (!isRemote(address)) return {};
  const sends: Sends = into ? sentBy(other, inv) : 'nothing';
  const parts = cut(bare, ':');
  return { dests: [tcp(parts ? parts[0] : bare, parts?.[1], sends, type.startsWith('UDP') ? 'udp' : 'tcp')] };
}

function isRemote(address: Value): boolean {
  const type = /^[A-Za-z0-9-]+(?=:)/.exec(knownPrefix(address))?.[0] ?? '';
  return /^(TCP|UDP|OPENSSL|SSL|SOCKS|PROXY|SCTP|DCCP|TCP-CONNECT|UDP-SENDTO|OPENSSL-CONNECT|VSOCK)/i.test(type);
}

function sentBy(other: Value, inv: Invocation): Sends {
  const type = (/^[A-Za-z0-9-]+(?=:|,|$)/.exec(knownPrefix(other))?.[0] ?? '').toUpperCase();
  if (/^(STDIO|STDIN|FD)?$/.test(type) && !knownPrefix(other).includes('/')) return fromStdin(inv);
  if (word(other) === '-') return fromStdin(inv);
  const path = /^[A-Za-z0-9-]+:/.test(knownPrefix(other)) ? drop(other, knownPrefix(other).indexOf(':') + 1) : other;
  const plain = concat(path).map((p) => (typeof p === 'string' ? (p.split(',')[0] as string) : p));
  return isSecretFile(inv, plain) ? 'secret' : 'file';
}
