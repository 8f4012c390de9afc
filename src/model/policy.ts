import type { Layer, RuleEffect, Severity } from './decision.ts';

/**
 * One node of a checked CEL expression as a compact JSON array: `[op, …operands]`. Written by `rulebook/lower`
 * (which parses and type-checks), compiled to closures by `policy/expression`. Macros of libraries are already
 * expanded, `.matches()` is already the linear-time `re`, and every name is resolved:
 *
 * | node | is |
 * |---|---|
 * | `['v', x]` | the constant `x`: string, number, boolean, or a list of them |
 * | `['G', name]` | a part of the facts: `event`, `commands`, `files` … |
 * | `['$', slot]` | a local variable; slot 0 is what the rule's `each` ranges over |
 * | `['L', name]`, `['P', pack, name]` | a list, a parameter |
 * | `['.', x, key]`, `['[]', x, key]`, `['has', x, key]` | member, index, presence |
 * | `['&&', …]`, `['||', …]`, `['!', x]`, `['-_', x]`, `['?:', c, a, b]` | logic |
 * | `['==', a, b]` and `!=  <  <=  >  >=  in  +  -  *  /  %` | operators; `['div', a, b]` divides ints |
 * | `['list', …]`, `['map', k, v, …]` | literals that are not constant |
 * | `['all' \| 'exists' \| 'exists_one' \| 'filter', slot, list, body]` | loops |
 * | `['each', slot, list, condition or null, body]` | `map` |
 * | `['let', slot, value, body]` | a macro's argument |
 * | `['call', name, …]` | a function, the receiver first |
 */
export type CelNode = readonly [op: string, ...args: CelArg[]];
export type CelArg = CelNode | CelConstant | null;
export type CelConstant = string | number | boolean | readonly (string | number | boolean)[];

/** A typed, checked expression with its source. */
export interface CelExpr {
  readonly source: string;
  readonly root: CelNode;
}

export type Each = '' | 'command' | 'file' | 'dest' | 'effect';

export interface CompiledRule {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly pack: string;
  readonly layer: Layer;
  readonly severity: Severity;
  readonly level: 'hard' | 'soft' | 'advisory';
  readonly mode: 'enforce' | 'shadow' | 'off';
  readonly on: readonly string[];
  /** Empty: any. */
  readonly tools: readonly string[];
  readonly programs: readonly string[];
  readonly agents: readonly string[];
  /** What the condition ranges over; '' once per call. */
  readonly each: Each;
  /** Only asked where the default is not to let a call pass and no rule allows all of it: the words of the default, and how it is lifted. */
  readonly unlessAllowed?: true;
  /** Effect kinds that can make it true, taken from the condition; empty: any. */
  readonly kinds: readonly string[];
  /** Program names that can make it true, taken from the condition; unlike with `programs`, an unknown name may be one of them. */
  readonly names?: readonly string[];
  /** File operations that can make it true, taken from the condition; empty: any. */
  readonly ops?: readonly string[];
  /** Path components (`c:.env`) and endings (`e:.pem`) of which a path must have one, taken from the condition's globs. */
  readonly paths?: readonly string[];
  readonly when: CelExpr;
  readonly effect: RuleEffect;
  readonly fallback: readonly RuleEffect[];
  readonly onDynamic: 'ask' | 'match' | 'ignore';
  readonly onError: 'deny' | 'ask' | 'skip';
  readonly message: string;
  readonly messageExpr: CelExpr | null;
  readonly suggest: CelExpr | null;
  readonly remediation: string;
  readonly tags: readonly string[];
  /** Steps that must have been seen before, in order; `when` is the last step. */
  readonly sequence?: CompiledSequence;
  readonly limit?: CompiledLimit;
  /** Must hold as well, else the rule fires: `evidence("read", file.real)`. */
  readonly requires?: CelExpr;
  /** Kinds of evidence that its expressions ask for. */
  readonly asks?: readonly string[];
  readonly exceptions?: Readonly<Record<string, CompiledException>>;
  readonly elevation?: Elevation;
  /** Values added to the record. */
  readonly audit?: Readonly<Record<string, CelExpr>>;
  readonly mappings?: Readonly<Record<string, readonly string[]>>;
  readonly references?: readonly string[];
  /** Where it was written. */
  readonly source?: { readonly file: string; readonly line: number };
}

