import { eachLine } from './text-folds.ts';

interface Substitution {
  readonly pattern: RegExp;
  readonly replacement: string;
}

/**
 * What sed prints for known text when its program is no more than plain substitutions (`s/^/rm /; s/a/b/g`), else null.
 * Patterns are literal text, `.`, `.*`, anchors and bracket expressions: each is matched in linear time.
 */
export function foldSed(program: string, text: string): string | null {
  const steps = substitutions(program);
  if (steps === null) return null;
  return eachLine(text, (line) =>
    steps.reduce((done, { pattern, replacement }) => done.replace(pattern, () => replacement), line),
  );
}

function substitutions(program: string): readonly Substitution[] | null {
  const steps: Substitution[] = [];
  let rest = program.trim();
  while (rest !== '') {
    if (!/^s[^\s\w\\]/.test(rest)) return null;
    const delimiter = rest[1] as string;
    const parts = rest.slice(2).split(delimiter);
    // A delimiter that is protected would fall apart here: too much to be plain.
    const [pattern, replacement, ...after] = parts;
    if (pattern === undefined || replacement === undefined || after.length === 0) return null;
    if (/\\$/.test(pattern) || /[\\&\n]/.test(replacement)) return null;
    const tail = after.join(delimiter);
    const flags = /^(g?)\s*(;|\n|$)\s*/.exec(tail);
    const regex = plainPattern(pattern);
    if (!flags || !regex) return null;
    steps.push({ pattern: new RegExp(regex, flags[1]), replacement });
    rest = tail.slice(flags[0].length);
  }
  return steps.length > 0 ? steps : null;
}

/** A basic or extended regular expression that means the same to both and to us; null otherwise. */
function plainPattern(pattern: string): string | null {
  let out = '';
  let stars = 0;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] as string;
    if (char === '^' || char === '$') {
      if (char === '^' ? at !== 0 : at !== pattern.length - 1) return null;
      out += char;
    } else if (char === '.') {
      if (pattern[at + 1] === '*') {
        if (++stars > 1) return null;
        out += '.*';
        at++;
      } else out += '.';
    } else if (char === '[') {
      const set = /^\[\^?[^\][\\]+\]/.exec(pattern.slice(at));
      if (!set) return null;
      out += set[0];
      at += set[0].length - 1;
    } else if (char === '\\') {
      if (!/[./-]/.test(pattern[at + 1] ?? '')) return null;
      out += `\\${pattern[++at]}`;
    } else if (/[*+?(){}|]/.test(char)) return null;
    else out += char.replace(/[\]]/g, '\\$&');
  }
  return out;
}
