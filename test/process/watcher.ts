import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './place.ts';

/** `gov policy watch`, and the lines that it printed so far, each with when it came. */
export interface Watcher {
  readonly child: ChildProcess;
  readonly lines: { readonly text: string; readonly at: number }[];
}

export function startWatcher(cwd: string, env: NodeJS.ProcessEnv, ...args: readonly string[]): Watcher {
  const child = spawn(process.execPath, [join(ROOT, 'bin/run.js'), 'policy', 'watch', ...args], {
    cwd,
    env: { ...env, NO_COLOR: '1' },
  });
  const lines: Watcher['lines'] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const at = performance.now();
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) lines.push({ text: part, at });
  });
  return { child, lines };
}

export async function endWatcher({ child }: Watcher): Promise<void> {
  if (child.exitCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await closed;
}
