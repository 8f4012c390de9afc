import { concat, known, type Part, type Value } from '../model/value.ts';

/** A path as Windows programs write it, where WSL and Git Bash see it: drives below /mnt, slashes forward. */
export function windowsPath(text: string, home: string): Value {
  const bare = text.replace(/^["']|["']$/g, '');
  const forward = bare.replace(/\\+/g, '/');
  // A shell may have eaten the backslash behind the drive.
  const drive = /^([A-Za-z]):\/?(?!\/)(.*)$/.exec(forward);
  const rooted = drive ? `/mnt/${(drive[1] as string).toLowerCase()}/${drive[2]}` : forward;
  const homed = rooted
    .replace(/^~(?=\/|$)/, home)
    .replace(/^(?:\$HOME|\$\{HOME\}|\$env:(?:HOME|USERPROFILE)|%USERPROFILE%|%HOMEPATH%)(?=\/|$)/i, home)
    .replace(/^(?:\$env:(?:TEMP|TMP)|%TEMP%|%TMP%)(?=\/|$)/i, '/tmp');
  const parts: Part[] = [];
  for (const piece of homed.split(/(\$\{?[\w:]+\}?|%\w+%|\*+|\?)/)) {
    if (piece === '') continue;
    if (/^[*?]/.test(piece)) parts.push({ glob: piece.startsWith('*') ? '*' : '?' });
    else if (/^(\$|%)/.test(piece)) parts.push({ hole: piece, like: 'any' });
    else parts.push(piece);
  }
  return concat(parts);
}

/** Words of one statement of PowerShell or cmd: quotes group, commas separate. */
export function windowsWords(statement: string): readonly string[] {
  const out: string[] = [];
  for (const match of statement.matchAll(/"((?:[^"`]|`.)*)"|'([^']*)'|([^\s,"']+)/g))
    out.push(match[1] ?? match[2] ?? (match[3] as string));
  return out;
}

/** Statements of a script, split where neither quotes nor parentheses protect. */
export function windowsStatements(text: string, marks: RegExp): readonly string[] {
  const out: string[] = [];
  let current = '';
  let quote = '';
  for (const char of text) {
    if (quote !== '') {
      if (char === quote) quote = '';
      current += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      current += char;
    } else if (marks.test(char)) {
      out.push(current);
      current = '';
    } else current += char;
  }
  out.push(current);
  return out.map((statement) => statement.trim()).filter((statement) => statement !== '');
}

/** Text of an -EncodedCommand: Base64 of UTF-16. */
export function decodeCommand(text: string): string | null {
  if (!/^[A-Za-z0-9+/\s]+={0,2}$/.test(text)) return null;
  return Buffer.from(text, 'base64').toString('utf16le');
}

export function knownWords(words: readonly string[]): readonly Value[] {
  return words.map(known);
}

/** A path as it is seen from where the script stands; null: where the call does. */
export function placedAt(base: Value | null, path: Value): Value {
  const from = path[0];
  const fixed = typeof from === 'string' ? from.startsWith('/') : from !== undefined && 'hole' in from;
  return base === null || fixed ? path : concat(base, ['/'], path);
}
