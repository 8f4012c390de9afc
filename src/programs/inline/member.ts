import { variable } from './prints.ts';
import type { Scan } from './scan.ts';
import { anyOf, comesFromFile, literal, ref, type Thing, taintsIn, UNKNOWN, unknown } from './thing.ts';

/** `thing.name`. */
export function attribute(scan: Scan, thing: Thing, name: string): Thing {
  switch (thing.k) {
    case 'ref': {
      const full = canonical(scan, `${thing.name}.${name}`);
      const made = scan.library.names.get(full);
      return made ? made(scan) : ref(full);
    }
    case 'env': {
      if (scan.language === 'node') return variable(scan, { k: 'text', value: [name], taints: [] });
      const made = scan.library.names.get(`#env.${name}`);
      return made ? made(scan) : ref(`#env.${name}`);
    }
    case 'map':
      return thing.fields.get(name) ?? unknown(taintsIn(thing));
    case 'any':
      return anyOf(thing.of.map((t) => attribute(scan, t, name)));
    case 'func':
      return UNKNOWN;
    default: {
      const property = scan.library.methods.get(`.${name}`);
      const made = property?.({ name, recv: thing, args: [], named: new Map() }, scan);
      return made ?? unknown(taintsIn(thing), comesFromFile(thing));
    }
  }
}

/** `thing[key]`. */
export function index(scan: Scan, thing: Thing, key: Thing): Thing {
  const label = literal(key);
  switch (thing.k) {
    case 'env':
      return variable(scan, key);
    case 'ref':
      return label === null ? UNKNOWN : attribute(scan, thing, label);
    case 'map':
      return (label === null ? undefined : thing.fields.get(label)) ?? unknown(taintsIn(thing));
    case 'list': {
      const at = label === null ? Number.NaN : Number(label);
      if (Number.isInteger(at)) return thing.items[at < 0 ? thing.items.length + at : at] ?? UNKNOWN;
      return thing.items.length > 0 && label === null ? anyOf(thing.items) : UNKNOWN;
    }
    case 'any':
      return anyOf(thing.of.map((t) => index(scan, t, key)));
    default:
      return unknown(taintsIn(thing), comesFromFile(thing));
  }
}

/** One name for the many ways to reach a library. */
export function canonical(scan: Scan, name: string): string {
  if (scan.language === 'python')
    return name.replace(/\.__dict__(?=\.|$)/g, '').replace(/^(?:__builtins__|builtins|#scope)\./, '');
  if (scan.language !== 'node') return name;
  return name
    .replace(/^node:/, '')
    .replace(/^(?:globalThis|global|window|self)\./, '')
    .replace(/^(?:fs-extra|graceful-fs|memfs|original-fs)(?=\.|$)/, 'fs')
    .replace(/^(fs|path|timers)(?:\/promises|\/posix|\.promises|\.posix|\.default)(?=\.|$)/, '$1')
    .replace(/^(\w+)\.default(?=\.|$)/, '$1');
}
