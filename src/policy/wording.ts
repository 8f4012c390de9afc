import { visible } from '../base/escape.ts';
import { LIMITS } from '../base/limits.ts';
import type { RuleHit } from '../model/decision.ts';

/** What a rule says when it fires. */
interface Said {
  /** The rule's own sentence. */
  readonly message: string;
  /** The sentence worked out from the facts; '' if there is none or it can't be worked out. */
  readonly exact: string;
  readonly because: RuleHit['because'];
  /** What is not known, or what failed; '' if that can't be told. */
  readonly note: string;
}

const WOULD = /^This call would /;

/** One line, at most `LIMITS.messageChars` long, that says what the call does and how sure that is. */
export function sentenceOf({ message, exact: raw, because, note }: Said): string {
  const exact = readable(raw);
  switch (because) {
    case 'match':
      return oneLine(exact || message);
    case 'uncertain': {
      const said = ended(exact || message);
      const why = 'it stands in code that was only scanned, or that may not run';
      return oneLine(
        WOULD.test(said)
          ? `${said.replace(WOULD, 'This call may ').slice(0, -1)}: ${why}.`
          : `${said} Perhaps: ${why}.`,
      );
    }
    case 'dynamic':
      return unsure(message, note === '' ? 'a part of it is only known when it runs' : clauseOf(note));
    case 'error':
      return unsure(message, `the condition of the rule failed (${note})`);
  }
}

/** The rule's own sentence as a question that stays open. What was worked out from the facts is left out: it would sound sure. */
function unsure(message: string, why: string): string {
  const said = ended(message);
  return oneLine(
    WOULD.test(said)
      ? `It can't be known whether this call would ${said.replace(WOULD, '').slice(0, -1)}: ${why}.`
      : `${said} Whether that holds here can't be known: ${why}.`,
  );
}

function ended(text: string): string {
  const line = text.trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** A reason of the facts as a clause: `value of $X is not known`, `standard input`, `a name that matches *`. */
function clauseOf(reason: string): string {
  if (CLAUSE.test(reason)) return BARE.test(reason) ? `the ${reason}` : reason;
  const thing = reason.replace(/ that (?:is|are) not known$/, '');
  return `${BARE.test(thing) ? `the ${thing}` : thing} ${PLURAL.test(thing) ? 'are' : 'is'} only known when it runs`;
}

/** Has a verb of its own, which is not that of a relative clause. */
const CLAUSE =
  /(?<! that) (?:is|are) not (?:known|understood)$| changes in a loop$| decides where | is set by the shell$/;
const BARE = /^(?:value|output|input|content|home directory|elements|names?|paths?|options|type|suffix) (?:of|in) /;
const PLURAL = /^(?:names|paths|elements|options|more|further|some|attributes)\b/;

/** The text with what is not known of it written as an author would: `$X`, `$(cmd)`, or `…`. */
export function readable(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf('${', at);
    if (start < 0) return out + text.slice(at);
    const end = closing(text, start + 2);
    out += text.slice(at, start) + written(text.slice(start + 2, end));
    at = end + 1;
  }
  return out;
}

/** Place of the brace that closes what starts at `from`; the end of the text if none does. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return text.length;
}

function written(reason: string): string {
  const name = /^(?:value of )?(\$\w+|\$\(.*\))(?:,? | is not known$|$)/.exec(reason.replace(/^output of /, ''))?.[1];
  return name ?? '…';
}

/** Text on one line with nothing hidden in it, cut at the length of a message. */
export function oneLine(text: string): string {
  const line = visible(text.trim());
  return line.length > LIMITS.messageChars ? `${line.slice(0, LIMITS.messageChars - 1)}…` : line;
}
