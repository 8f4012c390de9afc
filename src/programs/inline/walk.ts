import { effect } from './notes.ts';
import type { Scan } from './scan.ts';
import { type Thing, UNKNOWN } from './thing.ts';
import type { Token } from './token.ts';

/** A walk over one token list. */
export interface Walk {
  readonly scan: Scan;
  readonly tokens: readonly Token[];
  /** For each opening bracket the index of its closing one. */
  readonly match: ReadonlyMap<number, number>;
  at: number;
  readonly end: number;
}

/** Steps of one scan; past it the rest is not looked at and the code counts as opaque. */
const STEPS = 400_000;

const DEPTH = 60;

export function walkOf(
  scan: Scan,
  tokens: readonly Token[],
  from = 0,
  to = tokens.length,
  match = brackets(tokens),
): Walk {
  return { scan, tokens, match, at: from, end: to };
}

/** False when the scan's work is used up. */
export function spend(scan: Scan): boolean {
  if (++scan.steps <= STEPS) return true;
  if (scan.steps === STEPS + 1) effect(scan, 'exec-unknown', 'code that takes more steps than are analysed');
  scan.opaque = true;
  return false;
}

/** Runs one level deeper, or gives up with an unknown. */
export function guarded(scan: Scan, run: () => Thing): Thing {
  if (scan.depth >= DEPTH) {
    scan.opaque = true;
    return UNKNOWN;
  }
  scan.depth++;
  try {
    return run();
  } finally {
    scan.depth--;
  }
}

const matches = new WeakMap<readonly Token[], ReadonlyMap<number, number>>();

function brackets(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const before = matches.get(tokens);
  if (before) return before;
  const match = new Map<number, number>();
  const open: number[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.t !== 'op') continue;
    if (isOpen(token.text)) open.push(at);
    else if (token.text === ')' || token.text === ']' || token.text === '}') {
      const start = open.pop();
      if (start !== undefined) match.set(start, at);
    }
  }
  for (const start of open) match.set(start, tokens.length);
  matches.set(tokens, match);
  return match;
}

export const isOpen = (op: string): boolean => op === '(' || op === '[' || op === '{';

export function peek(w: Walk, ahead = 0): Token | undefined {
  return w.at + ahead < w.end ? w.tokens[w.at + ahead] : undefined;
}

export function isOp(token: Token | undefined, ...texts: readonly string[]): boolean {
  return token?.t === 'op' && texts.includes(token.text);
}

export function isName(token: Token | undefined, ...texts: readonly string[]): boolean {
  return token?.t === 'name' && (texts.length === 0 || texts.includes(token.text));
}
