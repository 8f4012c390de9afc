import { concat, isDynamic, knownPrefix, textOf, type Value } from '../model/value.ts';

/**
 * An option grammar as a list of lines, one per option: its names without dashes, then `:` if it takes a value
 * (`t target-directory:`) or `?` if it may have one attached (`color?`). One letter means a short option. A
 * string holds lines separated by a comma and a blank.
 */
export type OptionLines = string | readonly string[];

export interface GrammarStyle {
  /** Options end at the first operand (env, sudo, nice, docker run): what follows belongs to another program. */
  readonly stopAtOperand?: boolean;
  /** Words like `-auto-approve` or `-name` are whole options, never clusters (find, terraform, java, gcc). */
  readonly singleDashLong?: boolean;
  /** Long options may be shortened to a unique prefix (GNU getopt_long). Default true; without them, `-o=x` is `-o x`. */
  readonly abbreviations?: boolean;
  /** `-20` is the option named `#` with the value `20` (head, tail, nice, git log). */
  readonly numeric?: boolean;
}

export interface Grammar {
  readonly options: ReadonlyMap<string, Option>;
  readonly style: GrammarStyle;
}

interface Option {
  /** Every name of it. */
  readonly names: readonly string[];
  readonly takes: 'nothing' | 'value' | 'optional';
}

const NUMBER: Option = { names: ['#'], takes: 'value' };

/** A grammar; its lines are read on first use, since a process loads all and needs few. */
export function grammar(lines: OptionLines, style: GrammarStyle = {}): Grammar {
  return new LazyGrammar(lines, style);
}

/** A class, since making an object with a getter of its own costs V8 some microseconds, and a family makes dozens. */
class LazyGrammar implements Grammar {
  readonly style: GrammarStyle;
  readonly #lines: OptionLines;
  #made: ReadonlyMap<string, Option> | null = null;

  constructor(lines: OptionLines, style: GrammarStyle) {
    this.style = style;
    this.#lines = lines;
  }

  get options(): ReadonlyMap<string, Option> {
    this.#made ??= optionsOf(this.#lines);
    return this.#made;
  }
}

function optionsOf(lines: OptionLines): ReadonlyMap<string, Option> {
  const options = new Map<string, Option>();
  for (const line of typeof lines === 'string' ? lines.split(/,\s+/) : lines) {
    if (line === '') continue;
    const takes = line.endsWith(':') ? 'value' : line.endsWith('?') ? 'optional' : 'nothing';
    const names = (takes === 'nothing' ? line : line.slice(0, -1)).split(' ');
    const option: Option = { names, takes };
    for (const name of names) options.set(name, option);
  }
  return options;
}

/** Arguments sorted into options and operands. */
export interface Parsed {
  /** True if the option was given under any of its names. */
  has(...names: readonly string[]): boolean;
  /** The last value given to it, or null. */
  value(...names: readonly string[]): Value | null;
  values(...names: readonly string[]): readonly Value[];
  /** Known options in the order in which they stand, each under its first name. */
  readonly given: readonly { readonly name: string; readonly value: Value }[];
  readonly operands: readonly Value[];
  /** All names of all options given (`-r` gives `r`, `R`, `recursive`). Unknown ones as written, without dashes. */
  readonly flags: readonly string[];
  /** Options the grammar does not know, as written. */
  readonly unknown: readonly string[];
  /** A word whose start is unknown stood where an option could be. */
  readonly maybeOption: boolean;
  /** Index in `argv` (0 is the program) where the first operand stands; argv.length if none. */
  readonly operandAt: number;
}

