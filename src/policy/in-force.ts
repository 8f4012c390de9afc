import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../base/digest.ts';
import { messageOf } from '../base/errors.ts';
import type { CompiledPolicy } from '../model/policy.ts';
import { loadPolicy } from './load.ts';
import { type ProjectFiles, projectFiles } from './project-files.ts';

/** Where the compiled bundles of one user lie. */
export interface PolicyPlace {
  /** Bundles that were built from this user's layers. */
  readonly built: string;
  /** Bundles that come with gov. */
  readonly builtin: string;
  readonly preset: string;
}

/** Reads a compiled bundle, as `loadPolicy` does; a process that lives longer may have it still. */
export type LoadPolicy = (path: string) => CompiledPolicy;

export interface InForce {
  readonly policy: CompiledPolicy;
  /** What is not as it should be, one sentence each. The policy holds all the same. */
  readonly faults: readonly string[];
}

/**
 * The policy for a workspace (null: for none): the bundle that was built for this user, else the built-in one; with the project's layer
 * if it was compiled on top of just that. Throws GovError `policy-…` if there is none that can be trusted: a bundle
 * that is there and damaged is never passed over, for the one below it may be milder.
 */
export function policyInForce(place: PolicyPlace, workspace: string | null, load: LoadPolicy = loadPolicy): InForce {
  const name = `${place.preset}.json`;
  const own = join(place.built, name);
  const upstream = load(existsSync(own) ? own : join(place.builtin, name));
  const project = workspace === null ? null : projectFiles(workspace);
  if (workspace === null || project === null) return { policy: upstream, faults: [] };
  return withProject(upstream, project, place, workspace, load);
}

/** File of the bundle with a workspace's layer. */
export function projectBundle(built: string, preset: string, workspace: string): string {
  return join(built, 'projects', `${sha256(workspace).slice(0, 32)}.${preset}.json`);
}

/**
 * SECURITY: a project can only tighten, so a bundle made from an older state of its files is at least as strict as
 * what lies above it. A bundle on top of another upstream is not, and is left out.
 */
function withProject(
  upstream: CompiledPolicy,
  project: ProjectFiles,
  place: PolicyPlace,
  workspace: string,
  load: LoadPolicy,
): InForce {
  const stale = (why: string): string =>
    `the project's policy in ${join(workspace, '.gov')} ${why}: run \`gov policy build\``;
  const file = projectBundle(place.built, place.preset, workspace);
  if (!existsSync(file)) return { policy: upstream, faults: [stale('was never compiled and does not hold yet')] };
  let policy: CompiledPolicy;
  try {
    policy = load(file);
  } catch (error) {
    return { policy: upstream, faults: [stale(`does not hold (${messageOf(error)})`)] };
  }
  if (policy.project?.workspace !== workspace || policy.project.upstream !== upstream.digest)
    return { policy: upstream, faults: [stale('was compiled with other rules above it and does not hold')] };
  if (policy.project.files !== project.digest)
    return { policy, faults: [stale('changed since it was compiled; its former state holds')] };
  return { policy, faults: [] };
}
