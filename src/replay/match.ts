import { fateOf, isHeld, type Step, wordOf } from './timeline.ts';

/** Whether a step is wanted. */
export type Matcher = (step: Step) => boolean;

/** What a filter can say; shown in the help of both viewers. */
export const FILTER_HELP: readonly (readonly [string, string])[] = [
  ['held', 'denied, asked, or watched in monitor mode'],
  ['deny ask allow watch', 'by the answer'],
  ['failed open blocked ran', 'by what became of the call'],
  ['tool:Bash', "by the tool, gov's name or the agent's"],
  ['rule:git.*', 'by a rule that fired; * stands for anything'],
  ['program:rm', 'by a program that a command would run'],
  ['-word', 'anything above, turned round'],
  ['any other text', 'in the call, the tool or the rules'],
];

const WORDS: Readonly<Record<string, Matcher>> = Object.assign(Object.create(null), {
  held: isHeld,
  allow: (step: Step) => wordOf(step) === 'allow',
  ask: (step: Step) => wordOf(step) === 'ask',
  deny: (step: Step) => wordOf(step) === 'deny' || wordOf(step) === 'halt',
  watch: (step: Step) => wordOf(step) === 'watch',
  ran: (step: Step) => fateOf(step) === 'ran',
  failed: (step: Step) => fateOf(step) === 'failed',
  open: (step: Step) => fateOf(step) === 'open',
  blocked: (step: Step) => fateOf(step) === 'blocked',
  faulty: (step: Step) => step.row.faulty !== 0,
});

/**
 * The steps that a filter's text asks for: all its words must hold; words of the same kind of answer or fate are
 * alternatives, so that `deny ask` shows both. Null for an empty text: everything.
 */
export function matcherOf(text: string): Matcher | null {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '-');
  if (words.length === 0) return null;
  const either: Matcher[] = [];
  const every: Matcher[] = [];
  for (const word of words) {
    const wanted = word.startsWith('-') ? word.slice(1) : word;
    const plain = WORDS[wanted.toLowerCase()];
    const test = plain ?? fieldMatcher(wanted) ?? containing(wanted);
    if (word !== wanted) every.push((step) => !test(step));
    else if (plain !== undefined) either.push(test);
    else every.push(test);
  }
  return (step) => (either.length === 0 || either.some((test) => test(step))) && every.every((test) => test(step));
}

function fieldMatcher(word: string): Matcher | null {
  const field = /^(tool|rule|program):(.+)$/i.exec(word);
  if (field === null) return null;
  const value = (field[2] as string).toLowerCase();
  const name = (field[1] as string).toLowerCase();
  if (name === 'tool')
    return ({ row }) => row.tool.toLowerCase() === value || globbed(row.raw_tool.toLowerCase(), value);
  return ({ row }) => words(name === 'rule' ? row.rules : row.programs).some((one) => globbed(one, value));
}

function words(column: string): string[] {
  return column.toLowerCase().split(' ');
}

/** `*` stands for anything. Linear: each part is looked for after the one before. */
function globbed(text: string, pattern: string): boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return text === pattern;
  const first = parts[0] as string;
  const last = parts[parts.length - 1] as string;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

/** Steps that contain a text, in any case. */
export function containing(text: string): Matcher {
  const wanted = text.toLowerCase();
  return ({ row }) =>
    row.summary.toLowerCase().includes(wanted) ||
    row.raw_tool.toLowerCase().includes(wanted) ||
    row.rules.toLowerCase().includes(wanted) ||
    row.event.toLowerCase().includes(wanted) ||
    row.id.startsWith(wanted);
}
