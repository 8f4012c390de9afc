import { type Imported, type ImportReport, prefixRule } from './rule.ts';

const EFFECTS: Readonly<Record<string, Imported['effect']>> = { forbidden: 'deny', prompt: 'ask', allow: 'allow' };

/**
 * `prefix_rule(pattern = [...], decision = "…", justification = "…")` of Codex's `.rules` files. They are Starlark; only
 * calls with literal arguments are read, the rest is reported.
 */
export function importCodex(text: string): ImportReport {
  const rules: Imported[] = [];
  const left: string[] = [];
  const plain = text.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|#[^\n]*/g,
    (_all, quoted?: string) => quoted ?? '',
  );
  let rest = plain;
  for (const { whole, body, line } of callsOf(plain)) {
    rest = rest.replace(whole, '');
    const where = `line ${line}`;
    const pattern = listAt(body, 'pattern');
    const decision = textAt(body, 'decision') ?? 'allow';
    const effect = Object.hasOwn(EFFECTS, decision) ? EFFECTS[decision] : undefined;
    const rule = pattern && prefixRule(pattern);
    if (!rule) left.push(`${where}: its pattern is not a list of words`);
    else if (!effect) left.push(`${where}: \`${decision}\` is not a decision that is known`);
    else {
      const message = textAt(body, 'justification');
      rules.push({
        effect,
        from: pattern.map((w) => w.join('|')).join(' '),
        ...rule,
        ...(message ? { message } : {}),
      });
    }
  }
  if (rest.trim() !== '')
    left.push(`text that is no prefix_rule: \`${rest.trim().replace(/\s+/g, ' ').slice(0, 80)}\``);
  return {
    rules,
    left,
    notes: rules.length > 0 ? ['a rule holds wherever the command stands: in pipes, `bash -c`, scripts'] : [],
  };
}

function* callsOf(text: string): Generator<{ readonly whole: string; readonly body: string; readonly line: number }> {
  const start = /\bprefix_rule\s*\(/g;
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const end = closing(text, start.lastIndex);
    if (end < 0) return;
    const line = text.slice(0, match.index).split('\n').length;
    yield { whole: text.slice(match.index, end + 1), body: text.slice(start.lastIndex, end), line };
    start.lastIndex = end + 1;
  }
}

function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from, quote = ''; at < text.length; at++) {
    const c = text[at] as string;
    if (quote !== '') {
      if (c === '\\') at++;
      else if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '(' || c === '[') depth++;
    else if ((c === ')' || c === ']') && --depth === 0) return at;
  }
  return -1;
}

function valueAt(body: string, name: string): string | null {
  const match = new RegExp(`(?:^|,)\\s*${name}\\s*=\\s*`).exec(body);
  return match ? body.slice(match.index + match[0].length) : null;
}

function textAt(body: string, name: string): string | null {
  const match = /^("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/.exec(valueAt(body, name) ?? '');
  return match ? unquoted(match[0]) : null;
}

/** Elements are texts, or lists of alternatives. */
function listAt(body: string, name: string): readonly (readonly string[])[] | null {
  const value = valueAt(body, name);
  if (!value?.startsWith('[')) return null;
  const end = closing(value, 1);
  if (end < 0) return null;
  const json = value
    .slice(0, end + 1)
    .replace(/'((?:[^'\\]|\\.)*)'/g, (_all, inner: string) => JSON.stringify(inner))
    .replace(/,(\s*])/g, '$1');
  try {
    const parsed = JSON.parse(json) as unknown[];
    const words = parsed.map((item) => (Array.isArray(item) ? item : [item]));
    return words.every((w) => w.length > 0 && w.every((x) => typeof x === 'string')) ? (words as string[][]) : null;
  } catch {
    return null;
  }
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, '$1');
}
