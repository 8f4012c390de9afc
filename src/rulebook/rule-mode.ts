import { isMap, isSeq, parseAllDocuments } from 'yaml';
import type { CompiledRule } from '../model/policy.ts';

type Mode = CompiledRule['mode'];

const HEAD = '# Written by `gov policy mode`: which rules are in force, in the shadow, or off.\n';

/** The text of the overlay file in which modes of rules are kept, with those of some rules set; '' starts a new one. */
export function withModes(text: string, rules: readonly Pick<CompiledRule, 'id' | 'pack'>[], mode: Mode): string {
  const packs = modesIn(text);
  for (const { id, pack } of rules) {
    const modes = packs.get(pack) ?? new Map<string, string>();
    packs.set(pack, modes.set(id, mode));
  }
  const documents = [...packs].sort(byName).map(([pack, modes]) => {
    const entries = [...modes].sort(byName).map(([id, value]) => `  - { id: ${id}, mode: "${value}" }\n`);
    return `apiVersion: gov/v1\nkind: Overlay\ntarget: ${pack}\nrules:\n${entries.join('')}`;
  });
  return HEAD + documents.join('---\n');
}

/** What the file says: per pack, the mode of each rule. */
function modesIn(text: string): Map<string, Map<string, string>> {
  const packs = new Map<string, Map<string, string>>();
  const documents = parseAllDocuments(text);
  for (const doc of Array.isArray(documents) ? documents : []) {
    const rules = doc.get('rules');
    if (!isSeq(rules)) continue;
    const entries = rules.items.flatMap((item): [string, string][] =>
      isMap(item) ? [[String(item.get('id')), String(item.get('mode'))]] : [],
    );
    packs.set(String(doc.get('target')), new Map(entries));
  }
  return packs;
}

function byName(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}
