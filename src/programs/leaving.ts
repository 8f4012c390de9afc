import type { DestDraft, EffectDraft, Sends } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { known, knownPrefix, type Part, render, type Stream, taintsOf, textOf, type Value } from '../model/value.ts';
import { cut, drop, starts } from './words.ts';

/** What a program puts into a request. */
export interface Payload {
  /** Text in the body. */
  readonly texts?: readonly Value[];
  /** Files whose content is sent. */
  readonly files?: readonly Value[];
  /** Streams that are sent (standard input). */
  readonly streams?: readonly Stream[];
  /** `Name: value` headers. */
  readonly headers?: readonly Value[];
  /** Credentials given for the purpose (`-u`, `--oauth2-bearer`). */
  readonly logins?: readonly Value[];
}

/** Where the tokens of well-known services belong, by the name of their variable. */
const HOMES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(GITHUB|GH)_|GITHUB_TOKEN|^gh auth/,
    /(^|\.)(github\.com|githubusercontent\.com|githubcopilot\.com|ghcr\.io|ghe\.com)$/,
  ],
  [/^(GITLAB|GL|CI_JOB)_|^glab auth/, /(^|\.)gitlab\./],
  [/^AWS_|^aws /, /(^|\.)(amazonaws\.com|aws\.amazon\.com|aws\.dev)$/],
  [/^(OPENAI)_/, /(^|\.)(openai\.com|openai\.azure\.com|chatgpt\.com)$/],
  [/^(ANTHROPIC|CLAUDE)_/, /(^|\.)(anthropic\.com|claude\.ai|claude\.com)$/],
  [/^(GOOGLE|GCP|GCLOUD|GEMINI)_|^gcloud /, /(^|\.)(googleapis\.com|google\.com|google\.dev)$/],
  [/^(AZURE|ARM)_|^az /, /(^|\.)(azure\.com|azure\.net|windows\.net|microsoftonline\.com|microsoft\.com)$/],
  [/^(NPM|NODE_AUTH)_/, /(^|\.)(npmjs\.(org|com)|npm\.pkg\.github\.com)$/],
  [/^(PYPI|TWINE)_/, /(^|\.)(pypi\.org|pythonhosted\.org)$/],
  [/^(DOCKER|DOCKERHUB)_/, /(^|\.)(docker\.(com|io))$/],
  [/^(SLACK)_/, /(^|\.)slack\.com$/],
  [/^(STRIPE)_/, /(^|\.)stripe\.com$/],
  [/^(CLOUDFLARE|CF)_/, /(^|\.)(cloudflare\.com|workers\.dev)$/],
  [/^(HF|HUGGINGFACE|HUGGING_FACE)_/, /(^|\.)(huggingface\.co|hf\.co)$/],
  [/^(DIGITALOCEAN|DO)_/, /(^|\.)digitalocean\.com$/],
  [/^(HEROKU)_/, /(^|\.)heroku(app)?\.com$/],
  [/^(VERCEL)_/, /(^|\.)(vercel\.com|vercel\.app)$/],
  [/^(SENTRY)_/, /(^|\.)sentry\.io$/],
];

const LOGIN_NAME = /auth|token|key|secret|cookie|pass|session|credential|signature|bearer/i;

/** What leaves with a request to an address: the gravest of its parts. */
export function sendsOf(inv: Invocation, payload: Payload, address: Value): Sends {
  const { host, loopback } = inv.world.dest({ address, sends: 'nothing' });
  const astray = (value: Value): boolean => !loopback && secretHoles(value).some((hole) => !belongs(hole, host));
  const named = (value: Value): boolean => secretHoles(value).some((hole) => variableOf(hole) === null);
  let found: Sends = 'nothing';
  const note = (sends: Sends): void => {
    if (RANK.indexOf(sends) > RANK.indexOf(found)) found = sends;
  };
  for (const path of payload.files ?? []) note(isSecretFile(inv, path) ? 'secret' : 'file');
  for (const stream of payload.streams ?? []) note(sendsOfStream(stream));
  for (const text of payload.texts ?? []) {
    if (text.length > 0) note(named(text) || astray(text) ? 'secret' : 'text');
  }
  for (const header of payload.headers ?? []) {
    const login = LOGIN_NAME.test(render(header).split(':')[0] ?? '');
    if (taintsOf(header).includes('secret')) note(named(header) || astray(header) || !login ? 'secret' : 'text');
  }
  for (const login of payload.logins ?? []) {
    if (taintsOf(login).includes('secret')) note(named(login) || astray(login) ? 'secret' : 'text');
  }
  note(inAddress(address, named, astray));
  return found;
}

/** What leaves when a stream is sent: a few known characters are text, all else counts as a file's content. */
export function sendsOfStream(stream: Stream): Sends {
  if (stream.taints.includes('secret')) return 'secret';
  const text = stream.value === null ? null : textOf(stream.value);
  return text !== null && text.length <= SHORT ? (text === '' ? 'nothing' : 'text') : 'file';
}

const SHORT = 256;

const RANK: readonly Sends[] = ['nothing', 'text', 'file', 'secret'];

