import type { EffectDraft } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { render, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { drafts, effect, reads, word } from './drafts.ts';
import type { Parsed } from './options.ts';
import { decoded, QUIET } from './streams.ts';
import { decodeBase64 } from './text-folds.ts';

/** openssl: keys, certificates, ciphers, TLS connections. */
export const opensslTools: readonly Program[] = [
  define({
    names: ['openssl', 'libressl'],
    manual: 'openssl(1)',
    summary: 'encrypts, connects, makes keys and certificates',
    options:
      'in:, out:, inkey:, key:, keyform:, keyout:, cert:, certfile:, CA:, CAkey:, CAfile:, CApath:, CAserial:, config:, extfile:, extensions:, kfile:, k:, K:, iv:, S:, pass:, passin:, passout:, connect:, host:, port:, accept:, bind:, proxy:, servername:, starttls:, url:, subj:, addext:, days:, newkey:, digest:, md:, algorithm:, pkeyopt:, name:, curve:, engine:, rand:, writerand:, inform:, outform:, nameopt:, certopt:, set_serial:, e, d, a, A, base64, pbkdf2, iter:, salt, nosalt, noout, text, pubout, pubin, pubkey, quiet, brief, showcerts, verify:, sign:, signature:, new, nodes, noenc, x509, req, export, nokeys, nocerts, clcerts, cacerts, decrypt, encrypt, recip:, to:, from:, subject:, signer:, content:, p, v, hex, r, binary, alpn:, msg, debug, cipher:, ciphersuites:, tls1_2, tls1_3, pre:, post:, t, c, issuer:, sha256, fingerprint, dates, enddate, startdate, serial, hash, modulus, check, checkend:, topk8, nocrypt, provider:, provider-path:, rev, WWW, HTTP, www',
    style: { singleDashLong: true },
    run: (args, invocation) => openssl(args, invocation),
  }),
];

function openssl(args: Parsed, invocation: Invocation): Outcome {
  const verb = word(args.operands[0]);
  const rest = args.operands.slice(1);
  const opened = [
    ...args.values('in', 'inkey', 'key', 'CAkey', 'kfile', 'config', 'extfile', 'content'),
    ...passwordFiles(args),
  ];
  const files = [
    ...reads(opened.filter((path) => !/^pkcs11:/.test(word(path)))),
    ...reads(
      /^(dgst|verify|sha\d+|md5|crl2pkcs7|x509|asn1parse|passwd)$/.test(verb)
        ? rest.filter((value) => /[./]/.test(word(value)))
        : [],
    ),
    ...drafts('write', args.values('out', 'keyout', 'writerand')),
  ];
  const loads = [...args.values('pre', 'post', 'provider-path', 'engine'), ...(verb === 'engine' ? rest : [])].filter(
    (value) => /[/.]/.test(render(value)),
  );
  const effects = loads.map(
    (value): EffectDraft => effect('exec-unknown', render(value), `openssl loads ${render(value)}`),
  );
  const subcommand = verb;
  if (verb === 's_client' || verb === 's_time') {
    const host = args.value('connect') ?? args.value('host') ?? rest[0];
    const port = Number(word(args.value('port'))) || undefined;
    const { stdin, stdinIsOpen } = invocation;
    const sends = stdin.taints.includes('secret')
      ? 'secret'
      : stdin.value !== null
        ? stdin.value.length > 0
          ? 'text'
          : 'nothing'
        : stdinIsOpen
          ? 'nothing'
          : 'file';
    return {
      subcommand,
      files,
      effects,
      dests: host ? [{ address: host, scheme: 'tls', sends, ...(port ? { port } : {}) }] : [],
      stdout: { value: null, taints: ['network'] },
    };
  }
  if (verb === 's_server' || verb === 'ocsp') {
    const url = args.value('url');
    const port = word(args.value('accept', 'port')) || '4433';
    return {
      subcommand,
      files,
      ...(verb === 'ocsp'
        ? { dests: url ? [{ address: url, sends: 'text' }] : [] }
        : { effects: [...effects, effect('listen', port, `openssl s_server on port ${port}`)] }),
    };
  }
  const quiet =
    args.has('noout') ||
    args.has('out') ||
    /^(genrsa|genpkey|rand|dgst|version|verify|speed|passwd|ciphers|list)$/.test(verb);
  if (
    args.has('decrypt') ||
    (args.has('d') && /^(enc|base64|zlib|aes|des|cms|smime|pkeyutl|rsautl|camellia|chacha|aria|bf|rc)/.test(verb))
  ) {
    const plain =
      (verb === 'base64' ||
        (verb === 'enc' &&
          !args.unknown.some((flag) => /^(aes|des|bf|rc|chacha|camellia|aria|seed|sm4)/.test(flag)))) &&
      args.has('a', 'A', 'base64', 'd');
    const paths = args.values('in');
    return {
      subcommand,
      files,
      effects,
      // With -out the file gets it.
      ...(args.has('out')
        ? { stdout: { value: null, taints: ['decoded'] } }
        : decoded(invocation, paths, plain ? decodeBase64 : () => null)),
    };
  }
  return { subcommand, files, effects, ...(quiet ? { stdout: QUIET } : {}) };
}

function passwordFiles(args: Parsed): readonly Value[] {
  return args.values('pass', 'passin', 'passout').flatMap((value) => {
    const match = /^file:(.+)$/.exec(word(value));
    return match ? [[match[1] as string]] : [];
  });
}
