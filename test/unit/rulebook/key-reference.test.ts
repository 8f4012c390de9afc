import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { keyReference } from '../../../src/rulebook/key-reference.ts';
import { RULE } from '../../../src/rulebook/rule-shape.ts';

it('the guide holds the reference of all keys', () => {
  expect(readFileSync('docs/guide/key-reference.md', 'utf8')).toBe(keyReference());
});

it('names every key of a rule and says what it is for', () => {
  const text = keyReference();
  for (const [key, shape] of Object.entries(RULE.keys)) {
    expect(text).toContain(`\`${key}\``);
    expect([key, shape.doc !== '']).toEqual([key, true]);
  }
});
