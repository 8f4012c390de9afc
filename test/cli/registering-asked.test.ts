import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasTerminals, openTerminal, type Terminal } from '../support/terminal.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const GOV = `${process.execPath} ${join(ROOT, 'bin', 'run.js')}`;
const BEFORE = '{\n  "model": "opus"\n}\n';

let root: string;
let settings: string;
let terminals: Terminal[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gov-asked-'));
  settings = join(root, 'home', '.claude', 'settings.json');
  for (const dir of ['home/.claude', 'work']) mkdirSync(join(root, dir), { recursive: true });
  writeFileSync(settings, BEFORE);
  terminals = [];
});
afterEach(() => {
  for (const terminal of terminals) terminal.close();
  rmSync(root, { recursive: true, force: true });
});

/** What stands on the screen at the end. */
function run(command: string, ...talk: readonly (readonly [RegExp, string])[]): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    TERM: 'xterm',
    HOME: join(root, 'home'),
    GOV_HOME: join(root, 'gov'),
    GOV_DAEMON: 'off',
  };
  const terminal = openTerminal(root, String(terminals.length), join(root, 'work'), env);
  terminals.push(terminal);
  return terminal.run(`${GOV} ${command}`, ...talk);
}
const now = (): string => readFileSync(settings, 'utf8');
const init = (): Promise<string> => run('init --agent claude-code', [/Write this\?/, 'yes']);

describe.runIf(hasTerminals)('at a terminal', () => {
  test('gov init tells the change in short, where all of it is, and where the settings are kept', async () => {
    const screen = await init();
    const backup = /The settings as they were: (\S+)/.exec(screen)?.[1];
    expect(
      screen
        .replace(backup ?? '', '<backup>')
        .split('\n')
        .slice(0, 9),
    ).toEqual([
      `Claude Code  ${settings}`,
      expect.stringMatching(/^ {2}\+ hooks for 1\d events: PreToolUse, PermissionRequest, /),
      expect.stringMatching(/^ {4}\w+, .*Stop$/),
      expect.stringMatching(/^ {2}2\d\d lines added, 1 removed; everything else stays as it is$/),
      '--diff shows every line of it.',
      'Write this? [y/N] yes',
      '',
      'gov is in force for new sessions (preset recommended).',
      'The settings as they were: <backup>',
    ]);
    expect(readFileSync(backup ?? '', 'utf8')).toBe(BEFORE);
    expect(now()).toContain('PreToolUse');
  });

  test('gov init --diff shows every line', async () => {
    const screen = await run('init --agent claude-code --diff', [/Write this\?/, 'no']);
    expect(screen).toMatch(/^ {2}\+ +"hooks": \[$/m);
    expect(screen).toContain('ended 1');
    expect(now()).toBe(BEFORE);
  });

  test('gov uninstall shows what it would take out, and asks', async () => {
    await init();
    const during = now();
    const refused = await run('uninstall', [/Take gov out of these settings\?/, 'no']);
    expect(refused).toMatch(/ {2}- hooks for 1\d events: PreToolUse/);
    expect(refused).toMatch(/Nothing was changed\.\nended 1/);
    expect(now()).toBe(during);
    const done = await run('uninstall', [/Take gov out of these settings\?/, 'yes']);
    expect(done).toMatch(/Your records stay in .*\nended 0/);
    expect(now()).toBe(BEFORE);
  });

  test('gov uninstall --yes does not ask, nor does --dry-run', async () => {
    await init();
    const during = now();
    expect(await run('uninstall --dry-run')).toMatch(/Nothing was changed \(--dry-run\)\.\nended 0/);
    expect(now()).toBe(during);
    expect(await run('uninstall --yes')).toContain('ended 0');
    expect(now()).toBe(BEFORE);
    expect(existsSync(join(root, 'gov'))).toBe(true);
  });
});
