import type { DestDraft, EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { known, type Stream, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { word } from './drafts.ts';
import { downloadName, FROM_NETWORK, fetched, fileUrl, graphqlRemoval, type Payload, request } from './leaving.ts';
import { type Parsed, parseOptions } from './options.ts';
import { below } from './paths.ts';
import { contentOf, QUIET } from './streams.ts';
import { merge } from './subcommands.ts';
import { cut, drop, say, starts } from './words.ts';

const OPTIONS =
  'd data data-ascii:, data-binary:, data-raw:, data-urlencode:, json:, url-query:, F form:, form-string:, G get, T upload-file:, X request:, I head, H header:, proxy-header:, A user-agent:, e referer:, u user:, U proxy-user:, oauth2-bearer:, b cookie:, c cookie-jar:, o output:, O remote-name, remote-name-all, output-dir:, J remote-header-name, K config:, url:, x proxy:, preproxy:, socks5:, socks5-hostname:, socks4:, socks4a:, unix-socket:, abstract-unix-socket:, connect-to:, resolve:, doh-url:, D dump-header:, trace:, trace-ascii:, stderr:, libcurl:, etag-save:, etag-compare:, n netrc, netrc-file:, netrc-optional, E cert:, key:, cacert:, capath:, pass:, w write-out:, m max-time:, connect-timeout:, retry:, retry-delay:, retry-max-time:, r range:, C continue-at:, z time-cond:, Y speed-limit:, y speed-time:, limit-rate:, max-redirs:, max-filesize:, interface:, local-port:, proto:, proto-default:, proto-redir:, P ftp-port:, Q quote:, mail-from:, mail-rcpt:, mail-auth:, t telnet-option:, variable:, expand-url:, expand-data:, expand-header:, expand-output:, cert-type:, key-type:, ciphers:, tls-max:, tls13-ciphers:, aws-sigv4:, hsts:, alt-svc:, keepalive-time:, dns-servers:, parallel-max:, noproxy:, request-target:, stdin-cookie:, hostpubsha256:, pubkey:, rate:, login-options:, service-name:, delegation:, pinnedpubkey:, create-file-mode:, unix-proxy:, happy-eyeballs-timeout-ms:, f fail, s silent, S show-error, L location, k insecure, i include show-headers, v verbose, g globoff, N no-buffer, Z parallel, 0 http1.0, 1 tlsv1, 4 ipv4, 6 ipv6, a append, B use-ascii, h help?, j junk-session-cookies, l list-only, M manual, p proxytunnel, q disable, R remote-time, V version, # progress-bar, compressed, create-dirs, fail-with-body, http2, http1.1, http3, location-trusted, no-progress-meter, retry-all-errors, retry-connrefused, anyauth, basic, digest, negotiate, ntlm, fail-early, tr-encoding';

/** curl, from curl(1). */
export const curl: readonly Program[] = [
  define({
    names: ['curl', 'curlie'],
    manual: 'curl(1)',
    summary: 'transfers to and from URLs',
    options: OPTIONS,
    run: (_, inv) => merge(...transfers(inv).map((argv) => transfer(argv, inv, 3))),
  }),
];

const PARSER = define({ names: [], manual: '', summary: '', options: OPTIONS, run: () => ({}) }).grammar;

/** Each group of options between `--next`. */
function transfers(inv: Invocation): readonly (readonly Value[])[] {
  const groups: Value[][] = [[inv.argv[0] as Value]];
  for (const arg of inv.argv.slice(1)) {
    if (/^(--next|-:)$/.test(word(arg))) groups.push([inv.argv[0] as Value]);
    else groups[groups.length - 1]?.push(arg);
  }
  return groups;
}

function transfer(argv: readonly Value[], inv: Invocation, depth: number): Outcome {
  const args = parseOptions(argv, PARSER);
  const configs = args.values('config');
  if (configs.length > 0 && depth > 0) {
    const without = withoutConfigs(argv);
    const files: FileDraft[] = configs.filter((c) => word(c) !== '-').map((path) => ({ op: 'read', path }));
    const known = configs.map((c) => contentOf(inv, c).value);
    if (known.every((v): v is Value => v !== null)) {
      return merge({ files }, transfer([...without, ...known.flatMap(configWords)], inv, depth - 1));
    }
    const unread: DestDraft = {
      address: [{ hole: 'an address in a curl config', like: 'any' }],
      sends: 'file',
      certain: false,
    };
    return merge({ files, dests: [unread] }, transfer(without, inv, 0));
  }
  const flags = { flags: args.flags, operands: args.operands };
  if (args.has('help', 'version', 'manual')) return { ...flags, stdout: QUIET };
  const urls = [...args.values('url', 'expand-url'), ...args.operands];
  const body = payloadOf(args, inv);
  return merge(
    flags,
    { files: [...sideFiles(args), ...body.files], effects: removals(args, urls, inv) },
    ...urls.map((url, i) => one(url, i, args, inv, body)),
    printedBy(args, urls, inv),
  );
}

interface Body {
  readonly payload: Payload;
  readonly files: readonly FileDraft[];
  readonly method: string;
}

function payloadOf(args: Parsed, inv: Invocation): Body {
  const texts: Value[] = [];
  const sent: Value[] = [];
  const streams: Stream[] = [];
  const headers: Value[] = [];
  const files: FileDraft[] = [];
  const file = (path: Value): void => {
    if (word(path) === '-' || word(path) === '.' || path.length === 0) streams.push(inv.stdin);
    else {
      sent.push(path);
      files.push({ op: 'read', path });
    }
  };
  for (const value of args.values('data', 'data-binary', 'json', 'expand-data'))
    starts(value, '@') ? file(drop(value, 1)) : texts.push(value);
  for (const value of args.values('data-urlencode', 'url-query')) {
    const at = /^[^=@]*@/.exec(word(value));
    if (at) file([word(value).slice(at[0].length)]);
    else if (starts(value, '@')) file(drop(value, 1));
    else texts.push(value);
  }
  texts.push(...args.values('data-raw', 'form-string', 'mail-from', 'mail-rcpt', 'quote'));
  for (const value of args.values('form')) {
    const content = cut(value, '=')?.[1] ?? value;
    if (starts(content, '@') || starts(content, '<')) {
      for (const part of (textOf(drop(content, 1)) ?? '').split(';')[0]?.split(',') ?? [])
        file(part === '' ? drop(content, 1) : known(part.replace(/^"|"$/g, '')));
    } else texts.push(value);
  }
  for (const value of args.values('upload-file')) file(value);
  for (const value of args.values('header', 'proxy-header', 'expand-header'))
    starts(value, '@') ? file(drop(value, 1)) : headers.push(value);
  for (const value of args.values('cookie')) {
    if (cut(value, '=') || !textOf(value)) headers.push(['Cookie: ', ...value]);
    else files.push({ op: 'read', path: value });
  }
  for (const value of args.values('variable')) {
    const path = cut(value, '@');
    if (path && !cut(path[0], '=')) file(path[1]);
  }
  for (const value of args.values('user-agent', 'referer')) headers.push(['Agent: ', ...value]);
  const logins = args.values('user', 'oauth2-bearer', 'proxy-user');
  const payload: Payload = { texts, files: sent, streams, headers, logins };
  const hasBody = args.has(
    'data',
    'data-binary',
    'data-raw',
    'data-urlencode',
    'json',
    'form',
    'form-string',
    'expand-data',
  );
  const asked = say(args.value('request'));
  const method =
    asked ||
    (args.has('upload-file') ? 'PUT' : args.has('head') ? 'HEAD' : hasBody && !args.has('get') ? 'POST' : 'GET');
  return { payload, files, method };
}

/** One URL: a file of this machine, or a request, and where its answer is saved. */
function one(url: Value, index: number, args: Parsed, inv: Invocation, body: Body): Outcome {
  const files: FileDraft[] = [];
  const path = fileUrl(url);
  const output = args.values('output', 'expand-output')[index] ?? null;
  const directory = args.value('output-dir') ?? [];
  const content = path ? contentOf(inv, path).value : fetched(url);
  const save = (to: Value): void => {
    if (word(to) !== '-') files.push({ op: 'write', path: below(directory, to), ...(content ? { content } : {}) });
  };
  if (output) save(output);
  else if (args.has('remote-name', 'remote-name-all')) save(downloadName(url, null));
  if (path) {
    if (args.has('upload-file')) return { files: [...files, { op: 'write', path }] };
    return { files: [{ op: 'read', path }, ...files] };
  }
  const socket = args.value('unix-socket');
  if (socket) {
    const engine =
      /(docker|podman|containerd|crio)[^/]*\.sock$/.test(word(socket)) &&
      body.method !== 'GET' &&
      body.method !== 'HEAD';
    const effects: EffectDraft[] = engine
      ? [{ kind: 'container-host', target: word(socket), detail: `${body.method} ${say(url)}` }]
      : [];
    return {
      files,
      effects,
      dests: [{ address: ['localhost'], scheme: 'unix', sends: 'nothing', method: body.method }],
    };
  }
  const dests = [request(inv, url, body.payload, body.method)];
  for (const through of args.values('proxy', 'preproxy', 'socks5', 'socks5-hostname', 'socks4', 'socks4a')) {
    if (through.length > 0) dests.push({ ...(dests[0] as DestDraft), address: through });
  }
  for (const other of args.values('connect-to', 'resolve')) {
    const real = /^[^:]*:[^:]*:(.+)$/.exec(word(other))?.[1];
    if (real) dests.push({ ...(dests[0] as DestDraft), address: known(real.split(',')[0] as string) });
  }
  return { files, dests };
}

function sideFiles(args: Parsed): readonly FileDraft[] {
  const at = (op: 'read' | 'write', ...options: string[]): FileDraft[] =>
    args
      .values(...options)
      .filter((v) => v.length > 0 && word(v) !== '-')
      .map((path) => ({ op, path }));
  return [
    ...at(
      'write',
      'cookie-jar',
      'dump-header',
      'trace',
      'trace-ascii',
      'stderr',
      'libcurl',
      'etag-save',
      'hsts',
      'alt-svc',
    ),
    ...at('read', 'etag-compare'),
    ...args
      .values('write-out')
      .filter((v) => starts(v, '@'))
      .map((v): FileDraft => ({ op: 'read', path: drop(v, 1) })),
  ];
}

/** GraphQL mutations that take something away on another machine. */
function removals(args: Parsed, urls: readonly Value[], inv: Invocation): readonly EffectDraft[] {
  if (urls.every((address) => inv.world.dest({ address, sends: 'nothing' }).loopback === true)) return [];
  return args.values('data', 'data-raw', 'data-binary', 'json').flatMap((body) => {
    const field = graphqlRemoval(body);
    if (!field) return [];
    return [{ kind: 'infra-destroy', target: field, detail: 'a GraphQL mutation', certain: false }];
  });
}

function printedBy(args: Parsed, urls: readonly Value[], inv: Invocation): Outcome {
  const saved =
    args.has('output') && args.values('output').every((o) => !/^(-|\/dev\/stdout|\/dev\/fd\/1)$/.test(word(o)));
  if ((saved && args.values('output').length >= urls.length) || args.has('remote-name', 'remote-name-all'))
    return { stdout: QUIET };
  const paths = urls.map(fileUrl);
  const [path] = paths;
  if (path && urls.length === 1) return { stdout: contentOf(inv, path) };
  return FROM_NETWORK;
}

/** argv without `-K FILE`. */
function withoutConfigs(argv: readonly Value[]): readonly Value[] {
  const out: Value[] = [];
  for (let i = 0; i < argv.length; i++) {
    const text = word(argv[i]);
    if (/^(-[a-zA-Z#]*K|--config)$/.test(text)) {
      const rest = text.startsWith('--') ? '' : text.slice(1, -1);
      if (rest !== '') out.push([`-${rest}`]);
      i++;
    } else if (!/^(-K.|--config=)/.test(text)) out.push(argv[i] as Value);
  }
  return out;
}

/** A curl config file as arguments; curl(1), `-K`. */
function configWords(content: Value): readonly Value[] {
  const text = textOf(content);
  if (text === null) return [];
  const words: Value[] = [];
  for (const line of text.split(/\r?\n/)) {
    const entry = /^\s*-{0,2}([\w.-]+)\s*(?:[=:]\s*|\s+|$)(.*)$/.exec(line);
    if (!entry || /^\s*#/.test(line)) continue;
    const name = entry[1] as string;
    words.push([name.length === 1 ? `-${name}` : `--${name}`]);
    const raw = (entry[2] as string).trim();
    const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(raw);
    const value = quoted ? (quoted[1] as string).replace(/\\(.)/g, '$1') : (raw.split(/\s/)[0] as string);
    if (value !== '') words.push([value]);
  }
  return words;
}
