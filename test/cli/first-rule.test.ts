import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const guide = readFileSync(join(ROOT, 'docs/guide/first-rule.md'), 'utf8');
const home = mkdtempSync(join(tmpdir(), 'gov-guide-'));

mkdirSync(join(home, 'bin'));
writeFileSync(join(home, 'bin/gov'), `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin/run.js')}" "$@"\n`);
chmodSync(join(home, 'bin/gov'), 0o755);

/** What a console block says: each command with the output that follows it. */
function commandsIn(block: string): readonly { readonly command: string; readonly output: string }[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...output] = part.split('\n');
      return { command, output: output.join('\n').trimEnd() };
    });
}

const blocks = [...guide.matchAll(/^```(yaml file=(\S+)|console)\n([\s\S]*?)^```$/gm)];

describe('the guide to the first rule, as it is written', () => {
  it('has files and commands', () => {
    expect(blocks.filter((b) => b[2]).length).toBeGreaterThan(3);
    expect(blocks.filter((b) => !b[2]).length).toBeGreaterThan(3);
  });
  for (const [, , file, text = ''] of blocks) {
    if (file) writeFileSync(join(home, file), text);
    else
      it.each(commandsIn(text).map((c) => [c.command, c.output] as const))('%s', (command, output) => {
        const env = {
          PATH: `${home}/bin:${process.env['PATH']}`,
          HOME: home,
          GOV_HOME: join(home, 'gov'),
          NO_COLOR: '1',
        };
        const run = spawnSync('sh', ['-c', command], { cwd: home, env, encoding: 'utf8' });
        const exit = run.status === 0 ? '' : `\n[exit code ${run.status}]`;
        const got = `${run.stdout}${run.stderr}`.trimEnd() + exit;
        if (output === '') expect(exit).toBe('');
        else expect(got.trimEnd().replace(/\n\n\[exit/, '\n[exit')).toBe(output);
      });
  }
});
