import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { registrar } from '../../../src/agents/claude-code/register.ts';
import {
  disarmedBy,
  groupFor,
  HOOKED_EVENTS,
  missingHook,
  settingsFaults,
} from '../../../src/agents/claude-code/settings.ts';

const DIR = '/opt/gov/hooks';
const merged = (text: string | null): string => registrar.merge(text, DIR, 'settings.json');
const complete = (): { hooks: Record<string, unknown[]> } & Record<string, unknown> => JSON.parse(merged(null));

describe('merging', () => {
  test('into nothing: every event, exec form, numeric time-out', () => {
    const settings = complete();
    expect(Object.keys(settings.hooks)).toEqual([...HOOKED_EVENTS]);
    expect(settings.hooks['PreToolUse']).toEqual([
      {
        matcher: '*',
        hooks: [
          {
            type: 'command',
            command: '/opt/gov/hooks/pre-tool-use',
            args: ['claude-code'],
            timeout: 20,
            onFailure: 'block',
          },
        ],
      },
    ]);
    const launchers = HOOKED_EVENTS.map(
      (event) => `${event} ${groupFor(event, DIR).hooks[0]?.command.split('/').at(-1)}`,
    );
    expect(launchers).toEqual([
      'PreToolUse pre-tool-use',
      'PermissionRequest pre-tool-use',
      'PreSkillShellCommand pre-tool-use',
      'ConfigChange pre-tool-use',
      'PostToolUse post-tool-use',
      'PostToolUseFailure post-tool-use',
      'UserPromptSubmit event',
      'UserPromptExpansion event',
      'SessionStart event',
      'SessionEnd event',
      'SubagentStart event',
      'SubagentStop event',
      'Stop event',
    ]);
  });

  const FILES = [
    { name: 'empty file', text: '' },
    { name: 'empty object', text: '{}\n' },
    { name: 'other settings', text: '{\n    "model": "opus",\n    "permissions": { "allow": ["Bash(ls:*)"] }\n}\n' },
    {
      name: 'other hooks',
      text: '{\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "x" }] }\n    ]\n  },\n  "model": "opus"\n}\n',
    },
    { name: 'minified', text: '{"hooks":{"Stop":[]},"model":"opus"}' },
    { name: 'Windows line ends', text: '{\r\n\t"model": "opus"\r\n}\r\n' },
  ];
  test.each(FILES)('into $name: all else stays, twice is once, and out again', ({ text }) => {
    const once = merged(text);
    expect(missingHook(JSON.parse(once))).toBeNull();
    expect(merged(once)).toBe(once);
    const before = text === '' ? {} : JSON.parse(text);
    const others = JSON.parse(once);
    for (const group of before.hooks?.PreToolUse ?? []) expect(others.hooks.PreToolUse).toContainEqual(group);
    for (const [key, value] of Object.entries(before)) if (key !== 'hooks') expect(others[key]).toEqual(value);
    const out = registrar.remove(once, 'settings.json');
    if (text.includes('"Stop":[]')) expect(JSON.parse(out)).toEqual({ model: 'opus' });
    else expect(out).toBe(text === '' ? '{}\n' : text);
  });

  test('an older registration is replaced, not doubled', () => {
    const old = registrar.merge('{"model": "opus"}', '/old/place/hooks', 'settings.json');
    const text = merged(old);
    expect(text).not.toContain('/old/place');
    expect(JSON.parse(text)).toEqual({ model: 'opus', ...complete() });
  });

  test("only gov's handler leaves a group that somebody added to", () => {
    const settings = complete();
    (settings.hooks['Stop'] as [{ hooks: unknown[] }])[0].hooks.push({ type: 'command', command: 'mine' });
    const out = JSON.parse(registrar.remove(JSON.stringify(settings, null, 2), 'settings.json'));
    expect(out).toEqual({ hooks: { Stop: [{ matcher: '*', hooks: [{ type: 'command', command: 'mine' }] }] } });
  });
});

test("the plugin's hooks are the same", () => {
  const plugin = JSON.parse(readFileSync('hooks/hooks.json', 'utf8'));
  expect(plugin.hooks).toEqual(
    Object.fromEntries(HOOKED_EVENTS.map((event) => [event, [groupFor(event, '${CLAUDE_PLUGIN_ROOT}/hooks')]])),
  );
});

