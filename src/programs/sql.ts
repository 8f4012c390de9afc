import type { EffectKind } from '../model/effect-kinds.ts';
import { narrows, putTogether, serverCode } from './sql-code.ts';
import { type SqlClient, type SqlToken, tokenizeSql } from './sql-tokens.ts';

/** What one SQL statement does. */
export interface SqlStatement {
  /** Null: it changes nothing that lasts (SET, BEGIN, SHOW) or is no SQL. */
  readonly kind: Extract<EffectKind, 'db-read' | 'db-write' | 'db-delete' | 'db-drop' | 'account'> | null;
  /** First keyword, upper case. */
  readonly verb: string;
  /** The table, database or user; '' when it can't be told. */
  readonly target: string;
  /** One phrase for people. */
  readonly detail: string;
  /** It only touches temporary tables. */
  readonly scratch: boolean;
  /** Code that is put together at run time, or that the server itself runs or loads; what, for people. */
  readonly unknown?: string;
  readonly code?: string;
  /** Libraries that are loaded. */
  readonly loads?: readonly string[];
  /** Shell text that the server runs (COPY … PROGRAM, xp_cmdshell). */
  readonly programs: readonly string[];
  /** Files that the server or the library reads and writes. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

const READING =
  /^(SELECT|SHOW|DESC|DESCRIBE|VALUES|TABLE|PRAGMA|ANALYZE|ANALYSE|CHECK|CHECKSUM|LIST|HELP|FROM|SUMMARIZE|EXISTS)$/;
const WRITING =
  /^(INSERT|UPDATE|REPLACE|UPSERT|MERGE|CREATE|ALTER|COMMENT|REINDEX|REFRESH|CLUSTER|IMPORT|INSTALL|RENAME|LOAD|COPY|CALL|EXEC|EXECUTE|SECURITY|OPTIMIZE|CLONE|UNDROP|ATTACH)$/;
/** Words after which statements follow without a semicolon (T-SQL, PL/pgSQL, BEGIN … END). */
const FLOW = /^(IF|WHILE|DECLARE|BEGIN|USE|PRINT|SET|WITH|SELECT|EXEC|EXECUTE|DO|CALL|FOR|LOOP|GO)$/;
const DROPPABLE =
  /^(TABLE|DATABASE|SCHEMA|KEYSPACE|COLLECTION|OWNED|TABLESPACE|VIEW|MATERIALIZED|INDEX|SEQUENCE|TYPE|FUNCTION|PROCEDURE|TRIGGER|POLICY|EXTENSION|DOMAIN|PUBLICATION|SUBSCRIPTION|FOREIGN|SERVER|TEMPORARY|TEMP|AGGREGATE|CAST|COLUMNFAMILY|EVENT|RULE|STREAM|MEASUREMENT|SERIES|BUCKET|DICTIONARY|EXTERNAL|STAGE|WAREHOUSE|SYNONYM|PACKAGE|PARTITION|SHARD|RETENTION|AVAILABILITY|ROUTINE|TRANSFORM|TEXT|OPERATOR|ACCESS|STATISTICS|LANGUAGE|CONVERSION|ASSEMBLY|USER|ROLE|LOGIN|GROUP)$/;
const NOISE =
  /^(IF|NOT|EXISTS|ONLY|TABLE|INTO|FROM|CONCURRENTLY|LOCAL|GLOBAL|IGNORE|LOW_PRIORITY|QUICK|DELAYED|OR|OVERWRITE)$/;

/**
 * Statement by statement, what SQL text does. Text that is no SQL gives statements of kind null, so it may be asked of
 * any string. `client` says whose own commands may stand in it; those are left to `sqlClient`.
 */
export function classifySql(text: string, client: SqlClient = 'none'): readonly SqlStatement[] {
  const found = classifyStatements(tokenizeSql(text, client).statements);
  // Is `\'` the end of a string or not? It depends on the server: take both readings.
  if (client !== 'none' || !text.includes("\\'")) return found;
  return [...found, ...classifyStatements(tokenizeSql(text, 'mysql').statements)];
}

/** The same for text that is already split. */
export function classifyStatements(statements: readonly (readonly SqlToken[])[]): readonly SqlStatement[] {
  const temporary = new Set<string>();
  return statements.map((tokens) => {
    const found = classify(tokens, 0);
    const words = tokens.map(upper);
    if (words[0] === 'CREATE' && words.slice(1, 5).some((w) => /^(TEMP|TEMPORARY)$/.test(w))) {
      temporary.add(found.target.toLowerCase());
    }
    return temporary.has(found.target.toLowerCase()) && found.target !== '' ? { ...found, scratch: true } : found;
  });
}

function classify(tokens: readonly SqlToken[], depth: number): SqlStatement {
  const start = tokens.findIndex((t) => t.text !== '(');
  const body = start > 0 ? tokens.slice(start) : tokens;
  const words = body.map(upper);
  const verb = words[0] ?? '';
  const found = byVerb(verb, words, body, depth);
  const extra = besides(words, body);
  const unknown = putTogether(words, body);
  const code = serverCode(words, body);
  const best = FLOW.test(verb) && depth < 4 ? worst(found, hidden(words, body, depth)) : found;
  return {
    ...best,
    verb,
    ...extra,
    programs: [...best.programs, ...extra.programs],
    ...(unknown ? { unknown } : {}),
    ...(code ? { code } : {}),
  };
}

function byVerb(verb: string, words: readonly string[], tokens: readonly SqlToken[], depth: number): SqlStatement {
  switch (verb) {
    case 'DELETE': {
      if (!words.includes('FROM') && !words.includes('WHERE') && words.length > 2) return nothing(verb);
      const from = words.indexOf('FROM');
      const where = words.includes('WHERE') ? '' : ' without WHERE';
      const target = nameAt(tokens, from >= 0 ? from + 1 : 1);
      return make('db-delete', verb, target, `deletes rows of ${target}${where}`, isTemp(target));
    }
    case 'TRUNCATE': {
      const target = nameAt(tokens, 1);
      return target === '' ? nothing(verb) : make('db-drop', verb, target, `truncates ${target}`, isTemp(target));
    }
    case 'DROP': {
      const what = words[1] ?? '';
      if (!DROPPABLE.test(what)) return nothing(verb);
      const target = nameAt(tokens, /^(MATERIALIZED|FOREIGN|TEMP|TEMPORARY|EXTERNAL|TEXT|ACCESS)$/.test(what) ? 3 : 2);
      if (/^(USER|ROLE|LOGIN|GROUP)$/.test(what))
        return make('account', verb, target, `drops ${what.toLowerCase()} ${target}`);
      return make(
        'db-drop',
        verb,
        target,
        `drops ${what.toLowerCase()} ${target}`,
        /^TEMP/.test(what) || isTemp(target),
      );
    }
    case 'ALTER':
      return altered(words, tokens);
    case 'GRANT':
    case 'REVOKE':
      return words.includes('TO') || words.includes('FROM')
        ? make('account', verb, '', verb.toLowerCase())
        : nothing(verb);
    case 'CREATE':
      return created(words, tokens);
    case 'UPDATE': {
      if (!isUpdate(words)) return nothing(verb);
      const target = nameAt(tokens, 1);
      const where = narrows(words, tokens) ? '' : ' without WHERE';
      return make('db-write', verb, target, `updates ${target}${where}`, isTemp(target));
    }
    case 'INSERT':
    case 'REPLACE':
    case 'UPSERT':
    case 'MERGE': {
      const target = nameAt(tokens, 1);
      const over = words[1] === 'OVERWRITE';
      return make(
        over ? 'db-drop' : 'db-write',
        verb,
        target,
        `${over ? 'overwrites' : 'writes to'} ${target}`,
        isTemp(target),
      );
    }
    case 'EXPLAIN': {
      const at = words.findIndex(
        (w, i) => i > 0 && /^(DELETE|UPDATE|INSERT|MERGE|REPLACE|WITH|SELECT|CREATE)$/.test(w),
      );
      if (!words.slice(0, at).some((w) => /^ANALY[SZ]E$/.test(w)) || at < 0 || depth > 3)
        return make('db-read', verb, '', 'explains');
      return classify(tokens.slice(at), depth + 1);
    }
    case 'DO':
    case 'EXEC':
    case 'EXECUTE':
    case 'PREPARE': {
      const inner =
        depth > 3 ? [] : tokens.filter((t) => t.kind === 'text').flatMap((t) => classifyInner(t.text, depth));
      const worstInner = inner.reduce(worst, nothing(verb));
      return worstInner.kind
        ? worstInner
        : make('db-write', verb, nameAt(tokens, 1), `runs ${nameAt(tokens, 1) || 'code'}`);
    }
    case 'RESTORE':
      return make('db-drop', verb, nameAt(tokens, 2), 'overwrites with a backup');
    case 'PURGE':
    case 'RESET':
      return words[1] === 'BINARY' || words[1] === 'MASTER'
        ? make('db-drop', verb, words[1], 'purges logs')
        : nothing(verb);
    default:
      if (READING.test(verb)) return make('db-read', verb, nameAfter('FROM', words, tokens), 'reads');
      if (verb === 'WITH') return make('db-read', verb, '', 'reads');
      if (WRITING.test(verb) && isCommand(verb, words))
        return make('db-write', verb, nameAt(tokens, 1), verb.toLowerCase());
      return nothing(verb);
  }
}

/** `UPDATE name [AS alias] SET column =`. */
function isUpdate(words: readonly string[]): boolean {
  const set = words.indexOf('SET');
  return set > 1 && set < 12 && words.slice(set + 2, set + 8).some((w) => w === '=' || w === '(' || w === ')');
}

/** Verbs that are ordinary English too count only with the word that SQL wants next. */
function isCommand(verb: string, words: readonly string[]): boolean {
  if (verb === 'COPY') return words.includes('FROM') || words.includes('TO');
  if (verb === 'LOAD') return words[1] === 'DATA' || words[1] === 'XML' || words.length === 2;
  if (verb === 'CALL') return words.includes('(');
  if (verb === 'COMMENT') return words[1] === 'ON';
  if (verb === 'RENAME') return words[1] === 'TABLE';
  return words.length > 1;
}

function altered(words: readonly string[], tokens: readonly SqlToken[]): SqlStatement {
  const what = words[1] ?? '';
  if (/^(USER|ROLE|LOGIN|GROUP)$/.test(what))
    return make('account', 'ALTER', nameAt(tokens, 2), `alters ${what.toLowerCase()}`);
  if (what === 'SYSTEM') return make('db-write', 'ALTER', 'system', 'changes the server settings');
  if (
    !/^(TABLE|DATABASE|SCHEMA|VIEW|INDEX|TYPE|SEQUENCE|FUNCTION|MATERIALIZED|FOREIGN|KEYSPACE|DEFAULT|EXTENSION|POLICY)$/.test(
      what,
    )
  )
    return nothing('ALTER');
  const target = nameAt(tokens, 2);
  // ClickHouse deletes rows by altering the table.
  if (what === 'TABLE' && words.some((w, i) => w === 'DELETE' && words[i + 1] === 'WHERE'))
    return make('db-delete', 'ALTER', target, `deletes rows of ${target}`);
  const at = words.indexOf('DROP');
  const soft = /^(CONSTRAINT|INDEX|KEY|PRIMARY|FOREIGN|CHECK|DEFAULT|NOT|IDENTITY|EXPRESSION|TRIGGER)$/;
  if (at > 0 && !soft.test(words[at + 1] ?? '')) {
    return make(
      'db-drop',
      'ALTER',
      target,
      `drops ${words[at + 1]?.toLowerCase() ?? 'part'} of ${target}`,
      isTemp(target),
    );
  }
  return make('db-write', 'ALTER', target, `alters ${target}`, isTemp(target));
}

function created(words: readonly string[], tokens: readonly SqlToken[]): SqlStatement {
  const replace = words[1] === 'OR' && words[2] === 'REPLACE';
  const at = replace ? 3 : 1;
  const temp = words.slice(at, at + 2).some((w) => /^(TEMP|TEMPORARY)$/.test(w));
  const kindAt = words.findIndex(
    (w, i) =>
      i >= at &&
      /^(TABLE|VIEW|INDEX|DATABASE|SCHEMA|FUNCTION|PROCEDURE|TRIGGER|USER|ROLE|LOGIN|EXTENSION|TYPE|SEQUENCE|KEYSPACE|POLICY|DOMAIN|EVENT|RULE|MODEL|SECRET|MACRO)$/.test(
        w,
      ),
  );
  if (kindAt < 0 || kindAt > at + 4) return nothing('CREATE');
  const kind = words[kindAt] as string;
  const target = nameAt(tokens, kindAt + 1);
  if (/^(USER|ROLE|LOGIN)$/.test(kind))
    return make('account', 'CREATE', target, `creates ${kind.toLowerCase()} ${target}`);
  if (replace && kind === 'TABLE' && !temp) return make('db-drop', 'CREATE', target, `replaces table ${target}`);
  return make('db-write', 'CREATE', target, `creates ${kind.toLowerCase()} ${target}`, temp);
}

/** A statement that stands inside another: CTEs that change data, T-SQL without semicolons, IF … DROP. */
function hidden(words: readonly string[], tokens: readonly SqlToken[], depth: number): SqlStatement {
  let found = nothing('');
  const lastSet = words.lastIndexOf('SET');
  for (let i = 1; i < words.length; i++) {
    const [word, next] = [words[i] as string, words[i + 1] ?? ''];
    if (tokens[i]?.kind !== 'word') continue;
    const starts =
      (word === 'DELETE' && next === 'FROM') ||
      (word === 'TRUNCATE' && next === 'TABLE') ||
      (word === 'DROP' && /^(TABLE|DATABASE|SCHEMA|COLUMN|TEMP|TEMPORARY)$/.test(next)) ||
      (word === 'INSERT' && next === 'INTO') ||
      (word === 'MERGE' && next === 'INTO') ||
      (word === 'UPDATE' && lastSet > i && !/^(FOR|ON)$/.test(words[i - 1] ?? ''));
    if (starts) found = worst(found, byVerb(word, words.slice(i, i + 64), tokens.slice(i, i + 64), depth + 1));
    // SQL that other SQL runs: EXECUTE 'drop …', dblink_exec('…', 'drop …').
    if (
      depth < 4 &&
      (/^EXEC(?:UTE)?$/.test(word) || (/^(?:DBLINK|DBLINK_EXEC|QUERY_TO_XML\w*)$/.test(word) && next === '('))
    )
      for (const text of textsAt(tokens.slice(i + 1, i + 64))) found = classifyInner(text, depth).reduce(worst, found);
  }
  const into = words.indexOf('INTO');
  const copies = words[0] === 'SELECT' && into > 0 && !/^(OUTFILE|DUMPFILE|@)/.test(words[into + 1] ?? '');
  const temp = /^(TEMP|TEMPORARY)$/.test(words[into + 1] ?? '');
  return copies ? worst(found, make('db-write', 'SELECT', nameAt(tokens, into + 1), 'makes a table', temp)) : found;
}

/** Files and programs that any statement can name. */
function besides(
  words: readonly string[],
  tokens: readonly SqlToken[],
): Pick<SqlStatement, 'programs' | 'reads' | 'writes' | 'loads'> {
  const programs: string[] = [];
  const reads: string[] = [];
  const writes: string[] = [];
  const loads: string[] = [];
  const texts = nextTexts(tokens);
  words.forEach((word, i) => {
    if (tokens[i]?.kind !== 'word') return;
    const argument = (at: number): string | null =>
      tokens[at]?.kind === 'text' ||
      (tokens[at]?.kind === 'name' && /^(?:INTO|ATTACH|DATABASE)$/.test(words[at - 1] ?? ''))
        ? (tokens[at] as SqlToken).text
        : null;
    const next = argument(i + 1);
    const inCall = words[i + 1] === '(' ? (texts[i + 2] ?? null) : null;
    if (word === 'PROGRAM' && next !== null && /^(TO|FROM)$/.test(words[i - 1] ?? '')) programs.push(next);
    if (/^(XP_CMDSHELL|SYS_EXEC|SYS_EVAL)$/.test(word))
      programs.push(next ?? inCall ?? argument(i + 2) ?? '${command}');
    if (/^(OUTFILE|DUMPFILE)$/.test(word) && next !== null) writes.push(next);
    if (/^(INFILE)$/.test(word) && next !== null) reads.push(next);
    if (words[0] === 'COPY' && next !== null && word === 'FROM') reads.push(next);
    if (words[0] === 'COPY' && next !== null && word === 'TO') writes.push(next);
    if (words[0] === 'VACUUM' && word === 'INTO' && next !== null) writes.push(next);
    if (words[0] === 'ATTACH' && next !== null && i <= 1 && !/^[a-z]+:/.test(next)) writes.push(next);
    if (inCall === null) return;
    if (
      /^(PG_READ_FILE|PG_READ_BINARY_FILE|PG_LS_DIR|LOAD_FILE|READFILE|LO_IMPORT|READ_CSV|READ_CSV_AUTO|READ_TEXT|READ_BLOB|READ_JSON|READ_JSON_AUTO|READ_PARQUET|FILE)$/.test(
        word,
      )
    )
      reads.push(inCall);
    if (/^(LO_EXPORT|WRITEFILE|PG_FILE_WRITE)$/.test(word))
      // The file is the last argument of lo_export, the first of the others.
      writes.push(word === 'LO_EXPORT' ? (tokens.findLast((t) => t.kind === 'text')?.text ?? inCall) : inCall);
    if (word === 'LOAD_EXTENSION') loads.push(inCall);
    if (word === 'EXECUTABLE') programs.push(inCall);
    // The editor that edit() starts.
    if (word === 'EDIT')
      programs.push(
        ...tokens
          .slice(i + 2, i + 12)
          .filter((t) => t.kind === 'text')
          .slice(1, 2)
          .map((t) => t.text),
      );
  });
  return { programs, reads, writes, loads };
}

/** For each token the first string literal from it on. */
function nextTexts(tokens: readonly SqlToken[]): readonly (string | null)[] {
  const out = new Array<string | null>(tokens.length).fill(null);
  for (let i = tokens.length - 1; i >= 0; i--)
    out[i] = tokens[i]?.kind === 'text' ? (tokens[i] as SqlToken).text : (out[i + 1] ?? null);
  return out;
}

/** String literals up to the end of the statement, those that `||` joins as one. */
function textsAt(tokens: readonly SqlToken[]): readonly string[] {
  const found: string[] = [];
  let joins = 0;
  for (const token of tokens) {
    if (token.text === ';' && token.kind === 'mark') break;
    if (token.kind === 'text') {
      if (joins >= 2) found.push(`${found.pop() ?? ''}${token.text}`);
      else found.push(token.text);
    }
    joins = token.kind === 'mark' && token.text === '|' ? joins + 1 : 0;
  }
  return found;
}

function classifyInner(text: string, depth: number): readonly SqlStatement[] {
  return tokenizeSql(text).statements.map((tokens) => classify(tokens, depth + 1));
}

const ORDER = ['db-read', 'db-write', 'account', 'db-delete', 'db-drop'];

function worst(a: SqlStatement, b: SqlStatement): SqlStatement {
  const rank = (s: SqlStatement): number => (s.kind === null || s.scratch ? -1 : ORDER.indexOf(s.kind));
  return rank(b) > rank(a) ? b : a;
}

function make(kind: SqlStatement['kind'], verb: string, target: string, detail: string, scratch = false): SqlStatement {
  return { kind, verb, target, detail, scratch, programs: [], reads: [], writes: [] };
}

function nothing(verb: string): SqlStatement {
  return make(null, verb, '', '');
}

/** Temporary by its name alone: `#t` of T-SQL, the schemas `temp` and `pg_temp`. */
function isTemp(name: string): boolean {
  return /^(#|temp\.|pg_temp\b)/i.test(name);
}

/** The dotted name that starts at a token, noise words skipped. */
export function nameAt(tokens: readonly SqlToken[], from: number): string {
  let i = from;
  while (tokens[i]?.kind === 'word' && NOISE.test(upper(tokens[i] as SqlToken))) i++;
  let name = '';
  for (; i < tokens.length; i += 2) {
    const token = tokens[i] as SqlToken;
    if (token.kind === 'mark') break;
    name += token.text;
    if (tokens[i + 1]?.text !== '.' || tokens[i + 1]?.kind !== 'mark') break;
    name += '.';
  }
  return name;
}

function nameAfter(word: string, words: readonly string[], tokens: readonly SqlToken[]): string {
  const at = words.indexOf(word);
  return at < 0 ? '' : nameAt(tokens, at + 1);
}

export function upper(token: SqlToken): string {
  return token.kind === 'word' || token.kind === 'mark' ? token.text.toUpperCase() : '';
}
