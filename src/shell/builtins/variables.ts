import { concat, isDynamic, known, knownPrefix, taintsOf, textOf, type Value } from '../../model/value.ts';
import { evaluateSubscript, evaluateText, numberValue } from '../arithmetic.ts';
import { assign, noteCodeVariable } from '../assignments.ts';
import { applyEffect } from '../effects.ts';
import { descriptor } from '../redirections.ts';
import { findVariable, functionMark, hole, INHERIT, type State, setVariable, UNSET, type Variable } from '../state.ts';
import {
  assignElement,
  assignList,
  assignText,
  follow,
  readText,
  removeElement,
  setExported,
  unsetVariable,
} from '../variables.ts';
import { type BuiltinCall, type BuiltinTable, describe, print, readOptions } from './builtin.ts';

const NAME = /^[A-Za-z_]\w*$/;

/** `declare` and its kin: attributes first, then each name or assignment. */
function declare(b: BuiltinCall): void {
  const { run, s } = b;
  const { flags, rest, at } = readOptions(b.argv);
  describe(b, flags, rest);
  const kind = textOf(b.argv[0] as Value);
  if (flags.has('F') || (flags.has('f') && kind !== 'export')) return;
  if (rest.length === 0 && kind !== 'local') return printAll(b);
  if (flags.has('p')) return printNamed(b, rest);
  for (const [i, word] of rest.entries()) {
    const a = b.call.declared?.get(at + i);
    const name = a?.name ?? nameIn(word);
    if (kind === 'export' && flags.has('f') && name !== null) {
      setVariable(s, functionMark(name), { alts: [INHERIT], exported: !flags.has('n') });
      continue;
    }
    if (name === null) {
      injected(b, word);
      continue;
    }
    const local =
      (kind === 'local' || kind === 'declare' || kind === 'typeset') && s.locals !== null && !flags.has('g');
    if (local) makeLocal(s, name);
    attributes(s, name, flags, local);
    if (a) assign(run, s, a, flags.has('A'));
    else if (word.length > 0 && hasEquals(word)) assignWord(b, name, word);
    else if (flags.has('A') || flags.has('a')) emptyArray(b, name, flags.has('A'));
    afterwards(b, name, flags, kind);
  }
}

/** Every variable with its value, the secret ones too: `export -p`, `declare -x`, `set`. */
function printAll(b: BuiltinCall): void {
  const { flags } = readOptions(b.argv);
  if ([...flags].some((flag) => /^[aAilnru]$/.test(flag))) return;
  const effect = { kind: 'secret-read', target: 'environment', detail: 'every variable' } as const;
  applyEffect(b.run, b.command, effect, b.command.certain);
  print(b, { value: null, taints: descriptor(b.s, 1).sink === null ? [] : ['secret'] });
}

/** `declare -p NAME`: its value as the shell would write it. */
function printNamed(b: BuiltinCall, names: readonly Value[]): void {
  for (const name of names) {
    const value = readText(b.run, b.s, textOf(name) ?? '');
    print(b, { value: concat(name, ['='], value ?? []), taints: value ? taintsOf(value) : [] });
  }
}

function afterwards(b: BuiltinCall, name: string, flags: ReadonlySet<string>, kind: string | null): void {
  const { run, s } = b;
  const variable = findVariable(s, name);
  const [held] = variable?.alts ?? [];
  if (variable && flags.has('i') && held?.kind === 'text')
    assignText(run, s, name, numberValue(evaluateText(run, s, held.value)), false);
  if (flags.has('n') && kind !== 'export' && held?.kind === 'text') {
    const target = textOf(held.value);
    if (target !== null && variable) setVariable(s, name, { ...variable, ref: target.replace(/\[.*$/s, '') });
    evaluateSubscript(run, s, held.value);
  }
  if ((kind === 'export' && !flags.has('n')) || (flags.has('x') && !flags.has('+x'))) {
    setExported(s, name, true);
    const now = findVariable(s, name)?.alts[0];
    if (now?.kind === 'text' && now !== INHERIT) noteCodeVariable(run, s, name, now.value, b.command);
  } else if (flags.has('+x') || (kind === 'export' && flags.has('n'))) setExported(s, name, false);
}

function nameIn(word: Value): string | null {
  const match = /^([A-Za-z_]\w*)(?:\+?=|$)/.exec(knownPrefix(word));
  if (!match) return null;
  return match[0].endsWith('=') || textOf(word) !== null ? (match[1] as string) : null;
}

function hasEquals(word: Value): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(knownPrefix(word));
}

/** `name[subscript]=value` as a text: the subscript is evaluated. */
function injected(b: BuiltinCall, word: Value): void {
  const start = knownPrefix(word);
  const close = start.lastIndexOf(']=');
  const target = known(close < 0 ? start : start.slice(0, close + 1));
  const element = evaluateSubscript(b.run, b.s, target);
  if (element && close >= 0)
    assignElement(b.run, b.s, element.name, element.key, concat(known(start.slice(close + 2)), word.slice(1)), false);
}

function assignWord(b: BuiltinCall, name: string, word: Value): void {
  const start = knownPrefix(word);
  const equals = start.indexOf('=');
  const value = concat(known(start.slice(equals + 1)), word.slice(1));
  assignText(b.run, b.s, name, value, start[equals - 1] === '+');
}

function emptyArray(b: BuiltinCall, name: string, assoc: boolean): void {
  const before = findVariable(b.s, name)?.alts[0];
  if (before && before !== UNSET && before.kind === 'array' && before.assoc === assoc) return;
  const wasText = before?.kind === 'text';
  if (wasText && !(assoc && isDynamic(before.value))) return;
  assignList(b.run, b.s, name, [], { append: false, assoc, open: wasText });
}

