import { lex } from './lexer.ts';
import { effect } from './notes.ts';
import { noteCode } from './runs.ts';
import type { Model, Scan } from './scan.ts';
import { statement } from './statement.ts';
import { syntaxes } from './syntax.ts';
import { type Thing, UNKNOWN } from './thing.ts';
import { guarded, spend, type Walk, walkOf } from './walk.ts';

/** Walks code given as text: a whole program, or an expression in a string. Gives the last expression's value. */
export function walkText(scan: Scan, source: string): Thing {
  return guarded(scan, () => walkAll(walkOf(scan, lex(source, syntaxes[scan.language]))));
}

export function walkAll(w: Walk): Thing {
  let last = UNKNOWN;
  while (w.at < w.end && spend(w.scan)) {
    const before = w.at;
    last = statement(w);
    if (w.at === before) w.at++;
  }
  return last;
}

/** Looks at code given to an evaluator. */
export function walkCode(scan: Scan, code: Thing | undefined): void {
  const held = noteCode(scan, code);
  const source = held ?? (code?.k === 'text' ? code.value.map((p) => (typeof p === 'string' ? p : ' ')).join('') : '');
  if (source.length < 200_000) walkText(scan, source);
  else effect(scan, 'exec-unknown', 'code longer than is analysed');
}

/** A call that runs its first argument as code of the same language. */
export const evaluates: Model = (c, scan) => {
  if (c.args[0]) walkCode(scan, c.args[0]);
  return UNKNOWN;
};
