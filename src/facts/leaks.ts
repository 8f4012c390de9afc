import type { CommandFact, DestFact } from '../model/facts.ts';
import { findTokens } from '../redact/formats.ts';
import type { Findings } from './findings.ts';

/** True if the text holds a token of a known format (an access key, not merely a word like "token"). */
export function holdsToken(text: string): boolean {
  if (text.length < 12) return false;
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
