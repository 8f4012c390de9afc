import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Lets an agent's hook see a call. */
function record(home: string, command: string): void {
  const cwd = join(home, 'work');
  const input = JSON.stringify({
    session_id: 's',
    transcript_path: join(home, 't.jsonl'),
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
  });
  const env = { PATH: process.env['PATH'], HOME: home, GOV_HOME: join(cwd, 'gov'), GOV_DAEMON: 'off' };
  spawnSync(join(ROOT, 'hooks/pre-tool-use'), ['claude-code'], { cwd, env, input });
}

/** A home with `gov` on the path and two recorded calls. */
function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'gov-guide-'));
  mkdirSync(join(home, 'bin'));
  mkdirSync(join(home, 'work', '.git'), { recursive: true });
  writeFileSync(join(home, 'bin/gov'), `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin/run.js')}" "$@"\n`);
  chmodSync(join(home, 'bin/gov'), 0o755);
  for (const command of ['npm test', 'migrate up']) record(home, command);
  return home;
}

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

describe.each(['first-rule.md', 'layers-and-rollout.md'])('%s, as it is written', (name) => {
  const guide = readFileSync(join(ROOT, 'docs/guide', name), 'utf8');
  const blocks = [...guide.matchAll(/^```(yaml file=(\S+)|console)\n([\s\S]*?)^```$/gm)];
  const home = makeHome();
  const work = join(home, 'work');

  it('has files and commands', () => {
    expect(blocks.filter((b) => b[2]).length).toBeGreaterThan(3);
    expect(blocks.filter((b) => !b[2]).length).toBeGreaterThan(3);
  });
  for (const [, , file, text = ''] of blocks) {
    if (file)
      it(`${file} is written`, () => {
        const path = join(work, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      });
    else
      it.each(commandsIn(text).map((c) => [c.command, c.output] as const))('%s', (command, output) => {
        const env = {
          PATH: `${home}/bin:${process.env['PATH']}`,
          HOME: home,
          GOV_HOME: join(work, 'gov'),
          GOV_DAEMON: 'off',
          NO_COLOR: '1',
        };
        const run = spawnSync('sh', ['-c', command], { cwd: work, env, encoding: 'utf8' });
        const exit = run.status === 0 ? '' : `\n[exit code ${run.status}]`;
        const got = `${run.stdout}${run.stderr}`.trimEnd() + exit;
        if (output === '') expect(exit).toBe('');
        else expect(got.trimEnd().replace(/\n\n\[exit/, '\n[exit')).toBe(output);
      });
  }
});
