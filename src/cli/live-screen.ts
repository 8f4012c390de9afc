import { abilityOf, asciiOf } from '../replay/term/paint.ts';
import { footLine, type Tally } from './live-lines.ts';
import type { Paint } from './paint.ts';

/** Lines that scroll by, and a foot of two lines that stays below them. Without a terminal there is no foot. */
export interface LiveScreen {
  print(lines: readonly string[]): void;
  /** Draws the foot anew: counts or the order to stop have changed. */
  refresh(counts: Tally, stopped: string): void;
  /** Takes the foot away. */
  close(): void;
}

/** Back to the beginning of the foot's first line, and everything from there on erased. */
const ERASE = '\r\x1b[1A\x1b[J';

export function liveScreen(output: NodeJS.WriteStream, p: Paint): LiveScreen {
  let foot = '';
  let drawn = false;
  let last: readonly [Tally, string] | null = null;
  const width = (): number => output.columns ?? 120;
  const erased = (): string => (drawn ? ERASE : '');
  const { unicode } = abilityOf(process.env);
  const shown = (text: string): string => (unicode ? text : asciiOf(text));
  const draw = (lines: readonly string[]): void => {
    if (!output.isTTY || process.env['TERM'] === 'dumb') {
      for (const line of lines) output.write(shown(`${line}\n`));
      return;
    }
    // In one piece, so that nothing flickers.
    output.write(erased() + shown(lines.map((line) => `${line}\n`).join('') + foot));
    drawn = foot !== '';
  };
  const resized = (): void => {
    if (last) foot = footLine(last[0], last[1], p, width());
    draw([]);
  };
  output.on('resize', resized);
  return {
    print: draw,
    refresh(counts, stopped) {
      const next = footLine(counts, stopped, p, width());
      last = [{ ...counts }, stopped];
      if (next === foot && drawn) return;
      foot = next;
      draw([]);
    },
    close() {
      output.off('resize', resized);
      if (drawn) output.write(ERASE);
      drawn = false;
    },
  };
}
