import crypto from 'node:crypto';
import { expect, test } from 'vitest';
import * as light from '../../../src/hook/light-crypto.ts';

// First: what follows makes the module load `node:crypto`, and from then on that is what answers.
const KEYS = [0, 1, 32, 63, 64, 65, 200].map((length) => Buffer.alloc(length, 0xa5));

test.each(KEYS)('A keyed digest, row %#', (key) => {
  const own = light
    .createHmac('sha256', key)
    .update('ä'.repeat(100))
    .update(Buffer.from([0, 255]))
    .digest('hex');
  const theirs = crypto
    .createHmac('sha256', key)
    .update('ä'.repeat(100))
    .update(Buffer.from([0, 255]))
    .digest('hex');
  expect(own).toBe(theirs);
});

test('Random bytes: as many as asked for, and never the same twice', () => {
  const sizes = [16, 11, 16, 120, 128, 4, 1000];
  const all = sizes.map((size) => light.randomBytes(size));
  expect(all.map((bytes) => bytes.length)).toEqual(sizes);
  expect(new Set(all.map((bytes) => bytes.toString('hex'))).size).toBe(sizes.length);
});

test.each(['', 'a', 'ä\u{1f600}\ud800', 'x'.repeat(3000), 'x'.repeat(300_000)])(
  'The digest of a text, row %#',
  (text) => {
    expect(light.hash('sha256', text)).toBe(crypto.hash('sha256', text));
  },
);

test('Everything that it exports does what its namesake does', () => {
  const key = Buffer.alloc(32, 7);
  expect(light.createHmac('sha256', key).update('x').digest('hex')).toBe(
    crypto.createHmac('sha256', key).update('x').digest('hex'),
  );
  expect(light.createHash('sha1').update('x').digest('hex')).toBe(crypto.createHash('sha1').update('x').digest('hex'));
  expect(light.hash('sha1', 'x')).toBe(crypto.hash('sha1', 'x'));
  const pair = crypto.generateKeyPairSync('ed25519');
  const pem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' });
  const signature = light.sign(null, Buffer.from('x'), light.createPrivateKey(pem));
  expect(light.verify(null, Buffer.from('x'), light.createPublicKey(pem), signature)).toBe(true);
  expect(light.verify(null, Buffer.from('y'), light.createPublicKey(pem), signature)).toBe(false);
});
