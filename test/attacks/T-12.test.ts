// T-12: a secret in a command ends up in the log.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWriter } from '../../src/audit/write/writer.ts';
import { draftOf, scratchPaths } from '../unit/audit/draft.ts';

// Put together here, so that no scanner takes this file for a leak.
const SECRETS = [
  `AKIA${'Q7ZK3M5TLX2VWN4R'}`,
  `ghp_${'a8Fk2LmQ9xT4vB7nC1zR6yW3uE5iO0pSdGhJ'}`,
  `xoxb-${'491827364501-830192746552-hQ7zLk2mWv9tXc4bRn6yTs1d'}`,
];

test.each(SECRETS)('%s is not in any byte of the store', (secret) => {
  const paths = scratchPaths();
  const writer = openWriter(paths);
  writer.append(draftOf(`curl -H "Authorization: Bearer ${secret}" https://x.example/?k=${secret}`));
  writer.close();
  const bytes = readdirSync(paths.state, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('');
  expect(bytes).toContain('x.example');
  expect(bytes).not.toContain(secret);
});
