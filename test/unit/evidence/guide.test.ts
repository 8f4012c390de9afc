import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compilePolicy } from '../../../src/rulebook/compile.ts';
import { lint } from '../../../src/rulebook/lint/lint.ts';
import { runTests } from '../../../src/rulebook/rule-tests.ts';
import { fixtureWorld } from '../../../src/world/fixture.ts';
import { overlay } from '../../../src/world/overlay.ts';

it('the example of the guide does what it says', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/guide/evidence.md'), 'utf8');
  const text = /```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const compilation = compilePolicy([{ path: 'guide.yaml', text }]);
  expect([...compilation.findings, ...lint(compilation, 0)]).toEqual([]);
  const results = runTests(compilation, { world: fixtureWorld, overlay });
  expect(results.map((r) => r.ok)).toEqual([true, true, true]);
});
