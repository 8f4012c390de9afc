import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GovPaths } from '../base/gov-paths.ts';
import type { CompiledPolicy } from '../model/policy.ts';
import { projectBundle } from '../policy/in-force.ts';
import { loadPolicy, twinBytes, twinOf } from '../policy/load.ts';
import { projectFiles } from '../policy/project-files.ts';
import { countRules, type RuleCount } from '../policy/rule-count.ts';
import { serializePolicy } from './bundle.ts';
import { compilePolicy, type SourceInput } from './compile.ts';
import type { Finding } from './finding.ts';
import { type Layers, layersOf } from './layers.ts';
import { presetsOf } from './presets.ts';
import { compileProject, type ProjectCompilation } from './project.ts';

export interface Published {
  /** False: something is wrong with the layers, and what was in force stays. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
  /** Files of the layers that are not used, one sentence each. */
  readonly ignored: readonly string[];
  readonly bundles: readonly PublishedBundle[];
  readonly projects: readonly PublishedProject[];
}

interface PublishedBundle extends RuleCount {
  readonly preset: string;
  readonly file: string;
  readonly digest: string;
}

export interface PublishedProject extends PublishedBundle {
  readonly workspace: string;
  readonly malformed: boolean;
  readonly ignored: ProjectCompilation['layer']['ignored'];
  readonly findings: readonly Finding[];
}

/**
 * Compiles the layers of this user into the bundles that hooks read, then the layer of the workspace and of every
 * workspace that was compiled before. With a fault in a layer, or a file of the organisation that can't be trusted
 * while a bundle is there already, nothing changes.
 */
export function publishLayers(paths: GovPaths, workspace: string | null, layers: Layers = layersOf(paths)): Published {
  const { sources, ignored } = layers;
  const compiled = presetsOf(sources).map((preset) => ({ preset, ...compilePolicy(sources, { preset }) }));
  const faulty = compiled.find((c) => c.findings.some((f) => f.severity === 'error'));
  const findings = (faulty ?? compiled[0])?.findings ?? [];
  const keepsLastGood = ignored.length > 0 && compiled.some((c) => existsSync(bundleFile(paths, c.preset)));
  if (faulty || keepsLastGood) return { ok: false, findings, ignored, bundles: [], projects: [] };
  const hasOwn = sources.some((s) => s.layer !== 'builtin');
  const bundles: PublishedBundle[] = [];
  for (const { preset, policy } of compiled) {
    const file = bundleFile(paths, preset);
    if (hasOwn) bundles.push(write(file, preset, policy));
    else remove(file);
  }
  const digests = new Map(compiled.map(({ preset, policy }) => [preset, policy.digest]));
  const workspaces = new Set([...knownWorkspaces(paths), ...(workspace === null ? [] : [workspace])]);
  const projects = [...workspaces].flatMap((w) =>
    [...digests].flatMap(([preset, digest]) => publishOne(paths, sources, digest, preset, w)),
  );
  return { ok: ignored.length === 0, findings, ignored, bundles, projects };
}

/**
 * Compiles the layer of one workspace for one preset, on top of the bundle that is in force. Null if the layers above
 * were changed since that bundle was built: then they are a person's to publish.
 */
export function publishProject(
  paths: GovPaths,
  workspace: string,
  upstream: CompiledPolicy,
): readonly PublishedProject[] | null {
  const { sources } = layersOf(paths);
  const { preset, digest } = upstream;
  if (compilePolicy(sources, { preset }).policy.digest !== digest) return null;
  return publishOne(paths, sources, digest, preset, workspace);
}

function publishOne(
  paths: GovPaths,
  sources: readonly SourceInput[],
  digest: string,
  preset: string,
  workspace: string,
): readonly PublishedProject[] {
  const file = projectBundle(paths.policy, preset, workspace);
  const project = compileProject(sources, digest, workspace, preset);
  if (project === null) {
    remove(file);
    return [];
  }
  const { malformed, ignored } = project.layer;
  return [{ ...write(file, preset, project.policy), workspace, malformed, ignored, findings: project.findings }];
}

/** Workspaces that have a bundle and still have policy files. The bundle of one that is gone is cleared away. */
function knownWorkspaces(paths: GovPaths): readonly string[] {
  const dir = join(paths.policy, 'projects');
  if (!existsSync(dir)) return [];
  const names = readdirSync(dir).filter((name) => !name.endsWith('.twin'));
  return names.flatMap((name) => {
    const file = join(dir, name);
    const workspace = workspaceOf(file);
    if (workspace !== null && projectFiles(workspace) !== null) return [workspace];
    remove(file);
    return [];
  });
}

function workspaceOf(file: string): string | null {
  try {
    return loadPolicy(file).project?.workspace ?? null;
  } catch {
    return null;
  }
}

function bundleFile(paths: GovPaths, preset: string): string {
  return join(paths.policy, `${preset}.json`);
}

function write(file: string, preset: string, policy: CompiledPolicy): PublishedBundle {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const text = serializePolicy(policy);
  replace(file, text);
  replace(twinOf(file), twinBytes(text));
  return { preset, file, digest: policy.digest, ...countRules(policy.rules) };
}

/** A reader sees the old bundle or the new one, never half of one. */
function replace(file: string, text: string | Buffer): void {
  const next = `${file}.${process.pid}`;
  rmSync(next, { force: true });
  writeFileSync(next, text, { mode: 0o600, flag: 'wx' });
  chmodSync(next, 0o600);
  renameSync(next, file);
}

/** Takes a bundle out of force, with its twin. */
function remove(file: string): void {
  rmSync(file, { force: true });
  rmSync(twinOf(file), { force: true });
}
