import { ITEMS, TYPES } from './cel-surface.ts';
import { suggestion } from './finding.ts';

/** What people who know another language write, and what it is here; '' if nothing comes to mind. */
export function syntaxHint(source: string, at: number): string {
  const rest = source.slice(at);
  if (/^(?:and|or|not)\b/i.test(rest)) return '`&&` is "and", `||` is "or", `!` is "not"';
  if (/^=(?!=)/.test(rest)) return 'compare with `==`';
  return 'an expression such as `file.op == "delete" && !file.in_workspace`';
}

/** About a name that nothing has: a field without its item, a misspelling, a text without quotes. */
export function nameHint(name: string, variables: readonly string[], names: readonly string[]): string {
  for (const item of variables) {
    const type = ITEMS[item as keyof typeof ITEMS];
    if (type !== undefined && Object.hasOwn(TYPES[type]?.fields ?? {}, name))
      return `did you mean \`${item}.${name}\`?`;
  }
  return suggestion(name, names) || `a text stands in quotes: \`"${name}"\``;
}

const IN_LIST = '`"x" in list` asks whether a list has an item';

/** About operands or arguments of the wrong type. */
export function typeHint(summary: string): string {
  if (/list<?.* (?:==|!=) string|string (?:==|!=) list|'list\.contains\(/.test(summary)) return IN_LIST;
  if (/no such overload: int .*string|string .*int/.test(summary)) return 'convert with `string(x)` or `int(x)`';
  return '';
}
