import { homeOf } from './functions.ts';
import { attribute, canonical, index } from './member.ts';
import { walkAll } from './reader.ts';
import type { Scan } from './scan.ts';
import {
  anyOf,
  comesFromFile,
  elementOf,
  type Func,
  literal,
  ref,
  type Thing,
  taintsIn,
  text,
  UNKNOWN,
  unknown,
} from './thing.ts';
import { guarded, type Walk, walkOf } from './walk.ts';

interface Site {
  readonly recv: Thing | null;
  readonly name: string;
  readonly args: readonly Thing[];
  readonly named: ReadonlyMap<string, Thing>;
}

/** What a call gives, with its effects noted. */
export function call(w: Walk, callee: Thing, site: Site): Thing {
  const { scan } = w;
  if (callee.k === 'any') return anyOf(callee.of.map((c) => call(w, c, site)));
  if (callee.k === 'func') return invoke(scan, callee, site.args);
  const turned = indirect(scan, callee, site);
  if (turned) return call(w, turned.callee, turned.site);
  const made = library(scan, callee, site);
  if (made !== undefined) {
    if (made.k === 'file' || made.k === 'list') scan.iterated = made;
    return made;
  }
  const own = ownFunction(scan, callee, site.name);
  if (own) {
    own.called = true;
    return invoke(scan, own.func, own.func.params[0] === 'self' ? [UNKNOWN, ...site.args] : site.args);
  }
  return otherCall(scan, site);
}

interface Turned {
  readonly callee: Thing;
  readonly site: Site;
}

/** Calls that name their function in a roundabout way. */
function indirect(scan: Scan, callee: Thing, site: Site): Turned | null {
  const to = (name: string, args: readonly Thing[]): Turned => ({
    callee: ref(name),
    site: { recv: null, name, args, named: site.named },
  });
  const [first, ...rest] = site.args;
  const name = callee.k === 'ref' ? callee.name : '';
  // `f.call(this, x)`, `f.apply(this, [x])` in JavaScript.
  if (scan.language === 'node') {
    const found = /^(.+)\.(call|apply)$/.exec(name);
    return found ? to(found[1] as string, found[2] === 'apply' && rest[0]?.k === 'list' ? rest[0].items : rest) : null;
  }
  // `$f('x')`, `call_user_func('f', 'x')`, `array_map('f', $list)` in PHP.
  if (scan.language === 'php') {
    if (callee.k === 'text') return named(callee, site.args, to);
    if (/^call_user_func(?:_array)?$/.test(name)) return named(first, rest[0]?.k === 'list' ? rest[0].items : rest, to);
    if (name === 'array_map') return named(first, rest.map(elementOf), to);
    return name === 'array_walk' ? named(rest[0], first ? [elementOf(first)] : [], to) : null;
  }
  // `send(:f, 'x')`, `public_send('f', 'x')` in Ruby.
  if (scan.language === 'ruby' && /^(?:Kernel\.)?(?:send|public_send|__send__)$/.test(name)) {
    return first?.k === 'ref' ? to(first.name, rest) : named(first, rest, to);
  }
  return null;
}

function named(
  name: Thing | undefined,
  args: readonly Thing[],
  to: (name: string, args: readonly Thing[]) => Turned,
): Turned | null {
  const known = literal(name);
  return known === null || known === '' ? null : to(known, args);
}

function library(scan: Scan, callee: Thing, site: Site): Thing | undefined {
  const lib = scan.library;
  if (callee.k === 'ref') {
    const name = canonical(scan, callee.name);
    const model = lib.calls.get(name);
    if (model) return model({ ...site, name }, scan) ?? UNKNOWN;
  }
  const last = callee.k === 'ref' ? callee.name.slice(callee.name.lastIndexOf('.') + 1) : site.name;
  const method = lib.methods.get(last);
  if (method && site.recv) {
    const made = method({ ...site, name: last }, scan);
    if (made !== undefined) return made;
  }
  const full = lib.telling.get(last);
  // A function of the program's own under a telling name is no library call.
  if (full && !(callee.k === 'ref' && scan.functions.has(callee.name)))
    return lib.calls.get(full)?.({ ...site, name: full }, scan) ?? UNKNOWN;
  return undefined;
}

function ownFunction(scan: Scan, callee: Thing, name: string): { func: Func; called: boolean } | undefined {
  if (callee.k === 'ref')
    return scan.functions.get(callee.name) ?? scan.functions.get(callee.name.slice(callee.name.lastIndexOf('.') + 1));
  return name === '' ? undefined : scan.functions.get(name);
}

/** A call of something unknown: callbacks run, data passes through. */
function otherCall(scan: Scan, site: Site): Thing {
  if (site.recv?.k === 'ref' && site.recv.name.startsWith('#memory')) return site.recv;
  const source = site.recv ?? site.args.find((a) => a.k !== 'func' && a.k !== 'ref');
  const element = source?.k === 'ref' ? source : elementOf(source);
  let given: Thing | null = null;
  for (const arg of site.args) {
    if (arg.k === 'func') given = invoke(scan, arg, [element]);
    else if (arg.k === 'ref') given = callNamed(scan, arg.name, element) ?? given;
  }
  const through = [
    ...(site.recv && site.recv.k !== 'ref' ? [site.recv] : []),
    ...site.args,
    ...site.named.values(),
    ...(given ? [given] : []),
  ];
  if (given && site.recv?.k === 'list') return { k: 'list', items: [given] };
  return unknown([...new Set(through.flatMap(taintsIn))], through.some(comesFromFile));
}

/** A function passed by its name. */
function callNamed(scan: Scan, name: string, element: Thing): Thing | null {
  const own = scan.functions.get(name);
  if (own) {
    own.called = true;
    return invoke(scan, own.func, [element]);
  }
  const full = canonical(scan, name);
  const model = scan.library.calls.get(full);
  return model?.({ name: full, recv: null, args: [element], named: new Map() }, scan) ?? null;
}

/** A parameter, or the parts of one that is taken apart. */
function bindParameter(scan: Scan, locals: Map<string, Thing>, name: string, value: Thing): void {
  if (!/^[{[]/.test(name)) {
    locals.set(name, value);
    return;
  }
  for (const [at, piece] of name.slice(1).split(',').entries()) {
    const [key = '', alias = key] = piece.replace(/=.*$/, '').split(':');
    const part = name.startsWith('[') ? index(scan, value, text(String(at))) : attribute(scan, value, key);
    if (alias !== '') locals.set(alias, part);
  }
}

/** Walks a function's body with its parameters bound. */
export function invoke(scan: Scan, func: Func, args: readonly Thing[]): Thing {
  const tokens = homeOf(func);
  const calls = (scan.calls.get(func) ?? 0) + 1;
  scan.calls.set(func, calls);
  if (!tokens || scan.depth > 24 || calls > 60) return UNKNOWN;
  return guarded(scan, () => {
    const locals = new Map<string, Thing>();
    for (const [at, name] of func.params.entries()) bindParameter(scan, locals, name, args[at] ?? UNKNOWN);
    if (scan.language === 'perl') locals.set('@_', { k: 'list', items: args });
    const outer = scan.returned;
    scan.returned = UNKNOWN;
    scan.scopes.push(locals);
    const last = walkAll(walkOf(scan, tokens, func.from, func.to));
    scan.scopes.pop();
    const result = scan.returned === UNKNOWN ? last : scan.returned;
    scan.returned = outer;
    return result;
  });
}
