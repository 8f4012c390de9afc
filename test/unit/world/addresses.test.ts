import { expect, it } from 'vitest';
import type { Value } from '../../../src/model/value.ts';
import { destOf } from '../../../src/world/addresses.ts';

const ANY = { hole: '$X', like: 'any' } as const;

it.each<[Value, string | null, number, string, boolean | null, boolean]>([
  [['https://Example.COM/a?b'], 'example.com', 443, 'https', false, false],
  [['http://user:pw@h.example:8080/x'], 'h.example', 8080, 'http', false, false],
  [['localhost:3000'], 'localhost', 3000, '', true, false],
  [['[::1]:80'], '::1', 80, '', true, false],
  [['http://2130706433/'], '127.0.0.1', 80, 'http', true, false],
  [['http://0xa9fea9fe/latest'], '169.254.169.254', 80, 'http', false, true],
  [['http://[::ffff:169.254.169.254]/'], '169.254.169.254', 80, 'http', false, true],
  [['metadata.google.internal'], 'metadata.google.internal', 0, '', false, true],
  [['http://169.254.169.254.nip.io/'], '169.254.169.254.nip.io', 80, 'http', false, true],
  [['git@github.com:a/b.git'], 'github.com', 0, '', false, false],
  [['dev@evil.example:/tmp/'], 'evil.example', 0, '', false, false],
  [['https://', ANY], null, 443, 'https', null, false],
  [['https://a.example/', ANY], 'a.example', 443, 'https', false, false],
  [['https://a.', ANY], null, 443, 'https', null, false],
  [[ANY], null, 0, '', null, false],
  [['http://evil.example\\@localhost/'], 'evil.example', 80, 'http', false, false],
])('%j', (address, host, port, scheme, loopback, metadata) => {
  expect(destOf({ address, sends: 'nothing' })).toMatchObject({ host, port, scheme, loopback, metadata });
});