/** Sorts argv[1…] by a grammar, as getopt_long(3) does unless the style says otherwise. Never throws. */
export function parseOptions(argv: readonly Value[], g: Grammar): Parsed {
  const given = new Map<string, Value[]>();
  const inOrder: { name: string; value: Value }[] = [];
  const operands: Value[] = [];
  const flags = new Set<string>();
  const unknown: string[] = [];
  let maybeOption = false;
  let operandAt = argv.length;
  let i = 1;

  const note = (option: Option, value: Value | null): void => {
    inOrder.push({ name: option.names[0] as string, value: value ?? [] });
    for (const name of option.names) {
      flags.add(name);
      const list = given.get(name);
      if (list) list.push(value ?? []);
      else given.set(name, [value ?? []]);
    }
  };
  const noteUnknown = (name: string): void => {
    unknown.push(name);
    flags.add(name);
  };

  const long = (word: Value, dashes: number): void => {
    const head = knownPrefix(word).slice(dashes);
    const eq = head.indexOf('=');
    if (eq < 0 && word.length > 1) maybeOption = true;
    const name = eq < 0 ? head : head.slice(0, eq);
    const option = find(g, name, dashes);
    // `-o/path`: a letter with its value attached, where options of one dash are long.
    const letter = option || dashes > 1 ? undefined : g.options.get(name[0] ?? '');
    if (letter && letter.takes !== 'nothing' && /^[/~.]/.test(head.slice(1))) return note(letter, rest(word, 2));
    const attached = eq < 0 ? null : rest(word, dashes + eq + 1);
    if (!option) return noteUnknown(name);
    if (option.takes !== 'value' || attached) return note(option, attached);
    i++;
    note(option, argv[i] ?? []);
  };

  const cluster = (word: Value): void => {
    const letters = knownPrefix(word);
    if (g.style.numeric && /^-\d/.test(letters)) return note(NUMBER, rest(word, 1));
    if (letters.length === 1) maybeOption = true;
    for (let at = 1; at < letters.length; at++) {
      const letter = letters[at] as string;
      const option = g.options.get(letter);
      if (!option) {
        noteUnknown(letter);
        continue;
      }
      if (option.takes === 'nothing') {
        note(option, null);
        continue;
      }
      const attached = rest(word, at + 1);
      // The parsers that know no abbreviations (pflag, clap) take `-v=x` for `-v x`.
      if (attached.length > 0)
        return note(option, g.style.abbreviations === false ? withoutEquals(attached) : attached);
      if (option.takes === 'optional') return note(option, null);
      i++;
      return note(option, argv[i] ?? []);
    }
  };

  for (; i < argv.length; i++) {
    const word = argv[i] as Value;
    const start = knownPrefix(word);
    const text = textOf(word);
    if (text === '--') {
      if (operandAt === argv.length) operandAt = i + 1;
      for (const operand of argv.slice(i + 1)) operands.push(operand);
      break;
    }
    if (start.startsWith('-') && text !== '-') {
      if (start.startsWith('--')) long(word, 2);
      else if (g.style.singleDashLong && !isShort(g, start)) long(word, 1);
      else cluster(word);
      continue;
    }
    if (start === '' && isDynamic(word) && word[0] !== undefined && typeof word[0] !== 'string') {
      if ('hole' in word[0] && word[0].like === 'any') maybeOption = true;
    }
    if (operandAt === argv.length) operandAt = i;
    if (g.style.stopAtOperand) {
      for (const operand of argv.slice(i)) operands.push(operand);
      break;
    }
    operands.push(word);
  }
  return {
    has: (...names) => names.some((n) => given.has(n) || flags.has(n)),
    value: (...names) => names.map((n) => given.get(n)?.at(-1)).find((v) => v !== undefined) ?? null,
    values: (...names) => [...new Set(names.flatMap((n) => given.get(n) ?? []))],
    given: inOrder,
    operands,
    flags: [...flags],
    unknown,
    maybeOption,
    operandAt,
  };
}

function isShort(g: Grammar, start: string): boolean {
  const name = start.slice(1).split('=')[0] as string;
  return name.length === 1 && g.options.has(name);
}

function find(g: Grammar, name: string, dashes: number): Option | undefined {
  const exact = g.options.get(name);
  if (exact && (dashes === 1 || name.length > 1)) return exact;
  if (g.style.abbreviations === false || name === '') return undefined;
  const hits = new Set<Option>();
  for (const [full, option] of g.options) if (full.length > 1 && full.startsWith(name)) hits.add(option);
  return hits.size === 1 ? [...hits][0] : undefined;
}

function withoutEquals(value: Value): Value {
  return knownPrefix(value).startsWith('=') ? rest(value, 1) : value;
}

/** A value from the given offset of its first part on. */
function rest(word: Value, from: number): Value {
  const [first, ...more] = word;
  return typeof first === 'string' ? concat([first.slice(from)], more) : word;
}
