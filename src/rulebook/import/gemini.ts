import { type Imported, type ImportReport, plainWords, prefixRule, wildcardRule } from './rule.ts';

const EFFECTS: Readonly<Record<string, Imported['effect']>> = { deny: 'deny', ask_user: 'ask', allow: 'allow' };

const NARROWING = ['argsPattern', 'modes', 'interactive', 'toolAnnotations', 'subagent'];

type Value = string | number | boolean | readonly string[];

/** `[[rule]]` tables of Gemini CLI's policy files (TOML): toolName, commandPrefix, commandRegex, mcpName, decision. */
export function importGemini(text: string): ImportReport {
  const rules: Imported[] = [];
  const left: string[] = [];
  const notes = new Set<string>();
  const { tables, other } = tablesOf(text);
  left.push(...other);
  for (const { line, values, unread } of tables) {
    const where = `rule at line ${line}`;
    for (const name of unread) left.push(`${where}: \`${name}\` can't be read`);
    const decision = String(values.get('decision') ?? '');
    const effect = Object.hasOwn(EFFECTS, decision) ? EFFECTS[decision] : undefined;
    if (!effect) {
      left.push(`${where}: \`${decision}\` is not a decision that is known`);
      continue;
    }
    if (values.has('priority')) notes.add('priorities are not carried over: the strictest rule wins here');
    // Without its narrowing an allow would let more pass than was meant.
    const narrowed = NARROWING.filter((key) => values.has(key));
    const fate = effect === 'allow' ? 'it is left out' : 'the rule is wider without it';
    for (const key of narrowed) left.push(`${where}: \`${key}\` has no counterpart; ${fate}`);
    if (effect === 'allow' && narrowed.length + unread.length > 0) continue;
    const bodies = bodiesOf(values);
    if (typeof bodies === 'string') left.push(`${where}: ${bodies}`);
    else {
      const message = values.get('denyMessage') ?? values.get('deny_message');
      for (const body of bodies) rules.push({ effect, ...body, ...(typeof message === 'string' ? { message } : {}) });
    }
  }
  return { rules, left, notes: [...notes] };
}

function bodiesOf(values: ReadonlyMap<string, Value>): readonly Omit<Imported, 'effect'>[] | string {
  const regex = values.get('commandRegex');
  if (typeof regex === 'string')
    return [{ from: regex, each: 'command', when: `command.text.re(${JSON.stringify(`^(?:${regex})`)})` }];
  const prefixes = listOf(values.get('commandPrefix'));
  if (prefixes.length > 0)
    return prefixes.map((prefix) => {
      const words = plainWords(prefix);
      return { from: prefix, ...((words && prefixRule(words.map((w) => [w]))) || wildcardRule(`${prefix}*`)) };
    });
  const tools = listOf(values.get('toolName'));
  const server = values.get('mcpName');
  if (typeof server === 'string') {
    const one = `tool.mcp_server == ${JSON.stringify(server)}`;
    const named = tools.filter((t) => t !== '*');
    const when = named.length > 0 ? `${one} && tool.mcp_tool in ${JSON.stringify(named)}` : one;
    return [{ from: `${server} ${named.join(', ')}`.trim(), tools: ['mcp'], when }];
  }
  if (tools.length === 0 || tools.includes('*')) return [{ from: 'every tool', when: 'true' }];
  if (tools.some((t) => t.includes('*'))) return 'patterns in tool names have no counterpart';
  return [{ from: tools.join(', '), when: `tool.raw in ${JSON.stringify(tools)}` }];
}

function listOf(value: Value | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
}

interface Table {
  readonly line: number;
  readonly values: Map<string, Value>;
  readonly unread: string[];
}

/** The part of TOML that policy files use: tables, texts, numbers, booleans, lists of texts. */
function tablesOf(text: string): { readonly tables: readonly Table[]; readonly other: readonly string[] } {
  const tables: Table[] = [];
  /** What is neither a rule nor part of one, one sentence each. */
  const other: string[] = [];
  let skipped = false;
  let table: Table | null = null;
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const line = (lines[i] as string).trim();
    if (/^\[\[\s*rules?\s*\]\]/.test(line)) {
      table = { line: i + 1, values: new Map(), unread: [] };
      tables.push(table);
      continue;
    }
    if (line.startsWith('[')) {
      table = null;
      skipped = true;
      other.push(`line ${i + 1}: \`${line.slice(0, 80)}\` is no rule`);
      continue;
    }
    const pair = /^([\w-]+)\s*=\s*(.*)$/.exec(line);
    if (!table || !pair) {
      const isText = line !== '' && !line.startsWith('#');
      if (isText && (table || !skipped)) other.push(`line ${i + 1}: \`${line.slice(0, 80)}\` can't be read`);
      continue;
    }
    let [, key = '', source = ''] = pair;
    while (source.startsWith('[') && !/\]\s*(?:#.*)?$/.test(source) && i + 1 < lines.length)
      source += ` ${(lines[++i] as string).trim()}`;
    const value = literalOf(source);
    if (value === null) table.unread.push(key);
    else table.values.set(key, value);
  }
  return { tables, other };
}

function literalOf(source: string): Value | null {
  const quoted = /^("(?:[^"\\]|\\.)*"|'[^']*')\s*(?:#.*)?$/.exec(source)?.[1];
  if (quoted) return textOf(quoted);
  const bare = source.replace(/\s*#.*$/, '');
  if (/^(?:true|false)$/.test(bare)) return bare === 'true';
  if (/^-?\d+(?:\.\d+)?$/.test(bare)) return Number(bare);
  const list = /^\[(.*)\]\s*(?:#.*)?$/.exec(source)?.[1];
  if (list === undefined) return null;
  const items = [...list.matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g)].map((m) => textOf(m[0]));
  return items.includes(null) ? null : (items as string[]);
}

function textOf(quoted: string): string | null {
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}
