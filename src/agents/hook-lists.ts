import { fieldsOf, own } from './fields.ts';
import { addItem, addMember, dropPart, type JsonNode, memberOf, parseJsonText } from './json-text.ts';
import { plainOf, sameJson } from './registrar.ts';

/** How one agent's settings name hooks: below `hooks.<event>` a list of groups, each with a list `hooks` of handlers. */
export interface HookForm {
  /** Events that gov registers for, in the agent's own words. */
  readonly events: readonly string[];
  /** What gov adds for an event. */
  groupFor(event: string, hooksDir: string): unknown;
  /** True for a handler that starts one of gov's launchers, whatever installation it belongs to. */
  isOwn(handler: unknown): boolean;
}

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

/** A handler with where it stands in the lists. */
export interface PlacedHandler {
  readonly handler: unknown;
  readonly group: number;
  readonly index: number;
  /** The group's; undefined: it has none. */
  readonly matcher: unknown;
}

/** The handlers registered for an event, in order, whatever their shape. */
export function placedHandlers(settings: unknown, event: string): readonly PlacedHandler[] {
  const hooks = fieldsOf(own(fieldsOf(settings) ?? {}, 'hooks'));
  const groups = hooks && own(hooks, event);
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((item, group) => {
    const fields = fieldsOf(item) ?? {};
    const handlers = own(fields, 'hooks');
    if (!Array.isArray(handlers)) return [];
    return handlers.map((handler, index) => ({ handler, group, index, matcher: own(fields, 'matcher') }));
  });
}

/** The handlers registered for an event, in order, whatever their shape. */
export function handlersOf(settings: unknown, event: string): readonly unknown[] {
  return placedHandlers(settings, event).map(({ handler }) => handler);
}

/** Which of gov's hooks is not registered in settings, in words; null: all are. */
export function missingIn(form: HookForm, settings: unknown): string | null {
  for (const event of form.events)
    if (!handlersOf(settings, event).some((handler) => form.isOwn(handler))) return `gov's hook for ${event} is gone`;
  return null;
}
