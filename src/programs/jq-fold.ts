/**
 * What jq prints for a known document when its program only sets members to constants and deletes members
 * (`.version = "1.2.3" | del(.private)`), else null. `given`: texts of `--arg`.
 */
export function foldJq(
  program: string,
  text: string,
  given: ReadonlyMap<string, string>,
  compact = false,
): string | null {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return null;
  }
  for (const statement of statementsOf(program)) {
    const step = statement.trim();
    if (step === '.') continue;
    const removed = /^del\(([^()]*)\)$/.exec(step);
    const set = /^(\.[^=|]*?)\s*=\s*([^=].*)$/s.exec(step);
    if (removed) {
      for (const path of (removed[1] as string).split(','))
        if (!change(document, keysOf(path.trim()), null)) return null;
    } else if (set) {
      const value = constant((set[2] as string).trim(), given);
      if (!value || !change(document, keysOf((set[1] as string).trim()), value)) return null;
    } else return null;
  }
  return `${JSON.stringify(document, null, compact ? 0 : 2)}\n`;
}

/** Statements between pipes that stand outside of strings and brackets. */
function statementsOf(program: string): readonly string[] {
  const found: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < program.length; at++) {
    const char = program[at] as string;
    if (char === '"') {
      for (at++; at < program.length && program[at] !== '"'; at++) if (program[at] === '\\') at++;
    } else if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    else if (char === '|' && depth === 0 && program[at + 1] !== '=') {
      found.push(program.slice(start, at));
      start = at + 1;
    }
  }
  return [...found, program.slice(start)];
}

/** The members that a path names, `.a."b"["c"]`; null if it is more than that. */
function keysOf(path: string): readonly string[] | null {
  const keys: string[] = [];
  let rest = path;
  while (rest !== '') {
    const match = /^\.?\["([^"\\]+)"\]|^\."([^"\\]+)"|^\.([A-Za-z_]\w*)/.exec(rest);
    if (!match) return null;
    keys.push((match[1] ?? match[2] ?? match[3]) as string);
    rest = rest.slice(match[0].length);
  }
  return keys.length > 0 && !keys.includes('__proto__') ? keys : null;
}

function constant(text: string, given: ReadonlyMap<string, string>): { readonly value: unknown } | null {
  if (text.startsWith('$')) {
    const value = given.get(text.slice(1));
    return value === undefined ? null : { value };
  }
  if (text.includes('\\(')) return null;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** Sets or (for null) deletes a member in place; false if the document is not of that shape. */
function change(document: unknown, keys: readonly string[] | null, to: { readonly value: unknown } | null): boolean {
  if (!keys) return false;
  let at = document;
  for (const key of keys.slice(0, -1)) {
    if (typeof at !== 'object' || at === null || Array.isArray(at)) return false;
    const members = at as Record<string, unknown>;
    if (!Object.hasOwn(members, key)) {
      if (!to) return true;
      members[key] = {};
    }
    at = members[key];
  }
  if (typeof at !== 'object' || at === null || Array.isArray(at)) return false;
  const last = keys[keys.length - 1] as string;
  if (to) (at as Record<string, unknown>)[last] = to.value;
  else delete (at as Record<string, unknown>)[last];
  return true;
}
