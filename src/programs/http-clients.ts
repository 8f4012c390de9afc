import type { FileDraft } from '../model/effect.ts';
import type { Stream, Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { reads, word } from './drafts.ts';
import { downloadName, FROM_NETWORK, fetched, request } from './leaving.ts';
import { below } from './paths.ts';
import { QUIET } from './streams.ts';
import { merge } from './subcommands.ts';
import { cut, drop, starts } from './words.ts';

const METHOD = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT|[A-Z]{3,10})$/;

/** Clients with request items (`name=value`, `name@file`, `Header:value`), and downloaders with a list of addresses. */
export const httpClients: readonly Program[] = [
  define({
    names: ['http', 'https', 'xh', 'xhs', 'httpie'],
    manual: 'HTTPie documentation, xh README',
    summary: 'HTTP requests',
    options:
      'o output:, d download, c continue, a auth:, A auth-type:, p print:, session:, session-read-only:, proxy:, verify:, cert:, cert-key:, timeout:, max-redirects:, raw:, boundary:, s style:, pretty:, default-scheme:, bearer:, unix-socket:, j json, f form, multipart, F follow, h headers, b body, m meta, v verbose, q quiet, I ignore-stdin, offline, check-status, x compress, S stream, k',
    run: (args, inv) => {
      const words = inv.name === 'httpie' ? args.operands.slice(1) : args.operands;
      const verb = METHOD.test(word(words[0])) ? word(words[0]) : '';
      const [url, ...items] = verb ? words.slice(1) : words;
      if (!url) return { stdout: QUIET };
      const sent: Value[] = [];
      const texts: Value[] = [...args.values('raw')];
      const headers: Value[] = [];
      for (const item of items) {
        const at = /^[^=:@\s]*(:=@|=@|@)/.exec(word(item));
        if (at) sent.push([word(item).slice(at[0].length).split(';')[0] as string]);
        else if (/^[^=@]*:[^=]/.test(word(item)) || (cut(item, ':') && !cut(item, '='))) headers.push(item);
        else texts.push(item);
      }
      const streams: Stream[] = inv.stdinIsOpen || args.has('ignore-stdin') || items.length > 0 ? [] : [inv.stdin];
      const body = texts.length + sent.length + streams.length > 0;
      const method = verb || (body ? 'POST' : 'GET');
      const logins = args.values('auth', 'bearer');
      const dests = args.has('offline')
        ? []
        : [request(inv, url, { texts, files: sent, streams, headers, logins }, method)];
      const output = args.value('output') ?? (args.has('download') ? downloadName(url, 'index') : null);
      const saved: FileDraft[] = output ? [{ op: 'write', path: output, content: fetched(url) }] : [];
      return merge({ files: [...reads(sent), ...saved], dests }, output ? { stdout: QUIET } : FROM_NETWORK);
    },
  }),
  define({
    names: ['aria2c', 'axel', 'lwp-download', 'you-get', 'yt-dlp', 'youtube-dl', 'httrack', 'gdown'],
    manual: 'aria2c(1), axel(1)',
    summary: 'downloads',
    options:
      'd dir:, o out output:, i input-file:, l log:, x:, s:, j:, k:, n:, header:, save-session:, conf-path:, on-download-complete:, on-download-start:, exec:, O:, P paths:, f format:, cookies:, q quiet, c continue, S?',
    run: (args, inv) => {
      const hooks = args.values('on-download-complete', 'on-download-start', 'exec');
      const directory = args.value('dir') ?? args.value('paths') ?? (inv.name === 'httrack' ? args.value('O') : null);
      const output = args.value('output');
      const path: Value = output ? (directory ? [...directory, '/', ...output] : output) : (directory ?? ['.']);
      const first = args.operands[0];
      const files: FileDraft[] = [
        output
          ? { op: 'write', path, ...(first ? { content: fetched(first) } : {}) }
          : { op: 'create', path, partial: true },
        ...(output || !/^(aria2c|axel|lwp-download)$/.test(inv.name) ? [] : args.operands).map(
          (url): FileDraft => ({
            op: 'write',
            path: below(directory ?? [], downloadName(url, 'index.html')),
            content: fetched(url),
          }),
        ),
        ...reads([...args.values('input-file'), ...args.values('cookies')]),
        ...args.values('log', 'save-session').map((p): FileDraft => ({ op: 'write', path: p })),
      ];
      return {
        files: args.operands.length > 0 || args.has('input-file') ? files : [],
        dests: args.operands.map((url) => request(inv, url, { headers: args.values('header') }, 'GET')),
        nested: hooks.map((text) => ({ kind: 'script', via: inv.name, text })),
        stdout: QUIET,
      };
    },
  }),
  define({
    names: ['lynx', 'w3m', 'links', 'elinks', 'html2text'],
    manual: 'lynx(1), w3m(1)',
    summary: 'text browsers',
    options: 'dump, source, cfg:, T:, o:, cols:, width:, useragent:, auth:, stdin, listonly, nolist, post_data',
    style: { singleDashLong: true },
    run: (args, inv) => {
      const urls = args.operands.filter((o) => /^(https?|ftp|gopher):/i.test(word(o)) || typeof o[0] !== 'string');
      const files = reads(args.operands.filter((o) => !urls.includes(o) && !starts(o, '+')));
      return {
        files,
        dests: urls.map((url) => request(inv, url, {}, 'GET')),
        ...(urls.length > 0 ? FROM_NETWORK : {}),
      };
    },
  }),
  define({
    names: ['ab', 'wrk', 'hey', 'siege', 'vegeta', 'k6', 'autocannon', 'bombardier', 'oha'],
    manual: 'each load tester',
    summary: 'load on a server',
    options: 'n:, c:, t:, d:, z:, r:, m:, H:, T:, p:, k, s:, o:, D:, R:, q:',
    run: (args, inv) => ({
      files: reads([...args.values('p'), ...args.values('s'), ...args.values('D')]),
      dests: args.operands.filter((o) => /^https?:/i.test(word(o))).map((url) => request(inv, url, {}, 'GET')),
    }),
  }),
  define({
    names: ['grpcurl', 'evans', 'websocat', 'wscat', 'mqttx', 'mosquitto_pub', 'mosquitto_sub'],
    manual: 'grpcurl, websocat, mosquitto_pub(1)',
    summary: 'messages to a server',
    options:
      'd:, H:, h host:, p port:, t topic:, m message:, f file:, c connect:, x execute:, l listen:, plaintext, insecure, proto:, import-path:, protoset:, authority:, max-time:, u:, P:, i:, s, L:, url:',
    style: { singleDashLong: true },
    run: (args, inv) => {
      const [target] = args.operands;
      const execs = args.operands.filter((o) => /^(exec|sh-c|cmd):/.test(word(o)));
      const address =
        args.value('host') ??
        args.value('connect') ??
        args.value('url') ??
        args.operands.find((o) => !/^(exec|sh-c|cmd|-)/.test(word(o)));
      const texts = [...args.values('d', 'message', 'execute')];
      const streams = inv.stdinIsOpen || texts.length > 0 || args.has('f') ? [] : [inv.stdin];
      const headers = args.values('H');
      const payload = { texts, files: args.values('f'), streams, headers };
      return {
        files: reads(args.values('f')),
        dests:
          address && !args.has('l')
            ? [request(inv, address, payload, texts.length > 0 ? 'POST' : 'GET', { scheme: 'ws' })]
            : [],
        effects: args.has('l') ? [{ kind: 'listen', target: word(target) }] : [],
        nested: execs.map((e) => ({
          kind: 'script',
          via: inv.name,
          text: drop(e, word(e).indexOf(':') + 1),
          stdin: { value: null, taints: ['network'] },
        })),
        ...FROM_NETWORK,
      };
    },
  }),
];
