import type { ParameterExpansionPart, ParameterOperation } from 'unbash';
import { concat, isDynamic, known, type Part, textOf, type Value } from '../model/value.ts';
import { evaluateSubscript, evaluateText } from './arithmetic.ts';
import { FIRST } from './choices.ts';
import { changeCase, removePattern, replacePattern, sliceText, transform, unknownFrom } from './operators.ts';
import { compile } from './pattern.ts';
import { type Piece, toPattern, toValue } from './pieces.ts';
import { expandPrompt } from './prompts.ts';
import type { Run } from './run.ts';
import { findVariable, hole, lines, type State } from './state.ts';
import { keyOf, oneOf, type Target, target } from './targets.ts';
import {
  assignElement,
  assignText,
  type Elements,
  isFilled,
  readElement,
  readElements,
  readText,
} from './variables.ts';

/** `$name`, `$1`, `$@`, `$?` … */
export function expandSimple(run: Run, s: State, name: string, quoted: boolean): readonly Piece[] {
  return show(run, s, target(run, s, name, undefined), quoted);
}

/** `${…}` with all its operators. */
export function expandParameter(run: Run, s: State, part: ParameterExpansionPart, quoted: boolean): readonly Piece[] {
  const { operation } = part;
  if (part.prefix === '!' && operation?.type === 'Names')
    return namesStarting(s, part.parameter, quoted, operation.operator);
  let at: Target;
  let name = part.parameter;
  let index = part.index;
  if (part.prefix === '!') {
    const star = index?.text;
    if (star === '@' || star === '*') return keysOf(run, s, part.parameter, star === '*', quoted);
    const pointed =
      findVariable(s, name)?.ref === undefined
        ? index
          ? oneOf(target(run, s, name, index))
          : readText(run, s, name)
        : known(name);
    const text = pointed === null ? '' : textOf(pointed);
    if (text === null || (text === '' && operation === undefined))
      return [piece(unknownFrom(pointed ?? [], `the variable that $${name} names is not known`), quoted)];
    const match = /^([A-Za-z_]\w*|\d+|[@*#?$!-])(?:\[(.*)\])?$/s.exec(text);
    name = match?.[1] ?? '';
    if (match?.[2] !== undefined) {
      const element = evaluateSubscript(run, s, known(text));
      at =
        element?.key === '@' || element?.key === '*'
          ? target(run, s, name, undefined, element.key)
          : { kind: 'one', value: element ? readElement(run, s, name, element.key) : null };
    } else at = name === '' ? { kind: 'one', value: null } : target(run, s, name, undefined);
    index = undefined;
  } else at = target(run, s, name, index);
  if (part.prefix === '#') return [piece(lengthOf(at), quoted)];
  if (!operation) return show(run, s, at, quoted);
  return operate(run, s, name, index === undefined ? null : index, at, operation, quoted);
}

function piece(value: Value, quoted: boolean): Piece {
  return { kind: quoted ? 'quoted' : 'split', value };
}

/** A target as pieces: `"$@"` gives a field each, `"$*"` one. */
function show(run: Run, s: State, at: Target, quoted: boolean): readonly Piece[] {
  if (at.kind === 'one') return [piece(at.value ?? [], quoted)];
  const values: Value[] = [...at.values];
  if (at.open) values.push([hole('more arguments that are not known')]);
  if (values.length === 0) return [{ kind: 'nothing' }];
  if (at.star && quoted) {
    const ifs = readText(run, s, 'IFS');
    const text = ifs === null ? ' ' : textOf(ifs);
    return [piece(lines(values, text === null ? ' ' : text.slice(0, 1)), true)];
  }
  return values.flatMap((value, i): readonly Piece[] =>
    i === 0 ? [piece(value, quoted)] : [{ kind: 'break' }, piece(value, quoted)],
  );
}

function keysOf(run: Run, s: State, name: string, star: boolean, quoted: boolean): readonly Piece[] {
  const all: Elements = readElements(run, s, name);
  return show(run, s, { kind: 'list', values: all.keys.map(known), open: all.open, star }, quoted);
}

function namesStarting(s: State, prefix: string, quoted: boolean, operator: '@' | '*'): readonly Piece[] {
  const names = new Set<string>();
  for (let at: State | null = s; at; at = at.base)
    for (const name of at.vars.keys()) if (name.startsWith(prefix)) names.add(name);
  const values = [...names].sort().map(known);
  const open: Value = [hole(`names of other variables that start with ${prefix}`)];
  return [...values, open].flatMap((v, i): readonly Piece[] =>
    i === 0
      ? [piece(v, quoted)]
      : [operator === '*' && quoted ? piece([' '], true) : { kind: 'break' }, piece(v, quoted)],
  );
}

function lengthOf(at: Target): Value {
  const unknown: Value = [hole('a length that is not known', 'name')];
  if (at.kind === 'list') return at.open ? unknown : known(String(at.values.length));
  const text = textOf(at.value ?? []);
  return text === null ? unknown : known(String([...text].length));
}

function operate(
  run: Run,
  s: State,
  name: string,
  index: ParameterExpansionPart['index'] | null,
  at: Target,
  operation: ParameterOperation,
  quoted: boolean,
): readonly Piece[] {
  if (operation.type === 'Default') return useDefault(run, s, name, index, at, operation, quoted);
  if (operation.type === 'Slice') return slice(run, s, at, operation, quoted);
  const each = (change: (value: Value) => Value): readonly Piece[] =>
    at.kind === 'one'
      ? [piece(at.value === null ? [] : change(at.value), quoted)]
      : show(run, s, { ...at, values: at.values.map(change) }, quoted);
  switch (operation.type) {
    case 'Remove': {
      const pattern = patternOf(run, s, operation.operand);
      return each((v) => removePattern(v, pattern, operation.operator));
    }
    case 'Replace': {
      const pattern = patternOf(run, s, operation.pattern);
      const replacement = toValue(run.up.pieces(run, s, operation.replacement, false));
      return each((v) => replacePattern(v, pattern, replacement, operation.operator));
    }
    case 'CaseModification': {
      const pattern = operation.operand ? patternOf(run, s, operation.operand) : compile('?');
      return each((v) => changeCase(v, pattern, operation.operator));
    }
    case 'Transform': {
      const letter = operation.operand.text;
      if (letter === 'P') return each((v) => expandPrompt(run, s, v));
      if (letter === 'A') return [piece(concat(known(`${name}=`), transform(oneOf(at) ?? [], 'Q')), quoted)];
      return each((v) => transform(v, letter));
    }
    case 'Unknown': {
      const flags = /^\(([^)]*)\)([A-Za-z_]\w*)/.exec(operation.operator);
      if (flags) return zshFlags(run, s, flags[1] as string, flags[2] as string, quoted);
      return each((v) => unknownFrom(v, `an expansion of $${name} that is not understood`));
    }
    default:
      return each((v) => unknownFrom(v, `an expansion of $${name} that is not understood`));
  }
}

/** zsh's `${(flags)name}`: `e` and `%` expand the value again. */
function zshFlags(run: Run, s: State, flags: string, name: string, quoted: boolean): readonly Piece[] {
  const at = target(run, s, name, undefined);
  if (at.kind === 'list') return show(run, s, at, quoted);
  const pointed = flags.includes('P') ? textOf(at.value ?? []) : null;
  const value = pointed === null ? at.value : readText(run, s, pointed);
  if (value === null) return [piece([], quoted)];
  return [piece(/[e%]/.test(flags) ? expandPrompt(run, s, value) : value, quoted)];
}

function patternOf(run: Run, s: State, word: Parameters<Run['up']['pieces']>[2]): ReturnType<typeof compile> {
  const text = toPattern(run.up.pieces(run, s, word, false));
  return text === null ? null : compile(text);
}

function useDefault(
  run: Run,
  s: State,
  name: string,
  index: ParameterExpansionPart['index'] | null,
  at: Target,
  operation: Extract<ParameterOperation, { type: 'Default' }>,
  quoted: boolean,
): readonly Piece[] {
  const { operator } = operation;
  const colon = operator.startsWith(':');
  const value = at.kind === 'one' ? at.value : at.values.length === 0 && !at.open ? null : lines(at.values, ' ');
  const filled = colon ? isFilled(value) : value === null ? false : isUnknown(value) ? null : true;
  const operand = (): readonly Piece[] => asOperand(run.up.pieces(run, s, operation.operand, quoted), quoted);
  switch (operator.slice(-1)) {
    case '-':
      if (filled === false) return operand();
      if (filled === true) return show(run, s, at, quoted);
      return either(run, s, name, at, operation, operand(), quoted);
    case '=': {
      if (filled === true) return show(run, s, at, quoted);
      const pieces = operand();
      const choice = filled === null && run.choices !== FIRST ? run.choices.pick(operation, 2) : -1;
      if (choice === 0) return show(run, s, at, quoted);
      const text =
        filled === false || choice === 1
          ? toValue(pieces)
          : unknownFrom(value ?? [], `value of $${name}, or its default, is not known`);
      if (index) assignElement(run, s, name, keyOf(run, s, name, index), text, false);
      else if (/^[A-Za-z_]\w*$/.test(name)) assignText(run, s, name, text, false);
      return [piece(text, quoted)];
    }
    case '+':
      if (filled === false || (filled === null && run.choices !== FIRST && run.choices.pick(operation, 2) === 1))
        return [quoted ? piece([], true) : { kind: 'nothing' }];
      return operand();
    default:
      if (filled !== false) return show(run, s, at, quoted);
      operand();
      s.ended = 'exit';
      return [piece([], quoted)];
  }
}

/** A value that may be empty or unset: it, or the default. */
function either(
  run: Run,
  s: State,
  name: string,
  at: Target,
  key: object,
  operand: readonly Piece[],
  quoted: boolean,
): readonly Piece[] {
  if (run.choices !== FIRST) {
    const choice = run.choices.pick(key, 2);
    if (choice >= 0) return choice === 0 ? show(run, s, at, quoted) : operand;
  }
  const value = at.kind === 'one' ? (at.value ?? []) : lines(at.values, ' ');
  const fallback = toValue(operand);
  const shown = textOf(fallback);
  if (shown === '') return [piece(value, quoted)];
  const label = shown === null ? 'its default' : `\`${shown.slice(0, 40)}\``;
  return [piece(unknownFrom(concat(value, fallback), `value of $${name}, or ${label}, is not known`), quoted)];
}

function isUnknown(value: Value): boolean {
  return isDynamic(value) && value.length === 1;
}

/** The default's unquoted text is split like the parameter's own. */
function asOperand(pieces: readonly Piece[], quoted: boolean): readonly Piece[] {
  if (quoted) return pieces;
  return pieces.map((p) =>
    p.kind === 'plain'
      ? { kind: 'split', value: p.value.map((x): Part => (typeof x !== 'string' && 'glob' in x ? x.glob : x)) }
      : p,
  );
}

function slice(
  run: Run,
  s: State,
  at: Target,
  operation: Extract<ParameterOperation, { type: 'Slice' }>,
  quoted: boolean,
): readonly Piece[] {
  const number = (word: Parameters<Run['up']['pieces']>[2]): number | null =>
    evaluateText(run, s, toValue(run.up.pieces(run, s, word, true)));
  const offset = number(operation.offset);
  const length = operation.length ? number(operation.length) : undefined;
  if (at.kind === 'one') return [piece(sliceText(at.value ?? [], offset, length), quoted)];
  if (offset === null || length === null || at.open)
    return show(run, s, { kind: 'list', values: [], open: true, star: at.star }, quoted);
  const all = operation && at.kind === 'list' && at.values === s.args.values ? [s.args.name, ...at.values] : at.values;
  const from = offset < 0 ? all.length + offset : offset;
  const to = length === undefined ? all.length : length < 0 ? all.length + length : from + length;
  return show(run, s, { ...at, values: all.slice(Math.max(0, from), Math.max(0, to)) }, quoted);
}
