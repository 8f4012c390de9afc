/** What a sed program does beside editing the stream. */
export interface SedFindings {
  /** Files of `w`, `W` and the `w` flag of `s`. */
  readonly writes: readonly string[];
  /** Files of `r` and `R`. */
  readonly reads: readonly string[];
  /** Commands of `e COMMAND`, run by a shell. */
  readonly commands: readonly string[];
  /** The pattern space is run as a command: bare `e`, or the `e` flag of `s`. */
  readonly runsInput: boolean;
  /** The text could not be followed to its end. */
  readonly unclear: boolean;
}

/** Scans a sed program (sed(1), GNU sed) for its write, read and execute commands. Linear in its length. */
export function scanSed(text: string): SedFindings {
  const writes: string[] = [];
  const reads: string[] = [];
  const commands: string[] = [];
  let runsInput = false;
  let unclear = false;
  let at = 0;

  const lineEnd = (): string => {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end);
    at = end < 0 ? text.length : end;
    return line.trim();
  };
  const skipBlanks = (): void => {
    while (at < text.length && /[\s;]/.test(text[at] as string)) at++;
  };
  /** Past a part that ends with the delimiter; backslashes protect, and brackets do in regular expressions. */
  const delimited = (delimiter: string, regex: boolean): void => {
    for (; at < text.length && text[at] !== delimiter; at++) {
      if (text[at] === '\\') at++;
      else if (regex && text[at] === '[' && delimiter !== '[') {
        const close = text.indexOf(
          ']',
          at + (/^\[\^?\]/.test(text.slice(at, at + 3)) ? (text[at + 1] === '^' ? 3 : 2) : 1),
        );
        if (close > 0 && !text.slice(at, close).includes('\n')) at = close;
      }
    }
    if (at >= text.length) unclear = true;
    at++;
  };
  const address = (): boolean => {
    const char = text[at];
    if (char === undefined) return false;
    if (char === '/') {
      at++;
      delimited('/', true);
    } else if (char === '\\') {
      const delimiter = text[at + 1] ?? '';
      at += 2;
      delimited(delimiter, true);
    } else {
      const number = /^(\$|[+~]?\d+(~\d+)?)/.exec(text.slice(at, at + 24));
      if (!number) return false;
      at += number[0].length;
      return true;
    }
    while (text[at] === 'I' || text[at] === 'M') at++;
    return true;
  };
  const addresses = (): void => {
    if (!address()) return;
    while (text[at] === ' ') at++;
    if (text[at] !== ',') return;
    at++;
    while (text[at] === ' ') at++;
    address();
  };
  const substitute = (): void => {
    const delimiter = text[at] ?? '';
    at++;
    delimited(delimiter, true);
    delimited(delimiter, false);
    for (; at < text.length; at++) {
      const flag = text[at] as string;
      if (flag === 'e') runsInput = true;
      else if (flag === 'w') {
        at++;
        writes.push(lineEnd());
        return;
      } else if (!/[gpiImM0-9]/.test(flag)) return;
    }
  };

  while (!unclear) {
    skipBlanks();
    if (at >= text.length) break;
    addresses();
    while (/[\s!]/.test(text[at] ?? '')) at++;
    const command = text[at];
    if (command === undefined) break;
    at++;
    if (command === 's') substitute();
    else if (command === 'y') {
      const delimiter = text[at] ?? '';
      at++;
      delimited(delimiter, false);
      delimited(delimiter, false);
    } else if ('wW'.includes(command)) writes.push(lineEnd());
    else if ('rR'.includes(command)) reads.push(lineEnd());
    else if (command === 'e') {
      const line = lineEnd();
      if (line === '' || line === '}') runsInput = true;
      else commands.push(line);
    } else if (command === '#') lineEnd();
    else if ('aic'.includes(command)) {
      for (let more = true; more && at < text.length; ) {
        more = lineEnd().endsWith('\\');
        at++;
      }
    } else if (':btT'.includes(command)) {
      while (at < text.length && !/[;\n}]/.test(text[at] as string)) at++;
    } else if ('qQlL'.includes(command)) while (/[\s\d]/.test(text[at] ?? '') && text[at] !== '\n') at++;
    else if (!'{}=dDgGhHnNpPxzFv'.includes(command)) unclear = true;
  }
  return { writes, reads, commands, runsInput, unclear };
}
