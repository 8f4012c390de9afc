import { lstatSync, readFileSync } from 'node:fs';
import { messageOf } from './errors.ts';

/** What a person chose at `gov init`. */
export interface GovConfig {
  /** `monitor`: everything passes, and the record says what would have been blocked. */
  readonly mode: 'enforce' | 'monitor';
  /** Name of the built-in policy bundle. */
  readonly preset: string;
  /** Whether a process that stays answers; absent: `auto`. */
  readonly daemon?: DaemonMode;
}

/**
 * `auto`: started by the first hook, and every hook can do without; `off`: each call is answered by a process of its
 * own; `require`: what the daemon does not answer is blocked.
 */
export type DaemonMode = 'auto' | 'off' | 'require';

const DAEMON_MODES: readonly unknown[] = ['auto', 'off', 'require'] satisfies DaemonMode[];

/**
 * What holds for one call. SECURITY: the agent's environment can't loosen it: where the file says `require`, no word in
 * `GOV_DAEMON` takes that back; between `off` and `auto` the answers are the same.
 */
export function daemonMode(config: GovConfig, env: Readonly<Record<string, string | undefined>>): DaemonMode {
  const said = env['GOV_DAEMON'];
  if (config.daemon === 'require' || said === 'require') return 'require';
  return said === 'off' || said === 'auto' ? said : (config.daemon ?? 'auto');
}

const DEFAULT: GovConfig = { mode: 'enforce', preset: 'recommended' };

export interface ConfigRead {
  readonly config: GovConfig;
  /** One sentence on what is wrong with the file; '' if nothing is. */
  readonly fault: string;
}

/** Reads `config.json`. Never throws and never loosens: a file that is broken or not the user's own means `enforce`. */
export function readConfig(file: string): ConfigRead {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { config: DEFAULT, fault: '' };
    return broken(file, messageOf(error));
  }
  const parsed = parseConfig(text);
  if (typeof parsed === 'string') return broken(file, parsed);
  if (parsed.mode === 'monitor' && !isPrivate(file))
    return broken(file, 'it asks for monitor mode and others may write to it');
  return { config: parsed, fault: '' };
}

/** The configuration in a text, or what is wrong with it. Unknown members are refused: a typing error must not pass for a choice. */
export function parseConfig(text: string): GovConfig | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it is not a JSON object';
  const members = new Map<string, unknown>(Object.entries(value));
  const mode = members.get('mode') ?? DEFAULT.mode;
  const preset = members.get('preset') ?? DEFAULT.preset;
  if (mode !== 'enforce' && mode !== 'monitor') return '`mode` is neither `enforce` nor `monitor`';
  if (typeof preset !== 'string' || !/^[a-z][a-z0-9-]{0,40}$/.test(preset))
    return '`preset` is not the name of a preset';
  const daemon = members.get('daemon');
  if (daemon !== undefined && !DAEMON_MODES.includes(daemon)) return '`daemon` is none of `auto`, `off`, `require`';
  for (const name of members.keys())
    if (name !== 'mode' && name !== 'preset' && name !== 'daemon') return `it has an unknown member \`${name}\``;
  return { mode, preset, ...(daemon === undefined ? {} : { daemon: daemon as DaemonMode }) };
}

function broken(file: string, why: string): ConfigRead {
  return { config: DEFAULT, fault: `${file} can't be used (${why}): rules are enforced with the recommended preset` };
}

/** Owned by this user or root, and not writable by others. */
function isPrivate(file: string): boolean {
  const stat = lstatSync(file);
  const mine = process.getuid === undefined || stat.uid === process.getuid() || stat.uid === 0;
  return mine && (stat.mode & 0o022) === 0;
}
