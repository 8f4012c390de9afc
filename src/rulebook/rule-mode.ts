import { isMap, isScalar, isSeq, type Node, parseAllDocuments, type YAMLMap } from 'yaml';
import type { CompiledRule } from '../model/policy.ts';

type Mode = CompiledRule['mode'];
type Named = Pick<CompiledRule, 'id' | 'pack'>;

const HEAD = '# Written by `gov policy mode`: which rules are in force, in the shadow, or off.\n';

/**
 * The text of the overlay file in which modes of rules are kept, with those of some rules set; '' starts a new one. It
 * may be edited by hand: comments, order and whatever else it says stay as they are.
 */
export function withModes(text: string, rules: readonly Named[], mode: Mode): string {
  return rules.reduce((so, rule) => withMode(so, rule, mode), text.trim() === '' ? HEAD : text);
}

/** Text to put between two places of another. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function withMode(text: string, { id, pack }: Named, mode: Mode): string {
  const value = `"${mode}"`;
  const lists = listsOf(text, pack);
  const said = lists.flatMap((list) => list.items.filter((item) => item.id === id));
  if (said.length > 0)
    return spliced(
      text,
      said.map((item) => setIn(text, item.map, value)),
    );
  for (const { items, flow } of lists) {
    // Behind the last one whose name is smaller, so that a file that nobody touches is in order.
    const before = items.filter((item) => item.id < id).at(-1) ?? items.at(-1);
    if (before === undefined || flow) continue;
    const after = lineEnd(text, before.map.range?.[1] ?? text.length);
    const indent = indentOf(text, before.dash);
    return spliced(text, [{ from: after, to: after, text: `\n${indent}- { id: ${id}, mode: ${value} }` }]);
  }
  const rest = text.endsWith('\n') ? text : `${text}\n`;
  const separator = parseDocuments(text).some((doc) => doc.contents !== null) ? '---\n' : '';
  return `${rest}${separator}apiVersion: gov/v1\nkind: Overlay\ntarget: ${pack}\nrules:\n  - { id: ${id}, mode: ${value} }\n`;
}

interface Item {
  readonly id: string;
  readonly map: YAMLMap;
  /** Where its line's `-` stands, for its indentation. */
  readonly dash: number;
}

/** The lists of rules in the file's overlays of a pack. */
function listsOf(text: string, pack: string): readonly { readonly items: readonly Item[]; readonly flow: boolean }[] {
  return parseDocuments(text).flatMap((doc) => {
    const rules = doc.get('rules');
    if (String(doc.get('kind')) !== 'Overlay' || String(doc.get('target')) !== pack || !isSeq(rules)) return [];
    const items = rules.items.flatMap((map): Item[] =>
      isMap(map) && isScalar(map.get('id', true))
        ? [{ id: String(map.get('id')), map, dash: text.lastIndexOf('-', (map.range?.[0] ?? 1) - 1) }]
        : [],
    );
    return [{ items, flow: rules.flow === true }];
  });
}

function parseDocuments(text: string) {
  const documents = parseAllDocuments(text);
  return Array.isArray(documents) ? documents.filter((doc) => isMap(doc.contents)) : [];
}

/** The change that gives a rule's entry this mode. */
function setIn(text: string, map: YAMLMap, value: string): Splice {
  const now = map.get('mode', true) as Node | undefined;
  if (now?.range) return { from: now.range[0], to: now.range[1], text: value };
  const id = map.get('id', true) as Node;
  const end = id.range?.[1] ?? 0;
  if (map.flow) return { from: end, to: end, text: `, mode: ${value}` };
  const key = (map.items.find((pair) => pair.value === id)?.key as Node | undefined)?.range?.[0] ?? end;
  const column = key - (text.lastIndexOf('\n', key - 1) + 1);
  const after = lineEnd(text, end);
  return { from: after, to: after, text: `\n${' '.repeat(column)}mode: ${value}` };
}

function spliced(text: string, changes: readonly Splice[]): string {
  return [...changes]
    .sort((a, b) => b.from - a.from)
    .reduce((so, { from, to, text: put }) => so.slice(0, from) + put + so.slice(to), text);
}

/** The end of the line that holds this place, or the one before it where the place is a line's beginning. */
function lineEnd(text: string, at: number): number {
  const from = at > 0 && text[at - 1] === '\n' ? at - 1 : at;
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function indentOf(text: string, at: number): string {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
}
