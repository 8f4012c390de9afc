import type { Scan } from './scan.ts';
import { anyOf, literal, type Thing } from './thing.ts';

export function assign(scan: Scan, name: string, value: Thing): void {
  const scope = scan.scopes[scan.scopes.length - 1] as Map<string, Thing>;
  const old = scope.get(name);
  // In code with branches either value may hold; unknown text adds nothing.
  const both = scan.branches > 0 && old !== undefined && literal(old) !== null && literal(value) !== null;
  scope.set(name, both && literal(old) !== literal(value) ? anyOf([old, value]) : value);
  if (value.k === 'func') {
    const known = scan.functions.get(value.name);
    if (known && !scan.functions.has(name)) scan.functions.set(name, known);
  }
}

export function lookup(scan: Scan, name: string): Thing | undefined {
  for (let i = scan.scopes.length - 1; i >= 0; i--) {
    const found = (scan.scopes[i] as Map<string, Thing>).get(name);
    if (found) return found;
  }
  return undefined;
}
