import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Document, isMap, isScalar, parseDocument } from 'yaml';
import { offsetsOf } from '../../../src/rulebook/scalar-offsets.ts';

/** For each character of the value of `k`, the character of the file that it is said to come from. */
function origins(text: string): { value: string; from: string; offsets: readonly number[] } {
  const { contents } = parseDocument(text);
  const node = isMap(contents) ? contents.get('k', true) : undefined;
  if (!isScalar(node) || !node.range) throw new Error('no scalar');
  const value = String(node.value);
  const offsets = offsetsOf(text, node.range, node.type ?? 'PLAIN', value);
  return { value, from: [...value].map((_, i) => text[offsets[i] as number]).join(''), offsets };
}

describe('where the characters of a scalar stand', () => {
  it.each<[string, string]>([
    ['plain', 'k: a == b && c\n'],
    ['plain over lines', 'k: a == b\n   && c\n   || d\n'],
    ['single quotes', 'k: \'a == "b" && c\'\n'],
    ['single quotes over lines', "k: 'a\n  && b\n\n  && c'\n"],
    ['double quotes', 'k: "a == b"\n'],
    ['double quotes over lines', 'k: "a\n  && b"\n'],
    ['literal', 'k: |\n  a\n    && b\n  || c\n'],
    ['literal with header', 'k: |2-  # comment\n  a\n    && b\nj: 1\n'],
    ['folded', 'k: >-\n  a ==\n  b && c\n\n  d\n    e\n  f\n'],
    ['folded, kept', 'k: >+\n  a\n  b\n\nj: 1\n'],
    ['CRLF', 'k: |\r\n  a\r\n  b\r\nj: 1\r\n'],
  ])('%s', (_name, text) => {
    const { value, from } = origins(text);
    expect(value.replace(/\s/g, '')).toBe(from.replace(/\s/g, ''));
    for (let i = 0; i < value.length; i++) if (/\S/.test(value[i] as string)) expect(from[i]).toBe(value[i]);
  });

  it('steps over escapes', () => {
    const { value, offsets } = origins('k: "a\\t\\"b\\x41\\u0042 \\\n  c"\n');
    expect(value).toBe('a\t"bAB c');
    expect(offsets).toEqual([4, 5, 7, 9, 10, 14, 20, 25, 26]);
  });

  it('steps over doubled quotes', () => {
    const { value, offsets } = origins("k: 'it''s'\n");
    expect(value).toBe("it's");
    expect(offsets).toEqual([4, 5, 6, 8, 9]);
  });

  it('for any text in any style', () => {
    const words = fc.array(fc.constantFrom('a', '&&', "'", '"', '\\', '(b)', '\n', '  ', 'é'), {
      minLength: 1,
      maxLength: 12,
    });
    const styles = fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED');
    fc.assert(
      fc.property(words, styles, (parts, style) => {
        const document = new Document({ k: parts.join(' ') });
        const scalar = document.get('k', true);
        if (isScalar(scalar)) scalar.type = style;
        const text = document.toString({ lineWidth: 20 });
        const { value, from, offsets } = origins(text);
        for (let i = 0; i < value.length; i++) {
          if (i > 0) expect(offsets[i] as number).toBeGreaterThanOrEqual(offsets[i - 1] as number);
          if (/\S/.test(value[i] as string) && from[i] !== '\\') expect(from[i]).toBe(value[i]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
