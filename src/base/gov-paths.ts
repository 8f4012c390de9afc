import { homedir } from 'node:os';
import { join } from 'node:path';

/** Directories that belong to gov. `GOV_HOME` overrides all; else the XDG base directories hold. */
export interface GovPaths {
  readonly config: string;
  readonly state: string;
  /** `config.json` in the configuration directory. */
  readonly configFile: string;
  /** The audit database. */
  readonly database: string;
  /** Records that wait for a writable database. */
  readonly spool: string;
  /** Directory of the daemon: its socket, its lock. */
  readonly daemon: string;
  /** Compiled bundles. */
  readonly policy: string;
}

export function govPaths(env: NodeJS.ProcessEnv): GovPaths {
  const own = env['GOV_HOME'];
  const home = env['HOME'] || homedir();
  const config = own ? join(own, 'config') : join(absolute(env['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'gov');
  const state = own
    ? join(own, 'state')
    : join(absolute(env['XDG_STATE_HOME']) ?? join(home, '.local', 'state'), 'gov');
  return {
    config,
    state,
    configFile: join(config, 'config.json'),
    database: join(state, 'audit.db'),
    spool: join(state, 'spool'),
    daemon: join(state, 'daemon'),
    policy: join(state, 'policy'),
  };
}

/** The XDG specification says that relative values are to be ignored. */
function absolute(dir: string | undefined): string | undefined {
  return dir?.startsWith('/') ? dir : undefined;
}
