import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, type Part, render, type Stream, type Value } from '../model/value.ts';
import { reads, word } from './drafts.ts';
import { strangeCode } from './named-programs.ts';
import { classifyStatements, type SqlStatement } from './sql.ts';
import { type SqlClient, tokenizeSql } from './sql-tokens.ts';
import { contentOf } from './streams.ts';
import { merge } from './subcommands.ts';
import { starts } from './words.ts';

/** One use of a database client. */
export interface SqlUse {
  readonly inv: Invocation;
  readonly client: SqlClient;
  /** SQL given as arguments, in order. */
  readonly texts: readonly Value[];
  /** Files of SQL. */
  readonly files: readonly Value[];
  /** Standard input is read as SQL too. */
  readonly stdin: boolean;
  /** The database for people. */
  readonly database: string;
  /** The database itself is in memory or scratch: nothing in it lasts. */
  readonly scratch: boolean;
  /** The library runs in this process, so files that SQL names are files of this machine. */
  readonly embedded: boolean;
}

const EFFECTS = new Set(['db-write', 'db-delete', 'db-drop', 'account']);

/** The console of a framework's own database (`rails db`, `manage.py dbshell`): what standard input tells it. */
export function consoleSql(inv: Invocation, database: string): Outcome {
  return runSql({ inv, client: 'none', texts: [], files: [], stdin: true, database, scratch: false, embedded: false });
}

/** What all the SQL of a client's command line does. */
export function runSql(given: SqlUse): Outcome {
  const use = given.scratch && reachesOther(given) ? { ...given, scratch: false } : given;
  const outcomes: Outcome[] = [{ files: reads(use.files) }];
  for (const text of use.texts) outcomes.push(ofText(render(text), use));
  for (const file of use.files) outcomes.push(ofStream(contentOf(use.inv, file), `the file ${render(file)}`, use));
  if (use.stdin && !use.inv.stdinIsOpen) outcomes.push(ofStream(use.inv.stdin, 'standard input', use));
  return merge(...outcomes);
}

function ofStream(stream: Stream, name: string, use: SqlUse): Outcome {
  if (stream.value !== null) return ofText(render(stream.value), use);
  if (stream.taints.includes('network')) {
    const detail = `runs SQL that ${name} got from the network`;
    return { effects: [{ kind: 'exec-unknown', target: use.database, detail }] };
  }
  const unread: EffectDraft = { kind: 'db-write', target: use.database, detail: `SQL from ${name}`, certain: false };
  return use.scratch ? {} : { effects: [unread] };
}

function ofText(text: string, use: SqlUse): Outcome {
  const { statements, metas } = tokenizeSql(text, use.client);
  const found = classifyStatements(statements);
  return merge(...found.map((s) => ofStatement(s, use)), ...metas.map((meta) => ofMeta(meta, use)));
}

/** True if another database than the one named is attached or opened, and is none of scratch. */
function reachesOther(use: SqlUse): boolean {
  const streams = [...use.files.map((file) => contentOf(use.inv, file).value), use.stdin ? use.inv.stdin.value : null];
  return [...use.texts, ...streams.filter((value) => value !== null)].some((value) => {
    const { statements, metas } = tokenizeSql(render(value), use.client);
    return (
      metas.some((meta) => /^\.(?:open)\b(?!\s*(?::memory:)?\s*$)/.test(meta)) ||
      classifyStatements(statements).some(
        ({ verb, writes }) =>
          verb === 'ATTACH' &&
          !(writes.length > 0 && writes.every((path) => path === ':memory:' || isScratchFile(use, path))),
      )
    );
  });
}

function ofStatement(statement: SqlStatement, use: SqlUse): Outcome {
  const effects: EffectDraft[] = [];
  const { kind, target, detail } = statement;
  if (kind && EFFECTS.has(kind) && !use.scratch && !statement.scratch) {
    effects.push({
      kind,
      target: target || use.database,
      detail: use.database ? `${detail} (${use.database})` : detail,
    });
  }
  if (statement.unknown)
    effects.push({
      kind: 'exec-unknown',
      target: use.database,
      detail: `SQL that is put together at run time: ${statement.unknown}`,
    });
  if (statement.code && !use.embedded)
    effects.push({ kind: 'infra-apply', target: use.database, detail: `the database server gets ${statement.code}` });
  if (use.embedded) effects.push(...strangeCode(use.inv, (statement.loads ?? []).map(withHoles)));
  for (const program of statement.programs) {
    if (!use.embedded || use.inv.name === 'clickhouse-local')
      effects.push({ kind: 'infra-apply', target: program.slice(0, 80), detail: 'the database server runs a program' });
  }
  const nested = statement.programs.map((p): Nested => ({ kind: 'script', via: 'SQL program', text: known(p) }));
  const files: FileDraft[] = [];
  if (use.embedded) {
    for (const path of statement.reads) files.push({ op: 'read', path: withHoles(path) });
    for (const path of statement.writes) if (path !== ':memory:') files.push({ op: 'write', path: withHoles(path) });
  } else {
    for (const path of statement.reads) files.push({ op: 'read', path: withHoles(path), certain: false });
    for (const path of statement.writes) files.push({ op: 'write', path: withHoles(path), certain: false });
  }
  return { effects, nested, files };
}

