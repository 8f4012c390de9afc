import { readFileSync } from 'node:fs';
import { sha256 } from '../base/digest.ts';
import { GovError, messageOf } from '../base/errors.ts';
import type { CompiledPolicy } from '../model/policy.ts';

const HEAD = /^\{"digest":"([0-9a-f]{64})",/;

/**
 * Where the twin of a bundle lies: its bytes backwards. Comparing the two is what a hook does in place of computing the
 * digest, which would take as long as all its rules.
 *
 * SECURITY: digest and twin both tell damage, a half-written file and an edit by hand. Neither keeps out who may write
 * to the directory: he can recompute both. That is the work of its permissions, of the rules that guard it, and of the
 * digest in each record.
 */
export function twinOf(path: string): string {
  return `${path}.twin`;
}

/** What belongs into the twin of a bundle with this text. */
export function twinBytes(text: string): Buffer {
  return Buffer.from(text, 'utf8').reverse();
}

/**
 * Reads a compiled bundle. Its text is `{"digest":"…",` followed by the rest of its canonical JSON, so that the
 * digest is checked on the text as it stands. Throws GovError `policy-unreadable` or `policy-damaged`.
 */
export function loadPolicy(path: string): CompiledPolicy {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw new GovError({
      code: 'policy-unreadable',
      message: `can't read the policy \`${path}\`: ${messageOf(cause)}`,
      help: 'run `gov policy build`, or reinstall gov',
      cause,
    });
  }
  const text = bytes.toString('utf8');
  if (!equalsTwin(bytes, twinOf(path))) verify(text, path);
  return parse(text, path);
}

/** As `loadPolicy`, of a text. */
export function parsePolicy(text: string, path: string): CompiledPolicy {
  verify(text, path);
  return parse(text, path);
}

/** False also where there is no twin, or that of another bundle: the digest decides then. Turns the bytes around. */
function equalsTwin(bytes: Buffer, twin: string): boolean {
  try {
    return bytes.length > 0 && readFileSync(twin).equals(bytes.reverse());
  } catch {
    return false;
  }
}

function verify(text: string, path: string): void {
  const head = HEAD.exec(text);
  const digest = head?.[1];
  if (!head || sha256(`{${text.slice(head[0].length)}`) !== digest)
    throw damaged(path, 'its digest does not match its content');
}

function parse(text: string, path: string): CompiledPolicy {
  let policy: CompiledPolicy;
  try {
    policy = JSON.parse(text) as CompiledPolicy;
  } catch (cause) {
    throw damaged(path, messageOf(cause));
  }
  if (policy.format !== 1) throw damaged(path, `its format is ${String(policy.format)}, not 1`);
  return policy;
}

function damaged(path: string, why: string): GovError {
  return new GovError({
    code: 'policy-damaged',
    message: `the policy \`${path}\` is damaged: ${why}`,
    help: 'run `gov policy build`, or reinstall gov',
  });
}
