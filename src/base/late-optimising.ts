import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 compile hot code with its optimising compiler a little later than it would (its budget is 132 kB of bytecode
 * run per function in Node 20). For processes that answer many calls: the slowest 1 % of their first thousands of
 * decisions are those that wait for, or share a processor with, that compiler; what it makes of code that runs a few
 * hundred times is not worth its time.
 */
export function optimiseLater(): void {
  setFlagsFromString('--interrupt-budget=400000');
}
