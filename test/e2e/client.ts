import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startFakeModel, type ToolAnswer, type Turn } from './fake-model.ts';

/** The built checkout. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** The client's own program, from the package for this platform; null if it is not installed. */
export function findClient(): string | null {
  const packages = join(import.meta.dirname, 'node_modules', '@anthropic-ai');
  if (!existsSync(packages)) return null;
  for (const name of readdirSync(packages)) {
    const program = join(packages, name, 'claude');
    if (name.startsWith('claude-code-') && existsSync(program)) return program;
  }
  return null;
}

/** A scratch home with a workspace, a neighbour directory that nobody may touch, and a store. */
export interface Scene {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly other: string;
  readonly govHome: string;
  readonly env: NodeJS.ProcessEnv;
}

export function makeScene(): Scene {
  const root = mkdtempSync(join(tmpdir(), 'gov-e2e-'));
  const home = join(root, 'home');
  const project = join(home, 'project');
  const other = join(home, 'other');
  const govHome = join(root, 'gov');
  for (const dir of [project, other]) mkdirSync(dir, { recursive: true });
  writeFileSync(join(other, 'precious.txt'), 'precious\n');
  writeFileSync(join(project, 'hello.txt'), 'hello\nworld\n');
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: home,
    GOV_HOME: govHome,
    GOV_DAEMON: 'off',
    TMPDIR: root,
    SHELL: '/bin/bash',
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: '/dev/null',
    // The client refuses to skip its own prompts as root unless it is told that this is a sandbox.
    IS_SANDBOX: '1',
    ANTHROPIC_API_KEY: 'sk-ant-e2e-000',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  };
  spawnSync('git', ['init', '-q', '-b', 'main'], { cwd: project, env });
  return { root, home, project, other, govHome, env };
}

export function removeScene(scene: Scene): void {
  rmSync(scene.root, { recursive: true, force: true });
}

/** Runs `gov` of an installation in the scene; returns its output. */
export function gov(
  scene: Scene,
  args: readonly string[],
  installation = ROOT,
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const run = spawnSync(process.execPath, [join(installation, 'bin', 'run.js'), ...args], {
    cwd: scene.project,
    env: scene.env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { status: run.status, stdout: run.stdout, stderr: run.stderr };
}

/** A copy of the installation that a test may damage. */
export function copyInstallation(scene: Scene): string {
  const copy = join(scene.root, 'installation');
  for (const part of ['hooks', 'dist', 'bin', 'rules', 'package.json'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

export interface Session {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly answers: readonly ToolAnswer[];
}

/** One headless session of the real client against a model that plays the turns. */
export async function playSession(
  client: string,
  scene: Scene,
  turns: readonly Turn[],
  options: {
    readonly prompt?: string;
    readonly args?: readonly string[];
    readonly env?: NodeJS.ProcessEnv;
    readonly onTurn?: (turn: number) => void;
  } = {},
): Promise<Session> {
  const model = await startFakeModel(turns, options.onTurn);
  try {
    const args = ['-p', options.prompt ?? 'tidy up', ...(options.args ?? ['--permission-mode', 'bypassPermissions'])];
    const child = spawn(client, args, {
      cwd: scene.project,
      env: { ...scene.env, ...options.env, ANTHROPIC_BASE_URL: model.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    const exitCode = await new Promise<number | null>((done) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), 90_000);
      child.on('exit', (code) => {
        clearTimeout(timer);
        done(code);
      });
    });
    return { exitCode, stdout: await stdout, stderr: await stderr, answers: model.answers() };
  } finally {
    await model.close();
  }
}

async function collect(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
