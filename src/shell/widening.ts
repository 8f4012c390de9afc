import { forEachChild, type SyntaxNode, type Word } from 'unbash';
import type { Run } from './run.ts';
import { findVariable, type Held, hole, keyOf, MAX_ALTERNATIVES, type State, setHeld } from './state.ts';
import { readHeld } from './variables.ts';
import { expandText } from './words.ts';

/** How a loop's body sets a variable. */
interface Change {
  /** The plain words it is set to. */
  readonly words: Word[];
  numbers: boolean;
  other: boolean;
}

const cache = new WeakMap<object, ReadonlyMap<string, Change>>();
const MAX_NAMES = 256;

/** What the body may set, before a pass that stands for all of its rounds. */
export function widen(run: Run, s: State, bodies: readonly SyntaxNode[]): void {
  for (const body of bodies)
    for (const [name, change] of changesIn(body)) {
      const before = readHeld(run, s, name);
      if (change.other) {
        if (before.kind !== 'unset' || findVariable(s, name)) setHeld(s, name, [unknown(name)]);
      } else if (change.numbers)
        setHeld(s, name, [{ kind: 'text', value: [hole(`$${name} changes in a loop`, 'name')] }]);
      else {
        const all = new Map<string, Held>([[before.kind === 'text' ? keyOf(before.value) : before.kind, before]]);
        for (const word of change.words.slice(0, MAX_ALTERNATIVES + 1)) {
          const value = expandText(run, s, word, 'assignment');
          all.set(keyOf(value), { kind: 'text', value });
        }
        setHeld(s, name, all.size <= MAX_ALTERNATIVES ? [...all.values()] : [unknown(name)]);
      }
    }
}

function unknown(name: string): Held {
  return { kind: 'text', value: [hole(`$${name} changes in a loop`)] };
}

function changesIn(root: SyntaxNode): ReadonlyMap<string, Change> {
  const known_ = cache.get(root);
  if (known_) return known_;
  const found = new Map<string, Change>();
  const stack: SyntaxNode[] = [root];
  for (let node = stack.pop(); node && found.size < MAX_NAMES; node = stack.pop()) {
    note(found, node);
    forEachChild(node, (child) => stack.push(child));
  }
  cache.set(root, found);
  return found;
}

function changeOf(found: Map<string, Change>, name: string): Change {
  const before = found.get(name);
  if (before) return before;
  const made: Change = { words: [], numbers: false, other: false };
  found.set(name, made);
  return made;
}

function note(found: Map<string, Change>, node: SyntaxNode): void {
  if (node.type === 'Assignment') {
    const change = changeOf(found, node.name);
    const { value } = node;
    const [only, ...more] = value.type === 'Word' ? (value.parts ?? []) : [];
    if (value.type === 'ArrayValue' || node.index || node.append) change.other = true;
    else if (!value.parts) change.words.push(value);
    else if (only?.type === 'ArithmeticExpansion' && more.length === 0) change.numbers = true;
    else change.other = true;
  } else if (
    node.type === 'ArithmeticUnary' &&
    node.operand.type === 'ArithmeticWord' &&
    /^[+-]{2}$/.test(node.operator)
  )
    noteNumber(found, node.operand.value);
  else if (
    node.type === 'ArithmeticBinary' &&
    node.left.type === 'ArithmeticWord' &&
    /(^|[^<>=!])=$/.test(node.operator)
  )
    noteNumber(found, node.left.value);
}

function noteNumber(found: Map<string, Change>, name: string): void {
  if (/^[A-Za-z_]\w*$/.test(name)) changeOf(found, name).numbers = true;
}
