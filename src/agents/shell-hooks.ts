import type { EventName } from '../model/tool-call.ts';
import { partOf } from './agent.ts';
import { fieldsOf, own } from './fields.ts';

const LAUNCHERS = { gate: 'pre-tool-use', outcome: 'post-tool-use', session: 'event' } as const;

/**
 * The command line of a hook where the agent takes one text for a shell. Such agents let a call pass when its hook is
 * gone or ends oddly: the line itself turns that into a refusal with a reason.
 */
export function shellCommand(event: EventName, agent: string, hooksDir: string): string {
  const part = partOf(event);
  const start = `${quoted(`${hooksDir}/${LAUNCHERS[part]}`)} ${agent}`;
  if (part !== 'gate') return `${start} || exit 0`;
  return `${start} || { [ $? = 2 ] || echo 'gov: its launcher is gone or broken: the call is blocked; run gov doctor' >&2; exit 2; }`;
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** True for a handler whose command line starts one of gov's launchers for this agent. */
export function startsLauncher(handler: unknown, agent: string): boolean {
  return launcherIn(handler, agent) !== null;
}

/** The launcher that a handler starts; null: it is none of gov's for this agent. */
export function launcherIn(handler: unknown, agent: string): string | null {
  const command = own(fieldsOf(handler) ?? {}, 'command');
  if (typeof command !== 'string') return null;
  const found = /^(?:'((?:[^']|'\\'')+)'|([^\s']+)) ([\w-]+)(?= |$)/.exec(command);
  const path = found?.[1]?.replaceAll("'\\''", "'") ?? found?.[2];
  if (path === undefined || found?.[3] !== agent) return null;
  return /\/hooks\/(?:pre-tool-use|post-tool-use|event)$/.test(path) ? path : null;
}
