import type { ObjectShape, Shape } from './shape.ts';
import { choice } from './shape-parts.ts';
import { DOCUMENTS } from './shapes.ts';
import { KIND_WORDS } from './words.ts';

type Schema = Readonly<Record<string, unknown>>;

/** JSON Schema (draft 07) of all kinds of policy documents, for editors: keys, words, descriptions. */
export function policySchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'gov policy document',
    type: 'object',
    required: ['apiVersion', 'kind'],
    properties: {
      apiVersion: { enum: ['gov/v1'] },
      kind: schemaOf(choice('what the document holds', KIND_WORDS)),
    },
    // A condition for each kind, so that an editor completes the keys of the kind that is written.
    allOf: Object.entries(DOCUMENTS).map(([kind, shape]) => ({
      if: { properties: { kind: { const: kind } }, required: ['kind'] },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
      then: schemaOf(shape),
    })),
  };
}

function schemaOf(shape: Shape): Schema {
  const doc = shape.doc === '' ? {} : { description: shape.doc };
  switch (shape.is) {
    case 'text':
      return {
        type: 'string',
        ...doc,
        ...(shape.pattern ? { pattern: shape.pattern.source } : {}),
        ...(shape.max === undefined ? {} : { maxLength: shape.max }),
      };
    case 'cel':
      return { type: ['string', 'boolean', 'number'], ...doc };
    case 'int':
      return { type: 'integer', ...doc, ...(shape.min === undefined ? {} : { minimum: shape.min }) };
    case 'bool':
      return { type: 'boolean', ...doc };
    case 'any':
      return { ...doc };
    case 'enum':
      return {
        enum: shape.values,
        ...doc,
        // Editors show them beside each value; validators pass over the key.
        ...(shape.meanings ? { enumDescriptions: shape.values.map((value) => shape.meanings?.[value] ?? '') } : {}),
      };
    case 'list':
      return {
        type: 'array',
        ...doc,
        items: schemaOf(shape.of),
        ...(shape.unique ? { uniqueItems: true } : {}),
        ...(shape.min === undefined ? {} : { minItems: shape.min }),
      };
    case 'record':
      return {
        type: 'object',
        ...doc,
        additionalProperties: schemaOf(shape.of),
        ...(shape.keys ? { propertyNames: { pattern: shape.keys.source } } : {}),
      };
    case 'object':
      return { type: 'object', ...doc, ...membersOf(shape) };
    case 'either':
      return { anyOf: shape.of.map(schemaOf), ...doc };
  }
}

function membersOf({ keys, required }: ObjectShape): Schema {
  return {
    properties: Object.fromEntries(Object.entries(keys).map(([name, shape]) => [name, schemaOf(shape)])),
    additionalProperties: false,
    ...(required && required.length > 0 ? { required } : {}),
  };
}
