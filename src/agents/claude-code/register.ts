import { join } from 'node:path';
import type { Env } from '../agent.ts';
import { fieldsOf, own, textField } from '../fields.ts';
import { handlersOf } from '../hook-form.ts';
import { mergeHooks, removeHooks } from '../hook-lists.ts';
import type { RegisterPlace, Registrar, Scope } from '../registrar.ts';
import { CLAUDE_HOOKS, disarmedBy, isGovHandler, missingHook } from './settings.ts';

/** How gov gets into Claude Code's settings, and out of them. */
export const registrar: Registrar = {
  agent: 'claude-code',
  title: 'Claude Code',
  programs: ['claude'],
  scopes: ['user', 'project', 'managed'],
  home: (place) => configDir(place.env, place.home),
  file: settingsFile,
  merge: (text, hooksDir, file) => mergeHooks(CLAUDE_HOOKS, text, hooksDir, file),
  remove: (text, file) => removeHooks(CLAUDE_HOOKS, text, file),
  fault: (settings) => missingHook(settings) ?? disarmedBy(settings, true),
  starts: (settings) =>
    handlersOf(settings, 'PreToolUse')
      .filter(isGovHandler)
      .map((handler) => {
        const fields = fieldsOf(handler) ?? {};
        return { program: textField(fields, 'command') ?? '', args: own(fields, 'args') as readonly string[] };
      }),
  payload: (command, { session, cwd, id }) => ({
    session_id: session,
    transcript_path: '/dev/null',
    cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command, description: 'gov verify' },
    tool_use_id: id,
  }),
};

function configDir(env: Env, home: string): string {
  return env['CLAUDE_CONFIG_DIR'] || join(home, '.claude');
}

/** Managed settings go into a file of their own: the client merges all that lie in the directory. */
function settingsFile(scope: Scope, place: RegisterPlace): string {
  if (scope === 'user') return join(configDir(place.env, place.home), 'settings.json');
  if (scope === 'project') return join(place.cwd, '.claude', 'settings.json');
  return join(managedDir(place.platform), 'managed-settings.d', '50-gov.json');
}

/** Directory of machine-wide settings, by platform. */
export function managedDir(platform: string): string {
  return platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code';
}
