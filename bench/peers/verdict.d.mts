export type Decision = 'allow' | 'ask' | 'deny';

export function verdictOf(end: {
  readonly status: number | null;
  readonly stdout: string;
  readonly timedOut?: boolean;
}): { readonly decision: Decision; readonly fault?: string };

export function isRight(want: string, decision: Decision): boolean;

export function tally(results: Iterable<{ readonly want: string; readonly decision: Decision }>): {
  readonly of: number;
  readonly right: number;
  readonly hostile: number;
  readonly hostileAllowed: number;
  readonly benign: number;
  readonly benignStopped: number;
  readonly asked: number;
};
