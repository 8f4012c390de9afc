import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadFingerprintKey } from '../../../src/redact/fingerprint.ts';
import { makeRedactor, redactJson, redactText } from '../../../src/redact/redact.ts';

const P = 'hunter2Zq9';
const X = '<redacted:password>';

test.each([
  ['words of a command', ['mysql', '-u', 'root', `-p${P}`], ['mysql', '-u', 'root', `-p${X}`]],
  ['an option and its value', ['tool', '--password', P, '--x'], ['tool', '--password', X, '--x']],
  ['a plain word as password', ['sshpass', '-p', 'letmein', 'ssh'], ['sshpass', '-p', X, 'ssh']],
  ['user and password', ['curl', '-u', 'me:letmein', 'u'], ['curl', '-u', `me:${X}`, 'u']],
  ['an option without value', ['docker', 'run', '-p', '8080:80'], ['docker', 'run', '-p', '8080:80']],
  ['by name', { db: { password: P, port: 1, user: 'me' } }, { db: { password: X, port: 1, user: 'me' } }],
  [
    'by name, but no secret',
    { password: null, token: '$TOKEN', secret: true },
    { password: null, token: '$TOKEN', secret: true },
  ],
  [
    'everywhere once known',
    { a: `--password ${P}`, b: ['x', P], c: `see ${P}.` },
    { a: `--password ${X}`, b: ['x', X], c: `see ${X}.` },
  ],
  [
    'a plain word is not looked for elsewhere',
    { a: '--password letmein', b: 'letmein in' },
    { a: `--password ${X}`, b: 'letmein in' },
  ],
  ['in a key', { [`postgres://u:${P}@h`]: 1 }, { 'postgres://u:<redacted:url-password>@h': 1 }],
  ['nothing', { a: ['b', 1, null, true, { c: '' }] }, { a: ['b', 1, null, true, { c: '' }] }],
])('%s', (_, value, wanted) => {
  const once = redactJson(value);
  expect(JSON.parse(JSON.stringify(once))).toEqual(wanted);
  expect(JSON.stringify(redactJson(once))).toBe(JSON.stringify(once));
});

test('keys that would change an object’s nature stay data', () => {
  const value = JSON.parse(`{"__proto__": {"password": "${P}"}, "a": 1}`);
  expect(JSON.stringify(redactJson(value))).toBe(`{"__proto__":{"password":"${X}"},"a":1}`);
  expect(({} as { password?: string }).password).toBeUndefined();
});

describe('fingerprints', () => {
  const dir = mkdtempSync(join(tmpdir(), 'gov-key-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  test('tell equal secrets from different ones, by a key of 32 bytes with mode 0600', () => {
    const file = join(dir, 'a.key');
    const key = loadFingerprintKey(file);
    expect(key).toHaveLength(32);
    expect(loadFingerprintKey(file)).toEqual(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file)).toEqual(key);
    const of = (text: string): string => /:([0-9a-f]{8})>/.exec(redactText(text, key))?.[1] ?? '';
    expect(of(`--password ${P}`)).toBe(of(`DB_PASSWORD=${P}`));
    expect(of(`--password ${P}`)).not.toBe(of(`--password ${P}x`));
    expect(redactText(`--password ${P}`, Buffer.alloc(32, 1))).not.toBe(redactText(`--password ${P}`, key));
  });

  test('are left out where there is no key', () => {
    expect(loadFingerprintKey(join(dir, 'nowhere', 'a.key'))).toBeNull();
    writeFileSync(join(dir, 'short.key'), 'short');
    expect(loadFingerprintKey(join(dir, 'short.key'))).toBeNull();
    expect(redactText(`--password ${P}`)).toBe(`--password ${X}`);
  });

  test('the key is asked for only when there is something to redact', () => {
    let asked = 0;
    const redactor = makeRedactor(() => {
      asked++;
      return null;
    });
    redactor.json({ a: 'ls -la', b: ['git', 'status'] });
    redactor.text('ls');
    expect(asked).toBe(0);
    redactor.json({ a: `--password ${P}` });
    redactor.text(`--password ${P}`);
    expect(asked).toBe(1);
  });
});
