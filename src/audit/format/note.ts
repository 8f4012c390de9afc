import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';

/**
 * Checkpoints as signed notes (https://c2sp.org/signed-note), so that tools made for such notes can check them. The
 * text has the lines of https://c2sp.org/tlog-checkpoint: an origin, how many records there are, a hash, and the time.
 * The hash is that of the last record of a chain, not the root of a tree.
 */
export interface CheckpointFields {
  /** Id of the chain, 32 hex digits. */
  readonly chain: string;
  /** Number and hash (64 hex digits) of the last record at that time. */
  readonly seq: number;
  readonly head: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** The name under which a chain's key signs. */
export function noteName(chain: string): string {
  return `gov-audit/${chain}`;
}

/** The signed text, with its last line feed. */
export function noteText({ chain, seq, head, at }: CheckpointFields): string {
  const hashed = Buffer.from(head, 'hex').toString('base64');
  return `${noteName(chain)}\n${seq}\n${hashed}\ntime ${new Date(at).toISOString()}\n`;
}

/** A public key as verifiers of signed notes take it: `name+id+key`. */
export function verifierKey(name: string, raw: Buffer): string {
  return `${name}+${keyId(name, raw).toString('hex')}+${Buffer.concat([ED25519, raw]).toString('base64')}`;
}

/** The note: the text, an empty line, and the signature under the key's name and id. */
export function noteOf(text: string, name: string, raw: Buffer, signature: Buffer): string {
  return `${text}\n— ${name} ${Buffer.concat([keyId(name, raw), signature]).toString('base64')}\n`;
}

/** The type of the key and its signature, in front of both. */
const ED25519 = Buffer.from([1]);

function keyId(name: string, raw: Buffer): Buffer {
  const digest = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), ED25519, raw]));
  return Buffer.from(digest, 'hex').subarray(0, 4);
}

/** What precedes a raw Ed25519 public key in DER (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** The 32 bytes of an Ed25519 public key. */
export function rawKey(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' }).subarray(SPKI.length);
}

/** The key object of 32 bytes. Throws what OpenSSL throws. */
export function publicKey(raw: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' });
}

/** A public key as `verifierKey` writes it; null if it is none. */
export function keyIn(text: string): { readonly name: string; readonly raw: Buffer } | null {
  const parts = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text.trim());
  if (parts === null) return null;
  const [, name = '', id = '', key = ''] = parts;
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== 33 || bytes[0] !== 1) return null;
  const raw = bytes.subarray(1);
  return keyId(name, raw).toString('hex') === id ? { name, raw } : null;
}

/** What a note says, whoever signed it; null if it is no checkpoint of ours. */
export function fieldsIn(note: string): CheckpointFields | null {
  const lines = /^gov-audit\/([0-9a-f]{1,64})\n(0|[1-9]\d{0,14})\n([A-Za-z0-9+/]{43}=)\ntime (\S{20,40})\n/.exec(note);
  const at = Date.parse(lines?.[4] ?? '');
  if (lines === null || Number.isNaN(at)) return null;
  const [, chain = '', seq, head = ''] = lines;
  return { chain, seq: Number(seq), head: Buffer.from(head, 'base64').toString('hex'), at };
}

/** What a note says if it is signed with the key; null otherwise. Signatures by other keys (witnesses) are passed over. */
export function openNote(note: string, verifier: string): CheckpointFields | null {
  const key = keyIn(verifier);
  const cut = note.lastIndexOf('\n\n');
  if (key === null || cut < 0) return null;
  const text = note.slice(0, cut + 1);
  const id = keyId(key.name, key.raw);
  for (const line of note.slice(cut + 2).split('\n')) {
    const parts = /^— (\S+) ([A-Za-z0-9+/=]+)$/.exec(line);
    if (parts?.[1] !== key.name) continue;
    const signed = Buffer.from(parts[2] ?? '', 'base64');
    if (signed.length !== 68 || !signed.subarray(0, 4).equals(id)) continue;
    if (verify(null, Buffer.from(text), publicKey(key.raw), signed.subarray(4))) {
      const fields = fieldsIn(text);
      return fields !== null && noteText(fields) === text ? fields : null;
    }
  }
  return null;
}
