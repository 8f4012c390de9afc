import type { CelNode, CompiledRule } from '../model/policy.ts';
import { patternKeys } from '../policy/glob.ts';

/** What an item must be for a condition to be possibly true, taken from the condition's own comparisons. */
export interface Derived {
  readonly names: readonly string[];
  readonly kinds: readonly string[];
  readonly ops: readonly string[];
  readonly paths: readonly string[];
}

type Lists = Readonly<Record<string, readonly string[]>>;

/** Reads program names, effect kinds and file operations off a condition. Empty: it could be any. */
export function derive(root: CelNode, each: CompiledRule['each'], lists: Lists): Derived {
  const member = (name: string) => (node: CelNode) => comparedWith(node, name, lists);
  const of = (leaf: Leaf): readonly string[] => [...(needed(root, leaf) ?? [])].sort();
  return {
    names: each === 'command' ? of(member('name')) : [],
    kinds: each === 'command' ? of(doesKinds) : each === 'effect' ? of(member('kind')) : [],
    ops: each === 'file' ? of(member('op')) : [],
    paths: each === 'file' ? of((node) => globKeys(node, lists)) : [],
  };
}

type Leaf = (node: CelNode) => readonly string[] | null;

/** `a && b` needs what either needs, `a || b` what both need together. Null: nothing is needed. */
function needed(node: CelNode, leaf: Leaf): ReadonlySet<string> | null {
  if (node[0] === '&&') {
    let best: ReadonlySet<string> | null = null;
    for (const arg of node.slice(1)) {
      const set = needed(arg as CelNode, leaf);
      if (set && (!best || set.size < best.size)) best = set;
    }
    return best;
  }
  if (node[0] === '||') {
    const all = new Set<string>();
    for (const arg of node.slice(1)) {
      const set = needed(arg as CelNode, leaf);
      if (!set) return null;
      for (const x of set) all.add(x);
    }
    return all;
  }
  if (node[0] === 'let') return needed(node[3] as CelNode, leaf);
  const values = leaf(node);
  return values && values.length > 0 ? new Set(values) : null;
}

/** `item.NAME == "x"`, `item.NAME in ["x", "y"]`, `item.NAME in lists.x`. */
function comparedWith(node: CelNode, name: string, lists: Lists): readonly string[] | null {
  const [op, left, right] = node;
  if (op !== '==' && op !== 'in') return null;
  if (isMember(left, name)) return constants(right, lists);
  return op === '==' && isMember(right, name) ? constants(left, lists) : null;
}

function isMember(node: unknown, name: string): boolean {
  if (!Array.isArray(node) || node[0] !== '.' || node[2] !== name) return false;
  const [op, slot] = node[1] as CelNode;
  return op === '$' && slot === 0;
}

function constants(node: unknown, lists: Lists): readonly string[] | null {
  if (!Array.isArray(node)) return null;
  const [op, value] = node as unknown as CelNode;
  if (op === 'v')
    return typeof value === 'string' ? [value] : Array.isArray(value) ? (value as readonly string[]) : null;
  if (op === 'L') return lists[value as string] ?? null;
  return null;
}

/** `file.matchesAny([…])`, `file.real.matchesAny(lists.x)`. */
function globKeys(node: CelNode, lists: Lists): readonly string[] | null {
  const [op, name, subject, patterns] = node;
  if (op !== 'call' || name !== 'matchesAny' || !Array.isArray(subject)) return null;
  const isItem = subject[0] === '$' && subject[1] === 0;
  if (!isItem && !isMember(subject, 'real')) return null;
  const keys: string[] = [];
  for (const pattern of constants(patterns, lists) ?? ['**']) {
    const own = patternKeys(pattern);
    if (!own) return null;
    keys.push(...own);
  }
  return keys;
}

function doesKinds(node: CelNode): readonly string[] | null {
  const [op, name, receiver, ...kinds] = node;
  if (op !== 'call' || name !== 'does' || !Array.isArray(receiver)) return null;
  if (receiver[0] !== '$' || receiver[1] !== 0) return null;
  return kinds.map((k) => String((k as CelNode)[1]));
}
