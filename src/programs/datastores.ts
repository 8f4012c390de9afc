import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { EffectKind } from '../model/effect-kinds.ts';
import type { Invocation, Nested } from '../model/program.ts';
import { known, render, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { reads, word } from './drafts.ts';
import { server } from './sql-client.ts';
import { contentOf } from './streams.ts';
import { merge } from './subcommands.ts';
import { isTestDatabase } from './test-databases.ts';
import { say } from './words.ts';

/** Methods of the MongoDB shell that lose or change data, strictest first. */
const MONGO: readonly (readonly [RegExp, EffectKind, string])[] = [
  [/\.\s*dropDatabase\s*\(/, 'db-drop', 'drops the database'],
  [/\bshutdown(?:Server)?\s*(?:\(|:\s*(?:1|true)\b)/, 'service', 'stops the server'],
  [/\.\s*(?:createUser|updateUser|grantRolesToUser|createRole|changeUserPassword)\s*\(/, 'account', 'changes users'],
  [
    /(\.\s*|\[\s*['"`])drop(['"`]\s*\])?\s*\(|\bdropIndexes?\s*\(|\bdropAll\w*\s*\(|\bdropUser\s*\(|\bdropRole\s*\(/,
    'db-drop',
    'drops a collection, index or user',
  ],
  [/\b(drop|dropDatabase)\s*:\s*(1|true|['"])/, 'db-drop', 'drop command'],
  [
    /(\.\s*|\[\s*['"`])(deleteMany|deleteOne|remove|findOneAndDelete|findAndModify|bulkWrite)(['"`]\s*\])?\s*\(/,
    'db-delete',
    'deletes documents',
  ],
  [
    /\.\s*(insertOne|insertMany|insert|updateOne|updateMany|update|replaceOne|save|createCollection|renameCollection|createIndex|createUser)\s*\(/,
    'db-write',
    'writes documents',
  ],
];

function mongo(text: string, database: string): readonly EffectDraft[] {
  const hit = MONGO.find(([pattern]) => pattern.test(text));
  if (!hit) return [];
  const all = /\.\s*update(?:Many)?\s*\(\s*\{\s*\}\s*,/.test(text) ? ' without WHERE' : '';
  return [{ kind: hit[1], target: database, detail: `${hit[2]}${all}` }];
}

/** Redis commands; names in upper case. */
const REDIS: readonly (readonly [RegExp, EffectKind])[] = [
  [/^(FLUSHALL|FLUSHDB|SHUTDOWN|SWAPDB|DEBUG|FAILOVER)$/, 'db-drop'],
  [
    /^(DEL|UNLINK|HDEL|SREM|ZREM|LREM|XDEL|XTRIM|LTRIM|GETDEL|ZREMRANGEBYSCORE|ZREMRANGEBYRANK|JSON\.DEL|FT\.DROPINDEX)$/,
    'db-delete',
  ],
  [
    /^(SET|SETEX|SETNX|GETSET|MSET|HSET|HMSET|HSETNX|LPUSH|RPUSH|SADD|ZADD|XADD|INCR|INCRBY|DECR|DECRBY|APPEND|EXPIRE|EXPIREAT|PERSIST|RENAME|RENAMENX|RESTORE|COPY|MOVE|MIGRATE|CONFIG|ACL|EVAL|EVALSHA|FCALL|FUNCTION|SCRIPT|MODULE|SLAVEOF|REPLICAOF|CLUSTER|BGREWRITEAOF|JSON\.SET)$/,
    'db-write',
  ],
];
const REDIS_LOOKS =
  /^(CONFIG (GET|HELP)|ACL (LIST|GETUSER|WHOAMI|CAT|USERS|LOG)|CLUSTER (INFO|NODES|SLOTS|SHARDS|KEYSLOT)|SCRIPT (EXISTS)|MODULE LIST|FUNCTION (LIST|STATS|DUMP)|DEBUG (OBJECT|SLEEP))\b/;

function redis(words: readonly string[]): EffectDraft | null {
  const verb = (words[0] ?? '').toUpperCase();
  const two = words.slice(0, 3).join(' ').toUpperCase();
  // Where it writes its files, code it loads, another server it becomes a copy of: each hands the store over.
  if (
    /^(CONFIG SET (DIR|DBFILENAME|UNIXSOCKET|REQUIREPASS)|MODULE LOAD|ACL (SETUSER|DELUSER|LOAD)|MIGRATE|(SLAVEOF|REPLICAOF) (?!NO))/.test(
      two,
    )
  )
    return { kind: 'db-drop', target: two.toLowerCase(), detail: words.slice(0, 4).join(' ') };
  if (REDIS_LOOKS.test(words.slice(0, 2).join(' ').toUpperCase())) return null;
  const hit = REDIS.find(([pattern]) => pattern.test(verb));
  return hit ? { kind: hit[1], target: words[1] ?? 'all keys', detail: words.slice(0, 3).join(' ') } : null;
}

/** Commands that a Lua script gives. */
function calls(lua: string): readonly EffectDraft[] {
  return [...lua.matchAll(/redis\.p?call\(\s*['"](\w+)['"]/gi)].flatMap((call) => redis([call[1] as string]) ?? []);
}

/** Text of a script file or standard input that a client runs. */
function scripts(inv: Invocation, files: readonly Value[], stdin: boolean): { texts: string[]; unknown: boolean } {
  const streams = [...files.map((f) => contentOf(inv, f)), ...(stdin && !inv.stdinIsOpen ? [inv.stdin] : [])];
  const texts = streams.flatMap((s) => (s.value === null ? [] : [render(s.value)]));
  return { texts, unknown: texts.length < streams.length };
}

/** Stores that speak no SQL, from their manuals. */
export const datastores: readonly Program[] = [
  define({
    names: ['mongosh', 'mongo'],
    manual: 'mongosh',
    summary: 'JavaScript on a MongoDB server',
    options:
      'eval:, f file:, host:, port:, u username:, p password:, authenticationDatabase:, quiet, norc, nodb, json?, shell, tls, ssl, retryWrites, apiVersion:',
    run: (args, inv) => {
      const isScript = (o: Value): boolean => /\.(m?js|mongodb)$/.test(word(o));
      const files = [...args.values('file'), ...args.operands.filter(isScript)];
      const database = args.operands.find((o) => !isScript(o)) ?? null;
      const { texts, unknown } = scripts(inv, files, !args.has('eval') && files.length === 0);
      const all = [...args.values('eval').map(render), ...texts];
      const other = all.some((text) => /getSiblingDB|connect\s*\(|\bMongo\s*\(|^\s*use\s/m.test(text));
      const tests = isTestDatabase(inv, database, args.value('host')) && !other;
      const effects = tests ? [] : all.flatMap((text) => mongo(text, say(database)));
      const unread: EffectDraft[] = unknown
        ? [{ kind: 'db-write', target: say(database), detail: 'a script', certain: false }]
        : [];
      return merge(
        {
          files: reads(files),
          effects: [...effects, ...unread],
          // The shell is Node, with its modules.
          nested: all
            .filter((text) => /\brequire\s*\(|child_process|\bprocess\./.test(text))
            .map((text): Nested => ({ kind: 'argv', via: inv.name, argv: [known('node'), known('-e'), known(text)] })),
        },
        server('mongodb', args.value('host'), database ?? undefined),
      );
    },
  }),
  define({
    names: ['redis-cli', 'valkey-cli', 'keydb-cli', 'dragonfly-cli'],
    manual: 'redis-cli(1)',
    summary: 'commands to a Redis server',
    options:
      'h:, p:, s:, a pass:, user:, u:, n:, r:, i:, x, X:, d:, D:, c, e, tls, raw, no-raw, csv, json, stat, latency, scan, pattern:, count:, quoted-pattern:, bigkeys, memkeys, hotkeys, eval:, ldb, cluster:, pipe, rdb:, functions-rdb:, no-auth-warning, askpass, cacert:, cert:, key:, verbose, 3, 2, show-pushes:, intrinsic-latency:, lru-test:, latency-history, latency-dist, insecure, sni:, replica',
    style: { stopAtOperand: true },
    run: (args, inv) => {
      const words = args.operands.map(render);
      const effects: EffectDraft[] = [];
      const one = words.length > 0 ? redis(words) : null;
      if (one) effects.push(one);
      if (/^eval(_ro)?$/i.test(words[0] ?? '')) effects.push(...calls(words[1] ?? ''));
      if (args.has('pipe')) effects.push({ kind: 'db-write', target: 'keys', detail: 'redis --pipe' });
      const { texts } = scripts(
        inv,
        args.values('eval'),
        words.length === 0 && !args.has('x', 'scan', 'bigkeys', 'stat', 'latency'),
      );
      for (const line of texts.join('\n').split('\n')) {
        const found = args.has('eval') ? null : redis(line.trim().split(/\s+/));
        if (found) effects.push(found);
        if (args.has('eval')) effects.push(...calls(line));
      }
      const dump = args.value('rdb');
      const files: FileDraft[] = [
        ...reads(args.values('eval')),
        ...(dump ? [{ op: 'write' as const, path: dump }] : []),
      ];
      return merge(
        { subcommand: words[0] ?? '', files, effects },
        server('redis', args.value('h'), args.value('u') ?? undefined),
      );
    },
  }),
  define({
    names: ['etcdctl'],
    manual: 'etcdctl',
    summary: 'keys of an etcd cluster',
    options:
      'endpoints:, cacert:, cert:, key:, user:, password:, prefix, from-key, w write-out:, lease:, rev:, range-end:, data-dir:, name:, initial-cluster:, dial-timeout:, command-timeout:',
    run: (args) => {
      const [verb, next] = args.operands;
      const path = `${word(verb)} ${word(next)}`.trim();
      const kinds: readonly (readonly [RegExp, EffectKind])[] = [
        [/^snapshot restore|^member remove|^defrag|^compaction/, 'db-drop'],
        [/^del\b/, args.has('prefix', 'from-key') ? 'db-drop' : 'db-delete'],
        [/^(put|txn|lease (grant|revoke)|member (add|update)|move-leader|migrate)\b/, 'db-write'],
        [
          /^(user|role|auth) (add|delete|passwd|grant-role|revoke-role|grant-permission|revoke-permission|enable|disable)/,
          'account',
        ],
      ];
      const hit = kinds.find(([pattern]) => pattern.test(path));
      const target = say(next) || 'all keys';
      const save = path === 'snapshot save' ? args.operands[2] : undefined;
      return {
        subcommand: word(verb),
        files: save ? [{ op: 'write', path: save }] : [],
        effects: hit
          ? [{ kind: hit[1], target, detail: `etcdctl ${word(verb)} ${target}${args.has('prefix') ? '*' : ''}` }]
          : [],
      };
    },
  }),
  define({
    names: [
      'kafka-topics',
      'kafka-topics.sh',
      'kafka-delete-records',
      'kafka-delete-records.sh',
      'kafka-consumer-groups',
      'kafka-consumer-groups.sh',
      'kafka-configs',
      'kafka-configs.sh',
      'kafka-acls',
      'kafka-acls.sh',
      'kafka-streams-application-reset',
      'kafka-streams-application-reset.sh',
      'kafka-reassign-partitions',
      'kafka-reassign-partitions.sh',
      'kafka-console-producer',
      'kafka-console-producer.sh',
      'kafka-console-consumer',
      'kafka-console-consumer.sh',
      'kafka-storage.sh',
      'kafka-storage',
    ],
    manual: 'Apache Kafka command-line tools',
    summary: 'topics and groups of a Kafka cluster',
    options:
      'bootstrap-server:, zookeeper:, topic:, group:, command-config:, offset-json-file:, partitions:, replication-factor:, config:, delete-config:, add-config:, entity-type:, entity-name:, delete, create, alter, describe, list, reset-offsets, execute, dry-run, remove, add, broker-list:',
    run: (args, inv) => {
      const name = inv.name.replace(/\.sh$/, '');
      const target = say(args.value('topic') ?? args.value('group') ?? args.value('entity-name') ?? null);
      const drops =
        args.has('delete') ||
        /delete-records|application-reset/.test(name) ||
        (name === 'kafka-storage' && word(args.operands[0]) === 'format');
      const writes =
        args.has('create', 'alter', 'add') ||
        /producer/.test(name) ||
        (args.has('reset-offsets', 'execute') && !args.has('dry-run'));
      const kind: EffectKind | null = drops ? 'db-drop' : args.has('remove') ? 'account' : writes ? 'db-write' : null;
      return { effects: kind ? [{ kind, target, detail: `${name} ${target}` }] : [] };
    },
  }),
  define({
    names: ['rabbitmqctl', 'rabbitmqadmin', 'rabbitmq-admin', 'nats', 'mqadmin'],
    manual: 'rabbitmqctl(8), rabbitmqadmin',
    summary: 'administers a message broker',
    options: 'n node:, p vhost:, H host:, P port:, u username:, q quiet, t timeout:, s server:, context:, f force',
    run: (args, inv) => {
      const verbs = args.operands.slice(0, 2).map(word);
      const path = verbs.join(' ');
      const target = say(...args.operands.slice(1));
      const kind: EffectKind | null =
        /^(reset|force_reset|delete_(queue|vhost)|purge_queue|purge|delete|forget_cluster_node)\b|^\w+ (rm|purge|delete)$/.test(
          path,
        )
          ? 'db-drop'
          : /^(add|delete|change|set|clear|authenticate)_(user|password|permissions|user_tags)/.test(path)
            ? 'account'
            : /^(stop|stop_app|shutdown|start_app)$/.test(verbs[0] ?? '')
              ? 'service'
              : /^(declare|publish|pub|set_|add_|import|\w+ (add|create|edit))/.test(path)
                ? 'db-write'
                : null;
      return { subcommand: verbs[0] ?? '', effects: kind ? [{ kind, target, detail: `${inv.name} ${path}` }] : [] };
    },
  }),
  define({
    names: ['influx', 'influxd'],
    manual: 'influx',
    summary: 'an InfluxDB server',
    options:
      'execute:, database:, host:, o org:, t token:, b bucket:, f file:, p predicate:, start:, stop:, i id:, n name:, c active-config:',
    style: { singleDashLong: true },
    run: (args) => {
      const path = args.operands.slice(0, 2).map(word).join(' ');
      const text = say(...args.values('execute'));
      const target = say(
        args.value('bucket') ?? args.value('database') ?? args.value('name') ?? args.value('id') ?? null,
      );
      const drops =
        /^delete|^(bucket|org|user|auth|task|v1) (delete|remove)|^restore/.test(path) ||
        /\b(DROP|DELETE)\b/i.test(text);
      const writes =
        /^write|^(bucket|org|user|auth|task) (create|update)|^setup/.test(path) || /\b(INSERT|CREATE)\b/i.test(text);
      return {
        subcommand: path,
        effects: drops
          ? [{ kind: 'db-drop', target, detail: path || text }]
          : writes
            ? [{ kind: 'db-write', target, detail: path || text }]
            : [],
      };
    },
  }),
];