export interface CompiledSequence {
  readonly withinMs: number;
  /** What ties the steps together, e.g. `event.session`. */
  readonly key: CelExpr;
  /** All steps but the last. */
  readonly steps: readonly {
    readonly name: string;
    readonly on: readonly string[];
    readonly each: Each;
    readonly when: CelExpr;
  }[];
}

export interface CompiledLimit {
  readonly count: number;
  readonly windowMs: number;
  readonly key: CelExpr;
  readonly counts: 'call' | 'failure' | 'deny' | 'lines' | 'files' | 'minutes';
}

/** Something that outcomes of calls establish, that others end, and that rules ask for with `evidence(KIND, KEY)`. */
export interface CompiledEvidence {
  readonly description: string;
  /** `session`: what another session did does not count; `any`: it does. */
  readonly scope: 'session' | 'any';
  /** How long it holds; absent: until something ends it. */
  readonly withinMs?: number;
  /** The key is a path, and it only holds while the file there is as it was. */
  readonly unchanged: boolean;
  readonly established: readonly EvidenceStep[];
  readonly ended: readonly EvidenceStep[];
  /** Where it was written. */
  readonly source?: { readonly file: string; readonly line: number };
}

/** One way in which the outcome of a call establishes or ends evidence. */
export interface EvidenceStep {
  readonly outcome: 'success' | 'failure' | 'any';
  readonly each: Each;
  readonly when: CelExpr;
  /** What it is about: a path, a workspace. */
  readonly key: CelExpr;
}

export type Comparison = 'eq' | 'glob' | 'under' | 'in' | 'cidr';

/** The shape of an exception: a waiver gives each field a value, compared as `comps` says. */
export interface CompiledException {
  readonly fields: Readonly<Record<string, CelExpr>>;
  readonly comps: Readonly<Record<string, Comparison>>;
}

export interface Elevation {
  readonly maxMs: number;
  readonly defaultMs: number;
  readonly uses: number;
  readonly scope: string;
  readonly bind: 'exact' | 'shape';
  readonly reason: 'required' | 'optional';
  readonly approvers: number;
  readonly selfApprove: boolean;
}

/** An approved exception with an end. */
export interface CompiledWaiver {
  readonly id: string;
  readonly rule: string;
  readonly exception: string;
  readonly values: readonly Readonly<Record<string, string | readonly string[]>>[];
  readonly reason: string;
  readonly owner: string;
  /** Milliseconds since 1970 UTC; live from `notBefore` up to, not including, `expires`. */
  readonly notBefore: number;
  readonly expires: number;
}

/** What the layer of a workspace was compiled from. */
export interface ProjectLayer {
  readonly workspace: string;
  /** Digest of its files. */
  readonly files: string;
  /** Digest of the bundle without it. */
  readonly upstream: string;
  /** Files that are not used, with the reason. */
  readonly ignored: readonly { readonly file: string; readonly why: string }[];
  /** Some file could not be understood: every write is asked about. */
  readonly malformed: boolean;
}

/** The compiled bundle: one JSON file, named by its digest, the only policy a hook reads. */
export interface CompiledPolicy {
  readonly format: 1;
  /** SHA-256 of the canonical JSON of all other members. */
  readonly digest: string;
  readonly defaultEffect: 'allow' | 'ask' | 'deny';
  readonly preset: string;
  /** `deny`: nobody is there to answer, so whatever would ask denies. Absent: questions are asked. */
  readonly questions?: 'deny';
  /** The answer to what would pass while records can't be stored but only put into the spool. Absent: it passes. */
  readonly auditFailure?: 'ask' | 'deny';
  readonly rules: readonly CompiledRule[];
  /** What `lists.NAME` is. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** What `params.NAME` is, per rule pack. */
  readonly params: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Kinds of evidence that rules ask for. */
  readonly evidence?: Readonly<Record<string, CompiledEvidence>>;
  readonly waivers?: readonly CompiledWaiver[];
  /** Files it was made from, for `gov doctor` and staleness. */
  readonly sources: readonly { readonly path: string; readonly sha256: string }[];
  /** The project layer that is in it, if one is. */
  readonly project?: ProjectLayer;
}
