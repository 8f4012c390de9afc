import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { termsText } from '../audit/format/grant.ts';
import { GovError, messageOf } from '../base/errors.ts';
import type { GrantSignature, GrantTerms } from '../model/grant.ts';

/** Somebody whose signature counts. */
export interface Approver {
  readonly name: string;
  /** Raw Ed25519 public key, base64. */
  readonly key: string;
}

const DOMAIN = 'gov-grant-v1\n';
/** What precedes a raw Ed25519 key in its SubjectPublicKeyInfo (RFC 8410). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

function bytesOf(terms: GrantTerms): Buffer {
  return Buffer.from(DOMAIN + termsText(terms));
}

/** Signs terms with a private key (PEM, PKCS #8). Throws `usage-key` if it is none, or is nobody's who is listed. */
export function signTerms(terms: GrantTerms, pem: string, approvers: readonly Approver[]): GrantSignature {
  let secret: KeyObject;
  try {
    secret = createPrivateKey(pem);
  } catch (cause) {
    throw new GovError({ code: 'usage-key', message: `the key can't be read: ${messageOf(cause)}`, cause });
  }
  if (secret.asymmetricKeyType !== 'ed25519')
    throw new GovError({
      code: 'usage-key',
      message: `the key is ${String(secret.asymmetricKeyType)}, not ed25519`,
      help: 'make one with `openssl genpkey -algorithm ed25519 -out approver.pem`',
    });
  const key = rawOf(createPublicKey(secret));
  const approver = approvers.find((item) => item.key === key);
  if (approver === undefined)
    throw new GovError({
      code: 'usage-key',
      message: 'the key is none of the approvers that are listed here',
      help: `add it to \`approvers\` in the configuration: {"name": "…", "key": "${key}"}`,
    });
  return { name: approver.name, key, signature: sign(null, bytesOf(terms), secret).toString('base64') };
}

/** How many different listed approvers signed these very terms. */
export function countSignatures(
  terms: GrantTerms,
  signatures: readonly GrantSignature[],
  approvers: readonly Approver[],
): number {
  const bytes = bytesOf(terms);
  const keys = new Set<string>();
  for (const { key, signature } of signatures)
    if (approvers.some((item) => item.key === key) && isSigned(bytes, key, signature)) keys.add(key);
  return keys.size;
}

function isSigned(bytes: Buffer, key: string, signature: string): boolean {
  try {
    const spki = Buffer.concat([SPKI_HEAD, Buffer.from(key, 'base64')]);
    const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    return verify(null, bytes, publicKey, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

function rawOf(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'der' }).subarray(SPKI_HEAD.length).toString('base64');
}
