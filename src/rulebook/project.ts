import type { CompiledPolicy, ProjectLayer } from '../model/policy.ts';
import { projectFiles } from '../policy/project-files.ts';
import { sealPolicy } from './bundle.ts';
import { type Compilation, compilePolicy, type SourceInput } from './compile.ts';
import type { Finding } from './finding.ts';

/** The pack that holds while a project's policy can't be understood. */
const MALFORMED_PACK = 'malformed-project';

export interface ProjectCompilation {
  readonly policy: CompiledPolicy;
  readonly layer: ProjectLayer;
  /** In the project's files. */
  readonly findings: readonly Finding[];
}

/**
 * A workspace's policy files on top of the layers above; null if it has none. A file with a fault is left out as a
 * whole; if that fault is more than a change that it may not make, every write is asked about. Never throws on any
 * content of the workspace.
 */
export function compileProject(
  upstream: readonly SourceInput[],
  upstreamDigest: string,
  workspace: string,
  preset: string,
): ProjectCompilation | null {
  const found = projectFiles(workspace);
  if (found === null) return null;
  let files: readonly SourceInput[] = found.files.map((file) => ({ ...file, layer: 'project' as const }));
  const ignored: { file: string; why: string }[] = [];
  const findings: Finding[] = [];
  let malformed = found.problem !== '';
  if (malformed) ignored.push({ file: '.gov', why: found.problem });
  for (;;) {
    const compiled = attempt(upstream, files, preset, malformed);
    const faults = compiled.findings.filter((f) => f.severity === 'error' && files.some((s) => s.path === f.at.file));
    if (faults.length === 0) {
      const layer = { workspace, files: found.digest, upstream: upstreamDigest, ignored, malformed };
      const { digest: _digest, ...rest } = compiled.policy;
      return { policy: sealPolicy({ ...rest, project: layer }), layer, findings };
    }
    // Each turn leaves at least one file out.
    for (const fault of faults) findings.push(fault);
    for (const file of new Set(faults.map((f) => f.at.file)))
      ignored.push({ file, why: faults.find((f) => f.at.file === file)?.message ?? '' });
    malformed ||= faults.some((f) => !REFUSALS.has(f.code));
    files = files.filter((s) => !faults.some((f) => f.at.file === s.path));
  }
}

/** Findings that say that a file may not do what it does, not that it can't be understood. */
const REFUSALS: ReadonlySet<string> = new Set(['overlay-not-permitted']);

function attempt(
  upstream: readonly SourceInput[],
  files: readonly SourceInput[],
  preset: string,
  malformed: boolean,
): Compilation {
  return compilePolicy([...upstream, ...files], { preset, ...(malformed ? { also: [MALFORMED_PACK] } : {}) });
}
