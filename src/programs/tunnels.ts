import type { DestDraft, FileDraft } from '../model/effect.ts';
import type { Nested } from '../model/program.ts';
import { textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { reads, word } from './drafts.ts';
import { sendsOf } from './leaving.ts';
import { say, starts } from './words.ts';

const LOOKS =
  /^(version|help|config|list|status|info|whoami|authtoken|login|update|ls|check|completion|diagnose|tunnel list|tunnel info|inspect)$/;

/** Public ways to this machine, and mail out of it. */
export const tunnels: readonly Program[] = [
  define({
    names: [
      'ngrok',
      'cloudflared',
      'localtunnel',
      'lt',
      'bore',
      'frpc',
      'pinggy',
      'zrok',
      'tunnelmole',
      'tmole',
      'telebit',
      'pagekite',
      'devtunnel',
      'chisel',
      'inlets',
      'localxpose',
      'loclx',
      'serveo',
      'playit',
      'boringproxy',
      'rathole',
      'pagekite.py',
      'gost',
      'ttyd',
      'gotty',
      'x11vnc',
      'filebrowser',
      'syncthing',
      'wstunnel',
    ],
    manual: 'each tunnel',
    summary: 'makes a local port reachable for everyone',
    options:
      'url:, port p:, h host:, s subdomain:, l local-host:, region:, c config:, authtoken:, hostname:, name:, to:, t token:',
    run: (args) => {
      const verb = word(args.operands[0]);
      if (
        LOOKS.test(verb) ||
        args.has('help', 'version') ||
        (verb === 'tunnel' && /^(list|info|login|cleanup)$/.test(word(args.operands[1])))
      )
        return { subcommand: verb };
      const target = say(args.value('url') ?? args.value('port') ?? args.operands[args.operands.length - 1]);
      return {
        subcommand: verb,
        effects: [{ kind: 'share-publicly', target, detail: 'a public tunnel to this machine' }],
      };
    },
  }),
  define({
    names: [
      'mail',
      'mailx',
      'sendmail',
      'mutt',
      'neomutt',
      's-nail',
      'msmtp',
      'swaks',
      'ssmtp',
      'exim',
      'postfix',
      'himalaya',
      'mpack',
    ],
    manual: 'mail(1), sendmail(8), mutt(1), swaks(1)',
    summary: 'sends mail',
    options:
      's:, a:, A:, c:, b:, r:, f:, F:, i, e:, H:, q:, C:, S:, v, t to:, attach:, body:, server:, from:, header:, add-header:, data:, d:, o:, account:',
    run: (args, inv) => {
      const swaks = inv.name === 'swaks';
      const recipients = swaks ? args.values('t') : args.operands;
      const hooks = inv.name.includes('mutt') ? args.values('e').filter((v) => /`|\|/.test(word(v))) : [];
      const nested = hooks.map((text): Nested => ({ kind: 'script', via: inv.name, text, certain: false }));
      if (recipients.length === 0 && (inv.stdinIsOpen || swaks)) return { nested };
      const attached = [...args.values('a', 'A', 'attach', 'data')].map(
        (p): Value => (starts(p, '@') ? [(textOf(p) ?? '').slice(1)] : p),
      );
      const streams = inv.stdinIsOpen ? [] : [inv.stdin];
      const payload = { texts: args.values('s', 'body'), files: attached, streams };
      const to: readonly Value[] =
        recipients.length > 0 ? recipients : [[{ hole: 'the recipients of a message', like: 'any' }]];
      return {
        files: reads(attached),
        dests: to.map(
          (address): DestDraft => ({ address, scheme: 'smtp', method: 'POST', sends: sendsOf(inv, payload, address) }),
        ),
        nested,
      };
    },
  }),
  define({
    names: [
      'croc',
      'wormhole',
      'ffsend',
      'pastebinit',
      'gist',
      'termbin',
      'wgetpaste',
      'magic-wormhole',
      'onionshare-cli',
      'ipfs',
      'dropbox_uploader.sh',
      'sprunge',
      'tmate',
      'asciinema',
      'upterm',
      'teleconsole',
    ],
    manual: 'each tool',
    summary: 'gives files or a session to others',
    options:
      'code:, text:, o output-file:, out:, c code-length:, t title:, d description:, i:, b:, public, p private, f filename:, F, yes, P, u:',
    run: (args, inv) => {
      const verb = word(args.operands[0]);
      if (
        /^(receive|recv|get|version|help|cat|ls|id|swarm|play|rec|auth|history|exists)$/.test(verb) ||
        args.has('help', 'version')
      ) {
        const saved: FileDraft[] = /^(receive|recv)$/.test(verb)
          ? [{ op: 'create', path: args.value('output-file') ?? args.value('out') ?? ['.'], partial: true }]
          : [];
        // asciinema(1): `rec -c COMMAND` records what that prints.
        const recorded = inv.name === 'asciinema' && verb === 'rec' ? args.values('c') : [];
        const nested = recorded.map((text): Nested => ({ kind: 'script', via: 'asciinema', text }));
        return { subcommand: verb, files: saved, nested };
      }
      const files = args.operands.filter((_, i) => i > 0 || !/^(send|upload|add|put|share)$/.test(verb));
      const address: Value = [inv.name];
      const sends = sendsOf(inv, { files, streams: inv.stdinIsOpen || files.length > 0 ? [] : [inv.stdin] }, address);
      return {
        subcommand: verb,
        files: reads(files, { recursive: true }),
        dests: sends === 'secret' ? [{ address, scheme: inv.name, sends, method: 'POST' }] : [],
        effects: [
          { kind: 'share-publicly', target: say(...files) || inv.name, detail: `${inv.name} gives it to others` },
        ],
      };
    },
  }),
];
