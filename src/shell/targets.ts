import type { ParameterExpansionPart } from 'unbash';
import { known, textOf, type Value } from '../model/value.ts';
import { evaluateText } from './arithmetic.ts';
import { toValue } from './pieces.ts';
import type { Run } from './run.ts';
import { hole, type State } from './state.ts';
import { isAssociative, readElement, readElements, readText } from './variables.ts';

/** What a parameter stands for before its operator: one text (null: unset) or a list. */
export type Target =
  | { readonly kind: 'one'; readonly value: Value | null }
  | { readonly kind: 'list'; readonly values: readonly Value[]; readonly open: boolean; readonly star: boolean };

export function oneOf(at: Target): Value | null {
  return at.kind === 'one' ? at.value : (at.values[0] ?? null);
}

export function target(run: Run, s: State, name: string, index: ParameterExpansionPart['index'], key?: string): Target {
  const subscript = key ?? index?.text;
  if (index !== undefined && subscript !== '@' && subscript !== '*') {
    const k = keyOf(run, s, name, index);
    if (k === '0' && /^(?:BASH_SOURCE|FUNCNAME)$/.test(name)) return special(run, s, name) as Target;
    return { kind: 'one', value: readElement(run, s, name, k) };
  }
  if (subscript === '@' || subscript === '*') {
    const all = readElements(run, s, name);
    return { kind: 'list', values: all.values, open: all.open, star: subscript === '*' };
  }
  return special(run, s, name) ?? { kind: 'one', value: readText(run, s, name) };
}

export function keyOf(
  run: Run,
  s: State,
  name: string,
  index: NonNullable<ParameterExpansionPart['index']>,
): string | null {
  const value = toValue(run.up.pieces(run, s, index, !isAssociative(s, name)));
  if (isAssociative(s, name)) return textOf(value);
  const n = evaluateText(run, s, value);
  return n === null ? null : String(n);
}

function special(run: Run, s: State, name: string): Target | null {
  if (!/^(?:[@*#]|\d+)$/.test(name)) return otherSpecial(s, name);
  const args = argumentsOn(run, s);
  if (name === '@' || name === '*') return { kind: 'list', values: args.values, open: args.open, star: name === '*' };
  const one = (value: Value | null): Target => ({ kind: 'one', value });
  if (/^\d+$/.test(name)) {
    const n = Number(name);
    if (n === 0) return one(args.name);
    return one(args.values[n - 1] ?? (args.open ? [hole(`argument ${n} is not known`)] : null));
  }
  return one(args.open ? [hole('the number of arguments is not known', 'name')] : known(String(args.values.length)));
}

/** The arguments on this path. */
function argumentsOn(run: Run, s: State): State['args'] {
  const { alts } = s.args;
  return alts ? (alts[run.choices.pick(alts, alts.length)] ?? s.args) : s.args;
}

function otherSpecial(s: State, name: string): Target | null {
  const one = (value: Value | null): Target => ({ kind: 'one', value });
  switch (name) {
    case '?':
      return one(s.status === 'ok' ? known('0') : [hole('an exit status', 'name')]);
    case '$':
    case '!':
      return one([hole('a process id', 'name')]);
    case '-':
      return one([hole('the shell options', 'name')]);
    case '_':
      return one(s.lastWord ?? [hole('the last argument is not known')]);
    case 'BASH_SOURCE':
      return one(s.args.file ?? s.args.name);
    case 'FUNCNAME':
      return one(known(s.frame.calls.at(-1) ?? ''));
    default:
      return null;
  }
}
