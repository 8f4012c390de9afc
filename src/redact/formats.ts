import { isPlaceholder, isVaried } from './placeholder.ts';
import type { SecretSpan } from './secret-span.ts';

/** A token format that its issuer made recognisable: fixed start, alphabet, length. */
interface Format {
  readonly kind: string;
  readonly prefixes: readonly string[];
  /** Alphabet of the rest. */
  readonly chars: number;
  readonly min: number;
  readonly max: number;
  /** Ask for digits and letters in the rest, where the prefix alone is also found in ordinary words. */
  readonly varied?: boolean;
}

const UPPER = 1;
const LOWER = 2;
const DIGIT = 4;
const DASH = 8;
const UNDER = 16;
const DOT = 32;
const BASE64 = 64; // + / =
const TILDE = 128;
const HEX = 256;
const ALNUM = UPPER | LOWER | DIGIT;
const WORD = ALNUM | DASH | UNDER;

/** The classes that an ASCII character is in; 0 for others. */
function classOf(code: number): number {
  if (code >= 48 && code <= 57) return DIGIT | HEX;
  if (code >= 65 && code <= 90) return code <= 70 ? UPPER | HEX : UPPER;
  if (code >= 97 && code <= 122) return code <= 102 ? LOWER | HEX : LOWER;
  switch (code) {
    case 45:
      return DASH;
    case 95:
      return UNDER;
    case 46:
      return DOT;
    case 43: // +
    case 47: // /
    case 61: // =
      return BASE64;
    case 126:
      return TILDE;
    default:
      return 0;
  }
}

function format(kind: string, prefixes: string, chars: number, min: number, max = 1024, varied = false): Format {
  return { kind, prefixes: prefixes.split(' '), chars, min, max, varied };
}

