/**
 * For each character of a YAML scalar's value, its offset in the file (plus one for the end). Folding, indentation
 * and chomping only take away or change white space, so the other characters are found by walking both texts
 * side by side; escapes of quoted scalars are stepped over.
 */
export function offsetsOf(
  source: string,
  range: readonly [number, number, number],
  style: string,
  value: string,
): readonly number[] {
  const [start, end] = range;
  const quote = style === 'QUOTE_DOUBLE' ? '"' : style === 'QUOTE_SINGLE' ? "'" : '';
  let at = start;
  if (quote) at = source.indexOf(quote, start) + 1;
  else if (style === 'BLOCK_LITERAL' || style === 'BLOCK_FOLDED') at = source.indexOf('\n', start) + 1;
  const offsets: number[] = [];
  for (let i = 0; i < value.length; i++) {
    const char = value[i] as string;
    if (isSpace(char)) {
      offsets.push(Math.min(at, end));
      if (quote === '"' && source[at] === '\\' && !isLineEscape(source, at)) at += escapeLength(source, at);
      else if (isSpace(source[at] ?? '')) at = afterSpace(source, at, value, i, end);
      continue;
    }
    while (at < end && (isSpace(source[at] as string) || (quote === '"' && isLineEscape(source, at)))) at++;
    offsets.push(Math.min(at, end));
    if (quote === '"' && source[at] === '\\') {
      const length = escapeLength(source, at);
      // A character outside the basic plane has two units in the value and one escape in the source.
      if (isHigh(char) && i + 1 < value.length) {
        offsets.push(at);
        i++;
      }
      at += length;
    } else at += quote === "'" && char === "'" ? 2 : 1;
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

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\t' || char === '\r';
}

/** A backslash at the end of a line joins two lines of a double-quoted scalar. */
function isLineEscape(source: string, at: number): boolean {
  return source[at] === '\\' && (source[at + 1] === '\n' || source[at + 1] === '\r');
}

function escapeLength(source: string, at: number): number {
  const kind = source[at + 1];
  return kind === 'x' ? 4 : kind === 'u' ? 6 : kind === 'U' ? 10 : 2;
}

function isHigh(char: string): boolean {
  const code = char.charCodeAt(0);
  return code >= 0xd800 && code < 0xdc00;
}
