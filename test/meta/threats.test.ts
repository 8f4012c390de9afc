import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const rows = [...readFileSync('docs/threat-model.md', 'utf8').matchAll(/^\| (T-\d+) \|.*\| (T-\d+\.test\.ts) \|$/gm)];

test('each threat has the attack that its row names, and each attack has a row', () => {
  expect(rows.length).toBeGreaterThanOrEqual(16);
  for (const [, id, file] of rows) {
    expect(file).toBe(`${id}.test.ts`);
    expect(existsSync(`test/attacks/${file}`), `test/attacks/${file}`).toBe(true);
  }
  expect(readdirSync('test/attacks').sort()).toEqual(rows.map(([, , file]) => file).sort());
});
