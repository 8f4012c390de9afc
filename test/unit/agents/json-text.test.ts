import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addItem,
  addMember,
  dropPart,
  type JsonArray,
  type JsonObject,
  parseJsonText,
} from '../../../src/agents/json-text.ts';
import { plainOf } from '../../../src/agents/registrar.ts';

const parse = (text: string) => parseJsonText(text, 'f.json');

describe('a member is added in the style of its object', () => {
  test.each([
    { name: 'empty, one line', before: '{}', after: '{\n  "k": {\n    "a": 1\n  }\n}' },
    { name: 'empty, several lines', before: '{\n}\n', after: '{\n  "k": {\n    "a": 1\n  }\n}\n' },
    { name: 'two spaces', before: '{\n  "x": 1\n}\n', after: '{\n  "x": 1,\n  "k": {\n    "a": 1\n  }\n}\n' },
    { name: 'four spaces', before: '{\n    "x": 1\n}', after: '{\n    "x": 1,\n    "k": {\n        "a": 1\n    }\n}' },
    { name: 'tabs', before: '{\n\t"x": 1\n}', after: '{\n\t"x": 1,\n\t"k": {\n\t\t"a": 1\n\t}\n}' },
    {
      name: 'Windows line ends',
      before: '{\r\n  "x": 1\r\n}\r\n',
      after: '{\r\n  "x": 1,\r\n  "k": {\r\n    "a": 1\r\n  }\r\n}\r\n',
    },
    { name: 'minified', before: '{"x":1,"y":[1,2]}', after: '{"x":1,"y":[1,2],"k":{"a":1}}' },
    { name: 'one line with spaces', before: '{ "x": 1 }', after: '{ "x": 1, "k": {"a":1} }' },
    { name: 'a brace in a text', before: '{\n  "x": "}"\n}', after: '{\n  "x": "}",\n  "k": {\n    "a": 1\n  }\n}' },
  ])('$name', ({ before, after }) => {
    expect(addMember(before, parse(before) as JsonObject, 'k', { a: 1 })).toBe(after);
  });
});

describe('an item is added in the style of its list', () => {
  test.each([
    { name: 'empty', before: '[]', after: '[\n  {\n    "a": 1\n  }\n]' },
    { name: 'several lines', before: '[\n  1,\n  2\n]', after: '[\n  1,\n  2,\n  {\n    "a": 1\n  }\n]' },
    { name: 'one line', before: '[1, 2]', after: '[1, 2, {"a":1}]' },
  ])('$name', ({ before, after }) => {
    expect(addItem(before, parse(before) as JsonArray, { a: 1 })).toBe(after);
  });
});

test.each([
  { name: 'the first', before: '[1, 2, 3]', index: 0, after: '[2, 3]' },
  { name: 'one between', before: '[1, 2, 3]', index: 1, after: '[1, 3]' },
  { name: 'the last', before: '[\n  1,\n  2\n]', index: 1, after: '[\n  1\n]' },
  { name: 'the only one', before: '[\n  1\n]', index: 0, after: '[]' },
  { name: 'a member', before: '{"a": 1, "b": {"c": 2}}', index: 1, after: '{"a": 1}' },
])('dropping $name', ({ before, index, after }) => {
  expect(dropPart(before, parse(before) as JsonObject | JsonArray, index)).toBe(after);
});

describe('what is not strict JSON is refused with its place', () => {
  test.each([
    { name: 'line comment', text: '{\n  // mine\n  "a": 1\n}', line: 2, column: 3, message: /comment/ },
    { name: 'block comment', text: '{ /* mine */ }', line: 1, column: 3, message: /comment/ },
    { name: 'trailing comma', text: '{\n  "a": 1,\n}', line: 3, column: 1, message: /member name/ },
    { name: 'single quotes', text: "{'a': 1}", line: 1, column: 2, message: /member name/ },
    { name: 'cut off', text: '{"a": ', line: 1, column: 7, message: /ends too early/ },
    { name: 'nothing', text: '', line: 1, column: 1, message: /ends too early/ },
    { name: 'two values', text: '{} {}', line: 1, column: 4, message: /after the end/ },
    { name: 'bare word', text: '{"a": yes}', line: 1, column: 7, message: /not a JSON value/ },
    { name: 'missing comma', text: '{"a": 1 "b": 2}', line: 1, column: 9, message: /`,` or `}`/ },
    { name: 'too deep', text: '['.repeat(300), line: 1, column: 202, message: /too deeply/ },
  ])('$name', ({ text, line, column, message }) => {
    expect(() => parse(text)).toThrowError(
      expect.objectContaining({ message: expect.stringMatching(message), at: { file: 'f.json', line, column } }),
    );
  });
});

test('parsing agrees with JSON.parse, and edits leave valid JSON', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
      fc.constantFrom(0, 2, '\t'),
      (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const root = parse(text) as JsonObject;
        expect(JSON.stringify(plainOf(root))).toBe(JSON.stringify(JSON.parse(text)));
        const added = addMember(text, root, 'added by test', [1]);
        expect(JSON.parse(added)).toEqual({ ...JSON.parse(text), 'added by test': [1] });
        const again = parse(added) as JsonObject;
        const dropped = dropPart(added, again, again.members.length - 1);
        expect(JSON.parse(dropped)).toEqual(JSON.parse(text));
      },
    ),
  );
});
