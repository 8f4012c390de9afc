import type { CommandFact, DestFact, EffectFact, Facts, FileFact, Span } from '../model/facts.ts';
import type { Each } from '../model/policy.ts';
import { commandKeys, type EventIndex, fileKeys, kindKeys } from './rule-index.ts';
import type { Scope } from './scope.ts';

/** One thing that a rule's condition ranges over. */
export interface Item {
  readonly kind: Each;
  /** What the rule sees: `command`, `file`, `dest`, `effect`. */
  readonly value: unknown;
  /** Keys of the rule index. */
  readonly keys: readonly string[];
  /** For people: a command's text, a path, an address. */
  readonly subject: string;
  readonly span: Span | null;
  readonly certain: boolean;
}

/** All items of a kind in the order of the facts; files get their keys for the index that is given. */
export function itemsOf(kind: Each, facts: Facts, scope: Scope, index?: EventIndex): Iterable<Item> {
  switch (kind) {
    case 'command':
      return map(scope.globals['commands'] as readonly CommandFact[], (c) => ({
        kind,
        value: c,
        keys: commandKeys(c),
        subject: c.text,
        span: c.span,
        certain: c.certain,
      }));
    case 'file':
      return map(facts.files, (f) => ({
        kind,
        value: f,
        keys: index ? fileKeys(f, index) : [],
        subject: `${f.op} ${f.real ?? f.path}`,
        span: spanOf(f, facts),
        certain: f.certain,
      }));
    case 'dest':
      return map(facts.dests, (d) => ({
        kind,
        value: d,
        keys: [],
        subject: subjectOfDest(d),
        span: spanOf(d, facts),
        certain: d.certain,
      }));
    case 'effect':
      return map(scope.globals['effects'] as readonly (EffectFact & { readonly span?: Span | null })[], (e) => ({
        kind,
        value: e,
        keys: kindKeys(e.kind),
        subject: `${e.kind} ${e.detail || e.target}`.trim(),
        span: e.span ?? spanOf(e, facts),
        certain: e.certain,
      }));
    case '':
      return [];
  }
}

function* map<T>(items: readonly T[], make: (item: T) => Item): Iterable<Item> {
  for (const item of items) yield make(item);
}

function spanOf(item: FileFact | DestFact | EffectFact, facts: Facts): Span | null {
  return facts.commands[item.command]?.span ?? null;
}

function subjectOfDest(dest: DestFact): string {
  return dest.url || (dest.host === null ? 'an unknown host' : `${dest.host}${dest.port ? `:${dest.port}` : ''}`);
}
