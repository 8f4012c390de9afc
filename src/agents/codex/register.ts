import { join } from 'node:path';
import { sha256 } from '../../base/digest.ts';
import type { EventName } from '../../model/tool-call.ts';
import { fieldsOf, own, textField } from '../fields.ts';
import { type HookForm, handlersOf, missingIn, placedHandlers } from '../hook-form.ts';
import { mergeHooks, removeHooks } from '../hook-lists.ts';
import type { RegisterPlace, Registrar, Scope } from '../registrar.ts';
import { shellCommand, startsLauncher } from '../shell-hooks.ts';

const EVENTS = [
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'SubagentStart',
  'SubagentStop',
  'Stop',
] as const satisfies readonly EventName[];

const TIMEOUT_S = 20;
/** Codex takes no more for this event. */
const END_TIMEOUT_S = 3;

/** Events at which there is nothing to match: Codex leaves a matcher out of their normal form. */
const UNMATCHED: ReadonlySet<string> = new Set<EventName>(['UserPromptSubmit', 'Stop']);

const HOOKS: HookForm = {
  events: EVENTS,
  groupFor: (event, hooksDir) => ({
    ...(UNMATCHED.has(event) ? {} : { matcher: '*' }),
    hooks: [
      {
        type: 'command',
        command: shellCommand(event as EventName, 'codex', hooksDir),
        timeout: event === 'SessionEnd' ? END_TIMEOUT_S : TIMEOUT_S,
      },
    ],
  }),
  isOwn: (handler) => startsLauncher(handler, 'codex'),
};

/** How gov gets into Codex's `hooks.json` (0.171), and out of it. */
export const registrar: Registrar = {
  agent: 'codex',
  title: 'Codex',
  programs: ['codex'],
  scopes: ['user', 'project'],
  home: codexHome,
  file: (scope: Scope, place) => join(scope === 'user' ? codexHome(place) : join(place.cwd, '.codex'), 'hooks.json'),
  merge: (text, hooksDir, file) => mergeHooks(HOOKS, text, hooksDir, file),
  remove: (text, file) => removeHooks(HOOKS, text, file),
  fault: (settings) => missingIn(HOOKS, settings) ?? refusedWhole(settings),
  starts: (settings) =>
    handlersOf(settings, 'PreToolUse')
      .filter((handler) => HOOKS.isOwn(handler))
      .map((handler) => ({ program: '/bin/sh', args: ['-c', textField(fieldsOf(handler) ?? {}, 'command') ?? ''] })),
  payload: (command, { session, cwd, id }) => ({
    session_id: session,
    turn_id: id,
    transcript_path: null,
    cwd,
    hook_event_name: 'PreToolUse',
    model: 'gov-verify',
    permission_mode: 'default',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: id,
  }),
  next: 'Codex skips hooks that nobody trusted: start `codex`, type /hooks and trust those of gov; `gov doctor` tells whether they are.',
};

/** Codex's own directory. */
export function codexHome({ env, home }: Pick<RegisterPlace, 'env' | 'home'>): string {
  return env['CODEX_HOME'] || join(home, '.codex');
}

/** A member that it does not know makes Codex drop the whole file, and run every call. */
function refusedWhole(settings: unknown): string | null {
  const strange = Object.keys(fieldsOf(settings) ?? {}).find((name) => name !== 'hooks' && name !== 'description');
  return strange === undefined ? null : `Codex refuses the whole file because of \`${strange}\``;
}

/** What Codex has to hold about a hook to run it: a key and a hash of it in its `config.toml`. */
export interface Trust {
  readonly event: string;
  readonly key: string;
  /** `sha256:…`. */
  readonly hash: string;
}

/** The trust that gov's hooks in a file need; `file` is absolute, as Codex sees it. */
export function trustFor(settings: unknown, file: string): readonly Trust[] {
  return EVENTS.flatMap((event) =>
    placedHandlers(settings, event)
      .filter(({ handler }) => HOOKS.isOwn(handler))
      .map(({ handler, group, index, matcher }) => {
        const name = event.replace(/(?<=.)[A-Z]/g, (c) => `_${c}`).toLowerCase();
        return {
          event,
          key: `${file}:${name}:${group}:${index}`,
          hash: hashOf(name, UNMATCHED.has(event) ? undefined : matcher, handler),
        };
      }),
  );
}

/** Codex's own hash of a hook: of its normal form, as JSON with sorted members (openai/codex 0.171, `currentHash`). */
function hashOf(event: string, matcher: unknown, handler: unknown): string {
  const fields = fieldsOf(handler) ?? {};
  const status = own(fields, 'statusMessage');
  const normal = {
    event_name: event,
    hooks: [
      {
        async: own(fields, 'async') === true,
        command: own(fields, 'command'),
        ...(typeof status === 'string' && status !== '' ? { statusMessage: status } : {}),
        timeout: own(fields, 'timeout') ?? 600,
        type: 'command',
      },
    ],
    ...(typeof matcher === 'string' ? { matcher } : {}),
  };
  return `sha256:${sha256(JSON.stringify(normal))}`;
}

/** Which of gov's hooks `config.toml` does not trust, or has switched off; empty: it trusts all. */
export function untrusted(needed: readonly Trust[], toml: string): readonly Trust[] {
  return needed.filter(({ key, hash }) => {
    const table = tableOf(toml, key);
    return !table.includes(`"${hash}"`) && !table.includes(`'${hash}'`) ? true : /^\s*enabled\s*=\s*false/m.test(table);
  });
}

/** True if `[features]` switches hooks off. */
export function hooksAreOff(toml: string): boolean {
  const features = /^\s*\[features\]\s*$([\s\S]*?)(?=^\s*\[|(?![\s\S]))/m.exec(toml)?.[1] ?? '';
  return /^\s*hooks\s*=\s*false/m.test(features) || /^\s*features\.hooks\s*=\s*false/m.test(toml);
}

/** The lines of `[hooks.state."KEY"]`; '' if there is no such table. */
function tableOf(toml: string, key: string): string {
  const lines = toml.split('\n');
  const heads = [`[hooks.state.${JSON.stringify(key)}]`, `[hooks.state.'${key}']`];
  const at = lines.findIndex((line) => heads.includes(line.trim()));
  if (at < 0) return '';
  const end = lines.findIndex((line, i) => i > at && /^\s*\[/.test(line));
  return lines.slice(at + 1, end < 0 ? undefined : end).join('\n');
}
