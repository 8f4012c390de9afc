import type { DestDraft, EffectDraft, FileDraft, FileOp } from '../model/effect.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { known } from '../model/value.ts';
import type { Overlay } from '../model/world.ts';
import { classifySql } from '../programs/sql.ts';
import { destOfUrl } from './fetch-tool.ts';
import { type Fields, listOf, recordOf, textIn, textsIn } from './fields.ts';
import { type Findings, joined, seen, uncertain } from './findings.ts';
import { holdsToken } from './leaks.ts';
import { shellFindings } from './shell-tool.ts';
import { namedEffects } from './tool-names.ts';
import { toolPath } from './tool-paths.ts';
import { codeOf, scriptsOf, typedIn } from './tool-scripts.ts';
import { looksOnly } from './tool-verbs.ts';
import { wordsOf } from './tool-words.ts';

// The first word of a tool's name that is a verb says what it does to the paths among its fields.
const VERBS: readonly (readonly [RegExp, FileOp])[] = [
  [/^(?:list|ls|tree|glob|find|stat|info|exists|search|browse|index|watch)$/, 'list'],
  [/^(?:delete|remove|rm|unlink|trash|erase|destroy|purge)$/, 'delete'],
  [/^(?:move|rename|mv)$/, 'move'],
  [
    /^(?:write|create|screenshot|capture|record|save|put|append|set|export|generate|make|mkdir|touch|download|copy|cp|dump)$/,
    'write',
  ],
  [/^(?:edit|patch|replace|modify|insert|apply|update|format|rewrite)$/, 'write'],
  [/^(?:read|get|view|cat|open|load|show|fetch|upload|send|parse|analyze|analyse|convert|grep|head|tail)$/, 'read'],
];

/** Text typed into a program that runs: a shell, perhaps, or the prompt of a language. */
function readable(found: Findings): Findings {
  const known = found.effects.filter(({ kind }) => kind !== 'unparsed' && kind !== 'bound-reached');
  return { ...found, effects: known, unknowns: [] };
}

const PATH_FIELD =
  /^(?:(?:file|abs(?:olute)?|full|relative|local|input|output|target|source|dest(?:ination)?|old|new|src|dst|dir(?:ectory)?|folder|root|notebook|image|save|download|repo(?:sitory)?|project|workspace)?_?(?:path|file|filename|dir|directory|folder)s?|paths|files|source|destination|src|dst|from|to|uri|cwd|filename|target|location|args|arguments|argv|attachments?|local)$/i;
const TO_FIELD =
  /^(?:dest(?:ination)?|dst|to|new|target|output|save)(?:_?(?:path|file|filename|dir|directory|folder))?$/i;
const REMOTE_FIELDS = [
  'owner',
  'repo',
  'repository',
  'project_id',
  'projectId',
  'bucket',
  'namespace',
  'branch',
  'container',
];
const SQL_PLACE =
  /sql|postgres|mysql|maria|sqlite|supabase|database|(?:^|_)db(?:_|$)|bigquery|snowflake|redshift|duckdb|clickhouse|neon|turso|migration|warehouse/i;
const SQL_TEXT =
  /^\s*(?:(?:--[^\n]*\n|\/\*[\s\S]*?\*\/)\s*)*(?:with\s+\w+|select\s|delete\s+from\s|drop\s+(?:table|database|schema|view|index|user|role)\b|truncate\s|update\s+\S+\s+set\s|alter\s+(?:table|role|user|database)\b|insert\s+into\s|create\s+(?:table|database|user|role|or)\b|grant\s)/i;
const CODE_TOOL = /brows|playwright|puppeteer|selenium|javascript|\bjs\b|evaluate|python|jupyter|notebook|applescript/i;

/**
 * A tool of which only the name and the fields are known (an MCP server's, a new one of an agent's): fields that are
 * paths, addresses, SQL or shell text count as what the name's verb does with them. What does not look like one of
 * these is data.
 */
