import type { CommandFact, DestFact } from '../model/facts.ts';
import { findTokens } from '../redact/formats.ts';
import type { Findings } from './findings.ts';

// What looks like an issued key although its random part may be masked or made up: in something that leaves, the
// shape is enough. Kept apart from redaction, which must not take placeholders for secrets.
const KEY_SHAPE =
  /(?<![A-Za-z0-9])(?:(?:sk|rk)[-_](?:live|test|proj|ant|or)[-_][\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{16,}|npm_\w{30,}|(?:AKIA|ASIA)[A-Z0-9]{12,}|AIza[\w-]{30,}|dop_v1_\w{30,})/;

/** True if the text holds a token of a known format (an access key, not merely a word like "token"). */
export function holdsToken(text: string): boolean {
  if (text.length < 12) return false;
  if (KEY_SHAPE.test(text) || /-----BEGIN(?:[A-Z+ ]|%20)*PRIVATE(?: |\+|%20)KEY/i.test(text)) return true;
  for (const _ of findTokens(text)) return true;
  return false;
}

/**
 * Marks what sends a secret that stands literally in a command or an address: a token in the address itself, or in
 * the arguments of a command that sends more than a request.
 */
export function withLiteralSecrets(f: Findings): Findings {
  if (f.dests.length === 0) return f;
  const tainted = new Set(f.commands.filter((c) => c.sends_data && c.argv.some(holdsToken)).map((c) => c.id));
  const mark = (dest: DestFact): DestFact => {
    if (dest.sends === 'secret') return dest;
    const body = dest.sends !== 'nothing' && tainted.has(dest.command);
    return body || holdsToken(withoutUser(dest.url)) ? { ...dest, sends: 'secret' } : dest;
  };
  const dests = f.dests.map(mark);
  if (dests.every((dest, i) => dest === f.dests[i])) return f;
  const commands = f.commands.map((c): CommandFact => (c.dests.length === 0 ? c : { ...c, dests: c.dests.map(mark) }));
  return { ...f, dests, commands };
}

/** A token before the `@` of an address logs in there: that is what it is for. */
function withoutUser(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');
}
