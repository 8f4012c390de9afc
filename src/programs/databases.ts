import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { render, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { word } from './drafts.ts';
import type { Parsed } from './options.ts';
import { runSql, server } from './sql-client.ts';
import type { SqlClient } from './sql-tokens.ts';
import { contentOf } from './streams.ts';
import { inTemp, merge } from './subcommands.ts';
import { isTestDatabase, staysInside } from './test-databases.ts';
import { say, starts } from './words.ts';

const PSQL =
  'a echo-all, A no-align, b echo-errors, c command:, csv, d dbname:, e echo-queries, E echo-hidden, f file:, F field-separator:, h host:, H html, l list, L log-file:, n no-readline, o output:, p port:, P pset:, q quiet, R record-separator:, s single-step, S single-line, t tuples-only, T table-attr:, U username:, v set variable:, V version, w no-password, W password, x expanded, X no-psqlrc, z, 0, 1 single-transaction, ? help?';
const MYSQL =
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

function toFile(path: Value | null): readonly FileDraft[] {
  return path && path.length > 0 && word(path) !== '-' ? [{ op: 'write', path }] : [];
}

function restored(inputs: readonly Value[], target: string, drops: boolean, name: string): Outcome {
  const files = inputs.filter((o) => word(o) !== '-').map((path): FileDraft => ({ op: 'read', path, recursive: true }));
  const detail = drops ? `${name} drops what is there first` : name;
  return { files, effects: [{ kind: drops ? 'db-drop' : 'db-write', target, detail }] };
}

/** A connection URL without its password. */
function hidePassword(address: Value | null): Value | null {
  return (
    address?.map((part) => (typeof part === 'string' ? part.replace(/(:\/\/[^:/@\s]*):[^@/\s]*@/, '$1:***@') : part)) ??
    null
  );
}

/** Dropping and restoring whole databases. */
export const databaseTools: readonly Program[] = [
  define({
    names: ['pg_ctl', 'pg_ctlcluster', 'pg_resetwal', 'initdb'],
    manual: 'pg_ctl(1), pg_resetwal(1), initdb(1)',
    summary: 'starts, stops and makes a PostgreSQL server',
    options:
      'D pgdata:, m mode:, l log:, o options:, t timeout:, w, W, s silent, f force, n dry-run, U username:, E encoding:, A auth:, no-locale, locale:',
    run: (args, inv) => {
      const data = args.value('pgdata') ?? (inv.name.startsWith('pg_ctl') ? null : (args.operands.at(-1) ?? null));
      const zone = data ? inv.world.resolve(inv.cwd, data, true).zone : null;
      const own = zone === 'workspace' || zone === 'temp';
      const verb = word(args.operands[0]);
      if (inv.name === 'initdb') return { files: data ? [{ op: 'create', path: data, recursive: true }] : [] };
      if (inv.name === 'pg_resetwal')
        return {
          effects: args.has('dry-run')
            ? []
            : [{ kind: 'db-drop', target: say(data), detail: 'throws the log of changes away' }],
        };
      return {
        subcommand: verb,
        files: toFile(args.value('log')),
        effects:
          !own &&
          /^(?:stop|restart|promote|kill|reload|start)$/.test(
            inv.name === 'pg_ctlcluster' ? word(args.operands[2]) : verb,
          )
            ? [{ kind: 'service', target: 'postgresql', detail: `${inv.name} ${verb}` }]
            : [],
      };
    },
  }),
  define({
    names: ['sqlite-utils'],
    manual: 'sqlite-utils --help',
    summary: 'works on a database file',
    options:
      'csv, table, t, fmt:, p param:, load-extension:, attach:, ignore, if-exists, f force, pk:, r raw, no-headers, nl, tsv, arrays',
    run: (args, inv) => {
      const verb = word(args.operands[0]);
      const named = /^[a-z]+(?:-[a-z]+)*$/.test(verb);
      const [file, ...rest] = named ? args.operands.slice(1) : args.operands;
      const scratch = !!file && (inTemp(inv, file) || isTestFile(file));
      if (!named || verb === 'query')
        return runSql({
          inv,
          client: 'none',
          texts: rest.slice(0, 1),
          files: [],
          stdin: false,
          database: say(file),
          scratch,
          embedded: true,
        });
      const drops = /^(?:drop-table|drop-view|duplicate)$/.test(verb) && verb !== 'duplicate';
      return {
        subcommand: verb,
        effects:
          drops && !scratch
            ? [{ kind: 'db-drop', target: say(rest[0]), detail: `${verb} ${say(rest[0])} (${say(file)})` }]
            : [],
      };
    },
  }),
  define({
    names: ['cypher-shell'],
    manual: 'cypher-shell',
    summary: 'Cypher on a Neo4j server',
    options:
      'a address uri:, u username:, p password:, d database:, f file:, format:, P param:, fail-fast, non-interactive, encryption:, v version',
    run: (args, inv) => {
      const stdin = args.operands.length === 0 && !args.has('file') && inv.stdin.value ? [inv.stdin.value] : [];
      const text = [...args.operands, ...stdin, ...args.values('file').map((f) => contentOf(inv, f).value ?? [])]
        .map(render)
        .join(';');
      const target = say(args.value('database')) || 'the graph';
      const kind: EffectDraft['kind'] | null = /\bDROP\s+(?:DATABASE|CONSTRAINT|INDEX|USER|ROLE)\b/i.test(text)
        ? 'db-drop'
        : /\b(?:DETACH\s+)?DELETE\b/i.test(text)
          ? 'db-delete'
          : /\b(?:CREATE|MERGE|SET|REMOVE|LOAD\s+CSV)\b/i.test(text)
            ? 'db-write'
            : null;
      return merge(
        {
          effects: kind ? [{ kind, target, detail: text.slice(0, 80) }] : [],
          files: args.values('file').map((path) => ({ op: 'read', path })),
        },
        server('bolt', args.value('address')),
      );
    },
  }),
  define({
    names: ['dropdb', 'dropuser', 'createdb', 'createuser'],
    manual: 'dropdb(1), createdb(1), PostgreSQL',
    summary: 'makes and drops databases and roles',
    options:
      'h host:, p port:, U username:, e echo, f force, i interactive, if-exists, w no-password, W password, maintenance-db:, T template:, E encoding:, O owner:, l locale:, D tablespace:, s superuser, d createdb, r createrole, P pwprompt',
    run: (args, inv) => {
      const target = say(args.operands[0]);
      const drops = isTestDatabase(inv, args.operands[0], args.value('host')) ? 'db-write' : 'db-drop';
      const kind = { dropdb: drops, createdb: 'db-write' }[inv.name] ?? 'account';
      return merge(
        { effects: [{ kind: kind as EffectDraft['kind'], target, detail: `${inv.name} ${target}` }] },
        server('postgres', args.value('host')),
      );
    },
  }),
  define({
    names: ['pg_dump', 'pg_dumpall', 'mysqldump', 'mariadb-dump', 'mongodump', 'mongoexport', 'pg_basebackup'],
    manual: 'pg_dump(1), mysqldump(1), mongodump',
    summary: 'copies a database out',
    options:
      'tab:, f file:, h host:, p port:, U username:, d dbname db:, t table:, T exclude-table:, n schema:, F format:, Z compress?, j jobs:, a data-only, s schema-only, c clean collection?, C create, r result-file:, u user:, P port:, o out:, archive?, uri:, q query:, D pgdata:, O no-owner, x, w, v, password?, column-inserts, inserts',
    run: (args) => {
      const out =
        args.value('file') ??
        args.value('result-file') ??
        args.value('out') ??
        args.value('archive') ??
        args.value('tab') ??
        args.value('pgdata');
      const recursive = args.has('pgdata') || args.has('out');
      return merge(
        { files: toFile(out).map((f) => (recursive ? { ...f, recursive } : f)), stdout: { value: null, taints: [] } },
        server('db', args.value('host'), args.value('uri') ?? args.value('dbname') ?? args.operands[0]),
      );
    },
  }),
  define({
    names: ['pg_restore'],
    manual: 'pg_restore(1)',
    summary: 'copies an archive into a database, or into a file of SQL',
    options:
      'f file:, h host:, p port:, U username:, d dbname:, t table:, n schema:, F format:, j jobs:, a data-only, s schema-only, c clean, C create, l list, L use-list:, if-exists, 1 single-transaction, O no-owner, x, v',
    run: (args, inv) => {
      const database = args.value('dbname');
      if (args.has('list') || !database) return { files: toFile(args.value('file')) };
      const drops = args.has('clean') && !isTestDatabase(inv, database, args.value('host'));
      return merge(
        restored(args.operands, say(database), drops, 'pg_restore'),
        server('postgres', args.value('host'), database),
      );
    },
  }),
  define({
    names: ['mongorestore', 'mongoimport', 'mysqlimport'],
    manual: 'mongorestore, mongoimport, mysqlimport(1)',
    summary: 'copies data into a database',
    options:
      'h host:, p port:, u username:, d db:, c collection:, file:, drop, uri:, archive?, dir:, gzip, type:, mode:, delete, headerline, jsonArray, upsertFields:',
    run: (args, inv) => {
      const target = say(args.value('db') ?? args.value('uri') ?? args.operands[0]);
      const inputs = [...args.operands, ...args.values('file'), ...args.values('dir')];
      return merge(
        restored(inputs, target, args.has('drop', 'delete'), inv.name),
        server('db', args.value('host'), args.value('uri') ?? undefined),
      );
    },
  }),
  define({
    names: ['mysqladmin', 'mariadb-admin'],
    manual: 'mysqladmin(1)',
    summary: 'administers a MySQL server',
    options: MYSQL.replace('e execute:, ', ''),
    run: (args) => {
      const [verb, target] = args.operands;
      const kind = (
        {
          drop: 'db-drop',
          create: 'db-write',
          shutdown: 'service',
          password: 'account',
          kill: 'db-write',
          'old-password': 'account',
        } as const
      )[word(verb)];
      return {
        subcommand: word(verb),
        effects: kind ? [{ kind, target: say(target), detail: `mysqladmin ${word(verb)}` }] : [],
      };
    },
  }),
];

/** A file that tests fill anew each time: `test.db`, `db/app_test.sqlite3`, `tests/data.db`. */
function isTestFile(file: Value): boolean {
  const path = textOf(file) ?? '';
  return /(?:^|\/)(?:(?:tests?|scratch|te?mp)[._-][\w.-]*|[\w.-]*[._-]tests?\.\w+|(?:tests?|__tests__)\/.+)$/i.test(
    path,
  );
}
