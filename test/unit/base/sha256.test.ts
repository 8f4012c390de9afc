import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256Module } from '../../../scripts/sha256-wasm.mjs';
import { sha256Hex } from '../../../src/base/sha256.ts';
import { SHA256_WASM } from '../../../src/base/sha256-wasm.ts';

test('The stored module is the one that its source makes', () => {
  expect(Buffer.from(sha256Module()).toString('base64')).toBe(SHA256_WASM);
});

// Around the lengths at which padding takes another block, and at which the module's memory is full.
test.each([0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 61439, 61440, 61441, 122880, 200000])(
  '%d bytes',
  (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7919 + length) & 255);
    expect(sha256Hex(bytes)).toBe(hash('sha256', bytes));
  },
);

test('Any bytes, one after the other', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => sha256Hex(bytes) === hash('sha256', bytes)));
});
