// Writes src/base/sha256-wasm.ts: SHA-256 (FIPS 180-4) as a WebAssembly module of some 600 bytes.
//   node scripts/sha256-wasm.mjs
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the module's memory holds what: the constants, the message schedule, the hash, and from 1024 on the message. */
const AT = { k: 0, w: 256, hash: 512 };

const leb = (value) => {
  const out = [];
  for (let rest = value; ; rest >>= 7) {
    const byte = rest & 0x7f;
    const done = (rest >> 7 === 0 && !(byte & 0x40)) || (rest >> 7 === -1 && (byte & 0x40) !== 0);
    out.push(done ? byte : byte | 0x80);
    if (done) return out;
  }
};
const uleb = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...uleb(value >>> 7)]);
const vector = (items) => [...uleb(items.length), ...items.flat()];
const section = (id, bytes) => [id, ...uleb(bytes.length), ...bytes];
const text = (value) => vector([...Buffer.from(value)]);

// Operators, each on the code of its operands.
const num = (value) => [0x41, ...leb(value)];
const get = (local) => [0x20, ...uleb(local)];
const set = (local, code) => [...code, 0x21, ...uleb(local)];
const binary = (op) => {
  return (first, ...more) => [...first, ...more.flatMap((next) => [...next, op])];
};
const [add, and, or, xor, shr, rotr, below] = [0x6a, 0x71, 0x72, 0x73, 0x76, 0x78, 0x49].map(binary);
const load = (address, offset) => [...address, 0x28, 2, ...uleb(offset)];
const store = (address, offset, value) => [...address, ...value, 0x36, 2, ...uleb(offset)];
const rotations = (x, ...by) => xor(...by.map((n) => rotr(x, num(n))));

/** `blocks(at, end)`: takes the 64-byte blocks from `at` to `end` into the hash. Words lie in the machine's order. */
function body() {
  const [at, end, i, w, t, a, b, c, d, e, f, g, h] = Array.from({ length: 13 }, (_, n) => n);
  const state = [a, b, c, d, e, f, g, h];
  const [x, y] = [load(get(i), AT.w - 60), load(get(i), AT.w - 8)];
  const scheduled = add(
    load(get(i), AT.w - 64),
    xor(rotations(x, 7, 18), shr(x, num(3))),
    load(get(i), AT.w - 28),
    xor(rotations(y, 17, 19), shr(y, num(10))),
  );
  const choice = xor(get(g), and(get(e), xor(get(f), get(g))));
  const majority = or(and(get(a), get(b)), and(get(c), or(get(a), get(b))));
  const round = [
    // `i` counts in bytes: 0, 4, … 252.
    ...below(get(i), num(64)),
    ...[0x04, 0x40, ...set(w, load(add(get(at), get(i)), 0)), 0x05, ...set(w, scheduled), 0x0b],
    ...store(get(i), AT.w, get(w)),
    ...set(t, add(get(h), rotations(get(e), 6, 11, 25), choice, load(get(i), AT.k), get(w))),
    ...set(w, add(get(t), rotations(get(a), 2, 13, 22), majority)),
    ...[h, g, f].flatMap((to) => set(to, get(to - 1))),
    ...set(e, add(get(d), get(t))),
    ...[d, c, b].flatMap((to) => set(to, get(to - 1))),
    ...set(a, get(w)),
    ...set(i, add(get(i), num(4))),
  ];
  const loop = (code, condition) => [0x03, 0x40, ...code, ...condition, 0x0d, 0, 0x0b];
  const block = [
    ...state.flatMap((local, n) => set(local, load(num(0), AT.hash + 4 * n))),
    ...set(i, num(0)),
    ...loop(round, below(get(i), num(256))),
    ...state.flatMap((local, n) => store(num(0), AT.hash + 4 * n, add(load(num(0), AT.hash + 4 * n), get(local)))),
    ...set(at, add(get(at), num(64))),
  ];
  const code = [1, 11, 0x7f, ...loop(block, below(get(at), get(end))), 0x0b];
  return [...uleb(code.length), ...code];
}

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
function constants() {
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return primes.map((prime) => {
    const scaled = BigInt(prime) << 96n;
    let root = BigInt(Math.floor(Math.cbrt(prime) * 2 ** 32));
    while (root ** 3n > scaled) root--;
    while ((root + 1n) ** 3n <= scaled) root++;
    return Number(root & 0xffffffffn);
  });
}

export function sha256Module() {
  const k = constants().flatMap((word) => [word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24]);
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector([[0x60, 2, 0x7f, 0x7f, 0]])),
    ...section(3, vector([[0]])),
    ...section(5, vector([[0, 1]])),
    ...section(
      7,
      vector([
        [...text('memory'), 2, 0],
        [...text('blocks'), 0, 0],
      ]),
    ),
    ...section(10, vector([body()])),
    ...section(11, vector([[0, ...num(AT.k), 0x0b, ...vector(k)]])),
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const module = Buffer.from(sha256Module()).toString('base64');
  const lines = [
    '// Written by scripts/sha256-wasm.mjs.',
    '',
    '/** SHA-256 as a WebAssembly module, in base64. */',
    'export const SHA256_WASM =',
    `  '${module}';`,
    '',
  ];
  writeFileSync(new URL('../src/base/sha256-wasm.ts', import.meta.url), lines.join('\n'));
}