describe('what makes the client drop the whole file', () => {
  const handler = { type: 'command', command: 'x' };
  const pre = (...hooks: unknown[]): unknown => ({ hooks: { PreToolUse: [{ matcher: '*', hooks }] } });
  test.each<{ name: string; settings: unknown; fault: string | undefined }>([
    { name: 'nothing', settings: {}, fault: undefined },
    {
      name: 'a sound handler',
      settings: pre({ ...handler, timeout: 5, onFailure: 'block', args: [] }),
      fault: undefined,
    },
    { name: 'an unknown member', settings: pre({ ...handler, colour: 'red' }), fault: undefined },
    { name: 'a list', settings: [], fault: 'the settings are not a JSON object' },
    { name: 'hooks are a list', settings: { hooks: [] }, fault: '`hooks` is not an object' },
    { name: 'an event is an object', settings: { hooks: { Stop: {} } }, fault: '`hooks.Stop` is not a list' },
    { name: 'a group is a text', settings: { hooks: { Stop: ['x'] } }, fault: '`hooks.Stop[0]` is not an object' },
    {
      name: 'no handlers',
      settings: { hooks: { Stop: [{ matcher: '*' }] } },
      fault: '`hooks.Stop[0].hooks` is not a list',
    },
    {
      name: 'time-out as a text',
      settings: pre({ ...handler, timeout: '10' }),
      fault: '`hooks.PreToolUse[0].hooks[0].timeout` is not a positive number',
    },
    {
      name: 'unknown onFailure',
      settings: pre({ ...handler, onFailure: 'closed' }),
      fault: '`hooks.PreToolUse[0].hooks[0].onFailure` is not `continue` or `block`',
    },
    {
      name: 'unknown type',
      settings: pre({ type: 'script', command: 'x' }),
      fault: '`hooks.PreToolUse[0].hooks[0].type` is none of command, prompt, agent, http, mcp_tool',
    },
    {
      name: 'no command',
      settings: pre({ type: 'command' }),
      fault: '`hooks.PreToolUse[0].hooks[0].command` is not a text',
    },
    {
      name: 'arguments as a text',
      settings: pre({ ...handler, args: 'x' }),
      fault: '`hooks.PreToolUse[0].hooks[0].args` is not a list of texts',
    },
  ])('$name', ({ settings, fault }) => {
    expect(settingsFaults(settings)[0]).toBe(fault);
  });
});

describe('what would switch the hooks off', () => {
  test.each<{ name: string; settings: unknown; expected: boolean; why: string | null }>([
    { name: 'complete', settings: complete(), expected: true, why: null },
    { name: 'complete with more', settings: { ...complete(), model: 'opus' }, expected: true, why: null },
    { name: 'empty', settings: {}, expected: true, why: "gov's hook for PreToolUse is gone" },
    { name: 'empty, registered elsewhere', settings: {}, expected: false, why: null },
    {
      name: 'one event less',
      settings: { hooks: { ...complete().hooks, ConfigChange: [] } },
      expected: true,
      why: "gov's hook for ConfigChange is gone",
    },
    { name: 'all off', settings: { disableAllHooks: true }, expected: false, why: '`disableAllHooks` is set' },
    { name: 'all off is false', settings: { disableAllHooks: false }, expected: false, why: null },
    {
      name: 'safe mode',
      settings: { env: { CLAUDE_CODE_SAFE_MODE: '1' } },
      expected: false,
      why: '`env.CLAUDE_CODE_SAFE_MODE` is set',
    },
    { name: 'safe mode off', settings: { env: { CLAUDE_CODE_SAFE_MODE: '0' } }, expected: false, why: null },
    { name: 'another store', settings: { env: { GOV_HOME: '/tmp/x' } }, expected: false, why: '`env.GOV_HOME` is set' },
    {
      name: 'code into Node',
      settings: { env: { NODE_OPTIONS: '--require /tmp/x' } },
      expected: false,
      why: '`env.NODE_OPTIONS` is set',
    },
    { name: 'ordinary variables', settings: { env: { FOO: '1' } }, expected: false, why: null },
    {
      name: 'a file that is dropped, and held the hooks',
      settings: { hooks: [] },
      expected: true,
      why: '`hooks` is not an object, so the client drops the whole file',
    },
    { name: 'a file that is dropped, and held none', settings: { hooks: [] }, expected: false, why: null },
  ])('$name', ({ settings, expected, why }) => {
    expect(disarmedBy(settings, expected)).toBe(why);
  });
});
