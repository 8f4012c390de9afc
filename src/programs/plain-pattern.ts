/** Whose regular expressions they are: of sed, of `sed -E`, or of Perl. */
export type Dialect = 'basic' | 'extended' | 'perl';

/** What matching by a pattern takes. */
export interface Matched {
  /** Repetitions in the pattern. */
  readonly spread: number;
  /** It matches characters that it does not name, so that it matters what a character is. */
  readonly open: boolean;
}

/** A pattern as ours. */
interface Plain extends Matched {
  readonly source: string;
}

/**
 * A regular expression of sed or Perl that we can match as cheaply: characters, sets and `.`, each with a repetition,
 * anchors and groups that are not repeated; null otherwise.
 */
export function plainPattern(pattern: string, dialect: Dialect): Plain | null {
  // Groups and `+` stand without a backslash.
  const extended = dialect !== 'basic';
  let source = '';
  let spread = 0;
  let open = false;
  let last = false;
  let depth = 0;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] as string;
    const next = pattern[at + 1] ?? '';
    const marked = char === '\\' ? next : '';
    const special = extended ? char : marked;
    const repeats = char === '*' || (/[+?]/.test(special) && special !== '');
    if (repeats && last) {
      source += char === '*' ? '*' : special;
      spread++;
      last = false;
      if (char === '\\') at++;
    } else if (special === '(' || special === ')') {
      depth += special === '(' ? 1 : -1;
      source += special;
      last = false;
      if (char === '\\') at++;
    } else if (char === '^' || char === '$') {
      if (char === '^' ? at !== 0 : at !== pattern.length - 1) return null;
      source += char;
      last = false;
    } else if (char === '.') {
      source += char;
      last = true;
      open = true;
    } else if (char === '[') {
      const set = /^\[\^?[^\][\\]+\]/.exec(pattern.slice(at));
      // In Perl a set may hold variables, and one that is turned round matches the end of the line.
      if (!set || (dialect === 'perl' && /[$@^]/.test(set[0]))) return null;
      open = true;
      source += set[0];
      at += set[0].length - 1;
      last = true;
    } else if (char === '\\') {
      // `\r` and `\t` are characters to GNU sed and Perl; `\-`, `\"` and `\/` stand for themselves. A quote or backtick
      // does in Perl alone: in GNU sed these are the ends of the text.
      if (/[.$*^[\]rt]/.test(next)) source += `\\${next}`;
      else if (/[-/":;,#@!%=~ ]/.test(next) || (dialect === 'perl' && /['`]/.test(next))) source += next;
      else if (extended && /[+?(){}|]/.test(next)) source += `\\${next}`;
      else return null;
      at++;
      last = true;
    } else if (/[*{}|]/.test(char) || (extended && /[+?]/.test(char))) return null;
    else if (char === '@' && dialect === 'perl') return null;
    else {
      source += char.replace(/[+?()\]]/g, '\\$&');
      last = true;
    }
    if (depth < 0) return null;
  }
  return spread > MOST_SPREAD || depth !== 0 || /\)[*+?]/.test(source) ? null : { source, spread, open };
}

/** Repetitions in one pattern. */
const MOST_SPREAD = 2;
/** Null for what is no pattern, as a set whose range runs backwards. There `.` is each character of a line, `\r` too. */
export function regExp(source: string, flags: string): RegExp | null {
  try {
    return new RegExp(source, `${flags}s`);
  } catch {
    return null;
  }
}
