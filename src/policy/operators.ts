import type { Compiled, Run } from './expression.ts';
import { CelFault, type Scope, spend, UNKNOWN } from './scope.ts';

/** A length of time, in milliseconds. Instants are `Date`s. */
export interface Duration {
  readonly ms: number;
}

export function isDuration(x: unknown): x is Duration {
  return typeof x === 'object' && x !== null && !Array.isArray(x) && typeof (x as Duration).ms === 'number';
}

/** Strings longer than this are an error: no expression of a rule needs them. */
export const MAX_STRING = 4 * 1024 * 1024;

type Binary = (a: never, b: never, scope: Scope) => unknown;

/** Operators on two known operands. */
const BINARY: Readonly<Record<string, Binary>> = {
  '==': equals,
  '!=': (a: unknown, b: unknown, scope) => {
    const same = equals(a, b, scope);
    return same === UNKNOWN ? UNKNOWN : !same;
  },
  '<': (a: unknown, b: unknown) => order(a) < order(b),
  '<=': (a: unknown, b: unknown) => order(a) <= order(b),
  '>': (a: unknown, b: unknown) => order(a) > order(b),
  '>=': (a: unknown, b: unknown) => order(a) >= order(b),
  in: isIn,
  '+': add,
  '-': subtract,
  '*': (a: number, b: number) => number(a * b),
  '/': (a: number, b: number) => a / b,
  div: (a: number, b: number) => {
    if (b === 0) throw new CelFault('division by zero');
    return Math.trunc(a / b);
  },
  '%': (a: number, b: number) => {
    if (b === 0) throw new CelFault('modulo by zero');
    return a % b;
  },
};

/** Compiles an operator; UNKNOWN operands give UNKNOWN. */
export function compileOperator(op: string, args: readonly Compiled[]): Run {
  const [left, right] = args;
  if (op === '-_' && left) {
    return (scope) => {
      const v = left.run(scope);
      return v === UNKNOWN ? UNKNOWN : -(v as number);
    };
  }
  const apply = BINARY[op];
  if (!apply || !left || !right) throw new CelFault(`the bundle uses \`${op}\`, which this version does not know`);
  if (op === 'in' && Array.isArray(right.constant)) return inConstant(left.run, right.constant);
  const a = left.run;
  const b = right.run;
  return (scope) => {
    const x = a(scope);
    const y = b(scope);
    return x === UNKNOWN || y === UNKNOWN ? UNKNOWN : apply(x as never, y as never, scope);
  };
}

function inConstant(item: Run, list: readonly unknown[]): Run {
  const set = new Set(list);
  return (scope) => {
    const x = item(scope);
    return x === UNKNOWN ? UNKNOWN : set.has(x);
  };
}

function isIn(item: unknown, container: unknown, scope: Scope): boolean | typeof UNKNOWN {
  if (Array.isArray(container)) {
    let unknown = false;
    spend(scope, container.length);
    for (const other of container) {
      const same = other === UNKNOWN ? UNKNOWN : equals(item, other, scope);
      if (same === true) return true;
      if (same === UNKNOWN) unknown = true;
    }
    return unknown ? UNKNOWN : false;
  }
  if (typeof container === 'string') return container.includes(String(item));
  return Object.hasOwn(container as object, String(item));
}

function equals(a: unknown, b: unknown, scope: Scope): boolean | typeof UNKNOWN {
  if (a === UNKNOWN || b === UNKNOWN) return UNKNOWN;
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (a === b) return true;
  if (a instanceof Date || b instanceof Date)
    return a instanceof Date && b instanceof Date && a.getTime() === b.getTime();
  const keysA = Object.keys(a);
  const keysB = Object.keys(b);
  spend(scope, keysA.length);
  if (Array.isArray(a) !== Array.isArray(b) || keysA.length !== keysB.length) return false;
  let unknown = false;
  for (const key of keysA) {
    if (!Object.hasOwn(b, key)) return false;
    const x = (a as Record<string, unknown>)[key];
    const y = (b as Record<string, unknown>)[key];
    const same = equals(x, y, scope);
    if (same === false) return false;
    if (same === UNKNOWN) unknown = true;
  }
  return unknown ? UNKNOWN : true;
}

function order(x: unknown): number | string | boolean {
  if (typeof x !== 'object') return x as number | string | boolean;
  if (x instanceof Date) return x.getTime();
  if (isDuration(x)) return x.ms;
  throw new CelFault('values that have no order are compared');
}

function add(a: unknown, b: unknown, scope: Scope): unknown {
  if (typeof a === 'number' && typeof b === 'number') return number(a + b);
  if (typeof a === 'string' && typeof b === 'string') return text(a + b, scope);
  if (Array.isArray(a) && Array.isArray(b)) {
    spend(scope, a.length + b.length);
    return [...a, ...b];
  }
  if (a instanceof Date && isDuration(b)) return new Date(a.getTime() + b.ms);
  if (isDuration(a) && b instanceof Date) return new Date(b.getTime() + a.ms);
  if (isDuration(a) && isDuration(b)) return { ms: a.ms + b.ms };
  throw new CelFault('these can not be added');
}

function subtract(a: unknown, b: unknown): unknown {
  if (typeof a === 'number' && typeof b === 'number') return number(a - b);
  if (a instanceof Date && b instanceof Date) return { ms: a.getTime() - b.getTime() };
  if (a instanceof Date && isDuration(b)) return new Date(a.getTime() - b.ms);
  if (isDuration(a) && isDuration(b)) return { ms: a.ms - b.ms };
  throw new CelFault('these can not be subtracted');
}

/** INVARIANT: ints are JavaScript numbers; one that would lose digits is an error, not a wrong answer. */
function number(x: number): number {
  if (Number.isInteger(x) && !Number.isSafeInteger(x)) throw new CelFault('integer overflow');
  return x;
}

/** A string that an expression made, its length paid for. */
export function text(s: string, scope: Scope): string {
  if (s.length > MAX_STRING) throw new CelFault('a string grows too long');
  spend(scope, s.length >> 6);
  return s;
}