/** Commands of psql(1), mysql(1) and sqlite3(1) to the client itself. */
function ofMeta(meta: string, use: SqlUse): Outcome {
  const via = use.client === 'none' ? 'sql' : use.client;
  const script = (text: string): Outcome => ({ nested: [{ kind: 'script', via, text: known(text) }] });
  // What the query gives is run, not shown.
  const piped = (text: string): Outcome =>
    merge(script(text), {
      effects: RUNS_INPUT.test(text)
        ? [{ kind: 'exec-unknown', target: via, detail: `${text.trim()} runs what the query gives` }]
        : [],
    });
  const write = (path: string | undefined): Outcome => (path ? toFile(unquote(path)) : {});
  const words = meta.split(/\s+/);
  const first = (words[0] as string).toLowerCase();
  const rest = meta.slice(first.length).trim();
  if (use.client === 'psql') {
    if (meta.startsWith('\\!')) return script(meta.slice(2).trim());
    if (/^\\(o|out|g|gx|w|write)$/.test(first)) return rest.startsWith('|') ? piped(rest.slice(1)) : write(words[1]);
    if (first === '\\gexec')
      return { effects: [{ kind: 'exec-unknown', target: use.database, detail: '\\gexec runs what the query gives' }] };
    if (first === '\\copy') return copied(rest, script, write);
    if (/^\\(i|ir|include|include_relative)$/.test(first)) return included(words[1], use);
    if (first === '\\setenv' && words[2]) return {};
    const backquoted = /`([^`]+)`/.exec(meta);
    return backquoted ? script(backquoted[1] as string) : {};
  }
  if (use.client === 'sqlite') {
    if (/^\.(shell|system)$/.test(first)) return script(rest);
    if (/^\.(output|once|backup|save|clone|log|trace|excel)$/.test(first)) {
      const name = words[words.length - 1];
      if (/^["']?\|/.test(name ?? '') || /^["']?\|/.test(rest))
        return piped(unquote(rest).slice(unquote(rest).indexOf('|') + 1));
      return words.length > 1 && name !== 'off' && name !== 'stdout' ? write(name) : {};
    }
    if (/^\.(read)$/.test(first))
      return unquote(rest).startsWith('|') ? script(unquote(rest).slice(1)) : included(words[1], use);
    if (first === '.import') {
      const source = words.find((w, i) => i > 0 && !w.startsWith('-'));
      return rest.includes('|')
        ? script(rest.slice(rest.indexOf('|') + 1).replace(/["']\s+\S+$/, ''))
        : { files: reads(source ? [withHoles(unquote(source))] : []) };
    }
    if (first === '.load') {
      const path = words[1] ? withHoles(unquote(words[1])) : null;
      return path ? { files: [{ op: 'exec', path }], effects: strangeCode(use.inv, [path]) } : {};
    }
    if (/^\.(restore)$/.test(first) && !use.scratch)
      return { effects: [{ kind: 'db-drop', target: use.database, detail: 'restore overwrites it' }] };
    if (/^\.(open)$/.test(first)) return {};
    return {};
  }
  if (meta.startsWith('\\!')) return script(meta.slice(2).trim());
  if (first === 'system') return script(rest);
  if (first === 'pager' || meta.startsWith('\\P')) return script(meta.replace(/^(pager|\\P)\s*/i, ''));
  if (first === 'tee' || meta.startsWith('\\T')) return write(meta.replace(/^(tee|\\T)\s*/i, ''));
  if (first === 'source' || meta.startsWith('\\.')) return included(meta.replace(/^(source|\\\.)\s*/i, ''), use);
  return {};
}

/** Programs that run what they read. */
const RUNS_INPUT =
  /^\s*(?:\S*\/)?(?:(?:ba|z|da|k|fi)?sh|python3?|perl|ruby|node|psql|mysql|sqlite3|xargs(?:\s.*)?)(?:\s+-\w*)*\s*$/;

function isScratchFile(use: SqlUse, path: string): boolean {
  return use.inv.world.resolve(use.inv.cwd, withHoles(path), true).zone === 'temp';
}

function copied(rest: string, script: (t: string) => Outcome, write: (p: string) => Outcome): Outcome {
  const program = /\b(?:to|from)\s+program\s+'([^']*)'/i.exec(rest);
  if (program) return script(program[1] as string);
  const file = /\b(to|from)\s+('[^']*'|[^\s;]+)/i.exec(rest);
  if (!file || /^(stdin|stdout|pstdin|pstdout)$/i.test(file[2] as string)) return {};
  const path = unquote(file[2] as string);
  return (file[1] as string).toLowerCase() === 'to' ? write(path) : { files: reads([withHoles(path)]) };
}

function included(path: string | undefined, use: SqlUse): Outcome {
  if (!path) return {};
  const file = withHoles(unquote(path));
  const stream = contentOf(use.inv, file);
  const nested = { ...use, texts: [], files: [], stdin: false, client: 'none' as const };
  return merge({ files: reads([file]) }, ofStream(stream, `the file ${path}`, nested));
}

function toFile(path: string): Outcome {
  return { files: [{ op: 'write', path: withHoles(path) }] };
}

/** Text in which holes were written as `${reason}`, with the holes again. */
function withHoles(text: string): Value {
  const parts = text.split(/(\$\{[^}]*\})/).filter((part) => part !== '');
  return parts.map((part): Part => (/^\$\{.*\}$/.test(part) ? { hole: part.slice(2, -1), like: 'any' } : part));
}

function unquote(text: string): string {
  return text.replace(/^(['"])(.*)\1$/s, '$2');
}

/** The server a client talks to, from an option or a connection URL; nothing for a local socket. */
export function server(scheme: string, host: Value | null, address?: Value): Outcome {
  if (address && /^[a-z][a-z0-9+]*:\/\//i.test(word(address) || render(address))) {
    return { dests: [{ address, scheme, sends: 'nothing' }] };
  }
  if (!host || host.length === 0 || starts(host, '/')) return {};
  return { dests: [{ address: host, scheme, sends: 'nothing' }] };
}
