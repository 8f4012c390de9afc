// T-13: the policy bundle is missing, broken or exchanged.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { GovError } from '../../src/base/errors.ts';
import { loadPolicy } from '../../src/policy/load.ts';
import { serializePolicy } from '../../src/rulebook/bundle.ts';
import { compileBuiltin } from '../support/policy.ts';

const dir = mkdtempSync(join(tmpdir(), 'gov-policy-'));
const file = join(dir, 'recommended.json');
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const text = serializePolicy(compileBuiltin('recommended'));

test('an untouched bundle loads', () => {
  writeFileSync(file, text);
  expect(loadPolicy(file).rules.length).toBeGreaterThan(40);
});

test.each([
  ['empty', ''],
  ['cut', text.slice(0, -100)],
  ['a rule softened', text.replace('"effect":"deny"', '"effect":"warn"')],
  ['rules emptied', text.replace(/"rules":\[.*\]/s, '"rules":[]')],
  ['another format', text.replace('"format":1', '"format":2')],
  ['no JSON', 'allow: everything'],
])('%s is refused', (_, damaged) => {
  writeFileSync(file, damaged);
  expect(() => loadPolicy(file)).toThrow(GovError);
});

test('a missing one is refused', () => {
  expect(() => loadPolicy(join(dir, 'none.json'))).toThrow(GovError);
});
