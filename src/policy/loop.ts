import type { Run } from './expression.ts';
import { CelFault, spend, UNKNOWN } from './scope.ts';

type LoopKind = 'all' | 'exists' | 'exists_one' | 'filter' | 'each';

/** Steps that one turn of a loop costs, whatever its body. */
const TURN = 4;

/** Compiles one comprehension. `condition` is the optional filter of `map`. */
export function compileLoop(kind: LoopKind, slot: number, list: Run, condition: Run | null, body: Run): Run {
  switch (kind) {
    case 'exists':
      return quantifier(slot, list, body, true);
    case 'all':
      return quantifier(slot, list, body, false);
    case 'exists_one':
      return exactlyOne(slot, list, body);
    case 'filter':
      return collect(slot, list, body, (scope) => scope.locals[slot]);
    case 'each':
      return collect(slot, list, condition, body);
  }
}

/** `exists` is settled by the first true, `all` by the first false; errors and unknowns count only if nothing settles it. */
function quantifier(slot: number, list: Run, body: Run, settles: boolean): Run {
  return (scope) => {
    const items = itemsOf(list(scope));
    if (items === UNKNOWN) return UNKNOWN;
    let unknown = false;
    let fault: unknown;
    for (const item of items) {
      spend(scope, TURN);
      scope.locals[slot] = item;
      try {
        const value = body(scope);
        if (value === settles) {
          if (!(settles && isGuess(item))) return settles;
          scope.uncertain = true;
          if (scope.trusting) return settles;
          unknown = true;
        } else if (value === UNKNOWN) unknown = true;
      } catch (error) {
        if (!(error instanceof CelFault) || scope.steps < 0) throw error;
        fault ??= error;
      }
    }
    if (fault !== undefined) throw fault;
    return unknown ? UNKNOWN : !settles;
  };
}

/** Facts that analysis only guessed at can't make a condition plainly true. */
function isGuess(item: unknown): boolean {
  return typeof item === 'object' && item !== null && (item as { certain?: unknown }).certain === false;
}

function exactlyOne(slot: number, list: Run, body: Run): Run {
  return (scope) => {
    const items = itemsOf(list(scope));
    if (items === UNKNOWN) return UNKNOWN;
    let count = 0;
    let unknown = false;
    for (const item of items) {
      spend(scope, TURN);
      scope.locals[slot] = item;
      const value = body(scope);
      if (value === true) count++;
      else if (value === UNKNOWN) unknown = true;
    }
    return count > 1 ? false : unknown ? UNKNOWN : count === 1;
  };
}

/** An element whose condition is unknown makes the whole list unknown: neither its size nor its members are sure. */
function collect(slot: number, list: Run, condition: Run | null, body: Run): Run {
  return (scope) => {
    const items = itemsOf(list(scope));
    if (items === UNKNOWN) return UNKNOWN;
    const out: unknown[] = [];
    let unknown = false;
    for (const item of items) {
      spend(scope, TURN);
      scope.locals[slot] = item;
      const wanted = condition ? condition(scope) : true;
      if (wanted === UNKNOWN) unknown = true;
      else if (wanted === true) out.push(body(scope));
    }
    return unknown ? UNKNOWN : out;
  };
}

function itemsOf(value: unknown): readonly unknown[] | typeof UNKNOWN {
  if (value === UNKNOWN || Array.isArray(value)) return value;
  if (typeof value === 'object') return Object.keys(value as object);
  throw new CelFault('a loop needs a list or a map');
}
