import { readFileSync } from 'node:fs';
import { sha256 } from '../base/digest.ts';
import { GovError, messageOf } from '../base/errors.ts';
import type { CompiledPolicy } from '../model/policy.ts';

const HEAD = /^\{"digest":"([0-9a-f]{64})",/;

/**
 * Reads a compiled bundle. Its text is `{"digest":"…",` followed by the rest of its canonical JSON, so that the
 * digest is checked on the text as it stands. Throws GovError `policy-unreadable` or `policy-damaged`.
 */
export function loadPolicy(path: string): CompiledPolicy {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new GovError({
      code: 'policy-unreadable',
      message: `can't read the policy \`${path}\`: ${messageOf(cause)}`,
      help: 'run `gov policy build`, or reinstall gov',
      cause,
    });
  }
  return parsePolicy(text, path);
}

/** As `loadPolicy`, of a text. */
export function parsePolicy(text: string, path: string): CompiledPolicy {
  const head = HEAD.exec(text);
  const digest = head?.[1];
  if (!head || sha256(`{${text.slice(head[0].length)}`) !== digest)
    throw damaged(path, 'its digest does not match its content');
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