/** From the issuers' documentation of their token formats; lengths are those of the rest after the prefix. */
const FORMATS: readonly Format[] = [
  format('aws-key-id', 'AKIA ASIA ABIA ACCA', UPPER | DIGIT, 16, 16),
  format('aws-bedrock-key', 'ABSK', ALNUM | BASE64, 100),
  format('github-token', 'ghp_ gho_ ghu_ ghr_', ALNUM, 30, 255),
  format('github-token', 'ghs_', WORD | DOT, 30),
  format('github-token', 'github_pat_', ALNUM | UNDER, 60, 255),
  format(
    'gitlab-token',
    'glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glsoat- glimt- glagent- gloas- glffct- glwt-',
    WORD | DOT,
    16,
  ),
  format('gitlab-token', 'GR1348941', WORD, 20, 64),
  format('slack-token', 'xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxc- xoxd- xoxe. xapp-', WORD | DOT, 16),
  format('stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_', ALNUM, 16, 256),
  format('webhook-secret', 'whsec_', ALNUM | BASE64, 24, 128),
  format('anthropic-key', 'sk-ant-', WORD, 24, 256),
  format('openai-key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', WORD, 20, 512),
  format('openrouter-key', 'sk-or-v1-', HEX, 32, 128),
  format('api-key', 'sk-', WORD, 32, 256, true),
  format('google-api-key', 'AIza', WORD, 35, 35),
  format('google-oauth-token', 'ya29.', WORD | DOT, 20),
  format('google-oauth-secret', 'GOCSPX-', WORD, 20, 64),
  format('google-refresh-token', '1//0', WORD, 40, 512),
  format('npm-token', 'npm_', ALNUM, 36, 64),
  format('pypi-token', 'pypi-AgE', WORD, 50, 1024),
  format('rubygems-key', 'rubygems_', HEX, 48, 48),
  format('crates-token', 'cio', ALNUM, 32, 32, true),
  format('huggingface-token', 'hf_ api_org_', ALNUM, 30, 64),
  format('sendgrid-key', 'SG.', WORD | DOT, 60, 80, true),
  format('mailgun-key', 'key-', HEX, 32, 32, true),
  format('twilio-key', 'SK', HEX, 32, 32, true),
  format('digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', HEX, 64, 64),
  format('shopify-token', 'shpat_ shpca_ shppa_ shpss_', HEX, 32, 64),
  format('square-token', 'sq0atp- sq0csp- sq0idp-', WORD, 22, 64),
  format('databricks-token', 'dapi', HEX | DASH, 32, 40, true),
  format('linear-key', 'lin_api_ lin_oauth_', ALNUM, 32, 128),
  format('notion-token', 'ntn_', ALNUM, 40, 64),
  format('figma-token', 'figd_', WORD, 36, 64),
  format('postman-key', 'PMAK-', HEX | DASH, 50, 64),
  format('doppler-token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', WORD | DOT, 40, 64),
  format('fly-token', 'fo1_ fm1a_ fm1r_ fm2_', WORD | BASE64, 40),
  format('vault-token', 'hvs. hvb. hvr.', WORD, 20, 512),
  format('grafana-token', 'glsa_ glc_', ALNUM | UNDER | BASE64, 32, 512),
  format('new-relic-key', 'NRAK-', UPPER | DIGIT, 27, 27),
  format('sentry-token', 'sntrys_ sntryu_', WORD | BASE64, 40, 512),
  format('netlify-token', 'nfp_ nfc_ nfo_ nfb_ nfu_', ALNUM, 36, 64),
  format('supabase-token', 'sbp_ sb_secret_', ALNUM | UNDER, 24, 80),
  format('planetscale-token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', WORD | DOT, 32, 64),
  format('atlassian-token', 'ATATT3 ATCTT3', WORD | BASE64, 60, 512),
  format('bitbucket-token', 'ATBB', ALNUM, 32, 64),
  format('docker-token', 'dckr_pat_ dckr_oat_', WORD, 20, 64),
  format('pulumi-token', 'pul-', HEX, 40, 40),
  format('replicate-token', 'r8_', ALNUM, 37, 40),
  format('groq-key', 'gsk_', ALNUM, 40, 64),
  format('xai-key', 'xai-', ALNUM, 60, 128),
  format('perplexity-key', 'pplx-', ALNUM, 40, 64),
  format('buildkite-token', 'bkua_', HEX, 40, 40),
  format('circleci-token', 'CCIPAT_', ALNUM | UNDER, 40, 128),
  format('tailscale-key', 'tskey-auth- tskey-api- tskey-client- tskey-', WORD, 20, 128),
  format('onepassword-token', 'ops_eyJ', WORD | BASE64, 100, 2048),
  format('age-key', 'AGE-SECRET-KEY-1', UPPER | DIGIT, 58, 58),
  format('dynatrace-token', 'dt0c01.', UPPER | DIGIT | DOT, 80, 100),
  format('artifactory-key', 'AKCp', ALNUM, 60, 128),
  format('sonar-token', 'sqp_ squ_ sqa_', HEX, 40, 40),
  format('heroku-key', 'HRKU-', WORD, 30, 80),
  format('airtable-token', 'patk', ALNUM | DOT, 60, 100, true),
  format('typeform-token', 'tfp_', WORD | DOT, 40, 80),
  format('vercel-token', 'vcp_ vci_ vca_ vcr_ vck_', ALNUM, 24, 80),
  format('langsmith-key', 'lsv2_pt_ lsv2_sk_', ALNUM | UNDER, 32, 80),
  format('nvidia-key', 'nvapi-', WORD, 50, 80),
  format('firebase-key', 'AAAA', WORD, 140, 160, true),
  format('jwt', 'eyJ', WORD | DOT | BASE64, 40, 8192),
];

const PREFIXES: readonly string[] = FORMATS.flatMap((f) => f.prefixes);

interface Finder {
  readonly byPrefix: ReadonlyMap<string, Format>;
  readonly pattern: RegExp;
}

let finder: Finder | null = null;

