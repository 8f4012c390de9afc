// Writes src/base/sha256-blocks.ts: the compression function of SHA-256 (FIPS 180-4, section 6.2.2), unrolled.
//   node scripts/sha256-rounds.mjs
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * A hook's code runs once, in V8's interpreter. Unrolled, no variables are passed on from round to round; and the
 * longer a function, the later V8 thinks of optimizing it, which would take longer than the rest of the hashing.
 */
const ROUNDS = 16;
const WORDS = 8;

const rotations = (x, ...by) => by.map((n) => `((${x} >>> ${n}) | (${x} << ${32 - n}))`).join(' ^ ');

/** `array[i + n]`; the exclamation mark is for the compiler. */
const at = (array, n) => `${array}[i ${n < 0 ? '-' : '+'} ${Math.abs(n)}]!`;

function round(r) {
  const [a, b, c, d, e, f, g, h] = Array.from({ length: 8 }, (_, n) => 'abcdefgh'[(n - r + 64) % 8]);
  return [
    `t = (${h} + (${rotations(e, 6, 11, 25)}) + (${g} ^ (${e} & (${f} ^ ${g}))) + ${at('k', r)} + ${at('w', r)}) | 0;`,
    `${d} = (${d} + t) | 0;`,
    `${h} = (t + (${rotations(a, 2, 13, 22)}) + ((${a} & ${b}) | (${c} & (${a} | ${b})))) | 0;`,
  ];
}

function scheduled(n) {
  const [x, y] = [`${rotations('x', 7, 18)} ^ (x >>> 3)`, `${rotations('y', 17, 19)} ^ (y >>> 10)`];
  return [
    `x = ${at('w', n - 15)};`,
    `y = ${at('w', n - 2)};`,
    `w[i + ${n}] = (${at('w', n - 16)} + (${x}) + ${at('w', n - 7)} + (${y})) | 0;`,
  ];
}

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes, as signed numbers. */
function constants() {
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return primes.map((prime) => {
    const scaled = BigInt(prime) << 96n;
    let root = BigInt(Math.floor(Math.cbrt(prime) * 2 ** 32));
    while (root ** 3n > scaled) root--;
    while ((root + 1n) ** 3n <= scaled) root++;
    return Number(BigInt.asIntN(32, root));
  });
}

const indented = (depth, lines) => lines.map((line) => ' '.repeat(depth) + line);
const numbered = (count, of) => Array.from({ length: count }, (_, n) => of(n)).flat();

/** The text of src/base/sha256-blocks.ts. */
export function sha256Blocks() {
  const names = [...'abcdefgh'];
  return [
    '// Written by scripts/sha256-rounds.mjs.',
    '',
    `const k = Int32Array.of(${constants().join(', ')});`,
    'const w = new Int32Array(64);',
    '',
    '/**',
    ' * Takes blocks of sixteen words into the eight words of a hash (FIPS 180-4, section 6.2.2). All words are signed:',
    ' * V8 keeps unsigned ones beyond 31 bits on its heap.',
    ' */',
    'export function sha256Blocks(hash: Int32Array, words: Int32Array): void {',
    '  let t = 0;',
    '  let x = 0;',
    '  let y = 0;',
    '  for (let at = 0; at < words.length; at += 16) {',
    '    for (let i = 0; i < 16; i++) w[i] = words[at + i]!;',
    `    for (let i = 16; i < 64; i += ${WORDS}) {`,
    ...indented(6, numbered(WORDS, scheduled)),
    '    }',
    ...indented(
      4,
      names.map((name, n) => `let ${name} = hash[${n}]!;`),
    ),
    `    for (let i = 0; i < 64; i += ${ROUNDS}) {`,
    ...indented(6, numbered(ROUNDS, round)),
    '    }',
    ...indented(
      4,
      names.map((name, n) => `hash[${n}] = (hash[${n}]! + ${name}) | 0;`),
    ),
    '  }',
    '}',
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('../src/base/sha256-blocks.ts', import.meta.url), sha256Blocks());
