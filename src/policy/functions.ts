import type { Compiled, Run } from './expression.ts';
import { FACT_FUNCTIONS } from './fact-functions.ts';
import { CelFault, type Scope, UNKNOWN } from './scope.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';
import { TIME_FUNCTIONS } from './time-functions.ts';

/** A function on known arguments, the receiver first. */
export type Strict = (scope: Scope, ...args: never[]) => unknown;

/** A function that does something with its arguments at compile time, or wants to see UNKNOWN ones. */
export interface Special {
  readonly compile: (args: readonly Compiled[]) => Run;
}

const FUNCTIONS: ReadonlyMap<string, Strict | Special> = new Map(
  Object.entries({ ...TEXT_FUNCTIONS, ...TIME_FUNCTIONS, ...FACT_FUNCTIONS }),
);

/** Compiles a call of a function of the language; an UNKNOWN argument makes the result UNKNOWN. */
export function compileCall(name: string, args: readonly Compiled[]): Run {
  const fn = FUNCTIONS.get(name);
  if (!fn) throw new CelFault(`the bundle calls \`${name}\`, which this version does not know`);
  if (typeof fn !== 'function') return fn.compile(args);
  const runs = args.map((a) => a.run);
  const [first, second] = runs;
  if (runs.length === 1 && first)
    return (scope) => {
      const a = first(scope);
      return a === UNKNOWN ? UNKNOWN : fn(scope, a as never);
    };
  if (runs.length === 2 && first && second)
    return (scope) => {
      const a = first(scope);
      const b = second(scope);
      return a === UNKNOWN || b === UNKNOWN ? UNKNOWN : fn(scope, a as never, b as never);
    };
  return (scope) => {
    const values = runs.map((run) => run(scope));
    return values.includes(UNKNOWN) ? UNKNOWN : fn(scope, ...(values as never[]));
  };
}
