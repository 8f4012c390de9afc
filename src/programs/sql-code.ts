import { nameAt, upper } from './sql.ts';
import type { SqlToken } from './sql-tokens.ts';

/** True if WHERE leaves something out: `WHERE 1 = 1` and the like say nothing. */
export function narrows(words: readonly string[], tokens: readonly SqlToken[]): boolean {
  const at = words.lastIndexOf('WHERE');
  if (at < 0) return false;
  const rest = tokens.slice(at + 1).filter((t) => !/^(?:RETURNING|;)$/.test(upper(t)));
  const [a, b, c] = rest;
  if (rest.length === 1) return !/^(?:TRUE|[1-9]\d*)$/i.test(a?.text ?? '');
  return !(rest.length === 3 && b?.text === '=' && a?.text === c?.text && a?.kind === c?.kind);
}

/** What runs SQL that stands in a variable or in what a query gives. */
export function putTogether(words: readonly string[], tokens: readonly SqlToken[]): string | null {
  const [first = '', second = '', third = ''] = words;
  if (first === 'PREPARE' && third === 'FROM' && words[3]?.startsWith('@')) return `PREPARE from ${words[3]}`;
  if (first === 'EXECUTE' && second === 'IMMEDIATE' && tokens[2]?.kind !== 'text') return 'EXECUTE IMMEDIATE';
  if (
    /^EXEC(?:UTE)?$/.test(first) &&
    (second === '(' ? third.startsWith('@') : second === 'SP_EXECUTESQL' && third.startsWith('@'))
  )
    return `${first} of a variable`;
  if (first !== 'DO') return null;
  const body = tokens.find((t) => t.kind === 'text')?.text ?? '';
  return /\bEXECUTE\s+(?!format\b|quote_|'|\$|E'|\()\w+\s*(?:;|INTO\b|USING\b)/i.test(body)
    ? 'EXECUTE of a variable'
    : null;
}

/** Settings and functions by which the server runs programs, loads libraries, writes files or throws everybody out. */
export function serverCode(words: readonly string[], tokens: readonly SqlToken[]): string | null {
  const has = (pattern: RegExp): boolean => words.some((w, i) => tokens[i]?.kind === 'word' && pattern.test(w));
  const [first = '', second = ''] = words;
  const at = words.indexOf('LANGUAGE');
  if (
    first === 'CREATE' &&
    /^(?:C|PLPYTHON\w*U|PLPERLU|PLTCLU|PLSH|PLJAVAU|PLR)$/.test(tokens[at + 1]?.text.toUpperCase() ?? '')
  )
    return 'a function in a language that is not fenced in';
  if (
    first === 'CREATE' &&
    second === 'EXTENSION' &&
    /^(?:plpython\w*u|plperlu|pltclu|plsh|adminpack|file_fdw)$/i.test(nameAt(tokens, 2))
  )
    return `the extension ${nameAt(tokens, 2)}`;
  if (/^(?:CREATE|INSTALL)$/.test(first) && has(/^SONAME$/)) return 'a library';
  if (first === 'ALTER' && second === 'SYSTEM' && has(/_COMMAND$|LIBRARIES$|_LIBRARY_PATH$/))
    return 'a program that the server runs';
  if (
    first === 'SET' &&
    has(/^@?@?(?:GENERAL_LOG_FILE|SLOW_QUERY_LOG_FILE|INIT_CONNECT|INIT_FILE|PLUGIN_DIR|SECURE_FILE_PRIV)$/)
  )
    return 'a file that the server writes or a command that it runs';
  if (has(/^PG_TERMINATE_BACKEND$/) && !words.includes('WHERE')) return 'the end of every session';
  return first === 'SHUTDOWN' && words.length < 4 ? 'the end of the server' : null;
}
