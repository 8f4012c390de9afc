import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256Blocks } from '../../../scripts/sha256-rounds.mjs';
import { sha256Hex } from '../../../src/base/sha256.ts';

test('The stored code is what its generator writes', () => {
  expect(readFileSync(new URL('../../../src/base/sha256-blocks.ts', import.meta.url), 'utf8')).toBe(sha256Blocks());
});

// Around the lengths at which padding takes another block.
test.each([0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 61439, 61440, 200000])('%d bytes', (length) => {
  const bytes = Uint8Array.from({ length }, (_, i) => (i * 7919 + length) & 255);
  expect(sha256Hex(bytes)).toBe(hash('sha256', bytes));
});

test('Any bytes, one after the other', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => sha256Hex(bytes) === hash('sha256', bytes)));
});
