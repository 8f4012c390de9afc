import { join } from 'node:path';
import type { EventName } from '../../model/tool-call.ts';
import { fieldsOf, own, textField } from '../fields.ts';
import { type HookForm, handlersOf, missingIn } from '../hook-form.ts';
import { mergeHooks, removeHooks } from '../hook-lists.ts';
import type { RegisterPlace, Registrar, Scope } from '../registrar.ts';
import { shellCommand, startsLauncher } from '../shell-hooks.ts';

/** Gemini CLI's events and what they are to gov. */
const EVENTS = [
  ['BeforeTool', 'PreToolUse'],
  ['AfterTool', 'PostToolUse'],
  ['BeforeAgent', 'UserPromptSubmit'],
  ['AfterAgent', 'Stop'],
  ['SessionStart', 'SessionStart'],
  ['SessionEnd', 'SessionEnd'],
] as const satisfies readonly (readonly [string, EventName])[];

const MEANING: ReadonlyMap<string, EventName> = new Map<string, EventName>(EVENTS);

/** Milliseconds here, where other agents count seconds: with 20 the hook would be killed at once, and the call run. */
const TIMEOUT_MS = 20_000;
const NAME = 'gov';

const HOOKS: HookForm = {
  events: EVENTS.map(([event]) => event),
  groupFor: (event, hooksDir) => ({
    matcher: '*',
    hooks: [
      {
        type: 'command',
        name: NAME,
        command: shellCommand(MEANING.get(event) ?? 'Other', 'gemini-cli', hooksDir),
        timeout: TIMEOUT_MS,
      },
    ],
  }),
  isOwn: (handler) => startsLauncher(handler, 'gemini-cli'),
};

/** How gov gets into Gemini CLI's settings (0.61), and out of them. */
export const registrar: Registrar = {
  agent: 'gemini-cli',
  title: 'Gemini CLI',
  programs: ['gemini'],
  scopes: ['user', 'project', 'managed'],
  home: ({ home }) => join(home, '.gemini'),
  file: settingsFile,
  merge: (text, hooksDir, file) => mergeHooks(HOOKS, text, hooksDir, file),
  remove: (text, file) => removeHooks(HOOKS, text, file),
  fault: (settings) => missingIn(HOOKS, settings) ?? switchedOff(settings),
  starts: (settings) =>
    handlersOf(settings, 'BeforeTool')
      .filter((handler) => HOOKS.isOwn(handler))
      .map((handler) => ({ program: '/bin/sh', args: ['-c', textField(fieldsOf(handler) ?? {}, 'command') ?? ''] })),
  payload: (command, { session, cwd }) => ({
    session_id: session,
    transcript_path: '/dev/null',
    cwd,
    hook_event_name: 'BeforeTool',
    timestamp: new Date().toISOString(),
    tool_name: 'run_shell_command',
    tool_input: { command },
  }),
};

function settingsFile(scope: Scope, { home, cwd, platform }: RegisterPlace): string {
  if (scope === 'user') return join(home, '.gemini', 'settings.json');
  if (scope === 'project') return join(cwd, '.gemini', 'settings.json');
  const machine = platform === 'darwin' ? '/Library/Application Support/GeminiCli' : '/etc/gemini-cli';
  return join(machine, 'settings.json');
}

/** How settings switch gov's hooks off, those of other files too; null: they don't. */
export function switchedOff(settings: unknown): string | null {
  const config = fieldsOf(own(fieldsOf(settings) ?? {}, 'hooksConfig')) ?? {};
  if (own(config, 'enabled') === false) return '`hooksConfig.enabled` is false';
  const disabled = own(config, 'disabled');
  const off = (item: unknown): boolean => item === NAME || startsLauncher({ command: item }, 'gemini-cli');
  return Array.isArray(disabled) && disabled.some(off) ? '`hooksConfig.disabled` names gov' : null;
}
