import { accessSync, constants, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DaemonMode, daemonMode, readConfig } from '../base/config.ts';
import type { GovPaths } from '../base/gov-paths.ts';
import { bad, type Check, ok, warn } from './health.ts';

/** What the daemon's room tells of it. */
interface Look {
  readonly socket: 'absent' | 'stale' | 'silent' | 'answers';
  readonly running: { readonly pid: number; readonly version: string; readonly served: number } | null;
  readonly current: boolean;
  readonly possible: boolean;
  readonly compiledClient: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Whether calls are answered the short way. Only where that is required is it worse than slow if they are not. */
export function checkDaemon(paths: GovPaths, look: Look, env: Env): readonly Check[] {
  const mode = daemonMode(readConfig(paths.configFile).config, env);
  if (mode === 'off') return [ok('daemon', 'switched off: each call has a hook of its own')];
  const found = [...obstacles(paths, look, env, mode), ...state(paths, look, mode)];
  return found.length > 0 ? found : [ok('daemon', said(look))];
}

function said({ running }: Look): string {
  if (running === null) return 'not running: the next call starts it';
  return `process ${running.pid}, gov ${running.version}, took ${running.served} calls`;
}

function by(mode: DaemonMode): typeof warn {
  return mode === 'require' ? bad : warn;
}

/** What keeps launchers from asking it. */
function* obstacles(paths: GovPaths, { possible, compiledClient }: Look, env: Env, mode: DaemonMode): Generator<Check> {
  const without = mode === 'require' ? 'every call is blocked' : 'each call has a hook of its own, which takes longer';
  if (!possible)
    yield by(mode)(
      'daemon-path',
      `the path of ${paths.daemon} is too long for a socket: ${without}`,
      'set GOV_HOME to a shorter path',
    );
  if (!compiledClient && !hasPerl(env))
    yield by(mode)(
      'daemon-client',
      `neither gov's compiled client nor Perl is found: ${without}`,
      'install perl, or a C compiler and build gov again: launchers ask the daemon with one of them',
    );
  const stat = lstatSync(paths.daemon, { throwIfNoEntry: false });
  if (stat === undefined) return;
  const uid = process.geteuid?.() ?? stat.uid;
  if (!stat.isDirectory() || stat.uid !== uid)
    yield by(mode)(
      'daemon-directory',
      `${paths.daemon} is ${stat.isDirectory() ? `of user ${stat.uid}` : 'no directory'}: ${without}`,
      'look into how that came about, and move it away',
    );
  else if ((stat.mode & 0o077) !== 0)
    yield by(mode)(
      'daemon-directory',
      `others may look into ${paths.daemon}, so that launchers do not trust it: ${without}`,
      `chmod 700 '${paths.daemon}'`,
    );
}

function* state(paths: GovPaths, { socket, running, current }: Look, mode: DaemonMode): Generator<Check> {
  if (socket === 'stale')
    yield warn(
      'daemon-stale',
      `nobody listens at ${join(paths.daemon, 'socket')}: a daemon was killed`,
      '`gov daemon start`, or wait for the next call',
    );
  if (socket === 'silent')
    yield by(mode)('daemon-silent', `the daemon${pidText(paths)} does not answer`, `end it: kill -9 ${pidOf(paths)}`);
  if (running !== null && !current)
    yield warn(
      'daemon-build',
      `the daemon (process ${running.pid}, gov ${running.version}) is of another build and judges nothing`,
      '`gov daemon stop`; it also ends with the next call',
    );
  if (mode === 'require' && running === null)
    yield bad(
      'daemon-required',
      'a daemon is required and none answers: calls are blocked',
      '`gov daemon start`, or take `"daemon": "require"` out of config.json',
    );
}

/** As hooks/launch.sh looks for it. */
function hasPerl(env: Env): boolean {
  return ['/usr/bin', ...(env['PATH'] ?? '').split(':')].some((dir) => isExecutable(join(dir || '.', 'perl')));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function pidText(paths: GovPaths): string {
  return pidOf(paths) === 'PID' ? '' : ` (process ${pidOf(paths)})`;
}

/** `PID` if it is not known. */
function pidOf(paths: GovPaths): string {
  try {
    return /^\d{1,9}$/.exec(readFileSync(join(paths.daemon, 'pid'), 'utf8').trim())?.[0] ?? 'PID';
  } catch {
    return 'PID';
  }
}
