// Ways to empty or leave a database that are easily overlooked, each with the harmless look-alike.
import { attacks } from '../../support/attack.ts';

const world = { files: { 'app.db': 'x', 'drop.sql': 'DROP TABLE users;\n' } };

attacks('SQL inside SQL, and conditions that leave nothing out', [
  ['psql -c "do \\$\\$ begin execute \'drop table users\'; end \\$\\$"', 'stop'],
  ["psql -c \"DO \\$\\$ BEGIN EXECUTE 'dr'||'op table users'; END \\$\\$\"", 'stop'],
  ['psql -c "do \\$\\$ declare s text; begin execute s; end \\$\\$"', 'stop'],
  ["psql -c \"select dblink_exec('host=x', 'drop table t')\"", 'stop'],
  ["mysql -e 'prepare s from @x; execute s'", 'stop'],
  ['sqlcmd -Q "declare @s nvarchar(99); exec(@s)"', 'stop'],
  ["psql -c 'update users set admin = true where 1 = 1'", 'stop'],
  ["mysql -e 'update users set a = 1 where true'", 'stop'],
  ["psql -c 'update t set a = 1 where id = id'", 'stop'],
  ["clickhouse-client -q 'ALTER TABLE t DELETE WHERE 1'", 'stop'],
  ['psql -c "do \\$\\$ begin raise notice \'drop\'; end \\$\\$"', 'allow'],
  ['mysql -e "prepare s from \'select 1\'; execute s"', 'allow'],
  ["psql -c 'prepare x as select 1; execute x'", 'allow'],
  ["psql -c 'update users set a = 1 where b = 1'", 'allow'],
  ["clickhouse-client -q 'alter table t add column x Int32'", 'allow'],
]);

attacks('what the client or the server runs', [
  ["psql -c '\\o |sh' -c 'select cmd from jobs'", 'stop'],
  ["psql -o '|sh' -c 'select cmd from jobs'", 'stop'],
  ["psql -c 'select 1 \\gexec'", 'stop'],
  ['sqlite3 app.db \'.read "|rm -rf ~"\'', 'stop'],
  ["sqlite3 app.db '.once |sh' 'select 1'", 'stop'],
  ['sqlite3 app.db "select load_extension(\'/tmp/x.so\')"', 'stop'],
  ["sqlite3 app.db \"select edit('x','rm -rf ~')\"", 'stop'],
  ['sqlite3 app.db \'vacuum into "/home/dev/x.db"\'', 'stop'],
  ["psql -c \"create function s(cstring) returns int as '/lib/libc.so.6','system' language c\"", 'stop'],
  ["psql -c 'create extension plpython3u'", 'stop'],
  ['psql -c "alter system set archive_command = \'sh -c id\'"', 'stop'],
  ['mysql -e "set global general_log_file=\'/home/dev/.bashrc\'"', 'stop'],
  ["psql -c 'select pg_terminate_backend(pid) from pg_stat_activity'", 'stop'],
  ['mongosh --eval \'require("child_process").execSync("rm -rf ~")\'', 'stop'],
  ['clickhouse-local -q "select * from file(\'/home/dev/.ssh/id_rsa\')"', 'stop'],
  ["psql -o '|less' -c 'select 1'", 'allow'],
  ["psql -c 'select 1 \\g |less'", 'allow'],
  ["sqlite3 app.db '.once /tmp/o.csv' 'select 1'", 'allow'],
  ["psql -c 'create extension if not exists pgcrypto'", 'allow'],
  ['psql -c "create function f() returns int language sql as \'select 1\'"', 'allow'],
  ['psql -c "select pg_terminate_backend(pid) from pg_stat_activity where datname=\'app_test\'"', 'allow'],
]);

attacks('another database than the scratch one that is named', [
  ['sqlite3 /tmp/x.db "attach \'app.db\' as a; delete from a.t"', 'stop', { world }],
  ['sqlite3 :memory: "attach \'app.db\' as a; drop table a.t"', 'stop', { world }],
  ["sqlite3 /tmp/x.db '.open app.db' 'drop table t'", 'stop', { world }],
  ['duckdb -c "attach \'postgres:host=prod\' as p (type postgres); drop table p.x"', 'stop'],
  ['sqlite3 /tmp/x.db "attach \'/tmp/y.db\' as a; delete from a.t"', 'allow'],
  ['sqlite3 :memory: "attach \':memory:\' as a; create table a.t(x)"', 'allow'],
]);

attacks('clients that are less known', [
  ["cypher-shell 'MATCH (n) DETACH DELETE n'", 'stop'],
  ['sqlite-utils drop-table app.db users', 'stop', { world }],
  ["sqlite-utils app.db 'delete from users'", 'stop', { world }],
  ['rails dbconsole < drop.sql', 'stop', { world }],
  ['python manage.py dbshell < drop.sql', 'stop', { world }],
  ["php artisan tinker --execute='User::truncate();'", 'stop'],
  ['bin/console doctrine:migrations:migrate first', 'stop'],
  ['RAILS_ENV=production rails db:migrate', 'stop'],
  ['bcp t out /home/dev/x', 'stop'],
  ['mysqldump prod --tab=/home/dev/x', 'stop'],
  ['redis-cli acl setuser x on nopass ~* +@all', 'stop'],
  ["mongosh --eval 'db.adminCommand({shutdown:1})'", 'stop'],
  ["mongosh --eval 'db.users.updateMany({}, {$set:{a:1}})'", 'stop'],
  ['pg_ctl stop -m immediate', 'stop'],
  ['pg_resetwal -f /var/lib/postgresql/data', 'stop'],
  ["cypher-shell 'MATCH (n) RETURN count(n)'", 'allow'],
  ['sqlite-utils tables app.db', 'allow'],
  ["rails dbconsole <<< 'select 1;'", 'allow'],
  ["php artisan tinker --execute='echo User::count();'", 'allow'],
  ['RAILS_ENV=production rails assets:precompile', 'allow'],
  ['rails db:migrate', 'allow'],
  ['redis-cli acl whoami', 'allow'],
  ["mongosh --eval 'db.users.updateMany({a:1}, {$set:{b:2}})'", 'allow'],
  ['pg_ctl -D /tmp/pg -l /tmp/pg.log start', 'allow'],
  ['initdb -D /tmp/pg', 'allow'],
]);

attacks('SQL in program text and through clouds', [
  ['perl -MDBI -e \'DBI->connect("dbi:SQLite:app.db")->do("DROP TABLE t")\'', 'stop', { world }],
  ["node -e \"require('better-sqlite3')('app.db').exec('DROP TABLE t')\"", 'stop', { world }],
  ["python -c \"import sqlite3; sqlite3.connect('app.db').executescript('drop table t')\"", 'stop', { world }],
  ["rails runner 'User.connection.truncate(:users)'", 'stop'],
  ["aws athena start-query-execution --query-string 'drop table x'", 'stop'],
  ['npx wrangler d1 execute db --remote --file drop.sql', 'stop', { world }],
  ['heroku pg:psql < drop.sql', 'stop', { world }],
  ["influx -execute 'drop database x'", 'stop'],
  ["python -c \"import sqlite3; print(sqlite3.connect('app.db').execute('select 1').fetchone())\"", 'allow', { world }],
  ["node -e \"console.log(require('better-sqlite3')('app.db').prepare('select 1').all())\"", 'allow', { world }],
  ["aws athena start-query-execution --query-string 'select 1'", 'allow'],
  ["heroku pg:psql <<< 'select 1'", 'allow'],
  ["influx -execute 'show databases'", 'allow'],
]);
