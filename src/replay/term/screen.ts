import type { Line } from './line.ts';
import { type Ability, painted } from './paint.ts';
import type { Size } from './state.ts';

/** The terminal's screen while the viewer has it. */
export interface Screen {
  size(): Size;
  /** Writes what changed since the last time. */
  draw(lines: readonly Line[]): void;
  /** Forgets what is there: everything is written the next time. */
  clear(): void;
  enter(): void;
  leave(): void;
}

const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J\x1b[H';
const LEAVE = '\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l';

/** A screen of its own on an output stream: the alternate buffer, no cursor, no wrapping. Leaving twice does nothing. */
export function makeScreen(out: NodeJS.WriteStream, ability: Ability): Screen {
  let before: string[] = [];
  let inside = false;
  return {
    size: () => ({ columns: Math.max(20, out.columns || 80), rows: Math.max(6, out.rows || 24) }),
    draw(lines) {
      const next = lines.map((line) => painted(line, ability));
      let text = '';
      // Each line begins at its own place: a character that the terminal measures otherwise harms one line only.
      for (const [i, line] of next.entries()) if (line !== before[i]) text += `\x1b[${i + 1};1H${line}\x1b[0m\x1b[K`;
      if (before.length > next.length) text += `\x1b[${next.length + 1};1H\x1b[J`;
      before = next;
      if (text !== '') out.write(`\x1b[?2026h${text}\x1b[?2026l`);
    },
    clear() {
      before = [];
      if (inside) out.write('\x1b[2J');
    },
    enter() {
      inside = true;
      before = [];
      out.write(ENTER);
    },
    leave() {
      if (inside) out.write(LEAVE);
      inside = false;
    },
  };
}
