import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { GovError } from '../base/errors.ts';
import { DEMO_FILES, DEMO_SESSION, type DemoStep } from './session.ts';

/** A scratch home, store and workspace: nothing of the account is touched. */
export interface DemoPlace {
  readonly root: string;
  readonly home: string;
  readonly govHome: string;
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface DemoAnswer {
  readonly step: DemoStep;
  readonly answer: 'allowed' | 'asked' | 'blocked';
  /** What the agent was told, line by line; empty when allowed. */
  readonly told: readonly string[];
  readonly ms: number;
}

/** Makes the scratch place with a git repository in it. Throws GovError if git is missing. */
export function makePlace(): DemoPlace {
  const root = mkdtempSync(join(tmpdir(), 'gov-demo-'));
  const home = join(root, 'home');
  const workspace = join(home, 'shop');
  const govHome = join(root, 'gov');
  for (const [name, content] of Object.entries(DEMO_FILES)) {
    const file = join(workspace, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: home,
    GOV_HOME: govHome,
    GOV_DAEMON: 'off',
    CLAUDECODE: '1',
    CLAUDE_PROJECT_DIR: workspace,
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  const git = (...args: string[]): void => {
    const run = spawnSync('git', args, { cwd: workspace, env, encoding: 'utf8' });
    if (run.error)
      throw new GovError({ code: 'demo-git', message: 'the demo needs `git`', help: 'install git and run it again' });
  };
  git('init', '-q', '-b', 'main');
  git('add', 'README.md', 'package.json', 'src', 'build.mjs', '.env.example');
  git('-c', 'user.name=demo', '-c', 'user.email=demo@example.invalid', 'commit', '-q', '-m', 'start');
  return { root, home, govHome, workspace, env };
}

/** Plays the session through the real launchers, one process a call, as an agent would. Runs none of the commands. */
export function* play(place: DemoPlace, hooks: string): Generator<DemoAnswer> {
  const session = `demo-${process.pid}`;
  for (const [index, step] of DEMO_SESSION.entries()) {
    const input = fill(step.input, place.workspace);
    const payload = {
      session_id: session,
      transcript_path: join(place.home, '.claude', 'projects', 'shop', `${session}.jsonl`),
      cwd: place.workspace,
      permission_mode: 'acceptEdits',
      hook_event_name: 'PreToolUse',
      tool_name: step.tool,
      tool_input: input,
      tool_use_id: `toolu_demo_${String(index + 1).padStart(2, '0')}`,
    };
    const started = performance.now();
    const pre = call(join(hooks, 'pre-tool-use'), payload, place);
    const ms = performance.now() - started;
    const answer = answerOf(pre);
    if (answer.answer === 'allowed')
      call(
        join(hooks, 'post-tool-use'),
        { ...payload, hook_event_name: 'PostToolUse', tool_response: response(step), duration_ms: 40 },
        place,
      );
    yield { step, ms, ...answer };
  }
}

function call(launcher: string, payload: unknown, place: DemoPlace): SpawnSyncReturns<string> {
  return spawnSync(launcher, ['claude-code'], {
    cwd: place.workspace,
    env: place.env,
    input: JSON.stringify(payload),
    encoding: 'utf8',
  });
}

function answerOf(run: SpawnSyncReturns<string>): Pick<DemoAnswer, 'answer' | 'told'> {
  if (run.error)
    throw new GovError({
      code: 'demo-hook',
      message: `the hook can't be started: ${run.error.message}`,
      help: 'run `npm run build`',
    });
  if (run.status === 2) return { answer: 'blocked', told: lines(run.stderr) };
  if (run.status !== 0)
    throw new GovError({
      code: 'demo-hook',
      message: `the hook ended with ${run.status}: ${run.stderr.trim()}`,
      help: 'run `gov doctor`',
    });
  if (run.stdout.trim() === '') return { answer: 'allowed', told: [] };
  const said = JSON.parse(run.stdout) as { hookSpecificOutput?: { permissionDecisionReason?: string } };
  return { answer: 'asked', told: lines(said.hookSpecificOutput?.permissionDecisionReason ?? '') };
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function response(step: DemoStep): unknown {
  return step.tool === 'Bash'
    ? { stdout: step.output ?? '', stderr: '', interrupted: false, isImage: false }
    : { type: 'text', text: step.output ?? '' };
}

function fill(input: DemoStep['input'], workspace: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([k, v]) => [k, typeof v === 'string' ? v.replace('$W', workspace) : v]),
  );
}
