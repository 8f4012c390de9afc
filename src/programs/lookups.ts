import type { DestDraft, Sends } from '../model/effect.ts';
import { isDynamic, taintsOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { reads, word } from './drafts.ts';
import { QUIET } from './streams.ts';
import { printsSecret } from './subcommands.ts';
import { drop, say, starts } from './words.ts';

/**
 * A name that is asked for travels to whoever owns its domain: computed labels carry data out. A name that is
 * wholly unknown (`dig "$host"`) is an ordinary look-up; one with an unknown part in front of a known domain is not.
 */
function asks(name: Value, scheme: 'dns' | 'icmp'): DestDraft {
  return { address: name, scheme, sends: carried(name) };
}

function carried(name: Value): Sends {
  if (taintsOf(name).includes('secret')) return 'secret';
  const end = name[name.length - 1];
  const owned = typeof end === 'string' && /^[^.]*\.[\w.-]*[\w-]+\.[a-z]{2,}\.?$/i.test(end);
  return isDynamic(name) && owned ? 'text' : 'nothing';
}

const TYPES =
  /^(A|AAAA|ANY|CNAME|MX|NS|PTR|SOA|SRV|TXT|CAA|DS|DNSKEY|HTTPS|SVCB|NAPTR|TLSA|SSHFP|AXFR|IXFR(=.*)?|IN|CH|HS)$/i;

/** Names and reachability, from dig(1), host(1), nslookup(1), ping(8). */
export const lookups: readonly Program[] = [
  define({
    names: ['dig', 'kdig', 'drill', 'dog', 'doggo', 'delv'],
    manual: 'dig(1), BIND 9',
    summary: 'asks name servers',
    options: 'b:, c:, f:, k:, p:, q:, t:, x:, y:, 4, 6, u, i, m, v, h, type:, query:, nameserver:, server:',
    run: (args) => {
      const servers = args.operands.filter((o) => starts(o, '@')).map((o) => drop(o, 1));
      const names = args.operands.filter((o) => !starts(o, '@') && !starts(o, '+') && !TYPES.test(word(o)));
      const asked = [...args.values('q', 'query'), ...args.values('x'), ...names];
      return {
        files: reads(args.values('f')),
        dests: [
          ...asked.map((n) => asks(n, 'dns')),
          ...servers.map((s): DestDraft => ({ address: s, scheme: 'dns', sends: 'nothing' })),
        ],
        stdout: { value: null, taints: ['network'] },
      };
    },
  }),
  define({
    names: ['host', 'nslookup', 'resolvectl', 'getent', 'dnsx', 'whois', 'dns-sd', 'avahi-resolve'],
    manual: 'host(1), nslookup(1), getent(1), whois(1)',
    summary: 'looks names up',
    options: 't:, c:, N:, R:, W:, h:, p:, type:, query:, port:, timeout:, a, v, 4, 6, d, l, C, r, s, T',
    style: { singleDashLong: true },
    run: (args, inv) => {
      if (inv.name === 'getent' && /^g?shadow$/.test(word(args.operands[0]))) return printsSecret('shadow');
      const skip = /^(getent|resolvectl|dns-sd)$/.test(inv.name) ? 1 : 0;
      if (inv.name === 'getent' && !/^(hosts|ahosts(v[46])?)$/.test(word(args.operands[0]))) return { stdout: QUIET };
      const [name, server] = args.operands.slice(skip);
      const from: DestDraft[] = server && skip === 0 ? [{ address: server, scheme: 'dns', sends: 'nothing' }] : [];
      return { dests: name ? [asks(name, 'dns'), ...from] : [], stdout: { value: null, taints: ['network'] } };
    },
  }),
  define({
    names: ['ping', 'ping6', 'traceroute', 'tracepath', 'mtr', 'fping', 'arping', 'hping3', 'tcptraceroute'],
    manual: 'ping(8), traceroute(8)',
    summary: 'tries whether a host answers',
    options:
      'c:, i:, w:, W:, s:, p:, t:, I:, m:, q:, f:, M:, l:, Q:, T:, S:, n, 4, 6, r, b, a, A, D, v, R, U, report, d:, E:',
    run: (args) => {
      const pattern = args.value('p');
      const target = args.operands[0];
      const sends: Sends | null = pattern && taintsOf(pattern).includes('secret') ? 'secret' : null;
      return { dests: target ? [{ ...asks(target, 'icmp'), ...(sends ? { sends } : {}) }] : [], stdout: QUIET };
    },
  }),
  define({
    names: [
      'nmap',
      'masscan',
      'rustscan',
      'zmap',
      'nuclei',
      'nikto',
      'sqlmap',
      'gobuster',
      'ffuf',
      'hydra',
      'wfuzz',
      'dirb',
    ],
    manual: 'nmap(1) and others',
    summary: 'scans or attacks hosts',
    options:
      'o:, oN:, oX:, oG:, oA:, iL:, p:, script:, script-args:, u:, w:, host:, T?, s?, A, O, v, n, P?, F, l:, L:, output:',
    style: { singleDashLong: true, abbreviations: false },
    run: (args) => {
      const targets = [...args.operands, ...args.values('u')];
      const outputs = args.values('o', 'oN', 'oX', 'oG', 'oA', 'output');
      return {
        files: [...outputs.map((path) => ({ op: 'write' as const, path })), ...reads(args.values('iL', 'w'))],
        dests: targets.map((address): DestDraft => ({ address, scheme: 'scan', sends: 'text', method: 'POST' })),
        opaque: args.has('script'),
      };
    },
  }),
  define({
    names: ['tcpdump', 'tshark', 'dumpcap', 'ngrep'],
    manual: 'tcpdump(8)',
    summary: 'records network traffic',
    options: 'w:, r:, F:, z:, i:, c:, C:, G:, W:, s:, Z:, E:, T:, y:, n, v, X, A, l, q, e, S, t, D, U, p, Y:, f:, o:',
    run: (args) => {
      const command = args.value('z');
      return {
        files: [
          ...args
            .values('w')
            .filter((p) => word(p) !== '-')
            .map((path) => ({ op: 'write' as const, path })),
          ...reads([...args.values('r'), ...args.values('F')]),
        ],
        nested: command ? [{ kind: 'script', via: 'tcpdump -z', text: command }] : [],
        effects: args.has('r', 'D')
          ? []
          : [
              {
                kind: 'kernel',
                target: 'network capture',
                detail: `listens to traffic on ${say(args.value('i')) || 'an interface'}`,
              },
            ],
      };
    },
  }),
];
