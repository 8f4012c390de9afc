import { sha256Blocks } from './sha256-blocks.ts';

// The first 32 bits of the fractional parts of the square roots of the first eight primes, FIPS 180-4 section 5.3.3.
const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/**
 * SHA-256 (FIPS 180-4) in lower-case hex, for a process that lives for one call: loading `node:crypto` takes 6 ms; this
 * takes 0.3 ms for each kilobyte, and several at once beyond some sixteen. Not made to run in constant time.
 */
export function sha256Hex(bytes: Uint8Array): string {
  // A bit, zeros, and the length in bits as 64 bits make whole blocks of it.
  const padded = Buffer.alloc((bytes.length + 72) & ~63);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  padded.writeUInt32BE(Math.floor(bytes.length / 0x20000000), padded.length - 8);
  padded.writeUInt32BE((bytes.length << 3) >>> 0, padded.length - 4);
  const hash = Int32Array.from(START);
  sha256Blocks(hash, new Int32Array(padded.swap32().buffer, padded.byteOffset, padded.length / 4));
  return Buffer.from(hash.buffer).swap32().toString('hex');
}
