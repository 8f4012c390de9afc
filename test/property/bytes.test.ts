import fc from 'fast-check';
import { parse } from 'unbash';
import { expect, it } from 'vitest';
import { SNIPPETS } from '../cases/shell/snippets.ts';
import { analysed } from '../unit/shell/analysed.ts';
import { runs } from './runs.ts';

// What the parser makes no node of is looked at by nobody. So each byte lies in a word, an assignment, a redirection, a
// here-document, an expression, or it is an operator, a reserved word, a comment or blank; or the analysis says that
// the text was not understood.

/** Nodes that stand for all of their text; of the others only what lies in these counts. */
const WHOLE =
  /^(?:Word|Assignment|Redirect|HereString|HereDoc|HereDocBody|HereDocDelimiter|FileDescriptor\w*|Arithmetic\w+|Test\w+)$/;
const SYNTAX =
  /^(?:\s|\\\r?\n|[;&|(){}!]|<<|\[\[|\]\]|\(\(|\)\)|\b(?:if|then|elif|else|fi|for|in|while|until|do|done|case|esac|select|function|coproc)\b|\btime(?:\s+-p)?(?:\s+--)?(?=[\s;&|()]|$)|#[^\n]*)*$/;

interface Span {
  readonly pos: number;
  readonly end: number;
}

function spansOf(node: unknown, found: Span[] = []): readonly Span[] {
  if (typeof node !== 'object' || node === null) return found;
  if (Array.isArray(node)) {
    for (const one of node) spansOf(one, found);
    return found;
  }
  const { type, pos, end } = node as { type?: unknown; pos?: unknown; end?: unknown };
  if (typeof type === 'string' && typeof pos === 'number' && typeof end === 'number' && WHOLE.test(type))
    found.push({ pos, end });
  for (const child of Object.values(node)) spansOf(child, found);
  return found;
}

/** The stretches of the text that are in no such node and are no syntax either. */
function lost(text: string): readonly string[] {
  const covered = new Uint8Array(text.length);
  const script = parse(text);
  for (const { pos, end } of spansOf(script)) covered.fill(1, pos, end);
  const names = new Set(namesOf(script));
  const stretches: string[] = [];
  for (let at = 0; at < text.length; ) {
    if (covered[at] === 1) {
      at++;
      continue;
    }
    let end = at;
    while (end < text.length && covered[end] === 0) end++;
    // Bash refuses a line with an assignment before a function; the parser takes the function alone.
    if (!/^[\w-]+\s*\(\s*\)/.test(text.slice(end))) stretches.push(text.slice(at, end));
    at = end;
  }
  return stretches.filter((one) => !SYNTAX.test(withoutNames(one, names)));
}

/** Names of functions, loops and coprocesses, and the lines that end here-documents, are texts, not words. */
function namesOf(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { name, delimiter } = node as { name?: unknown; delimiter?: { readonly value?: unknown } };
  const own = [name, delimiter?.value].filter((one): one is string => typeof one === 'string');
  return [...own, ...Object.values(node).flatMap(namesOf)];
}

function withoutNames(text: string, names: ReadonlySet<string>): string {
  return text.replace(/[^\s;&|(){}]+/g, (word) => (names.has(word) ? '' : word));
}

function isUnclear(text: string): boolean {
  const { unknowns, commands } = analysed(text);
  return unknowns.length > 0 || commands.some((c) => c.name === null);
}

it.each(SNIPPETS)('%s', (text) => {
  if (!isUnclear(text)) expect(lost(text)).toEqual([]);
});

const BITS = [
  "'",
  '"',
  '\\',
  '\n',
  ';',
  '&',
  '|',
  '`',
  '$(',
  ')',
  '(',
  '{ ',
  ' }',
  '<',
  '>',
  '<<E\n',
  '#',
  ' # ',
  '!',
  '[[ ',
  ' ]]',
];
const mutant = fc
  .tuple(
    fc.constantFrom(...SNIPPETS),
    fc.array(fc.tuple(fc.nat(500), fc.nat(4), fc.constantFrom('', ...BITS)), { maxLength: 3 }),
  )
  .map(([text, edits]) =>
    edits.reduce((out, [where, cut, bit]) => {
      const at = where % (out.length + 1);
      return out.slice(0, at) + bit + out.slice(at + cut);
    }, text),
  );

it('broken text, too', { timeout: 300_000 }, () => {
  const seed = process.env['GOV_PROPERTY_RUNS'] ? {} : { seed: 20_261_201 };
  fc.assert(
    fc.property(mutant, (text) => {
      const stretches = lost(text);
      if (stretches.length > 0 && !isUnclear(text)) expect(stretches).toEqual([]);
    }),
    { numRuns: runs(2000), ...seed },
  );
});
