import { describe, expect, it } from 'vitest';
import { policySchema } from '../../../src/rulebook/json-schema.ts';
import { RULE } from '../../../src/rulebook/rule-shape.ts';
import { DOCUMENTS } from '../../../src/rulebook/shapes.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
}

const schema = policySchema() as unknown as {
  readonly allOf: readonly { readonly if: { properties: { kind: { const: string } } }; readonly then: Schema }[];
};
const ofKind = (kind: string): Schema => schema.allOf.find((c) => c.if.properties.kind.const === kind)?.then as Schema;

describe('the schema', () => {
  it('has each kind of document with its keys', () => {
    const kinds = Object.fromEntries(Object.entries(DOCUMENTS).map(([kind, s]) => [kind, Object.keys(s.keys)]));
    expect(
      Object.fromEntries(schema.allOf.map((c) => [c.if.properties.kind.const, Object.keys(c.then.properties ?? {})])),
    ).toEqual(kinds);
  });

  it('has the keys of a rule, each with a description, and allows no others', () => {
    const rule = ofKind('Rules').properties?.['rules']?.items as Schema;
    expect(Object.keys(rule.properties ?? {})).toEqual(Object.keys(RULE.keys));
    expect(Object.entries(rule.properties ?? {}).filter(([, s]) => !s.description)).toEqual([]);
    expect([rule.additionalProperties, rule.required]).toEqual([false, ['id', 'title', 'severity', 'effect']]);
  });

  it('has the words of a key', () => {
    const rule = ofKind('Rules').properties?.['rules']?.items as Schema;
    expect(rule.properties?.['effect']?.enum).toEqual([
      'halt',
      'deny',
      'ask',
      'redact',
      'modify',
      'warn',
      'context',
      'allow',
    ]);
  });
});
