import { createRequire } from 'node:module';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { lazyPrograms } from '../../scripts/lazy-programs.mjs';
import { programNamed, programNames } from '../../src/programs/catalogue.ts';

// The hook's bundle looks programs up in another way than everything else: both must know the same.
test('the catalogue in the bundle knows the same programs', async () => {
  const result = await build({
    entryPoints: ['src/programs/catalogue.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    plugins: [lazyPrograms(process.cwd())],
  });
  const module = { exports: {} as { programNamed: typeof programNamed; programNames: typeof programNames } };
  new Function('module', 'exports', 'require', result.outputFiles[0]?.text ?? '')(
    module,
    module.exports,
    createRequire(import.meta.url),
  );
  const names = [...module.exports.programNames()].sort();
  expect(names).toEqual([...programNames()].sort());
  expect(names.length).toBeGreaterThan(1000);
  for (const name of names) expect(module.exports.programNamed(name)?.manual).toBe(programNamed(name)?.manual);
  expect(module.exports.programNamed('no-such-program')).toBeUndefined();
});
