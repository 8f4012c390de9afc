// The hook's bundle puts this module in the place of `node:crypto` (scripts/hook-bundle.mjs), whose loading costs a
// quarter of an empty Node process. What a usual call needs is here; for the rest `node:crypto` is loaded when asked.
import type * as crypto from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { sha256Hex } from '../base/sha256.ts';

type Crypto = typeof crypto;

/** Bytes hashed by one process up to which that is quicker than loading native code; V8 optimizes after some more. */
const SHORT = 12 * 1024;
/** A hook needs 27 bytes of chance for its record; one read gives more. */
const POOL = 128;
/** Bytes of a block of SHA-256 (FIPS 180-4). */
const BLOCK = 64;

let loaded: Crypto | null = null;
let hashed = 0;
let pool: Buffer = Buffer.alloc(0);

function full(): Crypto {
  loaded ??= process.getBuiltinModule('node:crypto');
  return loaded;
}

/** As `crypto.hash` with its default output, hex. */
export function hash(algorithm: string, data: string | Uint8Array): string {
  hashed += data.length;
  if (loaded !== null || algorithm !== 'sha256' || hashed > SHORT) return full().hash(algorithm, data);
  return sha256Hex(typeof data === 'string' ? Buffer.from(data, 'utf8') : data);
}

/** As `crypto.createHmac` for texts or bytes that come in one update, with a key no longer than a block and hex out. */
export function createHmac(algorithm: string, key: Buffer): Pick<crypto.Hmac, 'update' | 'digest'> {
  if (loaded !== null || algorithm !== 'sha256' || key.length > BLOCK) return full().createHmac(algorithm, key);
  return new LightHmac(key) as unknown as crypto.Hmac;
}

/** RFC 2104, section 2. */
class LightHmac {
  readonly #key: Buffer;
  #parts: Buffer[] = [];

  constructor(key: Buffer) {
    this.#key = key;
  }

  update(data: string | Uint8Array): this {
    this.#parts.push(typeof data === 'string' ? Buffer.from(data, 'utf8') : Buffer.from(data));
    return this;
  }

  digest(_encoding: 'hex'): string {
    const inner = hash('sha256', Buffer.concat([this.#padded(0x36), ...this.#parts]));
    return hash('sha256', Buffer.concat([this.#padded(0x5c), Buffer.from(inner, 'hex')]));
  }

  #padded(byte: number): Buffer {
    const block = Buffer.alloc(BLOCK, byte);
    for (const [i, value] of this.#key.entries()) block[i] = value ^ byte;
    return block;
  }
}

/** As `crypto.randomBytes`. */
export function randomBytes(size: number): Buffer {
  if (loaded !== null || size > POOL) return full().randomBytes(size);
  if (pool.length < size) pool = kernelBytes(POOL) ?? full().randomBytes(POOL);
  const bytes = pool.subarray(0, size);
  pool = pool.subarray(size);
  return bytes;
}

/** The kernel's own generator; null where it is not there as a device, or gives less. */
function kernelBytes(size: number): Buffer | null {
  try {
    const fd = openSync('/dev/urandom', 'r');
    try {
      const bytes = Buffer.alloc(size);
      return fstatSync(fd).isCharacterDevice() && readSync(fd, bytes, 0, size, null) === size ? bytes : null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

export const createHash: Crypto['createHash'] = (...args) => full().createHash(...args);
export const createPublicKey: Crypto['createPublicKey'] = (...args) => full().createPublicKey(...args);
export const createPrivateKey: Crypto['createPrivateKey'] = (...args) => full().createPrivateKey(...args);
export const sign = ((...args: Parameters<Crypto['sign']>) => full().sign(...args)) as Crypto['sign'];
export const verify = ((...args: Parameters<Crypto['verify']>) => full().verify(...args)) as Crypto['verify'];
export const generateKeyPairSync = ((...args: Parameters<Crypto['generateKeyPairSync']>) =>
  full().generateKeyPairSync(...args)) as Crypto['generateKeyPairSync'];
