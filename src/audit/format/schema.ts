import type { Columns } from './body.ts';
import { COLUMN_NAMES } from './chain.ts';

/** `PRAGMA user_version` of stores that this version writes. */
export const SCHEMA_VERSION = 2;

/** `PRAGMA application_id`: "GoVa". */
export const APPLICATION_ID = 0x476f5661;

const TYPES: { readonly [K in keyof Columns]: Columns[K] extends number ? 'INTEGER' : 'TEXT' } = {
  id: 'TEXT',
  kind: 'TEXT',
  at: 'INTEGER',
  session: 'TEXT',
  agent: 'TEXT',
  event: 'TEXT',
  tool: 'TEXT',
  raw_tool: 'TEXT',
  answer: 'TEXT',
  enforced: 'INTEGER',
  effect: 'TEXT',
  rule: 'TEXT',
  rules: 'TEXT',
  call_id: 'TEXT',
  programs: 'TEXT',
  repo: 'TEXT',
  summary: 'TEXT',
  policy: 'TEXT',
  latency_us: 'INTEGER',
  faulty: 'INTEGER',
};

/**
 * Every object of the store by name, as SQLite keeps its text. `records` is small rows that lists and reports
 * scan; `bodies` the JSON, apart, so that one can be erased without breaking the chain.
 *
 * SECURITY: the triggers are guard rails against mistakes and one-line tampering (`INSERT OR REPLACE` deletes
 * without firing a DELETE trigger, hence those on INSERT). Whoever owns the file can drop them; `verify` says so.
 */
export function schemaObjects(genesis: string): ReadonlyMap<string, string> {
  if (!/^[0-9a-f]{64}$/.test(genesis)) throw new TypeError('genesis must be 64 hex digits');
  return new Map([
    ['meta', 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID'],
    [
      'records',
      `CREATE TABLE records (
  seq INTEGER PRIMARY KEY,
  spooled INTEGER NOT NULL,
${COLUMN_NAMES.map((name) => `  ${name} ${TYPES[name]} NOT NULL,`).join('\n')}
  body_hash BLOB NOT NULL,
  prev_hash BLOB NOT NULL UNIQUE,
  hash BLOB NOT NULL,
  UNIQUE (id)
) STRICT`,
    ],
    ['bodies', 'CREATE TABLE bodies (seq INTEGER PRIMARY KEY, salt BLOB NOT NULL, body TEXT NOT NULL) STRICT'],
    ['records_at', 'CREATE INDEX records_at ON records (at)'],
    ['records_session', 'CREATE INDEX records_session ON records (session, seq)'],
    ['records_call', "CREATE INDEX records_call ON records (call_id) WHERE call_id <> ''"],
    ['records_held', "CREATE INDEX records_held ON records (at) WHERE answer NOT IN ('allow', '')"],
    [
      'records_next',
      `CREATE TRIGGER records_next BEFORE INSERT ON records BEGIN
  SELECT RAISE(ABORT, 'records are appended in sequence')
  WHERE NEW.seq IS NOT coalesce((SELECT max(seq) FROM records), 0) + 1
    OR NEW.prev_hash IS NOT coalesce((SELECT hash FROM records ORDER BY seq DESC LIMIT 1), x'${genesis}')
    OR EXISTS (SELECT 1 FROM records WHERE id = NEW.id);
END`,
    ],
    ['records_keep', trigger('records_keep', 'UPDATE', 'records', 'records are never changed')],
    ['records_stay', trigger('records_stay', 'DELETE', 'records', 'records are never deleted')],
    [
      'bodies_next',
      `CREATE TRIGGER bodies_next BEFORE INSERT ON bodies BEGIN
  SELECT RAISE(ABORT, 'bodies are appended with their records')
  WHERE NEW.seq IS NOT (SELECT max(seq) FROM records) OR EXISTS (SELECT 1 FROM bodies WHERE seq = NEW.seq);
END`,
    ],
    ['bodies_keep', trigger('bodies_keep', 'UPDATE', 'bodies', 'bodies are never changed')],
    ['bodies_stay', trigger('bodies_stay', 'DELETE', 'bodies', 'bodies are never deleted')],
    [
      'meta_next',
      `CREATE TRIGGER meta_next BEFORE INSERT ON meta BEGIN
  SELECT RAISE(ABORT, 'meta is written once') WHERE EXISTS (SELECT 1 FROM meta WHERE key = NEW.key);
END`,
    ],
    ['meta_keep', trigger('meta_keep', 'UPDATE', 'meta', 'meta is written once')],
    ['meta_stay', trigger('meta_stay', 'DELETE', 'meta', 'meta is written once')],
    ...ADDED_OBJECTS,
  ]);
}

/**
 * Since format 2. Marks are those of the decisions' bodies, so that a limit is looked up and not searched for. Grants
 * are what the chain says of them, for the same reason: `seq` is the record of the
 * approval, which holds the digest of `terms`. Uses only become fewer, an end comes only sooner, what ended stays ended.
 */
export const ADDED_OBJECTS: readonly (readonly [string, string])[] = [
  [
    'grants',
    `CREATE TABLE grants (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('approved', 'active', 'used', 'expired', 'dropped', 'revoked')),
  until INTEGER NOT NULL,
  uses_left INTEGER NOT NULL CHECK (uses_left >= 0),
  terms TEXT NOT NULL,
  signatures TEXT NOT NULL
) STRICT`,
  ],
  ['grants_live', "CREATE INDEX grants_live ON grants (until) WHERE state IN ('approved', 'active')"],
  [
    'grants_next',
    `CREATE TRIGGER grants_next BEFORE INSERT ON grants BEGIN
  SELECT RAISE(ABORT, 'a grant is written with the record of its approval')
  WHERE NEW.seq IS NOT (SELECT max(seq) FROM records) OR EXISTS (SELECT 1 FROM grants WHERE id = NEW.id);
END`,
  ],
  [
    'grants_keep',
    `CREATE TRIGGER grants_keep BEFORE UPDATE ON grants BEGIN
  SELECT RAISE(ABORT, 'a grant only becomes less')
  WHERE NEW.id IS NOT OLD.id OR NEW.seq IS NOT OLD.seq OR NEW.terms IS NOT OLD.terms
    OR NEW.until > OLD.until OR NEW.uses_left > OLD.uses_left
    OR (OLD.state NOT IN ('approved', 'active') AND NEW.state IS NOT OLD.state)
    OR (OLD.state = 'active' AND NEW.state = 'approved');
END`,
  ],
  ['grants_stay', trigger('grants_stay', 'DELETE', 'grants', 'grants are never deleted')],
  [
    'marks',
    `CREATE TABLE marks (
  rule TEXT NOT NULL,
  key TEXT NOT NULL,
  at INTEGER NOT NULL,
  step TEXT NOT NULL,
  weight INTEGER NOT NULL,
  seq INTEGER NOT NULL
) STRICT`,
  ],
  ['marks_key', 'CREATE INDEX marks_key ON marks (rule, key, at)'],
  ['marks_keep', trigger('marks_keep', 'UPDATE', 'marks', 'marks are never changed')],
];

function trigger(name: string, verb: 'UPDATE' | 'DELETE', table: string, why: string): string {
  return `CREATE TRIGGER ${name} BEFORE ${verb} ON ${table} BEGIN
  SELECT RAISE(ABORT, '${why}');
END`;
}
