import type { CelConstant, CelNode } from '../model/policy.ts';
import { compileCall } from './functions.ts';
import { compileLoop } from './loop.ts';
import { compileOperator } from './operators.ts';
import { CelFault, type Scope, UNKNOWN } from './scope.ts';

/** A compiled expression. Returns UNKNOWN (null) if the facts don't settle it; throws CelFault on an error. */
export type Run = (scope: Scope) => unknown;

/** As `Run`, with its value if that is the same for every call. */
export interface Compiled {
  readonly run: Run;
  readonly constant?: CelConstant;
}

/** What `lists.X` and `params.X` are. */
export interface Tables {
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly params: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Turns a checked expression into a function. Throws CelFault if the bundle holds something this version does not know. */
export function compileNode(node: CelNode, tables: Tables): Compiled {
  const [op, ...args] = node;
  const sub = (arg: unknown): Compiled => compileNode(arg as CelNode, tables);
  switch (op) {
    case 'v':
      return constant(args[0] as CelConstant);
    case 'L':
      return constant(tableEntry(tables.lists, args[0] as string));
    case 'P':
      return constant(tableEntry(tableEntry(tables.params, args[0] as string), args[1] as string) as CelConstant);
    case 'G': {
      const name = args[0] as string;
      if (name === 'session') return { run: (scope) => scope.session() };
      return { run: (scope) => scope.globals[name] ?? UNKNOWN };
    }
    case '$': {
      const slot = args[0] as number;
      return { run: (scope) => scope.locals[slot] };
    }
    case '.':
      return { run: compileMember(sub(args[0]).run, args[1] as string) };
    case '[]':
      return { run: compileIndex(sub(args[0]).run, sub(args[1]).run) };
    case 'has':
      return { run: compileHas(sub(args[0]).run, args[1] as string) };
    case '&&':
      return {
        run: compileLogic(
          args.map((a) => sub(a).run),
          false,
        ),
      };
    case '||':
      return {
        run: compileLogic(
          args.map((a) => sub(a).run),
          true,
        ),
      };
    case '!': {
      const x = sub(args[0]).run;
      return {
        run: (scope) => {
          const v = x(scope);
          return v === UNKNOWN ? UNKNOWN : !v;
        },
      };
    }
    case '?:': {
      const [c, a, b] = args.map((x) => sub(x).run) as [Run, Run, Run];
      return {
        run: (scope) => {
          const v = c(scope);
          return v === UNKNOWN ? UNKNOWN : v === true ? a(scope) : b(scope);
        },
      };
    }
    case 'let': {
      const slot = args[0] as number;
      const value = sub(args[1]).run;
      const body = sub(args[2]).run;
      return {
        run: (scope) => {
          scope.locals[slot] = value(scope);
          return body(scope);
        },
      };
    }
    case 'list': {
      const items = args.map((a) => sub(a).run);
      return { run: (scope) => items.map((item) => item(scope)) };
    }
    case 'map':
      return { run: compileMap(args.map((a) => sub(a).run)) };
    case 'all':
    case 'exists':
    case 'exists_one':
    case 'filter':
      return { run: compileLoop(op, args[0] as number, sub(args[1]).run, null, sub(args[2]).run) };
    case 'each':
      return {
        run: compileLoop(op, args[0] as number, sub(args[1]).run, args[2] ? sub(args[2]).run : null, sub(args[3]).run),
      };
    case 'call':
      return { run: compileCall(args[0] as string, args.slice(1).map(sub)) };
    default:
      return { run: compileOperator(op, args.map(sub)) };
  }
}

function constant(value: CelConstant): Compiled {
  return { run: () => value, constant: value };
}

function tableEntry<T>(table: Readonly<Record<string, T>>, name: string): T {
  if (!Object.hasOwn(table, name)) throw new CelFault(`the bundle has no \`${name}\``);
  return table[name] as T;
}

/** `false && error` is false, as `error && false`: an operand that settles it wins over errors and unknowns. */
function compileLogic(operands: readonly Run[], settles: boolean): Run {
  return (scope) => {
    let unknown = false;
    let fault: unknown;
    for (const operand of operands) {
      try {
        const value = operand(scope);
        if (value === settles) return settles;
        if (value === UNKNOWN) unknown = true;
        else if (typeof value !== 'boolean') throw new CelFault('a logical operand is not a bool');
      } catch (error) {
        if (!(error instanceof CelFault) || scope.steps < 0) throw error;
        fault ??= error;
      }
    }
    if (fault !== undefined) throw fault;
    return unknown ? UNKNOWN : !settles;
  };
}

function compileMember(object: Run, key: string): Run {
  return (scope) => member(object(scope), key);
}

function member(object: unknown, key: string): unknown {
  if (object === UNKNOWN) return UNKNOWN;
  if (typeof object === 'object' && Object.hasOwn(object as object, key)) {
    const value = (object as Record<string, unknown>)[key];
    if (value !== undefined) return value;
  }
  throw new CelFault(`no such key: ${key}`);
}

function compileIndex(object: Run, key: Run): Run {
  return (scope) => {
    const o = object(scope);
    const k = key(scope);
    if (o === UNKNOWN || k === UNKNOWN) return UNKNOWN;
    if (!Array.isArray(o)) return member(o, String(k));
    if (typeof k !== 'number' || !Number.isInteger(k) || k < 0 || k >= o.length)
      throw new CelFault(`index out of bounds: ${String(k)}`);
    return o[k];
  };
}

function compileHas(object: Run, key: string): Run {
  return (scope) => {
    const o = object(scope);
    if (o === UNKNOWN) return UNKNOWN;
    return typeof o === 'object' && Object.hasOwn(o, key) && (o as Record<string, unknown>)[key] !== undefined;
  };
}

function compileMap(entries: readonly Run[]): Run {
  return (scope) => {
    const map: Record<string, unknown> = Object.create(null);
    for (let i = 0; i + 1 < entries.length; i += 2) {
      const key = (entries[i] as Run)(scope);
      if (key === UNKNOWN) return UNKNOWN;
      map[String(key)] = (entries[i + 1] as Run)(scope);
    }
    return map;
  };
}
