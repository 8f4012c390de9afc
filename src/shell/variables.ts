import { concat, isDynamic, known, textOf, type Value } from '../model/value.ts';
import type { Run } from './run.ts';
import {
  findVariable,
  type Held,
  hole,
  INHERIT,
  type State,
  setHeld,
  setText,
  setVariable,
  UNSET,
  type Variable,
} from './state.ts';

const SECRET_NAME =
  /(^|_)(TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|PASS|PAT|API_?KEY|ACCESS_?KEY|SECRET_?KEY|PRIVATE_?KEY|DEPLOY_?KEY|CREDENTIALS?|AUTH)(_|$)|_KEY$/i;

/** True if a variable of this name would hold a secret. */
function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** What bash sets itself to numbers or names that can't be known. */
const CHANGING: ReadonlySet<string> = new Set([
  'RANDOM', 'SRANDOM', 'SECONDS', 'EPOCHSECONDS', 'EPOCHREALTIME', 'LINENO', 'BASHPID', 'PPID', 'UID', 'EUID',
  'BASH_SUBSHELL', 'HISTCMD', 'COLUMNS', 'LINES', 'HOSTNAME', 'BASH_VERSION', 'HOSTTYPE', 'OSTYPE', 'MACHTYPE',
  'SHLVL', 'OPTIND', 'MAPFILE', 'BASH_VERSINFO', 'PIPESTATUS', 'GROUPS', 'DIRSTACK',
]); // biome-ignore format: a list

/** Where the shell is on this path. */
export function placeOf(run: Run, s: State): { readonly value: Value; readonly certain: boolean } {
  const first = s.places[0] ?? { value: [hole('the directory is not known')], certain: true };
  if (s.places.length < 2) return first;
  const at = run.choices.pick(s.places, s.places.length);
  return at < 0 ? { value: [hole('one of several directories')], certain: first.certain } : (s.places[at] ?? first);
}

/** The variable's value on this path; what the call never set comes from the environment. */
export function readHeld(run: Run, s: State, name: string): Held {
  const real = follow(s, name);
  const variable = findVariable(s, real);
  if (!variable) return inherited(run, s, real);
  const held = pick(run, variable, real);
  return held === INHERIT ? inherited(run, s, real) : held;
}

function pick(run: Run, variable: Variable, name: string): Held {
  if (variable.alts.length === 1) return variable.alts[0] as Held;
  const at = run.choices.pick(variable.alts, variable.alts.length);
  return variable.alts[at] ?? { kind: 'text', value: [hole(`one of several values of $${name}`)] };
}

/** Follows namerefs, a few steps. */
export function follow(s: State, name: string): string {
  let at = name;
  for (let step = 0; step < 8; step++) {
    const ref = findVariable(s, at)?.ref;
    if (ref === undefined || ref === at) return at;
    at = ref;
  }
  return at;
}

function inherited(run: Run, s: State, name: string): Held {
  if (name === 'PWD') return { kind: 'text', value: placeOf(run, s).value };
  if (name === 'IFS') return { kind: 'text', value: known(' \t\n') };
  if (name === 'BASH') return { kind: 'text', value: known('/bin/bash') };
  if (CHANGING.has(name)) return { kind: 'text', value: [hole(`$${name} is set by the shell`, 'name')] };
  if (name === 'BASH_COMMAND' || name === 'BASH_REMATCH' || name === 'REPLY')
    return { kind: 'text', value: [hole(`value of $${name} is not known`)] };
  if (s.frame.elsewhere !== '') return { kind: 'text', value: [hole(`value of $${name} elsewhere is not known`)] };
  if (name === 'HOME' && run.world.home) return { kind: 'text', value: known(run.world.home) };
  const text = run.world.env(name);
  if (text === '') return UNSET;
  if (isSecretName(name)) return { kind: 'text', value: [hole(`value of $${name} is not known`, 'any', 'secret')] };
  if (text === null) return { kind: 'text', value: [hole(`value of $${name} is not known`)] };
  return { kind: 'text', value: known(text) };
}

/** The text of a variable as `$name` gives it; null if unset. */
export function readText(run: Run, s: State, name: string): Value | null {
  const held = readHeld(run, s, name);
  if (held.kind === 'text') return held.value;
  if (held.kind === 'unset') return null;
  return held.items.get('0') ?? (held.open ? [hole(`elements of ${name} are not known`)] : null);
}

export interface Elements {
  readonly keys: readonly string[];
  readonly values: readonly Value[];
  /** There may be more. */
  readonly open: boolean;
}

/** All elements; a plain variable is an array of one. */
export function readElements(run: Run, s: State, name: string): Elements {
  const held = readHeld(run, s, name);
  if (held.kind === 'unset') return { keys: [], values: [], open: false };
  if (held.kind === 'text') {
    if (CHANGING.has(name) && !findVariable(s, name)) return { keys: [], values: [], open: true };
    return { keys: ['0'], values: [held.value], open: false };
  }
  const keys = [...held.items.keys()];
  if (!held.assoc) keys.sort((a, b) => Number(a) - Number(b));
  return { keys, values: keys.map((k) => held.items.get(k) as Value), open: held.open };
}

export function readElement(run: Run, s: State, name: string, key: string | null): Value | null {
  const held = readHeld(run, s, name);
  if (held.kind === 'unset') return null;
  const unknown: Value = [hole(`an element of ${name} is not known`)];
  if (held.kind === 'text') {
    if (CHANGING.has(name) && !findVariable(s, name)) return [hole(`an element of ${name} is not known`, 'name')];
    return key === null ? unknown : key === '0' || key === '-1' ? held.value : null;
  }
  const negative = !held.assoc && key !== null && /^-\d+$/.test(key);
  if (key === null || (negative && held.open)) return unknown;
  const index = negative ? fromEnd(held.items, Number(key)) : key;
  return held.items.get(index) ?? (held.open ? unknown : null);
}

