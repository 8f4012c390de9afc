import { isSecretName } from '../secret-names.ts';
import { effect } from './notes.ts';
import type { Model, Scan } from './scan.ts';
import { literal, type Thing, taintsIn, text, UNKNOWN, word } from './thing.ts';

/** Notes what is printed. */
export function print(scan: Scan, things: readonly Thing[], end = '\n'): void {
  for (const thing of things) {
    for (const taint of taintsIn(thing)) scan.printTaints.add(taint);
    if (holdsEnvironment(thing)) effect(scan, 'secret-read', 'prints the environment', { target: 'environment' });
    else if (printsSecretVariable(thing))
      effect(scan, 'secret-read', 'prints a secret variable', { target: 'environment variable' });
  }
  for (const [at, thing] of things.entries()) {
    if (at > 0) scan.printed.push(' ');
    scan.printed.push(...word(thing, 'printed by the program'));
  }
  scan.printed.push(end);
}

function holdsEnvironment(thing: Thing): boolean {
  if (thing.k === 'env') return true;
  if (thing.k === 'list') return thing.items.some(holdsEnvironment);
  if (thing.k === 'map') return [...thing.fields.values()].some(holdsEnvironment);
  return thing.k === 'any' && thing.of.some(holdsEnvironment);
}

function printsSecretVariable(thing: Thing): boolean {
  if (thing.k === 'list') return thing.items.some(printsSecretVariable);
  if (thing.k === 'map') return [...thing.fields.values()].some(printsSecretVariable);
  if (thing.k === 'any') return thing.of.some(printsSecretVariable);
  return (
    thing.k === 'text' &&
    thing.value.some((p) => typeof p !== 'string' && 'hole' in p && p.taint === 'secret' && p.hole.startsWith('$'))
  );
}

/** Names and values of the whole environment, as pairs or values alone. */
export function environmentItems(pairs: boolean): Thing {
  const value = text([{ hole: '$…', like: 'any', taint: 'secret' }]);
  return { k: 'list', items: [pairs ? { k: 'list', items: [UNKNOWN, value] } : value] };
}

/** The value of an environment variable. */
export function variable(scan: Scan, name: Thing | undefined): Thing {
  const key = literal(name);
  // A name worked out by the program: it may go through all of them.
  if (key === null) return text([{ hole: '$…', like: 'any', taint: 'secret' }]);
  const own = scan.context.env.get(key);
  if (own) return text(own);
  const inherited = key === 'HOME' || key === 'USERPROFILE' ? scan.context.world.home : scan.context.world.env(key);
  if (inherited && !isSecretName(key)) return text(inherited);
  const secret = isSecretName(key);
  return text([secret ? { hole: `$${key}`, like: 'any', taint: 'secret' } : { hole: `$${key}`, like: 'any' }]);
}

/** A call that prints its arguments and answers nothing. */
export const prints: Model = (c, scan) => {
  print(scan, c.args);
  return UNKNOWN;
};

/** Standard input as the call gives it. */
export function standardInput(scan: Scan): Thing {
  const { value, taints } = scan.context.stdin;
  return value === null ? { k: 'unknown', taints } : text(value, taints);
}
