// Command text is written by an agent, perhaps by an attacker through it: nothing of it may reach a
// terminal as a control sequence, or reorder or hide what a person reads (bidi overrides, zero-width characters,
// fillers, tag characters that spell ASCII unseen).
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** The text on one line, with every control, bidi and zero-width character shown as an escape. */
export function visible(text: string): string {
  return text.replace(UNSAFE, escapeChar);
}

/** As `visible`, but line feeds stay. */
export function visibleLines(text: string): string {
  return text.replace(UNSAFE, (c) => (c === '\n' ? c : escapeChar(c)));
}

/** JSON's text with all such characters as its own escapes: another spelling of the same value. */
export function visibleJson(json: string): string {
  return json.replace(UNSAFE, (c) =>
    c === '\n'
      ? c
      : c
          .split('')
          .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          .join(''),
  );
}

function escapeChar(c: string): string {
  if (c === '\n') return '\\n';
  if (c === '\t') return '\\t';
  if (c === '\r') return '\\r';
  const code = c.codePointAt(0) as number;
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : code < 0x10000
      ? `\\u${code.toString(16).padStart(4, '0')}`
      : `\\u{${code.toString(16)}}`;
}
