import { SHA256_WASM } from './sha256-wasm.ts';

// In the module's memory, see scripts/sha256-wasm.mjs.
const HASH_AT = 512;
const MESSAGE_AT = 1024;
/** Bytes that are taken at a time: as many blocks as fit into the memory's one page. */
const STRETCH = 60 * 1024;

const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

interface Machine {
  readonly memory: Buffer;
  /** Takes the blocks from one address to another into the hash. */
  blocks(from: number, to: number): void;
}

/** What of the WebAssembly interface is used; it is part of no library that Node's own types bring along. */
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: { readonly memory: { readonly buffer: ArrayBuffer }; readonly blocks: Machine['blocks'] };
  };
}

let machine: Machine | null = null;

function makeMachine(): Machine {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly;
  const { memory, blocks } = new Instance(new Module(Buffer.from(SHA256_WASM, 'base64'))).exports;
  return { memory: Buffer.from(memory.buffer), blocks };
}

/**
 * SHA-256 (FIPS 180-4) in lower-case hex, for a process that lives for one call: loading `node:crypto` takes 7 ms, and
 * so does hashing in JavaScript that is not compiled yet; this takes 0.3 ms. Not made to run in constant time.
 */
export function sha256Hex(bytes: Uint8Array): string {
  machine ??= makeMachine();
  const { memory, blocks } = machine;
  for (const [i, word] of START.entries()) memory.writeUInt32LE(word, HASH_AT + 4 * i);
  const whole = bytes.length & ~63;
  for (let at = 0; at < whole; at += STRETCH) take(bytes.subarray(at, Math.min(at + STRETCH, whole)));
  const last = Buffer.alloc(bytes.length - whole < 56 ? 64 : 128);
  last.set(bytes.subarray(whole));
  last[bytes.length - whole] = 0x80;
  last.writeUInt32BE(Math.floor(bytes.length / 0x20000000), last.length - 8);
  last.writeUInt32BE((bytes.length << 3) >>> 0, last.length - 4);
  take(last);
  return Buffer.from(memory.subarray(HASH_AT, HASH_AT + 32))
    .swap32()
    .toString('hex');

  function take(part: Uint8Array): void {
    const end = MESSAGE_AT + part.length;
    memory.set(part, MESSAGE_AT);
    memory.subarray(MESSAGE_AT, end).swap32();
    blocks(MESSAGE_AT, end);
  }
}
