import { Environment } from '@marcbachmann/cel-js';
import { FUNCTIONS, GLOBALS, ITEMS, TYPES } from './cel-surface.ts';

/** Types of the names that a pack adds: its lists, its parameters, the macros it may call. */
export interface PackNames {
  readonly lists: readonly string[];
  readonly params: Readonly<Record<string, string>>;
  readonly macros: readonly {
    readonly name: string;
    readonly params: readonly (readonly [string, string])[];
    readonly returns: string;
  }[];
}

/** Bounds of one expression; nested loops are bounded in `lower`. */
export const EXPRESSION_BOUNDS = {
  maxAstNodes: 5_000,
  maxDepth: 60,
  maxListElements: 2_000,
  maxMapEntries: 200,
  maxCallArguments: 32,
};

let base: Environment | undefined;

/** Only types are checked here; expressions run in policy's own evaluator. */
function never(): never {
  throw new Error('not evaluated by cel-js');
}

function baseEnvironment(): Environment {
  if (base) return base;
  const env = new Environment({ limits: EXPRESSION_BOUNDS });
  for (const [name, { fields }] of Object.entries(TYPES))
    env.registerType(name, { fields: Object.fromEntries(Object.entries(fields).map(([k, v]) => [k, v.type])) });
  for (const [name, { type }] of Object.entries(GLOBALS)) env.registerVariable(name, type);
  for (const { signatures } of Object.values(FUNCTIONS)) for (const s of signatures) env.registerFunction(s, never);
  base = env;
  return env;
}

/** The environment of a pack without an item. */
export function packEnvironment(names: PackNames): Environment {
  const env = baseEnvironment().clone();
  env.registerType('Lists', { fields: Object.fromEntries(names.lists.map((n) => [n, 'list<string>'])) });
  env.registerVariable('lists', 'Lists');
  env.registerType('Params', { fields: { ...names.params } });
  env.registerVariable('params', 'Params');
  for (const macro of names.macros)
    env.registerFunction(`${macro.name}(${macro.params.map(([, type]) => type).join(', ')}): ${macro.returns}`, never);
  return env;
}

/** A pack's environment with more names: the item of `each`, a macro's parameters. */
export function withVariables(env: Environment, variables: readonly (readonly [string, string])[]): Environment {
  const child = env.clone();
  for (const [name, type] of variables) child.registerVariable(name, type);
  return child;
}

export function itemVariables(each: string): readonly (readonly [string, string])[] {
  return each in ITEMS ? [[each, ITEMS[each as keyof typeof ITEMS]]] : [];
}

export type { Environment };
