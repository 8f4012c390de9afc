import { type Line, type Look, textOf } from './line.ts';

/** What the terminal can show. */
export interface Ability {
  readonly colour: boolean;
  /** False: only ASCII may be sent. */
  readonly unicode: boolean;
}

/** https://no-color.org: any value that is not empty switches colours off. Without a UTF-8 locale only ASCII is sent. */
export function abilityOf(env: NodeJS.ProcessEnv): Ability {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return { colour: !env['NO_COLOR'] && env['TERM'] !== 'dumb', unicode: /utf-?8/i.test(locale) };
}

const ATTRIBUTES: Readonly<Record<Look, string>> = {
  plain: '',
  dim: '2',
  bold: '1',
  title: '1',
  deny: '1',
  ask: '',
  allow: '',
  accent: '',
  mark: '1;4',
  under: '4',
  bar: '7',
};

const COLOURS: Readonly<Partial<Record<Look, string>>> = {
  title: '36',
  deny: '31',
  ask: '33',
  allow: '32',
  accent: '36',
  mark: '31',
};

/** The line as bytes for the terminal. */
export function painted(line: Line, ability: Ability): string {
  const sent = ability.unicode ? (text: string) => text : asciiOf;
  if (line.selected) return `\x1b[7m${sent(textOf(line))}\x1b[0m`;
  let out = '';
  for (const { text, look } of line.runs) {
    if (text === '') continue;
    const colour = ability.colour ? COLOURS[look] : undefined;
    const codes = [ATTRIBUTES[look], colour ?? '', line.faded ? '2' : ''].filter((code) => code !== '').join(';');
    out += codes === '' ? sent(text) : `\x1b[${codes}m${sent(text)}\x1b[0m`;
  }
  return out;
}

const ASCII: Readonly<Record<string, string>> = {
  '▸': '>',
  '│': '|',
  '─': '-',
  '━': '=',
  '●': 'O',
  '✓': '+',
  '✗': 'x',
  '■': '#',
  '◦': 'o',
  '·': '.',
  '…': '~',
  '×': 'x',
  '→': '>',
  '←': '<',
  '↑': '^',
  '↓': 'v',
  '▶': '>',
  '❙': '|',
  '⇣': 'v',
  '▁': '.',
  '▂': ',',
  '▃': ':',
  '▄': '-',
  '▅': '+',
  '▆': '*',
  '▇': '%',
  '█': '#',
  '−': '-',
  '⏎': '$',
};

/** The text for a terminal that shows ASCII only; colours stay. */
export function asciiOf(text: string): string {
  return text.replace(/[^\x1b\n\x20-\x7e]/gu, (char) => ASCII[char] ?? '?');
}
