import type { HookForm } from './hook-form.ts';
import { addItem, addMember, dropPart, type JsonNode, memberOf, parseJsonText } from './json-text.ts';
import { plainOf, sameJson } from './registrar.ts';

/** The settings with gov's hooks in them, all else left byte for byte; the same text if they are there already. */
export function mergeHooks(form: HookForm, text: string | null, hooksDir: string, file: string): string {
  const wanted = form.events.map((event) => ({ event, group: form.groupFor(event, hooksDir) }));
  const start = text === null || text.trim() === '' ? '{}\n' : text;
  const root = parseJsonText(start, file);
  const present = wanted.every(({ event, group }) => {
    const own = ownGroups(form, root, event);
    return own.length === 1 && sameJson(plainOf(own[0] as JsonNode), group);
  });
  const before = ownEvents(form, root).length;
  if (present && before === wanted.length) return start;
  let out = before > 0 ? removeHooks(form, start, file) : start;
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
export function removeHooks(form: HookForm, text: string, file: string): string {
  let out = text;
  for (;;) {
    const next = removeOne(form, out, parseJsonText(out, file));
    if (next === out) return out;
    out = next;
  }
}

function removeOne(form: HookForm, text: string, root: JsonNode): string {
  const hooks = memberOf(root, 'hooks')?.value;
  if (root.kind !== 'object' || hooks?.kind !== 'object') return text;
  for (const [m, member] of hooks.members.entries()) {
    if (member.value.kind !== 'array') continue;
    for (const [g, group] of member.value.items.entries()) {
      const handlers = memberOf(group, 'hooks')?.value;
      if (handlers?.kind !== 'array') continue;
      const h = handlers.items.findIndex((item) => form.isOwn(plainOf(item)));
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
function ownGroups(form: HookForm, root: JsonNode, event: string): readonly JsonNode[] {
  const groups = memberOf(memberOf(root, 'hooks')?.value, event)?.value;
  if (groups?.kind !== 'array') return [];
  return groups.items.filter((group) => {
    const handlers = memberOf(group, 'hooks')?.value;
    return handlers?.kind === 'array' && handlers.items.some((item) => form.isOwn(plainOf(item)));
  });
}

function ownEvents(form: HookForm, root: JsonNode): readonly string[] {
  const hooks = memberOf(root, 'hooks')?.value;
  if (hooks?.kind !== 'object') return [];
  return hooks.members.map((member) => member.key).filter((event) => ownGroups(form, root, event).length > 0);
}