/** Made for the first text that holds a prefix at all; few do. */
function makeFinder(): Finder {
  const byPrefix = new Map(FORMATS.flatMap((f) => f.prefixes.map((p) => [p, f] as const)));
  const pattern = new RegExp(
    [...byPrefix.keys()]
      .sort((a, b) => b.length - a.length)
      .map((p) => p.replace(/[./-]/g, '\\$&'))
      .join('|'),
    'g',
  );
  return { byPrefix, pattern };
}

/** After so many texts a process is one that stays, and V8 has compiled what looks at each character. */
const MANY = 200;
let texts = 0;
let starts: readonly (readonly string[] | undefined)[] | null = null;

/** Whether any prefix stands anywhere in the text. A new process asks for one after the other, which is native code. */
function holdsPrefix(text: string): boolean {
  if (texts++ < MANY) return PREFIXES.some((prefix) => text.includes(prefix));
  starts ??= startsOf(PREFIXES);
  let last = text.charCodeAt(0);
  for (let i = 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((last | code) < 128) {
      const known = starts[(last << 7) | code];
      if (known?.some((prefix) => text.startsWith(prefix, i - 1))) return true;
    }
    last = code;
  }
  return false;
}

/** The prefixes by their first two characters, all of which are ASCII. */
function startsOf(prefixes: readonly string[]): readonly (readonly string[] | undefined)[] {
  const found = new Array<string[] | undefined>(1 << 14).fill(undefined);
  for (const prefix of prefixes) {
    const place = (prefix.charCodeAt(0) << 7) | prefix.charCodeAt(1);
    found[place] = [...(found[place] ?? []), prefix];
  }
  return found;
}

/** Every known token in the text. Linear: what was measured once is never measured again. */
export function* findTokens(text: string): Generator<SecretSpan> {
  if (!holdsPrefix(text)) return;
  finder ??= makeFinder();
  const { byPrefix, pattern } = finder;
  pattern.lastIndex = 0;
  for (let m = pattern.exec(text); m !== null; m = pattern.exec(text)) {
    const { index } = m;
    const known = byPrefix.get(m[0]);
    let next = index + 1;
    if (known !== undefined && startsToken(text, index)) {
      const from = index + m[0].length;
      const end = runEnd(text, from, known.chars, from + known.max);
      const rest = text.slice(from, end);
      if (fits(known, rest) && !continues(text, end, known)) {
        yield { kind: known.kind, start: index, end, rank: 0 };
        next = end;
        // A long run that is no token isn't looked at again: each of its prefixes would measure it anew.
      } else if (rest.length >= 64) next = end;
    }
    pattern.lastIndex = next;
  }
}

function fits(known: Format, rest: string): boolean {
  if (rest.length < known.min || isPlaceholder(rest)) return false;
  if (known.kind === 'jwt') return /^[\w-]{8,4096}\.eyJ[\w-]{4,8000}\.[\w-]{0,2048}/.test(rest);
  if (known.varied && !isVaried(rest)) return false;
  return true;
}

/** A token of fixed length is not the start of a longer word. */
function continues(text: string, end: number, known: Format): boolean {
  const c = text.charCodeAt(end);
  return known.min === known.max && (classOf(c) & (ALNUM | UNDER)) !== 0;
}

/** Not in the middle of a word, but behind an escape (`\n`) or a percent code, which end in letters or digits too. */
function startsToken(text: string, index: number): boolean {
  if (index === 0 || !isAlnum(text.charCodeAt(index - 1))) return true;
  if (text[index - 2] === '\\' && /[bfnrt]/.test(text[index - 1] ?? '')) return true;
  if (text[index - 6] === '\\' && text[index - 5] === 'u') return true;
  return text[index - 3] === '%' && /^[0-9A-Fa-f]{2}$/.test(text.slice(index - 2, index));
}

function isAlnum(code: number): boolean {
  return (classOf(code) & ALNUM) !== 0;
}

function runEnd(text: string, from: number, chars: number, limit: number): number {
  let at = from;
  for (const stop = Math.min(text.length, limit); at < stop; at++) {
    const code = text.charCodeAt(at);
    if ((classOf(code) & chars) === 0) break;
  }
  return at;
}
