// Readers of untrusted payloads: a field is there with the right type, or it is not there.

export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object with fields, or null. Arrays are not. */
export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

/** The first of the named own fields that is a text, or null. */
export function textField(fields: Fields, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = own(fields, name);
    if (typeof value === 'string') return value;
  }
  return null;
}

/** The named own field if it is a finite number, or null. */
export function numberField(fields: Fields, name: string): number | null {
  const value = own(fields, name);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The named own field whatever its type; undefined if absent. */
export function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** All own fields but the named ones, in an object without a prototype. */
export function without(fields: Fields, names: ReadonlySet<string>): Fields {
  const rest: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(fields)) if (!names.has(name)) rest[name] = value;
  return rest;
}

/**
 * The fields with some added under other names: `{file_path: 'path'}` lets `path` count as `file_path`. Which one holds
 * if both are there depends on the agent: the one it acts on must be the one that is judged.
 */
export function aliased(fields: Fields, names: Readonly<Record<string, string>>, prefer: 'name' | 'alias'): Fields {
  const out: Record<string, unknown> = Object.create(null);
  Object.assign(out, fields);
  for (const [name, alias] of Object.entries(names))
    if (Object.hasOwn(fields, alias) && (prefer === 'alias' || !Object.hasOwn(fields, name))) out[name] = fields[alias];
  return out;
}

/** The text in a tool's answer: a text as it is, `{type: 'text', text}` blocks joined, output streams joined, else its JSON. */
export function textOfResponse(response: unknown): string {
  if (typeof response === 'string') return response;
  if (response === undefined || response === null) return '';
  if (Array.isArray(response)) {
    const texts = response.map((block) => textField(fieldsOf(block) ?? {}, 'text'));
    if (texts.length > 0 && texts.every((text) => text !== null)) return texts.join('\n');
  }
  const fields = fieldsOf(response);
  if (fields) {
    const streams = [textField(fields, 'stdout'), textField(fields, 'stderr')].filter((text) => text !== null);
    if (streams.length > 0) return streams.filter((text) => text !== '').join('\n');
    const text = textField(fields, 'text_result_for_llm', 'textResultForLlm');
    if (text !== null) return text;
    const content = own(fields, 'llmContent');
    if (content !== undefined) return textOfResponse(content);
  }
  return JSON.stringify(response) ?? '';
}
