/** Which records are wanted; what is left out doesn't narrow. */
export interface Filter {
  /** Milliseconds since 1970 UTC, inclusive. */
  readonly since?: number | undefined;
  /** Exclusive. */
  readonly until?: number | undefined;
  /** A session's id or the beginning of it. */
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  /** A rule that fired, whether it decided or lost; `*` stands for anything. */
  readonly rule?: string | undefined;
  /** What the agent was told, one of several. */
  readonly decision?: readonly string[] | undefined;
  readonly kind?: string | undefined;
  readonly tool?: string | undefined;
  readonly program?: string | undefined;
  readonly repo?: string | undefined;
  /**
   * A file that the call read, wrote or deleted, or a directory above it; `*` stands for anything. Relative: the end of
   * the path.
   */
  readonly path?: string | undefined;
  /** A text in what was called, in its result or in the reason; letters of ASCII match in either case. */
  readonly text?: string | undefined;
  /** Only records of these numbers: what an index knows that may hold the text. */
  readonly among?: readonly number[] | undefined;
  /** Only records after this sequence number. */
  readonly after?: number | undefined;
  /** Only records up to this sequence number. */
  readonly upTo?: number | undefined;
}

export interface Where {
  readonly where: readonly string[];
  readonly values: readonly (string | number)[];
}

/** Which leaves of a body's JSON a text is looked for in, as a condition on a row `t` of `json_tree`. */
export const SAID = `(t.fullkey GLOB '$.call.input.*' OR t.fullkey GLOB '$.call.detail.*'
            OR t.fullkey IN ('$.call.result.text', '$.call.rawTool', '$.decision.reason'))`;

/** The filter as SQL conditions with their values; texts are never part of the SQL. */
export function whereOf(filter: Filter): Where {
  const where: string[] = [];
  const values: (string | number)[] = [];
  const add = (sql: string, ...bound: (string | number)[]): void => {
    where.push(sql);
    values.push(...bound);
  };
  if (filter.since !== undefined) add('at >= ?', filter.since);
  if (filter.until !== undefined) add('at < ?', filter.until);
  if (filter.after !== undefined) add('seq > ?', filter.after);
  if (filter.among !== undefined) add('seq IN (SELECT value FROM json_each(?))', JSON.stringify(filter.among));
  if (filter.upTo !== undefined) add('seq <= ?', filter.upTo);
  if (filter.session !== undefined) add('session >= ? AND session < ?', filter.session, `${filter.session}\u{10ffff}`);
  if (filter.agent !== undefined) add('agent = ?', filter.agent);
  if (filter.kind !== undefined) add('kind = ?', filter.kind);
  if (filter.tool !== undefined) add('(tool = ? OR raw_tool = ?)', filter.tool, filter.tool);
  if (filter.repo !== undefined) add('repo = ?', filter.repo);
  if (filter.program !== undefined) add('instr(programs, ?) > 0', ` ${filter.program} `);
  if (filter.rule !== undefined) {
    if (filter.rule.includes('*')) add('rules GLOB ?', `* ${filter.rule.replace(/[[?]/g, '[$&]')} *`);
    else add('instr(rules, ?) > 0', ` ${filter.rule} `);
  }
  if (filter.path !== undefined) {
    const globs = pathGlobs(filter.path);
    add(
      `EXISTS (SELECT 1 FROM bodies b, json_each(CASE WHEN json_valid(b.body) THEN b.body ELSE '{}' END, '$.facts.files') f
        WHERE b.seq = records.seq AND (f.value ->> 'real' GLOB ? OR f.value ->> 'real' GLOB ?))`,
      ...globs,
    );
  }
  if (filter.text !== undefined) {
    // Bodies are JSON, where some characters stand as escapes; the whole is looked at first, since that is quick.
    const stored = likeOf(JSON.stringify(filter.text).slice(1, -1));
    const said = likeOf(filter.text);
    add(
      `EXISTS (SELECT 1 FROM bodies b WHERE b.seq = records.seq AND b.body LIKE ? ESCAPE '\\' AND json_valid(b.body)
        AND EXISTS (SELECT 1 FROM json_tree(CASE WHEN json_valid(b.body) THEN b.body ELSE '{}' END) t
          WHERE t.atom LIKE ? ESCAPE '\\' AND ${SAID}))`,
      stored,
      said,
    );
  }
  if (filter.decision !== undefined && filter.decision.length > 0)
    add(`answer IN (${filter.decision.map(() => '?').join(', ')})`, ...filter.decision);
  return { where, values };
}

function likeOf(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** The path itself, and all below it. */
function pathGlobs(path: string): readonly [string, string] {
  const plain = path
    .replace(/^\.\//, '')
    .replace(/(?<=.)\/+$/, '')
    .replace(/[[?]/g, '[$&]');
  const glob = plain.startsWith('/') || plain.startsWith('*') ? plain : `*/${plain}`;
  return [glob, glob === '/' ? '/*' : `${glob}/*`];
}
