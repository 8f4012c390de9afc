import { spawnSync } from 'node:child_process';
import type { Installed } from '../agents/installed.ts';
import { parseJsonText } from '../agents/json-text.ts';
import { plainOf, type Registrar, type Start } from '../agents/registrar.ts';
import { registrarNamed } from './agents.ts';
import { readIfThere } from './files.ts';

/** A test call and what must come of it. Hooks only judge it: nothing of it is ever run. */
export interface Canary {
  readonly name: 'block' | 'allow';
  readonly command: string;
}

export const CANARIES: readonly Canary[] = [
  { name: 'block', command: 'rm -rf ~' },
  { name: 'allow', command: 'echo gov-canary' },
];

/** One canary through one registered hook. */
export interface CanaryRun {
  readonly canary: Canary['name'];
  /** The program that the agent would start. */
  readonly command: string;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  /** Session id under which the record must be found. */
  readonly session: string;
  /** What is wrong; '' if the answer is as it must be. */
  readonly fault: string;
}

/** Sends the canaries through the hook of a settings file: same program, arguments and form as the agent. */
export function fireCanaries(
  installed: Installed,
  enforced: boolean,
  session: string,
  cwd: string,
): readonly CanaryRun[] {
  const registrar = registrarNamed(installed.agent);
  const text = readIfThere(installed.file);
  if (registrar === null || text === null) return [];
  const starts = registrar.starts(plainOf(parseJsonText(text, installed.file)));
  return starts.flatMap((start) =>
    CANARIES.map((canary) => fire({ registrar, start, enforced }, canary, session, cwd)),
  );
}

function fire(
  { registrar, start, enforced }: { registrar: Registrar; start: Start; enforced: boolean },
  canary: Canary,
  session: string,
  cwd: string,
): CanaryRun {
  const { program: command, args } = start;
  const payload = registrar.payload(canary.command, { session, cwd, id: `${session}-${canary.name}` });
  const started = performance.now();
  const run = spawnSync(command, args, {
    cwd,
    env: { ...process.env, CLAUDE_PROJECT_DIR: cwd },
    input: JSON.stringify(payload),
    encoding: 'utf8',
    timeout: 30_000,
  });
  const ms = performance.now() - started;
  const seen = { exitCode: run.status, stdout: run.stdout ?? '', stderr: run.stderr ?? '' };
  // A program that ends without reading its input was started all the same.
  const failed = run.error && (run.error as NodeJS.ErrnoException).code !== 'EPIPE' ? run.error.message : null;
  const fault = failed === null ? faultOf(canary, enforced, seen) : `it does not start: ${failed}`;
  return { canary: canary.name, command, ...seen, ms, session, fault };
}

function faultOf(canary: Canary, enforced: boolean, seen: Pick<CanaryRun, 'exitCode' | 'stdout' | 'stderr'>): string {
  const blocks = canary.name === 'block' && enforced;
  if (seen.exitCode !== (blocks ? 2 : 0))
    return `it ended with ${seen.exitCode ?? 'a signal'}, not ${blocks ? 2 : 0}: ${seen.stderr.trim() || 'no word why'}`;
  if (seen.stdout !== '') return `it printed \`${seen.stdout.slice(0, 80)}\`, where nothing must stand`;
  if (blocks && seen.stderr.trim() === '') return 'it blocked without a reason';
  if (blocks && /^denied by gov\./.test(seen.stderr))
    return `it blocked because of a fault: ${seen.stderr.split('\n')[0]}`;
  return '';
}
