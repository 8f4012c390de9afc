import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { reads, word } from './drafts.ts';
import { downloadName, FROM_NETWORK, fetched, request } from './leaving.ts';
import type { Parsed } from './options.ts';
import { below } from './paths.ts';
import { contentOf, QUIET } from './streams.ts';
import { merge } from './subcommands.ts';
import { cut, say } from './words.ts';

/** wget, from the GNU Wget manual. */
export const wget: readonly Program[] = [
  define({
    names: ['wget', 'wget2'],
    manual: 'GNU Wget manual',
    summary: 'downloads',
    options:
      'O output-document:, o output-file:, a append-output:, P directory-prefix:, i input-file:, B base:, e execute:, config:, post-data:, post-file:, body-data:, body-file:, method:, header:, U user-agent:, referer:, user:, password:, http-user:, http-password:, ftp-user:, ftp-password:, use-askpass?, load-cookies:, save-cookies:, warc-file:, rejected-log:, certificate:, private-key:, ca-certificate:, ca-directory:, crl-file:, hsts-file:, t tries:, T timeout:, w wait:, waitretry:, Q quota:, l level:, A accept:, R reject:, D domains:, I include-directories:, X exclude-directories:, accept-regex:, reject-regex:, cut-dirs:, connect-timeout:, read-timeout:, dns-timeout:, limit-rate:, bind-address:, r recursive, m mirror, k convert-links, K backup-converted, p page-requisites, E adjust-extension, L relative, H span-hosts, N timestamping, c continue, S server-response, q quiet, v verbose, b background, x force-directories, F force-html, d debug, n?, no-check-certificate, content-disposition, spider, 4, 6, Y, h help, V version, delete-after, show-progress, progress:, no-clobber, no-directories, no-verbose, no-parent, no-host-directories, secure-protocol:, max-redirect:, default-page:, report-speed:, restrict-file-names:',
    run: (args, inv) => download(withExecuted(args), inv),
  }),
];

/** Options given as wgetrc commands (`-e output_document=x`). */
function withExecuted(args: Parsed): Parsed {
  const extra = new Map<string, Value>();
  for (const command of args.values('execute')) {
    const parts = cut(command, '=');
    if (parts) extra.set(word(parts[0]).trim().toLowerCase().replaceAll('_', '-'), parts[1]);
  }
  if (extra.size === 0) return args;
  const names: Readonly<Record<string, string>> = {
    'dir-prefix': 'directory-prefix',
    logfile: 'output-file',
    input: 'input-file',
  };
  for (const [from, to] of Object.entries(names)) if (extra.has(from)) extra.set(to, extra.get(from) as Value);
  return {
    ...args,
    has: (...wanted) => args.has(...wanted) || wanted.some((n) => extra.has(n)),
    value: (...wanted) => wanted.map((n) => extra.get(n)).find((v) => v !== undefined) ?? args.value(...wanted),
    values: (...wanted) => {
      const more = wanted.map((n) => extra.get(n)).filter((v): v is Value => v !== undefined);
      return [...args.values(...wanted), ...more];
    },
  };
}

function download(args: Parsed, inv: Invocation): Outcome {
  const list = args.value('input-file');
  const listed = list ? contentOf(inv, list).value : null;
  const lines =
    listed &&
    textOf(listed)
      ?.split('\n')
      .map((l) => l.trim())
      .filter((l) => l !== '' && !l.startsWith('#'));
  const unread: Value = [{ hole: 'an address in a file', like: 'any' }];
  const urls = [...args.operands, ...(list ? (lines ? lines.map(known) : [unread]) : [])];
  const bodies = args.values('post-file', 'body-file');
  const texts = args.values('post-data', 'body-data');
  const asked = say(args.value('method'));
  const method = asked || (args.has('post-data', 'post-file') ? 'POST' : args.has('spider') ? 'HEAD' : 'GET');
  const payload = {
    texts,
    files: bodies,
    headers: [
      ...args.values('header'),
      ...args.values('user-agent', 'referer').map((value): Value => ['Agent: ', ...value]),
    ],
    logins: args.values('password', 'http-password'),
  };
  const askpass = args.value('use-askpass');
  const helpers = askpass && askpass.length > 0 ? [askpass] : [];
  const nested = helpers.map((helper): Nested => ({ kind: 'argv', via: 'wget', argv: [helper] }));
  const effects = helpers.map(
    (helper): EffectDraft => ({
      kind: 'exec-unknown',
      target: say(helper),
      detail: 'wget runs it for a password',
    }),
  );
  const output = args.value('output-document');
  const toStdout = /^(-|\/dev\/stdout|\/dev\/fd\/1)$/.test(word(output));
  return merge(
    {
      files: [...sideFiles(args, list), ...reads(bodies), ...saved(args, urls, output)],
      dests: urls.map((url) => request(inv, url, payload, method)),
      nested,
      effects,
    },
    toStdout ? FROM_NETWORK : { stdout: QUIET },
  );
}

function saved(args: Parsed, urls: readonly Value[], output: Value | null): readonly FileDraft[] {
  if (args.has('spider', 'delete-after')) return [];
  if (output)
    return /^(-|\/dev\/stdout|\/dev\/fd\/1)$/.test(word(output))
      ? []
      : [{ op: 'write', path: output, content: urls[0] ? fetched(urls[0]) : [] }];
  const directory = args.value('directory-prefix') ?? [];
  if (args.has('recursive', 'mirror', 'page-requisites', 'force-directories')) {
    return [{ op: 'create', path: directory.length > 0 ? directory : ['.'], recursive: true, partial: true }];
  }
  return urls.map(
    (url): FileDraft => ({
      op: 'write',
      path: below(directory, downloadName(url, 'index.html')),
      content: fetched(url),
    }),
  );
}

function sideFiles(args: Parsed, list: Value | null): readonly FileDraft[] {
  const logs = args.values('output-file', 'append-output', 'save-cookies', 'warc-file', 'rejected-log');
  const writes = logs.filter((p) => word(p) !== '-').map((path): FileDraft => ({ op: 'write', path }));
  return [...reads([...(list ? [list] : []), ...args.values('load-cookies', 'config')]), ...writes];
}
