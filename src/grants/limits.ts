import type { CompiledRule, Elevation } from '../model/policy.ts';

/** What holds for a rule that says nothing about being lifted. */
const UNSAID: Elevation = {
  maxMs: 30 * 60_000,
  defaultMs: 10 * 60_000,
  uses: 1,
  scope: 'session',
  bind: 'exact',
  reason: 'required',
  approvers: 1,
  selfApprove: true,
};

/** How a rule may be lifted. */
export function elevationOf(rule: Pick<CompiledRule, 'elevation'>): Elevation {
  return rule.elevation ?? UNSAID;
}

/** Signatures of listed approvers that lifting the rule takes, besides the person at the terminal if that may be the one who asks. */
export function signaturesFor(rule: Pick<CompiledRule, 'elevation'>): number {
  const { approvers, selfApprove } = elevationOf(rule);
  return selfApprove ? Math.max(0, approvers - 1) : Math.max(1, approvers);
}

/** What a request for several rules may have at most: each rule's own bounds hold, and those of this machine. */
export interface Bounds {
  readonly maxMs: number;
  readonly defaultMs: number;
  readonly uses: number;
  readonly signatures: number;
  /** True if one of them is only ever lifted for one very call. */
  readonly exact: boolean;
  /** True if one of them is only lifted for one session. */
  readonly session: boolean;
}

/** `machineMaxMs`: the longest time that the configuration of this machine allows. */
export function boundsOf(rules: readonly CompiledRule[], machineMaxMs: number): Bounds {
  const all = rules.map(elevationOf);
  const least = (pick: (e: Elevation) => number): number => Math.min(...all.map(pick));
  const maxMs = Math.min(
    machineMaxMs,
    least((e) => e.maxMs),
  );
  return {
    maxMs,
    defaultMs: Math.min(
      maxMs,
      least((e) => e.defaultMs),
    ),
    uses: least((e) => Math.max(1, e.uses)),
    signatures: Math.max(...rules.map(signaturesFor)),
    exact: all.some((e) => e.bind === 'exact'),
    session: all.some((e) => e.scope === 'session'),
  };
}
