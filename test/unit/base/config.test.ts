import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { daemonMode, parseConfig, readConfig } from '../../../src/base/config.ts';
import { GOV_VERSION } from '../../../src/base/version.ts';

test.each<{ text: string; want: unknown }>([
  { text: '{}', want: { mode: 'enforce', preset: 'recommended' } },
  { text: '{"mode":"monitor","preset":"strict"}', want: { mode: 'monitor', preset: 'strict' } },
  { text: '{"daemon":"off"}', want: { mode: 'enforce', preset: 'recommended', daemon: 'off' } },
  { text: '{"daemon":"never"}', want: '`daemon` is none of `auto`, `off`, `require`' },
  { text: '{"daemon":true}', want: '`daemon` is none of `auto`, `off`, `require`' },
  { text: '', want: 'it is not JSON' },
  { text: '[]', want: 'it is not a JSON object' },
  { text: '{"mode":"off"}', want: '`mode` is neither `enforce` nor `monitor`' },
  { text: '{"mode":true}', want: '`mode` is neither `enforce` nor `monitor`' },
  { text: '{"preset":"../../x"}', want: '`preset` is not the name of a preset' },
  { text: '{"preset":1}', want: '`preset` is not the name of a preset' },
  { text: '{"Mode":"monitor"}', want: 'it has an unknown member `Mode`' },
  { text: '{"mode":"monitor","allow":true}', want: 'it has an unknown member `allow`' },
])('$text', ({ text, want }) => {
  expect(parseConfig(text)).toEqual(want);
});

test.each([
  [undefined, undefined, 'auto'],
  ['off', undefined, 'off'],
  [undefined, 'off', 'off'],
  ['off', 'auto', 'auto'],
  ['auto', 'nonsense', 'auto'],
  [undefined, 'require', 'require'],
  ['off', 'require', 'require'],
  // No word in the environment takes this back.
  ['require', 'off', 'require'],
  ['require', 'auto', 'require'],
] as const)('daemon: configuration %s, environment %s → %s', (daemon, said, want) => {
  const config = { mode: 'enforce', preset: 'recommended', ...(daemon ? { daemon } : {}) } as const;
  expect(daemonMode(config, { GOV_DAEMON: said })).toBe(want);
});

test('a file that is missing, broken, or open to others never loosens', () => {
  const dir = mkdtempSync(join(tmpdir(), 'gov-config-'));
  try {
    const file = join(dir, 'config.json');
    const strict = { mode: 'enforce', preset: 'recommended' };
    expect(readConfig(file)).toEqual({ config: strict, fault: '' });
    expect(readConfig(dir).config).toEqual(strict);
    expect(readConfig(dir).fault).not.toBe('');
    writeFileSync(file, '{"mode":"monitor"}', { mode: 0o600 });
    expect(readConfig(file)).toEqual({ config: { mode: 'monitor', preset: 'recommended' }, fault: '' });
    chmodSync(file, 0o622);
    expect(readConfig(file)).toEqual({ config: strict, fault: expect.stringContaining('others may write to it') });
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('the version is that of package.json', () => {
  expect(GOV_VERSION).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
});
