import { describe, expect, test } from 'vitest';
import { registrar } from '../../../src/agents/claude-code/register.ts';
import type { Installed } from '../../../src/agents/installed.ts';
import { disarmEffects } from '../../../src/hook/disarm.ts';
import type { ToolCall } from '../../../src/model/tool-call.ts';

const COMPLETE = registrar.merge(null, '/opt/gov/hooks', 'f');
const USER = '/home/dev/.claude/settings.json';
const PROJECT = '/home/dev/project/.claude/settings.json';
const LOCAL = '/home/dev/project/.claude/settings.local.json';

const registration = (file: string): Installed => ({
  agent: 'claude-code',
  scope: 'user',
  file,
  hooksDir: '/opt/gov/hooks',
  backup: null,
  sha256: '',
  at: 0,
});
const call = (detail: Record<string, unknown>): ToolCall => ({
  agent: 'claude-code',
  agentVersion: null,
  event: 'ConfigChange',
  rawEvent: 'ConfigChange',
  session: 's',
  callId: null,
  tool: 'other',
  rawTool: '',
  mcp: null,
  input: {},
  cwd: '/home/dev/project',
  subagent: null,
  permissionMode: null,
  transcript: null,
  result: null,
  detail,
});

interface Row {
  readonly name: string;
  readonly changed: string;
  readonly source?: string;
  readonly files: Readonly<Record<string, string>>;
  readonly registered: readonly string[];
  readonly why: string | null;
}

describe('a settings change that would switch the hooks off is found', () => {
  test.each<Row>([
    { name: 'hooks still there', changed: USER, files: { [USER]: COMPLETE }, registered: [USER], why: null },
    {
      name: 'hooks gone',
      changed: USER,
      files: { [USER]: '{}' },
      registered: [USER],
      why: "gov's hook for PreToolUse is gone",
    },
    { name: 'file gone', changed: USER, files: {}, registered: [USER], why: 'the file with its hooks is gone' },
    {
      name: 'file broken',
      changed: USER,
      files: { [USER]: '{' },
      registered: [USER],
      why: 'the file is not JSON any more, so the client drops it',
    },
    {
      name: 'gone here, whole elsewhere',
      changed: PROJECT,
      files: { [USER]: COMPLETE },
      registered: [USER, PROJECT],
      why: null,
    },
    {
      name: 'gone here, and elsewhere too',
      changed: PROJECT,
      files: { [USER]: '{}' },
      registered: [USER, PROJECT],
      why: 'the file with its hooks is gone',
    },
    {
      name: 'a file that never held them',
      changed: PROJECT,
      files: { [USER]: COMPLETE, [PROJECT]: '{}' },
      registered: [USER],
      why: null,
    },
    {
      name: 'a broken file that never held them',
      changed: PROJECT,
      files: { [USER]: COMPLETE, [PROJECT]: '{' },
      registered: [USER],
      why: null,
    },
    {
      name: 'a stronger file switches all off',
      changed: LOCAL,
      files: { [USER]: COMPLETE, [LOCAL]: '{"disableAllHooks":true}' },
      registered: [USER],
      why: '`disableAllHooks` is set',
    },
    {
      name: 'managed settings can not be refused',
      changed: '/etc/claude-code/managed-settings.json',
      source: 'policy_settings',
      files: {},
      registered: ['/etc/claude-code/managed-settings.json'],
      why: null,
    },
    { name: 'registered by hand: nothing is known', changed: USER, files: { [USER]: '{}' }, registered: [], why: null },
  ])('$name', ({ changed, source, files, registered, why }) => {
    const effects = disarmEffects(call({ source: source ?? 'user_settings', file_path: changed }), {
      readText: (path) => files[path] ?? null,
      realPath: (path) => path,
      registrations: () => registered.map(registration),
    });
    expect(effects.map((effect) => [effect.kind, effect.target, effect.detail])).toEqual(
      why === null ? [] : [['disarm', changed, why]],
    );
  });
});
