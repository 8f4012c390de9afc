import { isDeepStrictEqual } from 'node:util';
import type { Env } from './agent.ts';
import type { JsonNode } from './json-text.ts';

/** Whose settings a registration goes into: one person's, one project's, or everyone's on the machine. */
export type Scope = 'user' | 'project' | 'managed';

export const SCOPES: readonly Scope[] = ['user', 'project', 'managed'];

/** The machine as far as registering needs it. */
export interface RegisterPlace {
  readonly home: string;
  readonly cwd: string;
  readonly env: Env;
  readonly platform: string;
}

/** Where and how gov registers in one agent. All of it is text in, text out; files are the caller's. */
export interface Registrar {
  readonly agent: string;
  /** The agent's name for people. */
  readonly title: string;
  /** Programs whose presence on PATH tells that the agent is installed. */
  readonly programs: readonly string[];
  readonly scopes: readonly Scope[];
  /** The agent's own directory in a home: its presence tells that the agent is used. */
  home(place: RegisterPlace): string;
  file(scope: Scope, place: RegisterPlace): string;
  /** Settings with gov's hooks. `text` is null where there is no file yet. Throws GovError if they can't be read. */
  merge(text: string | null, hooksDir: string, file: string): string;
  /** Settings without gov's hooks. */
  remove(text: string, file: string): string;
  /** Why gov's hooks in these settings would not come into force; null: they would. */
  fault(settings: unknown): string | null;
  /** How the agent would start gov's hooks before a tool call. */
  starts(settings: unknown): readonly Start[];
  /** What the agent would give such a hook for a shell command; `id` names the call. */
  payload(command: string, call: { readonly session: string; readonly cwd: string; readonly id: string }): unknown;
  /** What a person has to do besides, once it is registered; absent: nothing. */
  readonly next?: string;
}

/** A program with its arguments. */
export interface Start {
  readonly program: string;
  readonly args: readonly string[];
}

/** The plain value of a parsed node. */
export function plainOf(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(plainOf);
  const out: Record<string, unknown> = {};
  for (const member of node.members)
    Object.defineProperty(out, member.key, {
      value: plainOf(member.value),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  return out;
}

/** True if two JSON values are equal, whatever the order of their members. */
export function sameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b);
}
