import type { EventName } from '../../model/tool-call.ts';
import { partOf } from '../agent.ts';
import { fieldsOf, own } from '../fields.ts';
import { type HookForm, missingIn } from '../hook-form.ts';

/** Events that gov registers for. `launcher` is the file under `hooks/`; a gate's launcher blocks when it breaks. */
export const HOOKED_EVENTS = [
  'PreToolUse',
  'PermissionRequest',
  'PreSkillShellCommand',
  'ConfigChange',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
  'SessionEnd',
  'SubagentStart',
  'SubagentStop',
  'Stop',
] as const satisfies readonly EventName[];

const LAUNCHERS = { gate: 'pre-tool-use', outcome: 'post-tool-use', session: 'event' } as const;

/** Seconds until the client gives up on the hook; gov itself answers much earlier. */
const TIMEOUT_S = 20;

/** First version of the client that heeds `onFailure`; older ones accept and ignore it. */
export const ON_FAILURE_SINCE = '2.1.295';

/** One group of hooks in the client's settings. */
export interface HookGroup {
  readonly matcher: string;
  readonly hooks: readonly {
    readonly type: 'command';
    readonly command: string;
    readonly args: readonly string[];
    readonly timeout: number;
    readonly onFailure: 'block';
  }[];
}

/**
 * What gov adds under `hooks.<event>`; `hooksDir` is absolute, or starts with `${CLAUDE_PLUGIN_ROOT}`. With
 * `onFailure: "block"` a launcher that is gone stops tool calls and prompts; on the other events the client goes on
 * (seen with 2.1.332: Stop does not loop). Launchers that are there end with 0 on events that are only recorded.
 */
export function groupFor(event: (typeof HOOKED_EVENTS)[number], hooksDir: string): HookGroup {
  const command = `${hooksDir}/${LAUNCHERS[partOf(event)]}`;
  return {
    matcher: '*',
    hooks: [{ type: 'command', command, args: ['claude-code'], timeout: TIMEOUT_S, onFailure: 'block' }],
  };
}

/** True for a handler that starts one of gov's launchers, whatever installation it belongs to. */
export function isGovHandler(handler: unknown): boolean {
  const fields = fieldsOf(handler);
  const args = fields && own(fields, 'args');
  if (!fields || !Array.isArray(args) || args[0] !== 'claude-code') return false;
  return /\/hooks\/(?:pre-tool-use|post-tool-use|event)$/.test(String(own(fields, 'command')));
}

const TYPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['command', ['command']],
  ['prompt', ['prompt']],
  ['agent', ['prompt']],
  ['http', ['url']],
  ['mcp_tool', ['server', 'tool']],
]);

/**
 * Why the client would drop the whole file, hooks and all: one wrong-typed field is enough (seen with 2.1.332 for
 * PreToolUse and PermissionRequest; older ones do it for every event). Empty: it would not.
 */
export function settingsFaults(settings: unknown): readonly string[] {
  const root = fieldsOf(settings);
  if (!root) return ['the settings are not a JSON object'];
  if (own(root, 'hooks') === undefined) return [];
  const hooks = fieldsOf(own(root, 'hooks'));
  if (!hooks) return ['`hooks` is not an object'];
  return Object.entries(hooks).flatMap(([event, groups]) =>
    Array.isArray(groups)
      ? groups.flatMap((group, i) => groupFaults(`hooks.${event}[${i}]`, group))
      : [`\`hooks.${event}\` is not a list`],
  );
}

function groupFaults(at: string, group: unknown): readonly string[] {
  const fields = fieldsOf(group);
  if (!fields) return [`\`${at}\` is not an object`];
  const matcher = own(fields, 'matcher');
  const handlers = own(fields, 'hooks');
  const faults = matcher === undefined || typeof matcher === 'string' ? [] : [`\`${at}.matcher\` is not a text`];
  if (!Array.isArray(handlers)) return [...faults, `\`${at}.hooks\` is not a list`];
  return [...faults, ...handlers.flatMap((handler, i) => handlerFaults(`${at}.hooks[${i}]`, handler))];
}

function handlerFaults(at: string, handler: unknown): readonly string[] {
  const fields = fieldsOf(handler);
  if (!fields) return [`\`${at}\` is not an object`];
  const needed = TYPES.get(String(own(fields, 'type')));
  if (!needed) return [`\`${at}.type\` is none of ${[...TYPES.keys()].join(', ')}`];
  const faults = needed
    .filter((name) => typeof own(fields, name) !== 'string')
    .map((name) => `\`${at}.${name}\` is not a text`);
  const check = (name: string, ok: (value: unknown) => boolean, what: string) => {
    const value = own(fields, name);
    if (value !== undefined && !ok(value)) faults.push(`\`${at}.${name}\` is not ${what}`);
  };
  check('timeout', (v) => typeof v === 'number' && v > 0, 'a positive number');
  check('onFailure', (v) => v === 'continue' || v === 'block', '`continue` or `block`');
  check('args', (v) => Array.isArray(v) && v.every((arg) => typeof arg === 'string'), 'a list of texts');
  check('async', (v) => typeof v === 'boolean', 'true or false');
  check('statusMessage', (v) => typeof v === 'string', 'a text');
  check('if', (v) => typeof v === 'string', 'a text');
  return faults;
}

/** Environment variables that switch hooks off, or that reach into gov's own processes, when settings set them. */
const DISARMING_ENV =
  /^(?:CLAUDE_CODE_SIMPLE|CLAUDE_CODE_SAFE_MODE|CLAUDE_CONFIG_DIR|GOV_.*|NODE_OPTIONS|LD_PRELOAD|DYLD_.*)$/;

/**
 * How settings, as they would come into force, would switch gov's hooks off; null: they don't. `expected`: gov is
 * registered in this very file, so that it must stay there and the client must not drop the file.
 */
export function disarmedBy(settings: unknown, expected: boolean): string | null {
  const fault = settingsFaults(settings)[0];
  if (fault) return expected ? `${fault}, so the client drops the whole file` : null;
  const root = fieldsOf(settings) ?? {};
  if (own(root, 'disableAllHooks') === true) return '`disableAllHooks` is set';
  for (const [name, value] of Object.entries(fieldsOf(own(root, 'env')) ?? {}))
    if (DISARMING_ENV.test(name) && value !== '' && value !== '0') return `\`env.${name}\` is set`;
  return expected ? missingHook(root) : null;
}

/** Which of gov's hooks is not registered in settings, in words; null: all are. */
export function missingHook(settings: unknown): string | null {
  return missingIn(CLAUDE_HOOKS, settings);
}

/** How Claude Code's settings name hooks. */
export const CLAUDE_HOOKS: HookForm = {
  events: HOOKED_EVENTS,
  groupFor: (event, hooksDir) => groupFor(event as (typeof HOOKED_EVENTS)[number], hooksDir),
  isOwn: isGovHandler,
};
