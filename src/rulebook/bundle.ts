import { canonicalJson, sha256 } from '../base/digest.ts';
import type { CompiledPolicy } from '../model/policy.ts';

/** Canonical texts of bundles that were sealed here: large ones take a while to write. */
const texts = new WeakMap<CompiledPolicy, string>();

/** The bundle with its digest. */
export function sealPolicy(policy: Omit<CompiledPolicy, 'digest'>): CompiledPolicy {
  const text = canonicalJson(policy);
  const sealed = { ...policy, digest: sha256(text) };
  texts.set(sealed, text);
  return sealed;
}

/** The text of a bundle file: the digest first, then canonical JSON of the rest, so that a reader can check it without parsing. */
export function serializePolicy(policy: CompiledPolicy): string {
  const { digest, ...rest } = policy;
  const text = texts.get(policy) ?? canonicalJson(rest);
  return `{"digest":"${digest}",${text.slice(1)}`;
}
