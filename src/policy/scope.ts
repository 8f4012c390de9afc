import { LIMITS } from '../base/limits.ts';
import type { Facts } from '../model/facts.ts';
import type { CompiledEvidence } from '../model/policy.ts';
import type { History } from './history.ts';

/**
 * Three-valued logic: a condition is true, false or UNKNOWN, and a fact that is not known is `null` wherever it
 * comes from. `null` is no value of the rule language (the build refuses the literal), so nothing else can be meant.
 */
export const UNKNOWN = null;

/** What a function of the language may ask of the outside; everything is optional and nothing is slow. */
export interface Services {
  /** Secrets in a text. */
  readonly secrets?: (text: string) => readonly { readonly kind: string }[];
  /** Was this established before, and does it still hold? Null: not known. */
  readonly evidence?: (ask: EvidenceAsk) => boolean | null;
  /** What a file is like now, in a form that changes with it: '' if there is none, null if that can't be told. */
  readonly stamp?: (path: string) => string | null;
}

/** A question for evidence. */
export interface EvidenceAsk {
  readonly kind: string;
  readonly key: string;
  readonly declared: CompiledEvidence;
  readonly session: string;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly history: History | undefined;
}

/** What one evaluation works on. Owned by one call of `decide`, reused between rules. */
export interface Scope {
  readonly globals: Readonly<Record<string, unknown>>;
  /** What `session` stands for: looked up where a condition asks, and only then. */
  readonly session: () => unknown;
  /** What `evidence(kind, key)` is: looked up where a condition asks, and only then. */
  readonly evidence: (kind: string, key: string) => boolean | null;
  readonly locals: unknown[];
  readonly home: string;
  readonly workspace: string;
  readonly services: Services;
  /** Steps left; below zero the condition is an error. */
  steps: number;
  /** Steps left for the whole decision. */
  left: number;
  /** Set when a match rests on something that was only guessed at (`certain: false`). */
  uncertain: boolean;
  /** Guesses count as facts: asked to tell "true if the guess is right" from "not known even then". */
  trusting: boolean;
}

/** A condition that could not be evaluated: division by zero, missing key, budget used up. */
export class CelFault extends Error {
  override readonly name = 'CelFault';
}

/** Runs one evaluation with a budget of its own, taken from the decision's. */
export function withBudget<T>(scope: Scope, run: () => T): T {
  const given = Math.min(LIMITS.celSteps, scope.left);
  scope.steps = given;
  try {
    return run();
  } finally {
    scope.left -= given - Math.max(scope.steps, 0);
  }
}

/** Takes `n` steps off the budget. */
export function spend(scope: Scope, n: number): void {
  scope.steps -= n;
  if (scope.steps < 0) throw new CelFault('the condition takes too many steps');
}

/** What the language's global names stand for. */
export function globalsOf(facts: Facts, now: number): Readonly<Record<string, unknown>> {
  const result = facts.result;
  const effects = facts.unknowns.length === 0 ? facts.effects : [...facts.effects, ...unparsed(facts)];
  return {
    event: facts.event,
    tool: facts.tool,
    commands: facts.commands.some(hasUnknownWords) ? facts.commands.map(commandView) : facts.commands,
    files: facts.files,
    dests: facts.dests,
    effects,
    unknowns: facts.unknowns,
    git: facts.git,
    now: new Date(now),
    result: result
      ? {
          text: result.text,
          exit_code: result.exitCode,
          failed: result.failed,
          interrupted: result.interrupted,
          duration_ms: result.durationMs,
        }
      : { text: '', exit_code: 0, failed: false, interrupted: false, duration_ms: 0 },
  };
}

/** How the analysis says that it stopped at a bound. */
const BOUND = /than (is|are) analysed$/;

/** What could not be analysed is seen by rules as effects. */
function unparsed(facts: Facts): readonly unknown[] {
  return facts.unknowns.map((u) => ({
    kind: BOUND.test(u.reason) ? 'bound-reached' : 'unparsed',
    target: u.text,
    detail: u.reason,
    force: false,
    recursive: false,
    certain: true,
    command: -1,
    span: u.span,
  }));
}

type CommandFact = Facts['commands'][number];

function hasUnknownWords(command: CommandFact): boolean {
  return command.dynamic;
}

/** Words that hold something unknown are printed as `${reason}` in the facts; for conditions they are UNKNOWN. */
function commandView(command: CommandFact): unknown {
  if (!command.dynamic) return command;
  return {
    ...command,
    argv: command.argv.map(unknownWord),
    operands: command.operands.map(unknownWord),
    redirects: command.redirects.map(unknownWord),
    env: Object.fromEntries(Object.entries(command.env).map(([k, v]) => [k, unknownWord(v)])),
  };
}

function unknownWord(word: string): string | null {
  return word.includes('${') ? UNKNOWN : word;
}
