/** A piece of SQL text. Comments and white space are gone. */
export interface SqlToken {
  /** `word`: keyword or plain identifier; `name`: quoted identifier; `text`: string literal; `mark`: one character. */
  readonly kind: 'word' | 'name' | 'text' | 'mark';
  /** Without quotes. */
  readonly text: string;
}

/** How a client reads text that is not SQL. */
export type SqlClient = 'psql' | 'mysql' | 'sqlite' | 'none';

export interface SqlText {
  readonly statements: readonly (readonly SqlToken[])[];
  /** Commands to the client itself (`\! ls`, `.shell ls`, `system ls`), as written. */
  readonly metas: readonly string[];
}

const DOLLAR = /\$([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
const WORD = /\$\{[^}]*\}|[A-Za-z_\u0080-\uffff@#][\w$@#\u0080-\uffff]*|\d[\w.]*/y;
const META_LINE = {
  psql: null,
  none: null,
  sqlite: /[.#!][^\n]*/y,
  mysql: /(?:\\[!.TPe]|(?:system|source|tee|pager|edit|delimiter)(?=\s))[^\n]*/iy,
} as const;

/**
 * Splits SQL into statements and tokens: quoted strings of all dialects, dollar quotes, nested comments, MySQL's
 * `/*! … * /` comments that are code, `DELIMITER`, and the client's own commands. Linear; never throws.
 */
export function tokenizeSql(text: string, client: SqlClient = 'none'): SqlText {
  const statements: SqlToken[][] = [];
  const metas: string[] = [];
  let current: SqlToken[] = [];
  let delimiter = ';';
  let lineStart = true;
  let at = 0;

  const end = (): void => {
    if (current.length > 0) statements.push(current);
    current = [];
  };
  const sticky = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  const put = (kind: SqlToken['kind'], content: string, length: number): void => {
    current.push({ kind, text: content });
    at += length;
  };

  while (at < text.length) {
    const char = text[at] as string;
    if (/\s/.test(char)) {
      if (char === '\n') lineStart = true;
      at++;
      continue;
    }
    const metaLine = META_LINE[client];
    if (metaLine && lineStart && current.length === 0) {
      const line = sticky(metaLine);
      if (line !== null) {
        const changed = /^delimiter\s+(\S+)/i.exec(line);
        if (changed) delimiter = changed[1] as string;
        else metas.push(line.trim());
        at += line.length;
        continue;
      }
    }
    lineStart = false;
    if ((client === 'psql' || client === 'mysql') && char === '\\') {
      const length = lineLength(text, at);
      metas.push(text.slice(at, at + length).trim());
      at += length;
      if (client === 'psql') end();
      continue;
    }
    if (text.startsWith(delimiter, at)) {
      at += delimiter.length;
      end();
      if (client === 'sqlite' || client === 'mysql') lineStart = /^[ \t]*(\r?\n|$)/.test(text.slice(at, at + 200));
      continue;
    }
    if (text.startsWith('--', at)) {
      at += lineLength(text, at);
      continue;
    }
    if (char === '#' && client === 'mysql') {
      at += lineLength(text, at);
      continue;
    }
    if (text.startsWith('/*', at)) {
      const code = /\/\*M?!\d*/y;
      const opened = sticky(code);
      at = opened ? at + opened.length : commentEnd(text, at);
      continue;
    }
    if (text.startsWith('*/', at)) {
      at += 2;
      continue;
    }
    if (char === "'") {
      const escapes = client === 'mysql' || /^[eE]$/.test(text[at - 1] ?? '');
      if (escapes && client !== 'mysql') current.pop();
      const [content, length] = quoted(text, at, "'", escapes);
      put('text', content, length);
      continue;
    }
    if (char === '"' || char === '`') {
      const [content, length] = quoted(text, at, char, client === 'mysql');
      put(char === '"' && client === 'mysql' ? 'text' : 'name', content, length);
      continue;
    }
    if (char === '[' && /^\[[A-Za-z_][\w $.-]*\]/.test(text.slice(at, at + 130))) {
      const close = text.indexOf(']', at);
      put('name', text.slice(at + 1, close), close + 1 - at);
      continue;
    }
    const tag = char === '$' ? sticky(DOLLAR) : null;
    if (tag) {
      const close = text.indexOf(tag, at + tag.length);
      const stop = close < 0 ? text.length : close;
      put('text', text.slice(at + tag.length, stop), (close < 0 ? stop : stop + tag.length) - at);
      continue;
    }
    const word = sticky(WORD);
    if (word) put('word', word, word.length);
    else put('mark', char, 1);
  }
  end();
  return { statements, metas };
}

function lineLength(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return (end < 0 ? text.length : end) - at;
}

/** Comments nest in PostgreSQL and not in MySQL; the end that hides less is taken: the first `* /` when they differ. */
function commentEnd(text: string, at: number): number {
  const close = text.indexOf('*/', at + 2);
  return close < 0 ? text.length : close + 2;
}

/** A quoted stretch from its opening quote: content and length. A doubled quote stands for itself. */
function quoted(text: string, at: number, quote: string, escapes: boolean): readonly [string, number] {
  let content = '';
  let i = at + 1;
  while (i < text.length) {
    const char = text[i] as string;
    if (char === '\\' && escapes) {
      content += text[i + 1] ?? '';
      i += 2;
    } else if (char === quote) {
      if (text[i + 1] !== quote) return [content, i + 1 - at];
      content += quote;
      i += 2;
    } else {
      content += char;
      i++;
    }
  }
  return [content, text.length - at];
}