export function genericTool(call: ToolCall, world: Overlay): Findings {
  const name = call.mcp ? `${call.mcp.server}_${call.mcp.tool}` : call.rawTool;
  const input = call.input;
  const records = recordsIn(input);
  const scripts = CODE_TOOL.test(name) ? [] : records.flatMap((fields) => scriptsOf(fields, call.mcp));
  const code = records.flatMap((fields) => codeOf(fields, name));
  // What is only explained is not run.
  const explains = /^explain/i.test(call.mcp?.tool ?? '') && input['analyze'] !== true;
  const sql = explains ? [] : records.flatMap((fields) => sqlOf(fields, name));
  const typed = records.flatMap((fields) => typedIn(fields, name));
  // Where what is run can be read, that says more than the name.
  const says = scripts.length + code.length + sql.length > 0;
  const direct = seen(
    {
      files: [...filesOf(call, world), ...records.flatMap((fields) => fileUrlsOf(fields, world))],
      dests: destsOf(call, records),
      effects: [
        ...sql,
        ...(call.mcp ? namedEffects(call.mcp, records) : []),
        ...(call.mcp && !looksOnly(call.mcp.tool) && !says
          ? [{ kind: 'server-change' as const, target: call.mcp.tool }]
          : []),
      ],
    },
    call.cwd,
    call.rawTool,
    world,
  );
  const runs = runsHere(name);
  return joined([
    direct,
    ...[...scripts, ...code].map((script) => {
      const found = shellFindings(script, call.cwd, world);
      return runs ? found : uncertain(found);
    }),
    ...typed.map((text) => readable(uncertain(shellFindings(text, call.cwd, world)))),
  ]);
}

/** True if the name says that the tool runs commands, and not on another machine. */
function runsHere(name: string): boolean {
  const words = wordsOf(name);
  const runs = words.some((word) =>
    /^(?:run|exec|execute|shell|bash|sh|zsh|terminal|command|commands|cmd|process)$/.test(word),
  );
  return (
    runs &&
    !words.some((word) => /^(?:ssh|remote|docker|container|kubernetes|kubectl|k8s|pod|sandbox|vm|cloud)$/.test(word))
  );
}

function verbOf(call: ToolCall): { readonly op: FileOp; readonly certain: boolean; readonly copies: boolean } {
  const words = wordsOf(call.mcp?.tool ?? call.rawTool);
  if (words.some((word) => /^(?:info|stat|exists|metadata|size)$/.test(word)))
    return { op: 'list', certain: true, copies: false };
  // Git servers name the repository they work in.
  if (
    words.some((word) => /^(?:checkout|commit|merge|rebase|reset|pull|stash|cherry|worktree)$/.test(word)) &&
    /git/i.test(call.mcp?.server ?? '')
  )
    return { op: 'write', certain: true, copies: false };
  for (const word of words)
    for (const [pattern, op] of VERBS)
      if (pattern.test(word)) return { op, certain: true, copies: /^(?:copy|cp)$/.test(word) };
  return { op: 'read', certain: false, copies: false };
}

function filesOf(call: ToolCall, world: Overlay): FileDraft[] {
  const { input } = call;
  // Paths beside these are paths there, but for files of this machine that are sent.
  const remote = REMOTE_FIELDS.some((field) => Object.hasOwn(input, field));
  const { op, certain, copies } = remote ? { op: 'read' as const, certain: false, copies: false } : verbOf(call);
  const content = textIn(input, 'content', 'contents', 'text', 'file_text', 'data', 'newText', 'new_string');
  const edits = [...textsIn(input['edits'])].join('\n');
  const written = content ?? (edits === '' ? null : edits);
  const found: { readonly field: string; readonly path: string }[] = [];
  // Arguments of a command are read as part of it.
  const commands = recordsIn(input).some((fields) => scriptsOf(fields, call.mcp).length > 0);
  collect(input, 0, (field, path) => {
    if (remote && !/^(?:\/(?:home|users|root)\/|~\/)/i.test(path)) return;
    if (!commands || !/^arg/i.test(field)) found.push({ field, path });
  });
  const to = found.find(({ field }) => TO_FIELD.test(field));
  return found.flatMap(({ field, path }): FileDraft[] => {
    const at = toolPath(path, world.home);
    const base = { ...at, certain: certain && (at.certain || op === 'read' || op === 'list') };
    const isTo = TO_FIELD.test(field) && found.length > 1;
    if (op === 'move' && to && !isTo) return [{ ...base, op: 'move', to: toolPath(to.path, world.home).path }];
    if ((op === 'move' || copies) && isTo) return [{ ...base, op: 'write' }];
    if (copies) return [{ ...base, op: 'read' }];
    if (op === 'write') return [{ ...base, op, ...(written === null ? {} : { content: known(written) }) }];
    return [{ ...base, op: op === 'move' ? 'read' : op, recursive: op === 'delete' && input['recursive'] !== false }];
  });
}

