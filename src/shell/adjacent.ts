import type { Assignment, Command, CommandArgument, HereDoc, Redirection, Word, WordPart } from 'unbash';
import { parseSafely } from './parse.ts';
import { noteUnknown } from './record.ts';
import type { Run } from './run.ts';
import { textAt } from './source.ts';
import { fork, type State } from './state.ts';

type Item = Assignment | Redirection | Word;

/**
 * The command as shells read it: the parser ends a word before `<(…)` and `>(…)`, shells read on. `A=<(x) rm` sets A
 * and runs rm, `>a<(x) rm` writes and runs rm.
 */
export function joinAdjacent(run: Run, s: State, node: Command): Command {
  if (!isSplit(node)) return node;
  const items: Item[] = [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix];
  const whole: Item[] = [];
  for (const item of items) {
    const last = whole[whole.length - 1];
    if (item.type !== 'Word' || last === undefined || endOf(last) !== item.pos) whole.push(item);
    else if (last.type === 'HereDoc') afterUnclearEnd(run, s, last, item);
    else whole[whole.length - 1] = extended(last, item);
  }
  let from = 0;
  for (; from < whole.length; from++) {
    const item = whole[from] as Item;
    if (item.type !== 'Word') continue;
    const assignment = assignmentOf(item);
    if (!assignment) break;
    whole[from] = assignment;
  }
  const [name, ...suffix] = whole.slice(from) as [Word | undefined, ...(CommandArgument | Redirection)[]];
  const prefix = whole.slice(0, from) as (Assignment | Redirection)[];
  const args = suffix.filter((i): i is CommandArgument => i.type === 'Word' || i.type === 'Assignment');
  const redirects = [...prefix, ...suffix].filter(
    (i): i is Redirection => i.type !== 'Word' && i.type !== 'Assignment',
  );
  return { type: 'Command', pos: node.pos, end: node.end, name, prefix, suffix, args, redirects };
}

/** True if a word of the command stands directly behind what is before it. */
function isSplit(node: Command): boolean {
  let end = -1;
  for (const item of node.prefix) end = endOf(item);
  if (node.name) {
    if (end === node.name.pos) return true;
    end = node.name.end;
  }
  for (const item of node.suffix) {
    if (end === item.pos && item.type === 'Word') return true;
    end = endOf(item);
  }
  return false;
}

function endOf(item: Item): number {
  return item.type === 'HereDoc' ? (item.delimiter?.end ?? item.end) : item.end;
}

function extended(item: Exclude<Item, HereDoc>, by: Word): Item {
  const { end } = by;
  if (item.type === 'Word') return joined(item, by);
  if (item.type === 'Assignment') {
    // Its properties are getters, which a spread would lose.
    const { type, pos, name, value, append, index } = item;
    const longer = value.type === 'ArrayValue' ? value : joined(value, by);
    return { type, pos, end, text: item.text + by.text, name, value: longer, append, index };
  }
  return item.target ? { ...item, end, target: joined(item.target, by) } : item;
}

function joined(a: Word, b: Word): Word {
  const parts = [...partsOf(a), ...partsOf(b)];
  return { type: 'Word', text: a.text + b.text, value: a.value + b.value, pos: a.pos, end: b.end, parts };
}

function partsOf(word: Word): readonly WordPart[] {
  if (word.parts) return word.parts;
  const { text, value, pos, end } = word;
  return text === '' ? [] : [{ type: 'Literal', text, value, pos, end }];
}

/** A word that stands where an assignment would be one, as that. */
function assignmentOf(word: Word): Assignment | null {
  const match = /^([A-Za-z_]\w*)(\+?)=/.exec(word.text);
  if (!match) return null;
  const [start, name, append] = match as unknown as [string, string, string];
  const [first, ...rest] = partsOf(word);
  if (first?.type !== 'Literal' || !first.text.startsWith(start)) return null;
  const pos = word.pos + start.length;
  const literal = { ...first, pos, text: first.text.slice(start.length), value: first.value.slice(start.length) };
  const parts = literal.text === '' ? rest : [literal, ...rest];
  const value: Word = {
    type: 'Word',
    text: word.text.slice(start.length),
    value: word.value.slice(start.length),
    pos,
    end: word.end,
    parts,
  };
  return {
    type: 'Assignment',
    pos: word.pos,
    end: word.end,
    text: word.text,
    name,
    value,
    append: append === '+' || undefined,
    index: undefined,
  };
}

/** `X=<(x)# rm` runs rm: what stands directly behind a word is no comment, though the parser skips it as one. */
export function afterNoComment(run: Run, s: State, node: Command): void {
  const { source } = s.frame;
  if (source.text[node.end] !== '#' || run.unclearEnds++ >= MAX_UNCLEAR_ENDS) return;
  const line = source.text.indexOf('\n', node.end);
  const text = source.text.slice(node.end, line < 0 ? undefined : line);
  noteUnknown(run.record, 'a comment that is none', text, null);
  const words = text.indexOf(' ');
  if (words < 0) return;
  const rest = { text: text.slice(words), base: source.base === null ? null : source.base + node.end + words };
  const path = fork(s);
  path.frame = { ...s.frame, source: rest, certain: false };
  run.up.script(run, path, parseSafely(run, rest.text), rest);
}

const MAX_UNCLEAR_ENDS = 4;

/** `<<E<(x)` ends at a line `E<(x)`, the parser's at `E`: what follows the line may run. */
function afterUnclearEnd(run: Run, s: State, doc: HereDoc, by: Word): void {
  const { source } = s.frame;
  noteUnknown(
    run.record,
    'a here-document whose end is not clear',
    textAt(source, { pos: doc.pos, end: by.end }),
    null,
  );
  const from = source.text.indexOf('\n', by.end) + 1;
  if (from === 0 || run.unclearEnds++ >= MAX_UNCLEAR_ENDS) return;
  const text = source.text.slice(from);
  const rest = { text, base: source.base === null ? null : source.base + from };
  const path = fork(s);
  path.frame = { ...s.frame, source: rest, certain: false };
  run.up.script(run, path, parseSafely(run, text), rest);
}
