import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withModes } from '../../src/rulebook/rule-mode.ts';
import { bash, configure, makePlace, type Place, ROOT, records, removePlace, runHook } from '../process/place.ts';
import { hasTerminals, openTerminal } from '../support/terminal.ts';

const RULE =
  'apiVersion: gov/v1\nkind: Rules\nmetadata: { name: mine }\nrules:\n  - id: mine.no-shipit\n    title: No shipit\n    severity: high\n    mode: shadow\n    each: command\n    when: command.name == "shipit"\n    effect: deny\n';

let place: Place;
beforeEach(() => {
  place = makePlace();
  mkdirSync(join(place.govHome, 'config', 'rules'), { recursive: true });
  writeFileSync(join(place.govHome, 'config', 'rules', 'mine.yaml'), RULE);
});
afterEach(() => {
  removePlace(place);
});

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function gov(args: readonly string[], more: NodeJS.ProcessEnv = {}): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'bin', 'run.js'), ...args], {
    cwd: place.workspace,
    env: { ...place.env, NO_COLOR: '1', ...more },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { status, stdout, stderr };
}

function answer(command: string): string {
  runHook(place, bash(place, command));
  return records(place).at(-1)?.answer ?? '';
}

const acts = (): readonly unknown[] =>
  records(place)
    .map((record) => record.body['call'] as { rawEvent: string; detail: unknown })
    .filter((call) => call.rawEvent === 'policy-mode')
    .map((call) => call.detail);

describe('without a person', () => {
  test('it says how things stand', () => {
    expect(gov(['policy', 'build']).status).toBe(0);
    const { status, stdout } = gov(['policy', 'mode']);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^enforce \(preset recommended\), \d+ rules: \d+ on, 1 in shadow, \d+ off\n( {2}off {5}evidence\.[\w-]+\n)+ {2}shadow {2}mine\.no-shipit\n$/,
      ),
    ]);
    expect(JSON.parse(gov(['policy', 'mode', '--json']).stdout)).toMatchObject({
      mode: 'enforce',
      preset: 'recommended',
      quiet: expect.arrayContaining([
        { id: 'evidence.read-before-edit', mode: 'off' },
        { id: 'mine.no-shipit', mode: 'shadow' },
      ]),
    });
  });

  test('a rule of yours is enforced, and hooks know at once', () => {
    gov(['policy', 'build']);
    expect(answer('shipit now')).toBe('allow');
    expect(gov(['policy', 'mode', 'enforce', '--rule', 'mine.no-shipit'])).toMatchObject({ status: 0, stderr: '' });
    expect(answer('shipit now')).toBe('deny');
    expect(acts()).toEqual([{ mode: 'enforce', rules: ['mine.no-shipit'] }]);
  });

  test.each([
    [['monitor'], /person/],
    [['shadow', '--rule', 'limits.calls'], /person/],
    [['off', '--rule', 'limits.calls'], /person/],
    [['shadow'], /about single rules/],
    [['monitor', '--rule', 'limits.calls'], /about all of gov/],
    [['enforce', '--rule', 'no.such'], /no rule `no\.such`/],
    [['--rule', 'limits.calls'], /which mode/],
    [['sometimes'], /sometimes/],
  ])('`gov policy mode %j` is refused: %s', (args, why) => {
    expect(gov(['policy', 'mode', ...args])).toMatchObject({
      status: 64,
      stdout: '',
      stderr: expect.stringMatching(why),
    });
    expect(existsSync(join(place.govHome, 'config', 'config.json'))).toBe(false);
    expect(existsSync(join(place.govHome, 'config', 'rules', 'modes.yaml'))).toBe(false);
  });

  test.each([['enforce'], ['monitor']])('under an agent `gov policy mode %s` is refused', (mode) => {
    configure(place, { mode: mode === 'enforce' ? 'monitor' : 'enforce', preset: 'recommended' });
    expect(gov(['policy', 'mode', mode], { CLAUDECODE: '1' })).toMatchObject({
      status: 64,
      stderr: expect.stringContaining('this process runs under Claude Code'),
    });
    expect(gov(['policy', 'mode', 'enforce', '--rule', 'mine.no-shipit'], { CLAUDECODE: '1' }).status).toBe(64);
  });

  test('a hook refuses the command to an agent', () => {
    for (const command of ['gov policy mode monitor', 'gov policy mode shadow --rule mine.no-shipit'])
      expect(answer(command)).toBe('deny');
    expect(answer('gov policy list')).toBe('allow');
  });

  test('monitor mode ends without a question', () => {
    configure(place, { mode: 'monitor', preset: 'monitor' });
    expect(gov(['policy', 'mode', 'enforce'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^enforce \(preset recommended\)/),
    });
    expect(answer('rm -rf /etc')).toBe('deny');
    expect(acts()).toEqual([{ mode: 'enforce', before: 'monitor', preset: 'recommended' }]);
  });
});

