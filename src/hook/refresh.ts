import { fileURLToPath } from 'node:url';
import { type PolicyPlace, policyInForce } from '../policy/in-force.ts';

/**
 * At the start of a session: if the project's policy changed since it was compiled, `gov policy build --project` is
 * started and not waited for. Only ever tightens, so it needs nobody's consent. Never throws.
 */
export function refreshProject(place: PolicyPlace, workspace: string, env: NodeJS.ProcessEnv): void {
  try {
    if (policyInForce(place, workspace).faults.length === 0) return;
    const gov = fileURLToPath(new URL('../bin/run.js', import.meta.url));
    // Asked for here and not imported: a hook that starts nothing must not pay for loading it.
    const { spawn } = process.getBuiltinModule('node:child_process');
    const build = spawn(process.execPath, [gov, 'policy', 'build', '--project'], {
      cwd: workspace,
      env,
      detached: true,
      stdio: 'ignore',
    });
    build.on('error', () => {});
    build.unref();
  } catch {
    // The next `gov` command compiles it, and records say that it is stale.
  }
}
