import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { addonFault } from '../audit/addon-fault.ts';
import { probeStore } from '../audit/write/probe.ts';
import { readConfig } from '../base/config.ts';
import { messageOf } from '../base/errors.ts';
import type { GovPaths } from '../base/gov-paths.ts';
import { loadPolicy } from '../policy/load.ts';
import { countRules, countText } from '../policy/rule-count.ts';
import { bad, type Check, ok, warn } from './health.ts';
import { bundleFile, hooksDir } from './hooks-dir.ts';
import { nodeFile } from './install.ts';

const LAUNCHERS = ['pre-tool-use', 'post-tool-use', 'event'];

/** What `engines` in package.json says. */
const OLDEST_NODE = [20, 19] as const;

/** Whether gov itself can do its work here: programs, Node, configuration, policy, store. */
export function checkInstallation(paths: GovPaths): readonly Check[] {
  return [...checkPrograms(), checkNode(paths), checkConfig(paths), checkPolicy(paths), checkStore(paths)];
}

function checkPrograms(): readonly Check[] {
  const checks: Check[] = [];
  for (const name of LAUNCHERS) {
    const file = join(hooksDir(), name);
    if (!existsSync(file)) checks.push(bad('launcher', `${file} is missing`, 'reinstall gov'));
    else if (!isExecutable(file)) checks.push(bad('launcher', `${file} is not executable`, `chmod +x '${file}'`));
  }
  if (!existsSync(bundleFile()))
    checks.push(bad('bundle', `${bundleFile()} is missing`, 'run `npm run build` where gov is installed'));
  const stat = statSync(hooksDir(), { throwIfNoEntry: false });
  if (stat && (stat.mode & 0o002) !== 0)
    checks.push(bad('launcher', `everyone may write to ${hooksDir()}`, `chmod o-w '${hooksDir()}'`));
  return checks.length > 0 ? checks : [ok('launcher', `launchers and bundle are in ${hooksDir()}`)];
}

function checkNode(paths: GovPaths): Check {
  const file = nodeFile(paths);
  let node = process.execPath;
  let recorded = false;
  if (existsSync(file)) {
    node = readFileSync(file, 'utf8').trim();
    recorded = true;
    if (!isExecutable(node))
      return warn(
        'node',
        `the hooks were set up for ${node}, which is gone: they take the node in the agent's PATH`,
        'run `gov init` again',
      );
  }
  const run = spawnSync(node, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  const version = /^v(\d+)\.(\d+)\./.exec(run.stdout ?? '');
  if (!version) return bad('node', `${node} does not start`, 'install Node and run `gov init` again');
  const [major, minor] = [Number(version[1]), Number(version[2])];
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))
    return bad(
      'node',
      `${node} is ${run.stdout.trim()}`,
      `gov needs Node ${OLDEST_NODE.join('.')} or newer; then run \`gov init\` again`,
    );
  return ok('node', `${run.stdout.trim()} at ${node}${recorded ? '' : ' (not written down yet: `gov init` does)'}`);
}

function checkConfig(paths: GovPaths): Check {
  const { config, fault } = readConfig(paths.configFile);
  if (fault !== '') return bad('config', fault, `repair or remove ${paths.configFile}`);
  if (config.mode === 'monitor')
    return warn(
      'config',
      'monitor mode: everything passes and is only recorded',
      'run `gov init --preset recommended` to enforce',
    );
  return ok('config', `mode ${config.mode}, preset ${config.preset}`);
}

function checkPolicy(paths: GovPaths): Check {
  const { config } = readConfig(paths.configFile);
  try {
    const policy = loadPolicy(policyFileFor(paths, config.preset));
    return ok('policy', `${countText(countRules(policy.rules))}; digest ${policy.digest.slice(0, 12)}`);
  } catch (error) {
    return bad('policy', messageOf(error), 'run `npm run build` where gov is installed, or reinstall gov');
  }
}

/** The bundle that hooks read, as in src/hook/main.ts. */
export function policyFileFor(paths: GovPaths, preset: string): string {
  const own = join(paths.policy, `${preset}.json`);
  return existsSync(own) ? own : join(bundleFile(), '..', 'policy', `${preset}.json`);
}

/** Only looks: nothing is created, repaired or recorded. */
function checkStore(paths: GovPaths): Check {
  try {
    const exists = probeStore(paths);
    return ok('store', exists ? `${paths.database} takes records` : `${paths.database} will be made by the first call`);
  } catch (error) {
    const fault = addonFault(error);
    if (fault) return bad('store', `records can't be written: ${fault.message}`, fault.help ?? '');
    return bad('store', `records can't be written: ${messageOf(error)}`, `make ${paths.state} writable for you alone`);
  }
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