/** A secret in the address itself: as a log-in or a key parameter it may be meant so. */
function inAddress(address: Value, named: (v: Value) => boolean, astray: (v: Value) => boolean): Sends {
  if (!taintsOf(address).includes('secret')) return 'nothing';
  if (named(address) || astray(address)) return 'secret';
  for (let i = 0; i < address.length; i++) {
    const part = address[i] as Part;
    if (typeof part === 'string' || 'glob' in part || part.taint !== 'secret') continue;
    const before = render(address.slice(0, i));
    const after = render(address.slice(i + 1));
    const parameter = /[?&#]([^=&#]*)=$/.exec(before)?.[1];
    const user = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*$/i.test(before) && /^[^/?#]*@/.test(after);
    if (!user && !(parameter && LOGIN_NAME.test(parameter)) && before !== '') return 'secret';
  }
  return 'text';
}

function secretHoles(value: Value): readonly string[] {
  return value.flatMap((part) =>
    typeof part !== 'string' && 'hole' in part && part.taint === 'secret' ? [part.hole] : [],
  );
}

/** Commands that hand a credential out so that it can be used: `TOKEN=$(gh auth token)`. */
const HANDED_OUT =
  /\b(auth (print-\S+-)?token|auth application-default print-access-token|get-access-token|print-access-token|get-login-password|get-authorization-token|op (read|item get)|vault (kv get|read|print token)|bw get|pass show|secret-tool lookup|find-generic-password|doppler secrets get|infisical secrets get|create token|whoami -t|auth:token)\b/;

/** What a secret stands for: a variable or a credential that was asked for; null: a file's content, another output. */
function variableOf(hole: string): string | null {
  const variable = /\$\{?([A-Za-z_]\w*)\}?(?! *\()/.exec(hole);
  if (variable && /^(one of several values|(the )?value) of|^\$/.test(hole)) return variable[1] as string;
  if (/^[A-Za-z_]\w*$/.test(hole)) return hole;
  const output = /^output of \$\((.*)\)|^output of `(.*)`|^output of (.*)/s.exec(hole);
  const command = output?.[1] ?? output?.[2] ?? output?.[3] ?? '';
  return HANDED_OUT.test(command) ? command : null;
}

function belongs(hole: string, host: string | null): boolean {
  const name = variableOf(hole);
  const home = name && HOMES.find(([names]) => names.test(name));
  return !home || host === null || home[1].test(host);
}

/** True if the path is a file that holds secrets. */
export function isSecretFile(inv: Invocation, path: Value): boolean {
  return inv.world.files(inv.cwd, { op: 'read', path }).some((file) => file.secret === true);
}

/** A destination with what leaves to it, and the method when data or a verb other than GET goes along. */
export function request(
  inv: Invocation,
  address: Value,
  payload: Payload,
  method: string,
  more: Partial<DestDraft> = {},
): DestDraft {
  return { address, sends: sendsOf(inv, payload, address), method, weighed: true, ...more };
}

/** Output that came from another machine. */
export const FROM_NETWORK: Pick<Outcome, 'stdout'> = { stdout: { value: null, taints: ['network'] } };

/** Content of a file that was fetched. */
export function fetched(address: Value): Value {
  return [{ hole: `fetched from ${render(address).slice(0, 80)}`, like: 'any', taint: 'network' }];
}

/** The name under which a download is saved: the last part of the address's path. */
export function downloadName(address: Value, otherwise: string | null): Value {
  const unknown: Value = otherwise === null ? [{ hole: 'name of the download', like: 'name' }] : [otherwise];
  // A `?` of a query that stands unquoted is a pattern to the shell and matches no file.
  const text = textOf(address.map((part) => (typeof part !== 'string' && 'glob' in part ? part.glob : part)));
  if (text === null) return [{ hole: 'name of the download', like: 'name' }];
  const path = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').split(/[?#]/)[0] as string;
  const name = path.includes('/') ? path.slice(path.lastIndexOf('/') + 1) : '';
  return name === '' || name === '..' || name === '.' ? unknown : [name];
}

/** A secret that is copied here from another machine, a container or a pod (`HOST:PATH`): what its name is here. */
export function takesSecret(inv: Invocation, from: Value): readonly EffectDraft[] {
  const path = textOf(cut(from, ':')?.[1] ?? []);
  // What does not begin at the root begins at the home directory there.
  const there = path === null || path === '' ? null : path.replace(/^~\//, '').replace(/^(?:\.\/)+/, '');
  const here = there === null ? null : known(there.startsWith('/') ? there : `${inv.world.home}/${there}`);
  if (!here || !isSecretFile(inv, here)) return [];
  return [{ kind: 'secret-read', target: render(from), detail: 'copies a secret from elsewhere' }];
}

/** The path of a `file:` URL, or null. */
export function fileUrl(address: Value): Value | null {
  const start = /^file:(\/\/(localhost)?(?=\/|$))?/i.exec(knownPrefix(address));
  return start && starts(address, start[0]) ? drop(address, start[0].length) : null;
}

/** A GraphQL body that takes something away: the field's name, or null. */
export function graphqlRemoval(body: Value): string | null {
  const text = render(body);
  if (!/\bmutation\b/.test(text)) return null;
  const field = /\b(\w*(?:delete|destroy|remove|purge|drop|wipe|terminate)\w*)\s*\(/i.exec(text);
  return field ? (field[1] as string) : null;
}
