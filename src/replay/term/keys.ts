/** A key as the viewer names it: the character itself, or one of these words. */
export type Key = string;

const NAMED: Readonly<Record<string, Key>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  ' ': 'space',
  '\x03': 'ctrl-c',
  '\x04': 'ctrl-d',
  '\x15': 'ctrl-u',
  '\x06': 'pagedown',
  '\x02': 'pageup',
  '\x0c': 'ctrl-l',
  '\x17': 'ctrl-w',
  '\x1a': 'ctrl-z',
};

const SEQUENCES: Readonly<Record<string, Key>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  Z: 'shift-tab',
  '1~': 'home',
  '7~': 'home',
  '4~': 'end',
  '8~': 'end',
  '3~': 'delete',
  '5~': 'pageup',
  '6~': 'pagedown',
};

export interface Decoded {
  readonly keys: readonly Key[];
  /** The beginning of a sequence that is not complete. */
  readonly rest: string;
}

/**
 * Keys in what a terminal sent. `final`: nothing more came for a while, so that a lone escape is the key itself.
 * Sequences that mean nothing here, pasted control characters included, are swallowed.
 */
export function decodeKeys(input: string, final: boolean): Decoded {
  const keys: Key[] = [];
  let at = 0;
  while (at < input.length) {
    if (input[at] !== '\x1b') {
      const char = String.fromCodePoint(input.codePointAt(at) as number);
      at += char.length;
      const named = NAMED[char];
      if (named !== undefined) keys.push(named);
      else if (char >= ' ' && !(char >= '\x80' && char < '\xa0')) keys.push(char);
      continue;
    }
    const sequence = /^\x1b(?:\[[0-9;:<=>?]*[ -/]*[@-~]|O[@-~])/.exec(input.slice(at, at + 64))?.[0];
    if (sequence !== undefined) {
      const key = SEQUENCES[sequence.slice(2).replace(/^1;\d+/, '')];
      if (key !== undefined) keys.push(key);
      at += sequence.length;
    } else if (!final && input.length - at < 64 && /^\x1b(?:\[[0-9;:<=>?]*[ -/]*|O)?$/.test(input.slice(at))) break;
    else {
      keys.push('escape');
      at++;
      // Half of a sequence that never ended: not keys.
      if (/^(?:\[|O)/.test(input.slice(at)) && final) at = input.length;
    }
  }
  return { keys, rest: input.slice(at) };
}
