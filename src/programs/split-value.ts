import { concat, type Part, textOf, type Value } from '../model/value.ts';

/** Pieces between separators; a hole belongs to the piece it stands in. Empty pieces are dropped unless `keepEmpty`. */
export function splitValue(value: Value, separator: RegExp, keepEmpty = false): readonly Value[] {
  const pieces: Part[][] = [[]];
  for (const part of value) {
    if (typeof part !== 'string') {
      pieces.at(-1)?.push(part);
      continue;
    }
    part.split(separator).forEach((text, at) => {
      if (at > 0) pieces.push([]);
      if (text !== '') pieces.at(-1)?.push(text);
    });
  }
  return keepEmpty ? pieces : pieces.filter((piece) => piece.length > 0);
}

/** Words as xargs(1) reads them: blanks and newlines separate, quotes and backslashes protect. */
export function xargsWords(value: Value): readonly Value[] {
  const words: Part[][] = [];
  let current: Part[] | null = null;
  let quote = '';
  const add = (part: Part): void => {
    current ??= [];
    current.push(part);
  };
  const end = (): void => {
    if (current) words.push(current);
    current = null;
  };
  for (const part of value) {
    if (typeof part !== 'string') {
      add(part);
      continue;
    }
    for (let at = 0; at < part.length; at++) {
      const char = part[at] as string;
      if (quote !== '') {
        if (char === quote) quote = '';
        else add(char);
      } else if (char === '"' || char === "'") {
        quote = char;
        current ??= [];
      } else if (char === '\\' && at + 1 < part.length) add(part[++at] as string);
      else if (/\s/.test(char)) end();
      else add(char);
    }
  }
  end();
  return words.map((parts) => concat(parts));
}

/** A value with every occurrence of a known text replaced. */
export function replaceIn(value: Value, mark: string, by: Value): Value {
  const out: Value[] = [];
  for (const part of value) {
    if (typeof part !== 'string' || !part.includes(mark)) {
      out.push([part]);
      continue;
    }
    part.split(mark).forEach((text, at) => {
      if (at > 0) out.push(by);
      out.push(text === '' ? [] : [text]);
    });
  }
  return concat(out.flat());
}

/** True if the known text stands in the value. */
export function contains(value: Value, mark: string): boolean {
  return value.some((part) => typeof part === 'string' && part.includes(mark));
}

/** Words joined to shell text as they are. */
export function shellText(words: readonly Value[]): Value {
  return concat(words.flatMap((word, at): Value => (at === 0 ? word : [' ', ...word])));
}

/** Words joined to shell text, each quoted so that the shell reads it back as it is. */
export function quotedText(words: readonly Value[]): Value {
  return shellText(
    words.map((word) => {
      const text = textOf(word);
      if (text === null) return word;
      return /^[\w@%+=:,./-]+$/.test(text) ? word : [`'${text.replaceAll("'", "'\\''")}'`];
    }),
  );
}

/** `NAME=value` as its two halves, or null. */
export function assignmentOf(word: Value): readonly [string, Value] | null {
  const [first, ...rest] = word;
  const match = typeof first === 'string' ? /^([A-Za-z_]\w*(?:%%|\(\))?)=/.exec(first) : null;
  if (!match) return null;
  return [match[1] as string, concat([(first as string).slice(match[0].length)], rest)];
}
