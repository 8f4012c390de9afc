import { Environment } from '@marcbachmann/cel-js';
import type { CelNode } from '../../../src/model/policy.ts';
import { compileNode } from '../../../src/policy/expression.ts';
import { CelFault, type Scope } from '../../../src/policy/scope.ts';
import { FUNCTIONS } from '../../../src/rulebook/cel-surface.ts';
import { LowerError, lower } from '../../../src/rulebook/lower.ts';

/** Variables of the expressions in these tests; `null` in a value is a fact that is not known. */
const VARIABLES: Readonly<Record<string, string>> = {
  a: 'int',
  b: 'int',
  x: 'double',
  s: 'string',
  t: 'string',
  p: 'bool',
  q: 'bool',
  ns: 'list<int>',
  ss: 'list<string>',
  m: 'map<string, string>',
};

const env = new Environment();
for (const [name, type] of Object.entries(VARIABLES)) env.registerVariable(name, type);
for (const name of ['re', 'replace', 'sum', 'matchesAny', 'under', 'inDomain', 'known'] as const)
  for (const signature of FUNCTIONS[name]?.signatures ?? [])
    if (!/^(File|Dest|Command)\./.test(signature)) env.registerFunction(signature, () => undefined);

/** The expression in the bundle's form. Throws on type errors. */
function lowered(expression: string): CelNode {
  const parsed = env.parse(expression);
  const checked = parsed.check();
  if (!checked.valid) throw checked.error;
  return lower(parsed.ast, {
    pack: 'test',
    macros: new Map(),
    lists: new Map(),
    kinds: new Map(),
    names: new Map(Object.keys(VARIABLES).map((name) => [name, ['G', name]])),
    loops: 0,
    slots: { next: 1 },
    call: null,
    depth: 0,
  });
}

/** False: it nests more loops than the language lets. */
export function isPart(expression: string): boolean {
  try {
    lowered(expression);
    return true;
  } catch (error) {
    if (error instanceof LowerError) return false;
    throw error;
  }
}

/** Our value of the expression, or `error`. */
export function ours(expression: string, globals: Readonly<Record<string, unknown>>, steps = 100_000): unknown {
  const scope: Scope = {
    globals,
    session: () => null,
    evidence: () => null,
    locals: [],
    home: '/home/dev',
    workspace: '/home/dev/project',
    services: {},
    steps,
    left: steps,
    uncertain: false,
    trusting: false,
  };
  try {
    return compileNode(lowered(expression), { lists: {}, params: {} }).run(scope);
  } catch (error) {
    if (error instanceof CelFault) return 'error';
    throw error;
  }
}

/** The value that cel-js gives, ints as numbers, or `error`. */
export function theirs(expression: string, globals: Readonly<Record<string, unknown>>): unknown {
  const context = Object.fromEntries(
    Object.entries(globals).map(([name, value]) => [name, VARIABLES[name]?.includes('int') ? bigger(value) : value]),
  );
  try {
    return smaller(env.parse(expression)(context));
  } catch {
    return 'error';
  }
}

function bigger(value: unknown): unknown {
  return Array.isArray(value) ? value.map(bigger) : typeof value === 'number' ? BigInt(value) : value;
}

function smaller(value: unknown): unknown {
  return Array.isArray(value) ? value.map(smaller) : typeof value === 'bigint' ? Number(value) : value;
}