function fromEnd(items: ReadonlyMap<string, Value>, index: number): string {
  let last = -1;
  for (const key of items.keys()) last = Math.max(last, Number(key));
  return String(last + 1 + index);
}

/** `name=value` or `name+=value`, with the variable's attributes applied. */
export function assignText(run: Run, s: State, name: string, value: Value, append: boolean): void {
  const real = follow(s, name);
  const variable = findVariable(s, real);
  let text = value;
  if (append) {
    const before = readHeld(run, s, real);
    if (before.kind === 'array') return assignElement(run, s, real, '0', value, true);
    if (before.kind === 'text') text = concat(before.value, value);
  } else if (variable) {
    const [only] = variable.alts;
    if (variable.alts.length === 1 && only?.kind === 'array') return assignElement(run, s, real, '0', value, false);
  }
  if (variable?.fold) text = foldCase(text, variable.fold);
  if (variable || !isInherited(run, s, real)) setText(s, real, text);
  else setVariable(s, real, { alts: [{ kind: 'text', value: text }], exported: true });
}

/** True if the environment surely has the variable: it stays exported whatever is assigned to it. */
function isInherited(run: Run, s: State, name: string): boolean {
  return s.frame.elsewhere === '' && (name === 'HOME' || (run.world.env(name) ?? '') !== '');
}

function foldCase(value: Value, fold: 'lower' | 'upper'): Value {
  return value.map((p) => (typeof p !== 'string' ? p : fold === 'lower' ? p.toLowerCase() : p.toUpperCase()));
}

const MAX_ELEMENTS = 8192;

/** `name[key]=value`; a key of null is not known and opens the array. */
export function assignElement(
  run: Run,
  s: State,
  name: string,
  key: string | null,
  value: Value,
  append: boolean,
): void {
  const real = follow(s, name);
  const items = ownItems(run, s, real);
  if (key === null || items.items.size >= MAX_ELEMENTS) return setHeld(s, real, [{ ...items, open: true }]);
  const at = !items.assoc && /^-\d+$/.test(key) ? fromEnd(items.items, Number(key)) : key;
  const before = append ? items.items.get(at) : undefined;
  items.items.set(at, before ? concat(before, value) : value);
  s.dirty = true;
}

/** `unset name[key]`; a key of null is not known: any element may be gone. */
export function removeElement(run: Run, s: State, name: string, key: string | null): void {
  if (!findVariable(s, name)) return;
  if (key === '@' || key === '*') return unsetVariable(s, name);
  const items = ownItems(run, s, follow(s, name));
  if (key !== null) items.items.delete(!items.assoc && /^-\d+$/.test(key) ? fromEnd(items.items, Number(key)) : key);
  s.dirty = true;
}

/** The array in this layer, alone there, so that it may be changed in place. */
function ownItems(run: Run, s: State, name: string): Extract<Held, { kind: 'array' }> {
  const mine = s.vars.get(name);
  const [only] = mine?.alts ?? [];
  if (mine && mine.alts.length === 1 && only?.kind === 'array') return only;
  const held = findVariable(s, name) ? readHeld(run, s, name) : UNSET;
  const items = new Map<string, Value>(
    held.kind === 'array' ? held.items : held.kind === 'text' ? [['0', held.value]] : [],
  );
  const own = {
    kind: 'array' as const,
    items,
    assoc: held.kind === 'array' && held.assoc,
    open: held.kind === 'array' && held.open,
  };
  setHeld(s, name, [own]);
  return own;
}

export function assignList(
  run: Run,
  s: State,
  name: string,
  entries: readonly { readonly key: string | null; readonly value: Value }[],
  options: { readonly append: boolean; readonly assoc: boolean; readonly open: boolean },
): void {
  const real = follow(s, name);
  const before = options.append ? ownItems(run, s, real) : null;
  const items = before?.items ?? new Map<string, Value>();
  let next = before && items.size < MAX_ELEMENTS ? Number(fromEnd(before.items, 0)) : 0;
  let open = options.open || (before?.open ?? false);
  for (const { key, value } of entries) {
    if (items.size >= MAX_ELEMENTS) {
      open = true;
      break;
    }
    const at = key ?? String(next);
    items.set(at, value);
    if (/^\d+$/.test(at)) next = Number(at) + 1;
  }
  const assoc = options.assoc || (before?.assoc ?? isAssociative(s, real));
  if (before && before.open === open && before.assoc === assoc) s.dirty = true;
  else setHeld(s, real, [{ kind: 'array', items, assoc, open }]);
}

export function isAssociative(s: State, name: string): boolean {
  const held = findVariable(s, name)?.alts[0];
  return held?.kind === 'array' && held.assoc;
}

export function unsetVariable(s: State, name: string): void {
  setVariable(s, name, { alts: [UNSET], exported: false });
}

export function setExported(s: State, name: string, exported: boolean): void {
  const real = follow(s, name);
  const variable = findVariable(s, real);
  if (variable) setVariable(s, real, { ...variable, exported });
  else if (exported) setVariable(s, real, { alts: [INHERIT], exported });
}

/** True if `$name` is surely set and not empty, false if surely unset or empty, else null. */
export function isFilled(value: Value | null): boolean | null {
  if (value === null) return false;
  const text = textOf(value);
  if (text !== null) return text !== '';
  if (!isDynamic(value)) return true;
  return value.some((p) => (typeof p === 'string' ? p !== '' : 'glob' in p || p.like === 'name')) ? true : null;
}
