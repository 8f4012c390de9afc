/** The part of JSON Schema (2020-12) that the schemas in tests use. */
export interface Schema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Members that are not named are an error unless this is given. */
  readonly additionalProperties?: Schema | true;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** What is wrong with a value, one line each; stricter than the standard: members have to be named. */
export function faultsOf(value: unknown, schema: Schema, path = '$'): readonly string[] {
  const faults: string[] = [];
  if (schema.const !== undefined && value !== schema.const)
    faults.push(`${path} is not ${JSON.stringify(schema.const)}`);
  if (schema.enum && !schema.enum.includes(value)) faults.push(`${path}: ${JSON.stringify(value)} is not listed`);
  if (schema.type && !isA(value, schema.type)) return [...faults, `${path} is no ${schema.type}`];
  if (typeof value === 'string') {
    if (schema.pattern && !new RegExp(schema.pattern).test(value))
      faults.push(`${path} does not match ${schema.pattern}`);
    if (value.length < (schema.minLength ?? 0)) faults.push(`${path} is too short`);
  }
  if (typeof value === 'number' && value < (schema.minimum ?? value)) faults.push(`${path} is too small`);
  if (Array.isArray(value) && schema.items)
    faults.push(...value.flatMap((item, i) => faultsOf(item, schema.items ?? {}, `${path}[${i}]`)));
  if (schema.type === 'object' && isA(value, 'object')) {
    const fields = value as Record<string, unknown>;
    for (const name of schema.required ?? []) if (!(name in fields)) faults.push(`${path}.${name} is missing`);
    for (const [name, item] of Object.entries(fields)) {
      const inner = schema.properties?.[name] ?? schema.additionalProperties;
      if (inner === undefined) faults.push(`${path}.${name} is not in the schema`);
      else if (inner !== true) faults.push(...faultsOf(item, inner, `${path}.${name}`));
    }
  }
  if (schema.anyOf && !schema.anyOf.some((one) => faultsOf(value, one, path).length === 0))
    faults.push(`${path} fits none`);
  return faults;
}

function isA(value: unknown, type: NonNullable<Schema['type']>): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'null') return value === null;
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}
