import { canonicalJson, sha256 } from '../base/digest.ts';
import type { CompiledPolicy } from '../model/policy.ts';

/** The bundle with its digest. */
export function sealPolicy(policy: Omit<CompiledPolicy, 'digest'>): CompiledPolicy {
  return { ...policy, digest: sha256(canonicalJson(policy)) };
}

/** The text of a bundle file: the digest first, then canonical JSON of the rest, so that a reader can check it without parsing. */
export function serializePolicy(policy: CompiledPolicy): string {
  const { digest, ...rest } = policy;
  return `{"digest":"${digest}",${canonicalJson(rest).slice(1)}`;
}
