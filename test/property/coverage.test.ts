import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analysed } from '../unit/shell/analysed.ts';

/** Texts of shell that hold commands at `§`, none of which is surely left out: `q` may succeed or fail. */
const AROUND = [
  '§',
  '§; §',
  '{ §; q; } && §',
  '{ §; q; } || §',
  '§ | §',
  '§ |& §',
  '§ & §',
  '§\n§',
  '! §',
  'time §',
  '( § )',
  '(§; §)',
  '{ §; }',
  'if §; q; then §; else §; fi',
  'if §; q; then §; elif §; q; then §; fi',
  'while §; q; do §; done',
  'until §; q; do §; done',
  'for i in a b; do §; done',
  'for i in $(§; q); do §; done',
  'for ((i=0; i<3; i++)); do §; done',
  'select x in a b; do §; done',
  'case $q in a) § ;; b|c) § ;; *) § ;; esac',
  'case $(§; q) in a) § ;; esac',
  '{ f() { §; }; f; }',
  '{ function g { §; §; }; g; }',
  'x=$(§)',
  'x=$(§) y="$(§)" cmd',
  'echo "$(§)" `§`',
  'echo ${q:-$(§)} "${q:+$(§)}"',
  'a=(one "$(§)")',
  'a[$(§)]=1',
  'echo $((1 + $(§)))',
  '(( i = $(§) ))',
  '[[ -f $(§) || $(§) == x ]]',
  'test -f "$(§)"',
  'cat <(§) >(§)',
  'diff <(§) <(§)',
  '§ > "$(§)"',
  '§ 2>&1 >log',
  '{ §; } > out 2>&1',
  '{ cat <<E\n$(§)\nE\n}',
  'cat <<< "$(§)"',
  "bash -c '§'",
  "eval '§'",
  'coproc { §; }',
  '( trap "§" EXIT )',
  'cd "$(§)" && §',
  '# note\n§',
  '§ # note\n:',
  'set -e; §; §',
  'local_var=1; §; unset local_var; §',
  'export A=1; §',
  'echo a{b,$(§)}c',
  'exec 3>log; §',
] as const;

/** A text with numbered commands in all its places, nested to the depth. */
function text(depth: number, next: () => number, choose: (n: number) => number, quoted: boolean): string {
  const some = quoted ? AROUND.filter((a) => !/['"]/.test(a)) : AROUND;
  if (depth === 0) return `mark${next()} x`;
  const around = some[choose(some.length)] as string;
  // Quotes don't nest, and a here-document ends at the first line that is its mark.
  const inQuotes = quoted || /['"`]/.test(around) || around.includes('<<');
  return around.replaceAll('§', () => {
    const inner = text(depth - 1, next, choose, inQuotes);
    // `((` would be arithmetic.
    return inner.startsWith('(') ? ` ${inner}` : inner;
  });
}

describe('every command of a text is judged or said to be unknown', () => {
  it('in any nesting of the grammar', () => {
    const property = fc.property(fc.integer({ min: 1, max: 3 }), fc.infiniteStream(fc.nat()), (depth, stream) => {
      let made = 0;
      const script = text(
        depth,
        () => made++,
        (n) => (stream.next().value as number) % n,
        false,
      );
      const { commands, unknowns } = analysed(script);
      const seen = new Set(commands.flatMap((c) => (c.name === null ? [] : [c.name])));
      const left = Array.from({ length: made }, (_, i) => `mark${i}`).filter(
        (name) => !seen.has(name) && !unknowns.some((u) => new RegExp(`${name}\\b`).test(u.text)),
      );
      expect([script, left]).toEqual([script, []]);
    });
    fc.assert(property, { numRuns: 2000 });
  });
});
