import { fieldsOf, own } from './fields.ts';

/** How one agent's settings name hooks: below `hooks.<event>` a list of groups, each with a list `hooks` of handlers. */
export interface HookForm {
  /** Events that gov registers for, in the agent's own words. */
  readonly events: readonly string[];
  /** What gov adds for an event. */
  groupFor(event: string, hooksDir: string): unknown;
  /** True for a handler that starts one of gov's launchers, whatever installation it belongs to. */
  isOwn(handler: unknown): boolean;
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
