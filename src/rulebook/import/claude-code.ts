import { type Imported, type ImportReport, plainWords, prefixRule, wildcardRule } from './rule.ts';

type Body = Omit<Imported, 'effect' | 'from'>;

const CHANGING = '["write", "create", "delete", "move", "link", "chmod"]';

/** `permissions` of a Claude Code settings file (`allow`, `ask`, `deny` and entries such as `Bash(git push:*)`). */
export function importClaudeCode(text: string): ImportReport {
  const settings = JSON.parse(text) as { readonly permissions?: unknown } | null;
  const permissions = isMap(settings) ? (settings.permissions ?? {}) : null;
  if (!isMap(permissions)) throw new Error('it is no map, or its `permissions` are none');
  const rules: Imported[] = [];
  const left: string[] = [];
  const notes: string[] = [];
  for (const effect of ['deny', 'ask', 'allow'] as const) {
    const entries = permissions[effect];
    if (entries === undefined) continue;
    if (!Array.isArray(entries)) {
      left.push(`\`permissions.${effect}\` is not a list`);
      continue;
    }
    for (const entry of entries.map(String)) {
      const body = bodyOf(entry);
      if (typeof body === 'string') left.push(`${effect} \`${entry}\`: ${body}`);
      else rules.push({ effect, from: entry, ...body });
    }
  }
  for (const key of Object.keys(permissions))
    if (!['allow', 'ask', 'deny'].includes(key)) left.push(`\`permissions.${key}\` has no counterpart in rules`);
  if (rules.some((r) => r.effect === 'allow'))
    notes.push('an allow never beats a rule that asks or denies; it counts where a preset asks by default');
  if (rules.some((r) => r.each === 'file'))
    notes.push('paths hold for every tool and for shell commands, not for one tool alone');
  return { rules, left, notes };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function bodyOf(entry: string): Body | string {
  const match = /^([A-Za-z][\w-]*?)(?:\((.*)\))?$/s.exec(entry.trim());
  const [, tool = '', argument] = match ?? [];
  if (!match) return 'it is not of the form Tool(argument)';
  if (tool.startsWith('mcp__')) return mcp(tool);
  switch (tool) {
    case 'Bash':
      return argument === undefined || argument === '*' ? { tools: ['shell'], when: 'true' } : shell(argument);
    case 'Read':
    case 'Grep':
    case 'Glob':
      return argument === undefined
        ? { tools: [tool === 'Read' ? 'read' : 'search'], when: 'true' }
        : { each: 'file', when: `file.op in ["read", "list"] && ${path(argument)}` };
    case 'Edit':
    case 'Write':
    case 'MultiEdit':
    case 'NotebookEdit':
      return argument === undefined
        ? { tools: ['write', 'edit'], when: 'true' }
        : { each: 'file', when: `file.op in ${CHANGING} && ${path(argument)}` };
    case 'WebFetch': {
      if (argument === undefined) return { tools: ['fetch'], when: 'true' };
      const domain = /^domain:([\w.*-]+)$/.exec(argument)?.[1];
      return domain ? { each: 'dest', when: `dest.inDomain(${JSON.stringify(domain)})` } : 'only `domain:` is known';
    }
    case 'WebSearch':
      return { tools: ['fetch'], when: 'tool.raw == "WebSearch"' };
    default:
      return argument === undefined
        ? { when: `tool.raw == ${JSON.stringify(tool)}` }
        : `the argument of \`${tool}\` has no counterpart`;
  }
}

function mcp(tool: string): Body {
  const [server = '', name] = tool.slice('mcp__'.length).split('__');
  const one = `tool.mcp_server == ${JSON.stringify(server)}`;
  return { tools: ['mcp'], when: name && name !== '*' ? `${one} && tool.mcp_tool == ${JSON.stringify(name)}` : one };
}

/** `git push:*` and `git push *` begin with these words; other stars stand for anything. */
function shell(argument: string): Body {
  const prefix = argument.replace(/(?::\*| \*)$/, '');
  const words = plainWords(prefix);
  if (words) {
    const rule = prefixRule(words.map((w) => [w]));
    if (rule && prefix !== argument) return rule;
    // The whole command, nothing after it.
    if (rule) return { ...rule, when: `${rule.when} && command.argv.size() == ${words.length}` };
  }
  return wildcardRule(argument.replace(/:\*$/, '*'));
}

/** Paths as in .gitignore: `//abs`, `~/home`, `/from-the-project`, `./here`, and names anywhere. */
function path(argument: string): string {
  const rest = argument.replace(/^\.\//, '');
  if (argument.startsWith('//')) return `file.matchesAny([${JSON.stringify(argument.slice(1))}])`;
  if (argument.startsWith('~/') || argument.startsWith('**/')) return `file.matchesAny([${JSON.stringify(argument)}])`;
  if (argument.startsWith('/') || argument.startsWith('./') || rest.includes('/'))
    return `file.matchesAny([event.workspace + ${JSON.stringify(`/${rest.replace(/^\//, '')}`)}])`;
  return `file.matchesAny([${JSON.stringify(`**/${rest}`)}])`;
}
