import { join } from 'node:path';
import type { Env } from '../agent.ts';
import { addItem, addMember, dropPart, type JsonNode, memberOf, parseJsonText } from '../json-text.ts';
import { plainOf, type RegisterPlace, type Registrar, type Scope, sameJson } from '../registrar.ts';
import { groupFor, HOOKED_EVENTS, isGovHandler } from './settings.ts';

/** How gov gets into Claude Code's settings, and out of them. */
export const registrar: Registrar = {
  agent: 'claude-code',
  title: 'Claude Code',
  programs: ['claude'],
  scopes: ['user', 'project', 'managed'],
  home: (place) => configDir(place.env, place.home),
  file: settingsFile,
  merge,
  remove,
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

/** The settings with gov's hooks in them, all else left byte for byte; the same text if they are there already. */
function merge(text: string | null, hooksDir: string, file: string): string {
  const wanted = HOOKED_EVENTS.map((event) => ({ event, group: groupFor(event, hooksDir) }));
  const start = text === null || text.trim() === '' ? '{}\n' : text;
  const root = parseJsonText(start, file);
  const present = wanted.every(({ event, group }) => {
    const own = govGroups(root, event);
    return own.length === 1 && sameJson(plainOf(own[0] as JsonNode), group);
  });
  if (present && govEvents(root).length === wanted.length) return start;
  let out = govEvents(root).length > 0 ? remove(start, file) : start;
  for (const { event, group } of wanted) out = addGroup(out, event, group, file);
  return out;
}

function addGroup(text: string, event: string, group: unknown, file: string): string {
  const root = parseJsonText(text, file);
  if (root.kind !== 'object') return text;
  const hooks = memberOf(root, 'hooks')?.value;
  if (hooks?.kind !== 'object') return addMember(text, root, 'hooks', { [event]: [group] });
  const groups = memberOf(hooks, event)?.value;
  if (groups?.kind !== 'array') return addMember(text, hooks, event, [group]);
  return addItem(text, groups, group);
}

/** The settings without gov's hooks, and without the lists and objects that held nothing else. */
function remove(text: string, file: string): string {
  let out = text;
  for (;;) {
    const next = removeOne(out, parseJsonText(out, file));
    if (next === out) return out;
    out = next;
  }
}

function removeOne(text: string, root: JsonNode): string {
  const hooks = memberOf(root, 'hooks')?.value;
  if (root.kind !== 'object' || hooks?.kind !== 'object') return text;
  for (const [m, member] of hooks.members.entries()) {
    if (member.value.kind !== 'array') continue;
    for (const [g, group] of member.value.items.entries()) {
      const handlers = memberOf(group, 'hooks')?.value;
      if (handlers?.kind !== 'array') continue;
      const h = handlers.items.findIndex((item) => isGovHandler(plainOf(item)));
      if (h < 0) continue;
      if (handlers.items.length > 1) return dropPart(text, handlers, h);
      if (member.value.items.length > 1) return dropPart(text, member.value, g);
      if (hooks.members.length > 1) return dropPart(text, hooks, m);
      return dropPart(
        text,
        root,
        root.members.findIndex((item) => item.value === hooks),
      );
    }
  }
  return text;
}

/** The groups of one event that hold a handler of gov. */
function govGroups(root: JsonNode, event: string): readonly JsonNode[] {
  const groups = memberOf(memberOf(root, 'hooks')?.value, event)?.value;
  if (groups?.kind !== 'array') return [];
  return groups.items.filter((group) => {
    const handlers = memberOf(group, 'hooks')?.value;
    return handlers?.kind === 'array' && handlers.items.some((item) => isGovHandler(plainOf(item)));
  });
}

function govEvents(root: JsonNode): readonly string[] {
  const hooks = memberOf(root, 'hooks')?.value;
  if (hooks?.kind !== 'object') return [];
  return hooks.members.map((member) => member.key).filter((event) => govGroups(root, event).length > 0);
}
