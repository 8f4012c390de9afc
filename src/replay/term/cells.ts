// East Asian Width W and F by blocks (Unicode 16); emoji that are drawn wide come from their own property.
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];
const EMOJI = /^\p{Emoji_Presentation}$/u;
const MARK = /^[\p{Mn}\p{Me}]$/u;

/** Terminal cells of one character (code point) of shown text: 0, 1 or 2. */
export function cellsOfChar(char: string): 0 | 1 | 2 {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (MARK.test(char)) return 0;
  return WIDE.some(([from, to]) => code >= from && code <= to) || EMOJI.test(char) ? 2 : 1;
}

/** Terminal cells that shown text takes. */
export function cellsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let cells = 0;
  for (const char of text) cells += cellsOfChar(char);
  return cells;
}

/** The beginning of a text that takes no more than `cells`; where it is cut the last cell is `…`. */
export function cutTo(text: string, cells: number): string {
  if (cells <= 0) return '';
  if (text.length <= cells && /^[\x20-\x7e]*$/.test(text)) return text;
  let out = '';
  let before = '';
  let used = 0;
  for (const char of text) {
    const width = cellsOfChar(char);
    if (used + width > cells) return `${used === cells ? before : out}…`;
    if (used + width <= cells - 1) before = out + char;
    out += char;
    used += width;
  }
  return out;
}

/** Exactly so many cells: cut, or filled with spaces. */
export function padTo(text: string, cells: number): string {
  const cut = cutTo(text, cells);
  return cut + ' '.repeat(Math.max(0, cells - cellsOf(cut)));
}

/** Lines of at most so many cells, broken at spaces where that is possible. */
export function wrapTo(text: string, cells: number): string[] {
  const width = Math.max(1, cells);
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of text.split(/(?<= )/)) {
    const size = cellsOf(withoutEnd(word));
    if (used > 0 && used + size > width) {
      lines.push(withoutEnd(line));
      line = '';
      used = 0;
    }
    for (const char of size > width ? word : '') {
      const cell = cellsOfChar(char);
      if (used + cell > width) {
        lines.push(line);
        line = '';
        used = 0;
      }
      line += char;
      used += cell;
    }
    if (size <= width) {
      line += word;
      used += cellsOf(word);
    }
  }
  lines.push(withoutEnd(line));
  return lines;
}

/** Without the spaces at its end; other white space is text that takes room. */
function withoutEnd(text: string): string {
  return text.replace(/ +$/, '');
}
