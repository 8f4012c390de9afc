/** Keys below which a record holds what the call brought in, keys of it among them. */
const BROUGHT_IN: ReadonlySet<string> = new Set(['input', 'result', 'detail', 'env', 'faults']);
/** Keys of texts that say what gov or the agent made of the call: words of theirs, names and ids. */
const WORDS: ReadonlySet<string> = new Set(
  (
    'id kind gov answer agent agentVersion event rawEvent session callId tool rawTool server type permissionMode rule pack ' +
    'layer severity level effect because lifted_by outcome policy step op zone scheme sends name subcommand elsewhere method'
  ).split(' '),
);

/**
 * What of a record is not the call's to choose: keys, answers, names of rules and programs, ids. A secret that is also
 * one of these is taken out where it is given away and nowhere else, or `curl -u x:deny` would blank the answer, and
 * `curl -u x:SESSION` take the record out of its session.
 */
export function ownWords(body: unknown): ReadonlySet<string> {
  const words = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (value !== null && typeof value === 'object')
      for (const [key, item] of Object.entries(value)) {
        words.add(key);
        if (typeof item === 'string') {
          if (WORDS.has(key)) words.add(item);
        } else if (!BROUGHT_IN.has(key)) visit(item);
      }
  };
  visit(body);
  return words;
}
