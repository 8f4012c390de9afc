import type { FileDraft } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { render, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { word } from './drafts.ts';
import type { Parsed } from './options.ts';
import { runSql, server } from './sql-client.ts';
import type { SqlClient } from './sql-tokens.ts';
import { inTemp, merge } from './subcommands.ts';
import { isTestDatabase, staysInside } from './test-databases.ts';
import { say, starts } from './words.ts';

const PSQL =
  'a echo-all, A no-align, b echo-errors, c command:, csv, d dbname:, e echo-queries, E echo-hidden, f file:, F field-separator:, h host:, H html, l list, L log-file:, n no-readline, o output:, p port:, P pset:, q quiet, R record-separator:, s single-step, S single-line, t tuples-only, T table-attr:, U username:, v set variable:, V version, w no-password, W password, x expanded, X no-psqlrc, z, 0, 1 single-transaction, ? help?';
export const MYSQL =
  'e execute:, D database:, h host:, P port:, u user:, p password?, S socket:, B batch, N skip-column-names, s silent, v verbose, f force, t table, init-command:, defaults-file:, defaults-extra-file:, tee:, pager?, default-character-set:, protocol:, ssl-mode:, A no-auto-rehash, r raw, H html, X xml, C compress, E vertical, plugin-dir:';

/** Clients of SQL databases, from their manual pages. */
export const databases: readonly Program[] = [
  define({
    names: ['psql', 'pgcli'],
    manual: 'psql(1), PostgreSQL',
    summary: 'SQL on a PostgreSQL server',
    options: PSQL,
    run: (args, inv) => {
      const database = args.value('dbname') ?? args.operands[0] ?? null;
      const texts = args.values('command');
      const files = args.values('file').filter((f) => word(f) !== '-');
      const stdin = (texts.length === 0 && files.length === 0) || args.values('file').some((f) => word(f) === '-');
      const out = args.value('output');
      const piped = out && starts(out, '|');
      return merge(
        sql(
          inv,
          'psql',
          texts,
          files,
          stdin,
          say(hidePassword(database)),
          isTestDatabase(inv, database, args.value('host')) && staysInside(inv, 'psql', texts, files),
        ),
        server('postgres', args.value('host'), database ?? undefined),
        { files: [...toFile(args.value('log-file')), ...(piped ? [] : toFile(out))] },
        piped
          ? runSql({
              inv,
              client: 'psql',
              texts: [[`\\o ${render(out)}`]],
              files: [],
              stdin: false,
              database: '',
              scratch: true,
              embedded: false,
            })
          : {},
        args.has('list') ? { effects: [], nested: [] } : {},
      );
    },
  }),
  define({
    names: ['mysql', 'mariadb', 'mycli'],
    manual: 'mysql(1)',
    summary: 'SQL on a MySQL server',
    options: MYSQL,
    run: (args, inv) => {
      const texts = [...args.values('execute'), ...args.values('init-command')];
      const database = args.value('database') ?? args.operands[0] ?? null;
      const pager = args.value('pager');
      return merge(
        sql(
          inv,
          'mysql',
          texts,
          [],
          !args.has('execute'),
          say(database),
          isTestDatabase(inv, database, args.value('host')) && staysInside(inv, 'mysql', texts, []),
        ),
        server('mysql', args.value('host')),
        { files: toFile(args.value('tee')) },
        pager && pager.length > 0 ? { nested: [{ kind: 'script', via: 'mysql', text: pager }] } : {},
      );
    },
  }),
  define({
    names: ['sqlite3', 'sqlite', 'litecli', 'sqlcipher'],
    manual: 'sqlite3(1)',
    summary: 'SQL on a database file',
    options:
      'init:, cmd:, separator:, newline:, nullvalue:, vfs:, maxsize:, lookaside:, mmap:, pagecache:, readonly, batch, bail, csv, json, header, noheader, line, list, column, html, echo, interactive, safe, table, box, markdown, quote, tabs, ascii, append, deserialize, version, help, A, ifexists',
    style: { singleDashLong: true },
    run: (args, inv) => sqlite(args, inv),
  }),
  define({
    names: ['duckdb'],
    manual: 'DuckDB command line',
    summary: 'SQL on files',
    options:
      'c s:, f init:, cmd:, separator:, nullvalue:, readonly, csv, json, markdown, line, list, box, unsigned, no-stdin, ui, bail, batch, table',
    style: { singleDashLong: true },
    run: (args, inv) => sqlite(args, inv),
  }),
  define({
    names: ['sqlcmd', 'bcp', 'osql'],
    manual: 'sqlcmd utility, Microsoft SQL Server',
    summary: 'SQL on a SQL Server',
    options:
      'S:, d:, U:, P:, Q query:, q:, i input-file:, o output-file:, E, b, h:, s:, W, C, v:, l:, t:, w:, G, N?, I, X',
    run: (args, inv) =>
      merge(
        sql(inv, 'none', args.values('Q', 'q'), args.values('i'), !args.has('Q', 'q', 'i'), say(args.value('d'))),
        server('mssql', args.value('S')),
        { files: toFile(args.value('o')) },
        inv.name === 'bcp' && /^(?:out|queryout)$/i.test(word(args.operands[1]))
          ? { files: toFile(args.operands[2] ?? null) }
          : {},
      ),
  }),
  define({
    names: [
      'sqlplus',
      'sql',
      'isql',
      'db2',
      'snowsql',
      'snow',
      'trino',
      'presto',
      'spark-sql',
      'hive',
      'beeline',
      'usql',
      'tsql',
      'ysqlsh',
    ],
    manual: 'the client of each database',
    summary: 'SQL on a server',
    options:
      'e execute:, q query:, f file filename:, c command:, u url:, n:, p:, d dbname database:, h host:, S s silent, o output:, server:, catalog:, schema:, hiveconf:, a accountname:, L, t, x, v',
    run: (args, inv) => {
      const scripts = args.operands.filter((o) => starts(o, '@')).map((o) => [render(o).slice(1)]);
      const inline =
        inv.name === 'db2' || inv.name === 'usql' ? args.operands.slice(inv.name === 'usql' ? 1 : 0, 1) : [];
      const texts = [...args.values('execute', 'query', 'command'), ...inline];
      const files = [...args.values('file'), ...scripts];
      return sql(inv, 'none', texts, files, texts.length + files.length === 0, say(args.value('dbname')));
    },
  }),
  define({
    names: ['clickhouse-client', 'clickhouse', 'clickhouse-local', 'chdb'],
    manual: 'clickhouse-client',
    summary: 'SQL on a ClickHouse server',
    options:
      'q query:, queries-file:, h host:, port:, u user:, password:, d database:, n multiquery, m multiline, format:, t time, secure, s stacktrace',
    run: (args, inv) => {
      const texts = args.values('query');
      const files = args.values('queries-file');
      const used = sql(
        inv,
        'none',
        texts,
        files,
        texts.length + files.length === 0,
        say(args.value('database')),
        inv.name === 'clickhouse-local',
      );
      return merge(used, server('clickhouse', args.value('host')));
    },
  }),
  define({
    names: ['cqlsh'],
    manual: 'cqlsh, Apache Cassandra',
    summary: 'CQL on a Cassandra server',
    options:
      'e execute:, f file:, k keyspace:, u username:, p password:, cqlshrc:, ssl, request-timeout:, connect-timeout:, C, no-color',
    run: (args, inv) =>
      merge(
        sql(
          inv,
          'none',
          args.values('execute'),
          args.values('file'),
          !args.has('execute', 'file'),
          say(args.value('keyspace')),
        ),
        server('cassandra', args.operands[0] ?? null),
      ),
  }),
  define({
    names: ['cockroach'],
    manual: 'cockroach sql',
    summary: 'CockroachDB',
    options:
      'e execute:, f file:, url:, host:, d database:, u user:, p port:, certs-dir:, insecure, format:, set:, store:',
    run: (args, inv) => {
      const verb = word(args.operands[0]);
      if (verb === 'sql') {
        return merge(
          { subcommand: verb },
          sql(
            inv,
            'psql',
            args.values('execute'),
            args.values('file'),
            !args.has('execute', 'file'),
            say(args.value('database')),
          ),
          server('postgres', args.value('host'), args.value('url') ?? undefined),
        );
      }
      if (verb === 'node' && /^(decommission|drain)$/.test(word(args.operands[1]))) {
        return { subcommand: 'node', effects: [{ kind: 'infra-destroy', target: say(...args.operands.slice(1)) }] };
      }
      return { subcommand: verb, effects: /^start/.test(verb) ? [{ kind: 'listen', target: '26257' }] : [] };
    },
  }),
];

function sql(
  inv: Invocation,
  client: SqlClient,
  texts: readonly Value[],
  files: readonly Value[],
  stdin: boolean,
  database: string,
  scratch = false,
): Outcome {
  return runSql({ inv, client, texts, files, stdin, database, scratch, embedded: inv.name === 'clickhouse-local' });
}

/** sqlite3 and duckdb: `FILE [SQL …]`; without a file, or `:memory:`, nothing lasts. */
function sqlite(args: Parsed, inv: Invocation): Outcome {
  const [file, ...inline] = args.operands;
  const name = file ? textOf(file) : '';
  const memory = name === '' || name === ':memory:' || /^file::memory:/.test(name ?? '') || args.has('deserialize');
  const scratch = memory || args.has('readonly') || (!!file && (inTemp(inv, file) || isTestFile(file)));
  const texts = [...args.values('cmd'), ...args.values('c', 's'), ...inline];
  const stdin = inline.length === 0 && !args.has('c', 's', 'no-stdin');
  const use = {
    inv,
    client: 'sqlite' as const,
    texts,
    files: args.values('init'),
    stdin,
    database: say(file),
    scratch,
    embedded: true,
  };
  const outcome = runSql(use);
  const changed = outcome.effects?.some((e) => e.kind.startsWith('db-'));
  const own: FileDraft[] = memory || !file ? [] : [{ op: changed ? 'write' : 'read', path: file }];
  return merge({ files: own }, outcome);
}

export function toFile(path: Value | null): readonly FileDraft[] {
  return path && path.length > 0 && word(path) !== '-' ? [{ op: 'write', path }] : [];
}

/** A connection URL without its password. */
function hidePassword(address: Value | null): Value | null {
  return (
    address?.map((part) => (typeof part === 'string' ? part.replace(/(:\/\/[^:/@\s]*):[^@/\s]*@/, '$1:***@') : part)) ??
    null
  );
}

/** A file that tests fill anew each time: `test.db`, `db/app_test.sqlite3`, `tests/data.db`. */
export function isTestFile(file: Value): boolean {
  const path = textOf(file) ?? '';
  return /(?:^|\/)(?:(?:tests?|scratch|te?mp)[._-][\w.-]*|[\w.-]*[._-]tests?\.\w+|(?:tests?|__tests__)\/.+)$/i.test(
    path,
  );
}
