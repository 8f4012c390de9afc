/** A tool's input: untrusted JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value if it is a text, else null. */
export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The first of the fields that is a text. Only own fields count: a key may be called `constructor`. */
export function textIn(fields: Fields, ...names: readonly string[]): string | null {
  for (const name of names) if (Object.hasOwn(fields, name) && typeof fields[name] === 'string') return fields[name];
  return null;
}

export function listOf(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? value : null;
}

export function recordOf(value: unknown): Fields | null {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : null;
}

/** Every text in the input, to a depth and number that no honest call reaches. */
export function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (depth > 12) return;
  if (typeof value === 'string') yield value;
  else if (value !== null && typeof value === 'object')
    for (const inner of Object.values(value)) yield* textsIn(inner, depth + 1);
}
