import { GovError, messageOf } from '../../base/errors.ts';
import type { Store } from './store.ts';

/** A view that SQL of people may rely on; columns with what they hold. */
export interface View {
  readonly name: string;
  readonly about: string;
  readonly columns: readonly (readonly [name: string, about: string])[];
  readonly sql: string;
}

const TIME = "strftime('%Y-%m-%d %H:%M:%S', r.at / 1000, 'unixepoch')";
const JSON_BODY = "CASE WHEN json_valid(b.body) THEN b.body ELSE '{}' END";

/** Views are made anew for each query, so that the store holds nothing but records. */
export const VIEWS: readonly View[] = [
  {
    name: 'decisions',
    about: 'one row a call that was judged',
    columns: [
      ['seq', 'number of the record'],
      ['id', 'id of the record'],
      ['time', 'UTC'],
      ['at', 'milliseconds since 1970 UTC'],
      ['session', 'the agent’s session'],
      ['agent', 'claude-code, codex, …'],
      ['tool', 'shell, read, write, edit, search, fetch, mcp, task, other'],
      ['raw_tool', 'the agent’s own name of the tool'],
      ['command', 'one line of what was called'],
      ['answer', 'allow, ask, deny, halt'],
      ['enforced', '0: only watched'],
      ['rule', 'the rule that decided'],
      ['reason', 'what the agent was told'],
      ['repo', 'the workspace'],
      ['policy', 'digest of the policy'],
      ['latency_ms', 'milliseconds to the answer'],
    ],
    sql: `SELECT r.seq, r.id, ${TIME} AS time, r.at, r.session, r.agent, r.tool, r.raw_tool, r.summary AS command, r.answer,
      r.enforced, r.rule, ${JSON_BODY} ->> '$.decision.reason' AS reason, r.repo, r.policy, r.latency_us / 1000.0 AS latency_ms
      FROM records r LEFT JOIN bodies b USING (seq) WHERE r.kind = 'decision'`,
  },
  {
    name: 'outcomes',
    about: 'one row a call that came back',
    columns: [
      ['seq', 'number of the record'],
      ['id', 'id of the record'],
      ['time', 'UTC'],
      ['session', 'the agent’s session'],
      ['decision', 'number of the record of its decision; null: none'],
      ['exit_code', 'null where there is none'],
      ['failed', '1: it failed'],
      ['duration_ms', 'null where the agent does not say'],
    ],
    sql: `SELECT r.seq, r.id, ${TIME} AS time, r.session,
      (SELECT max(d.seq) FROM records d WHERE d.call_id = r.call_id AND d.call_id <> '' AND d.session = r.session AND d.kind = 'decision') AS decision,
      ${JSON_BODY} ->> '$.call.result.exitCode' AS exit_code, ${JSON_BODY} ->> '$.call.result.failed' AS failed,
      ${JSON_BODY} ->> '$.call.result.durationMs' AS duration_ms
      FROM records r LEFT JOIN bodies b USING (seq) WHERE r.kind = 'outcome'`,
  },
  {
    name: 'rules',
    about: 'one row a rule that fired on a call',
    columns: [
      ['seq', 'number of the decision'],
      ['rule', 'its id'],
      ['effect', 'deny, ask, warn, …'],
      ['severity', 'critical, high, medium, low, informational'],
      ['because', 'match, dynamic, uncertain, error'],
      ['subject', 'what made it fire'],
      ['message', 'what it says'],
      ['lifted_by', 'grant or waiver; empty: none'],
      ['decided', '1: it decided'],
    ],
    sql: `SELECT r.seq, h.value ->> 'id' AS rule, h.value ->> 'effect' AS effect, h.value ->> 'severity' AS severity,
      h.value ->> 'because' AS because, h.value ->> 'subject' AS subject, h.value ->> 'message' AS message,
      h.value ->> 'lifted_by' AS lifted_by, h.value ->> 'id' = r.rule AS decided
      FROM records r JOIN bodies b USING (seq), json_each(${JSON_BODY}, '$.decision.rules') h WHERE r.rules <> ''`,
  },
  {
    name: 'commands',
    about: 'one row a program that a call would run',
    columns: [
      ['seq', 'number of the decision'],
      ['program', 'its name; null: not known'],
      ['subcommand', 'e.g. push'],
      ['text', 'the command as it stands'],
      ['cwd', 'where it runs'],
    ],
    sql: `SELECT r.seq, c.value ->> 'name' AS program, c.value ->> 'subcommand' AS subcommand, c.value ->> 'text' AS text,
      c.value ->> 'cwd' AS cwd FROM records r JOIN bodies b USING (seq), json_each(${JSON_BODY}, '$.facts.commands') c
      WHERE r.kind = 'decision'`,
  },
  {
    name: 'files',
    about: 'one row a file that a call would touch',
    columns: [
      ['seq', 'number of the decision'],
      ['op', 'read, write, delete, …'],
      ['path', 'its real path'],
      ['zone', 'workspace, home, …'],
      ['role', 'what it is for; empty: nothing special'],
    ],
    sql: `SELECT r.seq, f.value ->> 'op' AS op, f.value ->> 'real' AS path, f.value ->> 'zone' AS zone, f.value ->> 'role' AS role
      FROM records r JOIN bodies b USING (seq), json_each(${JSON_BODY}, '$.facts.files') f WHERE r.kind = 'decision'`,
  },
];

export interface SqlResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | bigint | Buffer | null)[])[];
  /** There are more rows than the limit. */
  readonly more: boolean;
}

/**
 * Runs one SELECT over the views. The connection can't write, and nothing but a SELECT is let through, so that no
 * setting of the connection changes and no other file is opened. Throws `usage-sql`.
 */
export function querySql(store: Store, sql: string, limit: number): SqlResult {
  // A comment or a bracket before it is no SELECT for us either: easier to be sure of than to parse.
  if (!/^\s*(?:select|with)\b/i.test(sql)) throw refused('only one SELECT (or WITH … SELECT) is run');
  try {
    makeViews(store);
    const statement = store.db.prepare(sql);
    if (!statement.readonly || !statement.reader) throw refused('only one SELECT (or WITH … SELECT) is run');
    const columns = statement.columns().map((column) => column.name);
    const rows: SqlResult['rows'][number][] = [];
    for (const row of statement.raw().iterate() as Iterable<SqlResult['rows'][number]>) {
      if (rows.length === limit) return { columns, rows, more: true };
      rows.push(row);
    }
    return { columns, rows, more: false };
  } catch (error) {
    throw error instanceof GovError ? error : refused(messageOf(error));
  }
}

function makeViews(store: Store): void {
  // They are temporary: nothing is written to the file, which is open for reading only.
  store.db.pragma('query_only=OFF');
  try {
    for (const view of VIEWS) store.db.exec(`CREATE TEMP VIEW IF NOT EXISTS ${view.name} AS ${view.sql}`);
  } finally {
    store.db.pragma('query_only=ON');
  }
}

function refused(message: string): GovError {
  return new GovError({
    code: 'usage-sql',
    message,
    help: `views: ${VIEWS.map((view) => view.name).join(', ')}; \`gov audit sql\` without a query shows their columns`,
  });
}
