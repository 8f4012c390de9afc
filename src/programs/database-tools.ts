import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Outcome } from '../model/program.ts';
import { render, type Value } from '../model/value.ts';
import { isTestFile, MYSQL, toFile } from './databases.ts';
import { define, type Program } from './define.ts';
import { word } from './drafts.ts';
import { runSql, server } from './sql-client.ts';
import { contentOf } from './streams.ts';
import { inTemp, merge } from './subcommands.ts';
import { isTestDatabase } from './test-databases.ts';
import { say } from './words.ts';

function restored(inputs: readonly Value[], target: string, drops: boolean, name: string): Outcome {
  const files = inputs.filter((o) => word(o) !== '-').map((path): FileDraft => ({ op: 'read', path, recursive: true }));
  const detail = drops ? `${name} drops what is there first` : name;
  return { files, effects: [{ kind: drops ? 'db-drop' : 'db-write', target, detail }] };
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
      const drops = /^drop-(?:table|view)$/.test(verb);
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