const MAX_PATHS = 256;

function collect(fields: Fields, depth: number, note: (field: string, path: string) => void): void {
  let left = MAX_PATHS;
  const visit = (field: string, value: unknown, level: number): void => {
    if (left <= 0 || level > 4) return;
    if (typeof value === 'string') {
      if (PATH_FIELD.test(field) && looksLikePath(field, value)) {
        left--;
        note(field, value);
      }
    } else if (Array.isArray(value)) for (const item of value) visit(field, item, level + 1);
    else for (const [inner, v] of Object.entries(recordOf(value) ?? {})) visit(inner, v, level + 1);
  };
  for (const [field, value] of Object.entries(fields)) visit(field, value, depth);
}

function looksLikePath(field: string, value: string): boolean {
  if (value === '' || value.length > 4096 || /[\n\0]/.test(value)) return false;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return /^file:/i.test(value);
  if (/^(?:\/|~\/|~$|\.{1,2}\/)/.test(value)) return true;
  if (/^(?:target|location|arg(?:ument)?s|argv)$/i.test(field)) return false;
  return /path|file|dir|folder/i.test(field) ? !/\s{2}|[<>|]/.test(value) : /^[\w.@-]+\/[\w./@-]+$/.test(value);
}

const URL_FIELD = /ur[il]|endpoint|href|link|address|webhook|host/i;

function urlsOf(fields: Fields, scheme: RegExp): readonly string[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    typeof value === 'string' && URL_FIELD.test(field) && scheme.test(value) ? [value] : [],
  );
}

/** `file:` addresses in fields that are not paths by name; those count as paths already. */
function fileUrlsOf(fields: Fields, world: Overlay): FileDraft[] {
  return Object.entries(fields).flatMap(([field, value]): FileDraft[] => {
    const isUrl =
      typeof value === 'string' && URL_FIELD.test(field) && !PATH_FIELD.test(field) && /^file:/i.test(value);
    return isUrl ? [{ op: 'read', ...toolPath(value, world.home) }] : [];
  });
}

function destsOf(call: ToolCall, records: readonly Fields[]): DestDraft[] {
  const dests = records.flatMap((fields) =>
    urlsOf(fields, /^(?:https?|wss?|ftp):\/\//i).map((url) => destOfUrl(url, fields)),
  );
  const leaks = call.mcp !== null && [...textsIn(call.input)].some(holdsToken);
  if (leaks && !dests.some((dest) => dest.sends === 'secret'))
    dests.push({ address: known(call.mcp?.server ?? ''), scheme: 'mcp', sends: 'secret', certain: false });
  return dests;
}

const MAX_RECORDS = 64;

/** The input and the objects in it: servers wrap their fields in `params`, `arguments`, `options`. */
function recordsIn(input: Fields): readonly Fields[] {
  const found: Fields[] = [input];
  for (let i = 0; i < found.length; i++)
    for (const value of Object.values(found[i] as Fields))
      for (const inner of listOf(value) ?? [value]) {
        const fields = recordOf(inner);
        if (fields && found.length < MAX_RECORDS) found.push(fields);
      }
  return found;
}

function sqlOf(input: Fields, name: string): EffectDraft[] {
  const place = SQL_PLACE.test(name);
  const named = ['sql', 'query', 'statement', 'statements', 'queries', 'sql_query', 'ddl', 'migration'];
  const texts = Object.entries(input).flatMap(([field, value]) => {
    const all = [
      ...textsIn(typeof value === 'string' ? value : (listOf(value) ?? []).filter((v) => typeof v === 'string')),
    ];
    if (!named.includes(field)) return place ? all.filter((sql) => SQL_TEXT.test(sql)) : [];
    return all.filter((sql) => place || Object.hasOwn(input, 'sql') || SQL_TEXT.test(sql));
  });
  return texts.flatMap((sql) =>
    classifySql(sql).flatMap((statement): EffectDraft[] =>
      statement.kind === null || statement.scratch
        ? []
        : [{ kind: statement.kind, target: statement.target, detail: statement.detail }],
    ),
  );
}
