import { createRequire } from 'node:module';
import type { Compiled, Run } from './expression.ts';
import { CelFault, spend, UNKNOWN } from './scope.ts';

interface Tester {
  test(text: string): boolean;
}
interface Engine {
  readonly RE2JS: { compile(pattern: string): Tester };
}

let engine: Engine | undefined;

/** SECURITY: JavaScript's own RegExp backtracks; a hostile command could hold the hook for seconds. Loaded only when a rule that uses it is evaluated. */
function compileRegex(pattern: string): Tester {
  engine ??= createRequire(import.meta.url)('re2js') as Engine;
  try {
    return engine.RE2JS.compile(pattern);
  } catch {
    throw new CelFault('re: the pattern is not a regular expression');
  }
}

/** `text.re(pattern)`, true if the pattern matches somewhere; a constant pattern is compiled once. */
export function compileRe(args: readonly Compiled[]): Run {
  const [subject, pattern] = args as [Compiled, Compiled];
  let fixed: Tester | undefined;
  return (scope) => {
    const s = subject.run(scope);
    const p = pattern.run(scope);
    if (s === UNKNOWN || p === UNKNOWN) return UNKNOWN;
    spend(scope, (s as string).length >> 3);
    if (pattern.constant === undefined) return compileRegex(p as string).test(s as string);
    fixed ??= compileRegex(p as string);
    return fixed.test(s as string);
  };
}