/** The value that a name had outside the function comes back when it ends. */
function makeLocal(s: State, name: string): void {
  if (!s.locals || s.locals.has(name)) return;
  s.locals.set(name, findVariable(s, name));
  setVariable(s, name, { alts: [UNSET], exported: false });
}

function attributes(s: State, name: string, flags: ReadonlySet<string>, local: boolean): void {
  const before = findVariable(s, follow(s, name));
  const fold = flags.has('l') ? 'lower' : flags.has('u') ? 'upper' : undefined;
  if (!fold && !flags.has('i') && !local) return;
  const variable: Variable = before ?? { alts: [UNSET], exported: false };
  setVariable(s, name, { ...variable, ...(fold ? { fold } : {}), ...(flags.has('i') ? { integer: true } : {}) });
}

function unset(b: BuiltinCall): void {
  const { flags, rest } = readOptions(b.argv);
  describe(b, flags, rest);
  for (const word of rest) {
    const raw = known(word.map((p) => (typeof p === 'string' ? p : 'glob' in p ? p.glob : '')).join(''));
    const name = textOf(raw) ?? '';
    const element = evaluateSubscript(b.run, b.s, raw);
    if (element) {
      removeElement(b.run, b.s, element.name, element.key);
      continue;
    }
    if (!NAME.test(name)) continue;
    if (!flags.has('f') && (findVariable(b.s, name) || !b.s.functions.has(name))) unsetVariable(b.s, name);
    else b.s.functions.set(name, []);
  }
}

function letCommand(b: BuiltinCall): void {
  let n: number | null = null;
  for (const word of b.argv.slice(1))
    n = evaluateText(
      b.run,
      b.s,
      known(word.map((p) => (typeof p === 'string' ? p : 'glob' in p ? p.glob : '0')).join('')),
    );
  describe(b, [], b.argv.slice(1));
  b.s.status = n === null ? 'maybe' : n === 0 ? 'fail' : 'ok';
}

const SET_LETTERS: Readonly<Record<string, string>> = {
  e: 'errexit',
  f: 'noglob',
  a: 'allexport',
  x: 'xtrace',
  u: 'nounset',
  n: 'noexec',
};

function set(b: BuiltinCall): void {
  const { s } = b;
  describe(b, [], b.argv.slice(1));
  if (b.argv.length === 1) return printAll(b);
  let i = 1;
  for (; i < b.argv.length; i++) {
    const text = textOf(b.argv[i] as Value);
    if (text === '--' || text === '-') {
      i++;
      s.args = { ...s.args, values: b.argv.slice(i), open: false, alts: undefined };
      s.dirty = true;
      return;
    }
    if (text === null || !/^[-+]\w/.test(text)) break;
    const on = text[0] === '-';
    for (const letter of text.slice(1)) {
      if (letter === 'o') option(s, textOf(b.argv[++i] ?? []) ?? '', on);
      else option(s, SET_LETTERS[letter] ?? '', on);
    }
  }
  if (i >= b.argv.length) return;
  s.args = { ...s.args, values: b.argv.slice(i), open: false, alts: undefined };
  s.dirty = true;
}

function option(s: State, name: string, on: boolean): void {
  if (name === '') return;
  const options = new Set(s.options);
  if (on) options.add(name);
  else options.delete(name);
  s.options = options;
  s.dirty = true;
}

function shopt(b: BuiltinCall): void {
  const { flags, rest } = readOptions(b.argv);
  describe(b, flags, rest);
  // With a letter that is no option it sets nothing.
  if ([...flags].some((flag) => !'pqsuo'.includes(flag))) {
    b.s.status = 'fail';
    return;
  }
  // It fails for a name that this version of bash does not have, and tells by its status what is off.
  b.s.status = 'maybe';
  if (!flags.has('s') && !flags.has('u')) return;
  for (const word of rest) option(b.s, textOf(word) ?? '', flags.has('s'));
}

/** The same on each of the paths that led here. */
function shifted(s: State, by: number): State['args']['alts'] {
  return s.args.alts?.map((args) => ({ ...args, values: args.values.slice(by) }));
}

function shift(b: BuiltinCall): void {
  const { s } = b;
  const by = b.argv[1] ? evaluateText(b.run, s, b.argv[1]) : 1;
  if (by === null) s.args = { ...s.args, values: [], open: true, alts: undefined };
  else if (by > s.args.values.length && !s.args.open) {
    s.status = 'fail';
    return;
  } else s.args = { ...s.args, values: s.args.values.slice(by), alts: shifted(s, by) };
  s.dirty = true;
}

function getopts(b: BuiltinCall): void {
  const name = textOf(b.argv[2] ?? []);
  describe(b, [], b.argv.slice(1));
  if (name && NAME.test(name)) assignText(b.run, b.s, name, [hole('an option letter', 'name')], false);
  assignText(b.run, b.s, 'OPTARG', [hole('the argument of an option')], false);
  assignText(b.run, b.s, 'OPTIND', [hole('the number of an argument', 'name')], false);
  b.s.status = 'maybe';
}

function wait(b: BuiltinCall): void {
  const { values, rest } = readOptions(b.argv, 'p');
  describe(b, [], rest);
  const target = values.get('p');
  if (target) evaluateSubscript(b.run, b.s, target);
  b.s.status = 'maybe';
}

export const VARIABLE_BUILTINS: BuiltinTable = [
  ['export', declare],
  ['declare', declare],
  ['typeset', declare],
  ['local', declare],
  ['readonly', declare],
  ['integer', declare],
  ['unset', unset],
  ['let', letCommand],
  ['set', set],
  ['shopt', shopt],
  ['setopt', () => undefined],
  ['unsetopt', () => undefined],
  ['shift', shift],
  ['getopts', getopts],
  ['wait', wait],
];
