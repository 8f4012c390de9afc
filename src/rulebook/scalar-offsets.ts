/**
 * For each character of a YAML scalar's value, its offset in the file (plus one for the end). Folding, indentation
 * and chomping only take away or change white space, so the other characters are found by walking both texts side by
 * side. Double-quoted scalars have escapes and are read as YAML reads them.
 */
export function offsetsOf(
  source: string,
  range: readonly [number, number, number],
  style: string,
  value: string,
): readonly number[] {
  const [start, end] = range;
  if (style === 'QUOTE_DOUBLE') return doubleQuoted(source, source.indexOf('"', start) + 1, end - 1, value.length);
  const single = style === 'QUOTE_SINGLE';
  let at = start;
  if (single) at = source.indexOf("'", start) + 1;
  else if (style === 'BLOCK_LITERAL' || style === 'BLOCK_FOLDED') at = source.indexOf('\n', start) + 1;
  const offsets: number[] = [];
  for (let i = 0; i < value.length; i++) {
    const char = value[i] as string;
    if (isSpace(char)) {
      offsets.push(Math.min(at, end));
      if (isSpace(source[at] ?? '')) at = afterSpace(source, at, value, i, end);
      continue;
    }
    while (at < end && isSpace(source[at] as string)) at++;
    offsets.push(Math.min(at, end));
    at += single && char === "'" ? 2 : 1;
  }
  offsets.push(Math.min(at, end));
  return offsets;
}

/** White space in the value: one character of the source, or the rest of a run that was folded. */
function afterSpace(source: string, at: number, value: string, index: number, end: number): number {
  const next = value[index + 1];
  if (next !== undefined && isSpace(next)) return at + 1;
  let i = at;
  while (i < end && isSpace(source[i] as string)) i++;
  return i;
}

/** Flow folding: one line break is a space, each further one a line feed; white space around breaks is dropped. */
function doubleQuoted(source: string, start: number, end: number, length: number): readonly number[] {
  const offsets: number[] = [];
  let kept = 0;
  let at = start;
  while (at < end) {
    const char = source[at] as string;
    if (char === '\n' || char === '\r') {
      offsets.length = kept;
      const { breaks, next } = skipBreaks(source, at, end);
      for (let i = 0; i < Math.max(1, breaks - 1); i++) offsets.push(at);
      kept = offsets.length;
      at = next;
    } else if (char === '\\' && (source[at + 1] === '\n' || source[at + 1] === '\r')) {
      const { breaks, next } = skipBreaks(source, at + 1, end);
      for (let i = 1; i < breaks; i++) offsets.push(at);
      kept = offsets.length;
      at = next;
    } else if (char === '\\') {
      const size = escapeLength(source[at + 1] ?? '');
      // A character outside the basic plane has two units in the value.
      const wide = size === 10 && Number.parseInt(source.slice(at + 2, at + 10), 16) > 0xffff;
      offsets.push(at);
      if (wide) offsets.push(at);
      kept = offsets.length;
      at += size;
    } else {
      offsets.push(at);
      if (char !== ' ' && char !== '\t') kept = offsets.length;
      at++;
    }
  }
  while (offsets.length <= length) offsets.push(end);
  return offsets;
}

/** From the first line break of a run over blank lines and the indentation of the next line with text. */
function skipBreaks(source: string, start: number, end: number): { readonly breaks: number; readonly next: number } {
  let breaks = 0;
  let at = start;
  while (at < end && isSpace(source[at] as string)) {
    if (source[at] === '\n') breaks++;
    at++;
  }
  return { breaks, next: at };
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\t' || char === '\r';
}

function escapeLength(kind: string): number {
  return kind === 'x' ? 4 : kind === 'u' ? 6 : kind === 'U' ? 10 : 2;
}
