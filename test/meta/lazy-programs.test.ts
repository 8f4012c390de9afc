import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { families, lazyPrograms } from '../../scripts/lazy-programs.mjs';
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
  const pieces = new Map<string, unknown>();
  for (const { file } of families(process.cwd()).list)
    pieces.set(`programs-${file}.js`, await import(`../../src/programs/${file}.ts`));
  const module = { exports: {} as { programNamed: typeof programNamed; programNames: typeof programNames } };
  new Function('module', '__gov_piece', result.outputFiles[0]?.text ?? '')(module, (name: string) => pieces.get(name));
  const names = [...module.exports.programNames()].sort();
  expect(names).toEqual([...programNames()].sort());
  expect(names.length).toBeGreaterThan(1000);
  for (const name of names) expect(module.exports.programNamed(name)?.manual).toBe(programNamed(name)?.manual);
  for (const name of ['no-such-program', '', 'git npm', '0', '\n'])
    expect(module.exports.programNamed(name)).toBeUndefined();
});