describe.skipIf(!hasTerminals)('a person at a terminal', () => {
  const command = (args: string): string => `${process.execPath} ${join(ROOT, 'bin', 'run.js')} policy mode ${args}`;

  test.each([
    ['monitor', /Let everything pass, and only record\?/, 'y', 'allow'],
    ['monitor', /Let everything pass, and only record\?/, 'n', 'deny'],
  ])('`%s`, answered %s %s', async (mode, question, word, want) => {
    const terminal = openTerminal(place.root, `mode-${word}`, place.workspace, { ...place.env, NO_COLOR: '1' });
    try {
      await terminal.run(command(mode), [question, `${word}${word === 'y' ? 'es' : 'o'}`]);
    } finally {
      terminal.close();
    }
    runHook(place, bash(place, 'rm -rf /etc'));
    expect(records(place).at(-1)?.answer).toBe(want);
  });

  test('takes a rule of theirs into the shadow, and not one that nothing but a grant may lift', async () => {
    gov(['policy', 'mode', 'enforce', '--rule', 'mine.no-shipit']);
    expect(answer('shipit now')).toBe('deny');
    const terminal = openTerminal(place.root, 'shadow', place.workspace, { ...place.env, NO_COLOR: '1' });
    try {
      await terminal.run(command('shadow --rule mine.no-shipit'), [/into the shadow\?/, 'yes']);
      terminal.close();
      expect(answer('shipit now')).toBe('allow');
      const screen = await terminal.run(command('off --rule fs.delete-outside'), [/out of force\?/, 'yes']);
      expect(screen).toContain("fs.delete-outside can't be made milder from your layer");
      expect(answer('rm -rf /etc')).toBe('deny');
      expect(readFileSync(join(place.govHome, 'config', 'rules', 'modes.yaml'), 'utf8')).not.toContain('fs.delete');
    } finally {
      terminal.close();
    }
  });
});

test('the file of modes keeps what it says of other rules', () => {
  const a = withModes('', [{ id: 'b.one', pack: 'beta' }], 'off');
  const b = withModes(
    a,
    [
      { id: 'a.two', pack: 'alpha' },
      { id: 'b.three', pack: 'beta' },
    ],
    'shadow',
  );
  expect(withModes(b, [{ id: 'b.one', pack: 'beta' }], 'enforce')).toBe(
    [
      '# Written by `gov policy mode`: which rules are in force, in the shadow, or off.',
      'apiVersion: gov/v1',
      'kind: Overlay',
      'target: beta',
      'rules:',
      '  - { id: b.one, mode: "enforce" }',
      '  - { id: b.three, mode: "shadow" }',
      '---',
      'apiVersion: gov/v1',
      'kind: Overlay',
      'target: alpha',
      'rules:',
      '  - { id: a.two, mode: "shadow" }',
      '',
    ].join('\n'),
  );
});
