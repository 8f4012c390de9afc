import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Database } from '../../src/audit/sqlite.ts';

/** The built checkout. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** A scratch home, workspace and store for one test; nothing of the account is touched. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly workspace: string;
  readonly govHome: string;
  readonly env: NodeJS.ProcessEnv;
}

export function makePlace(): Place {
  const root = mkdtempSync(join(tmpdir(), 'gov-test-'));
  const home = join(root, 'home');
  const workspace = join(home, 'work');
  const govHome = join(root, 'gov');
  mkdirSync(join(workspace, '.git'), { recursive: true });
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    GOV_HOME: govHome,
    GOV_DAEMON: 'off',
    CLAUDE_PROJECT_DIR: workspace,
  };
  return { root, home, workspace, govHome, env };
}

export function removePlace(place: Place): void {
  rmSync(place.root, { recursive: true, force: true });
}

/** Writes `config.json`. */
export function configure(place: Place, config: unknown): void {
  mkdirSync(join(place.govHome, 'config'), { recursive: true });
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  writeFileSync(join(place.govHome, 'config', 'config.json'), text);
}

/** A copy of the installation that a test may damage: own launchers and `dist/`, linked dependencies. */
export function copyInstallation(place: Place, withDependencies = true): string {
  const copy = join(place.root, 'installation');
  for (const part of ['hooks', 'dist']) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  if (withDependencies) symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

export interface HookRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a launcher as an agent does: no shell, payload on standard input. */
export function runHook(
  place: Place,
  stdin: string | Buffer,
  options: {
    readonly launcher?: string;
    readonly agent?: string;
    readonly cwd?: string;
    readonly env?: NodeJS.ProcessEnv;
  } = {},
): HookRun {
  const run: SpawnSyncReturns<string> = spawnSync(
    options.launcher ?? join(ROOT, 'hooks', 'pre-tool-use'),
    [options.agent ?? 'claude-code'],
    {
      cwd: options.cwd ?? place.workspace,
      env: options.env ?? place.env,
      input: stdin,
      encoding: 'utf8',
      timeout: 60_000,
      maxBuffer: 16 * 1024 * 1024,
    },
  );
  if (run.error && (run.error as NodeJS.ErrnoException).code !== 'EPIPE') throw run.error;
  return { exitCode: run.status, stdout: run.stdout, stderr: run.stderr };
}

/** A payload of Claude Code; members of `more` replace those of the base, `undefined` takes them out. */
export function payload(place: Place, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    session_id: 'test-session',
    transcript_path: join(place.home, 'transcript.jsonl'),
    cwd: place.workspace,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'echo hello' },
    tool_use_id: 'toolu_test',
    ...more,
  });
}

export function bash(place: Place, command: string): string {
  return payload(place, { tool_input: { command } });
}

export interface Stored {
  readonly id: string;
  readonly kind: string;
  readonly answer: string;
  readonly body: Record<string, unknown>;
}

/** What the store holds, oldest first. */
export function records(place: Place): readonly Stored[] {
  const db = new Database(join(place.govHome, 'state', 'audit.db'), { readonly: true, fileMustExist: true });
  try {
    const rows = db.prepare('SELECT b.body FROM records r JOIN bodies b USING (seq) ORDER BY r.seq').all() as {
      body: string;
    }[];
    return rows.map(({ body }) => {
      const parsed = JSON.parse(body) as Record<string, unknown>;
      return { id: String(parsed['id']), kind: String(parsed['kind']), answer: String(parsed['answer']), body: parsed };
    });
  } finally {
    db.close();
  }
}
