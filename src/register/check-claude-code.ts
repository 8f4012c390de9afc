import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { managedDir, registrar } from '../agents/claude-code/register.ts';
import {
  disarmedBy,
  isGovHandler,
  missingHook,
  ON_FAILURE_SINCE,
  settingsFaults,
} from '../agents/claude-code/settings.ts';
import { fieldsOf, own } from '../agents/fields.ts';
import { handlersOf } from '../agents/hook-form.ts';
import type { Installed } from '../agents/installed.ts';
import { parseJsonText } from '../agents/json-text.ts';
import { plainOf, type RegisterPlace } from '../agents/registrar.ts';
import { GovError, messageOf } from '../base/errors.ts';
import { programInPath } from './agents.ts';
import { isExecutable } from './check-installation.ts';
import { readIfThere, realFile } from './files.ts';
import { bad, type Check, ok, warn } from './health.ts';

interface SettingsFile {
  readonly name: string;
  readonly file: string;
  readonly settings: unknown;
}

/** Whether Claude Code would call gov here: every settings file in force, the environment, the client's version. */
export function checkClaudeCode(place: RegisterPlace, installed: readonly Installed[]): readonly Check[] {
  const { files, checks } = readAll(place);
  const mine = installed.filter((item) => item.agent === registrar.agent);
  return [
    ...checks,
    ...checkRegistered(files, mine),
    ...files.flatMap(checkOff),
    ...checkEnvironment(place),
    ...checkVersion(place),
  ];
}

/** The settings files that the client merges, weakest first. */
function settingsFiles(place: RegisterPlace): readonly { readonly name: string; readonly file: string }[] {
  const managed = managedDir(place.platform);
  const dropIns = join(managed, 'managed-settings.d');
  return [
    { name: 'user', file: registrar.file('user', place) },
    { name: 'project', file: registrar.file('project', place) },
    { name: 'local', file: join(place.cwd, '.claude', 'settings.local.json') },
    { name: 'managed', file: join(managed, 'managed-settings.json') },
    ...namesIn(dropIns).map((name) => ({ name: 'managed', file: join(dropIns, name) })),
  ];
}

function readAll(place: RegisterPlace): { readonly files: readonly SettingsFile[]; readonly checks: readonly Check[] } {
  const files: SettingsFile[] = [];
  const checks: Check[] = [];
  for (const { name, file } of settingsFiles(place)) {
    try {
      const text = readIfThere(file);
      if (text === null) continue;
      const settings = plainOf(parseJsonText(text, file));
      const fault = settingsFaults(settings)[0];
      if (fault)
        checks.push(bad('settings', `${file}: ${fault}: the client drops the whole file`, 'correct that field'));
      files.push({ name, file, settings });
    } catch (error) {
      const at = error instanceof GovError && error.at ? `${error.at.file}:${error.at.line}:${error.at.column}: ` : '';
      checks.push(bad('settings', `${at}${messageOf(error)}: the client drops the whole file`, 'repair it by hand'));
    }
  }
  return { files, checks };
}

function checkRegistered(files: readonly SettingsFile[], installed: readonly Installed[]): readonly Check[] {
  const checks: Check[] = [];
  const carrying = files.filter(({ settings }) => handlersOf(settings, 'PreToolUse').some(isGovHandler));
  const whole = new Set(carrying.map(({ file }) => realFile(file)));
  for (const item of installed.filter(({ file }) => !whole.has(file))) checks.push(lost(item));
  if (carrying.length === 0)
    checks.push(
      bad(
        'registered',
        'no settings file in force here registers gov in Claude Code',
        'run `gov init --agent claude-code`',
      ),
    );
  for (const { name, file, settings } of carrying) {
    const missing = missingHook(settings);
    if (missing !== null) checks.push(bad('registered', `${file}: ${missing}`, 'run `gov init` again'));
    const gone = goneLauncher(settings);
    if (gone !== null)
      checks.push(
        bad('path-moved', `${file} starts ${gone}, which is missing or not executable`, 'run `gov init` again'),
      );
    if (missing === null && gone === null) checks.push(ok('registered', `in the ${name} settings ${file}`));
  }
  return checks;
}

/** A file that gov was registered in and is not any more, wherever it lies; one of another project may still be whole. */
function lost(item: Installed): Check {
  const text = readIfThere(item.file);
  if (text === null) return bad('registered', `${item.file} is gone, and gov's hooks with it`, 'run `gov init` again');
  const why = missingIn(text, item.file);
  if (why === null) return ok('registered', `in the ${item.scope} settings ${item.file}`);
  return bad('registered', `${item.file}: ${why}`, 'run `gov init` again');
}

function missingIn(text: string, file: string): string | null {
  try {
    return missingHook(plainOf(parseJsonText(text, file)));
  } catch (error) {
    return messageOf(error);
  }
}

function goneLauncher(settings: unknown): string | null {
  for (const handler of handlersOf(settings, 'PreToolUse').filter(isGovHandler)) {
    const command = String(own(fieldsOf(handler) ?? {}, 'command'));
    if (!command.startsWith('$') && !isExecutable(command)) return command;
  }
  return null;
}

function checkOff({ name, file, settings }: SettingsFile): readonly Check[] {
  const root = fieldsOf(settings) ?? {};
  const checks: Check[] = [];
  const why = settingsFaults(settings).length === 0 ? disarmedBy(settings, false) : null;
  if (why !== null) checks.push(bad('switched-off', `${file}: ${why}: hooks do not run`, 'take that out of the file'));
  if (name === 'managed' && own(root, 'allowManagedHooksOnly') === true)
    checks.push(
      warn('switched-off', `${file}: only managed hooks run`, 'register with `sudo gov init --scope managed`'),
    );
  return checks;
}

function checkEnvironment(place: RegisterPlace): readonly Check[] {
  return ['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE']
    .filter((name) => place.env[name] && place.env[name] !== '0')
    .map((name) =>
      bad(
        'environment',
        `${name} is set: the client runs no hooks but managed ones`,
        `unset ${name}, or use \`--scope managed\``,
      ),
    );
}

function checkVersion(place: RegisterPlace): readonly Check[] {
  const program = programInPath('claude', place.env);
  if (program === null)
    return [
      warn(
        'client',
        'no `claude` in PATH: its version is not known',
        `make sure that it is at least ${ON_FAILURE_SINCE}`,
      ),
    ];
  const run = spawnSync(program, ['--version'], {
    encoding: 'utf8',
    timeout: 20_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const version = /(\d+)\.(\d+)\.(\d+)/.exec(run.stdout ?? '')?.[0];
  if (!version) return [warn('client', `${program} does not tell its version`, 'start it once by hand')];
  if (older(version, ON_FAILURE_SINCE))
    return [
      bad(
        'client',
        `Claude Code ${version} runs a call when its hook crashes or is missing`,
        `update it to ${ON_FAILURE_SINCE} or newer, which heeds \`onFailure\``,
      ),
    ];
  return [ok('client', `Claude Code ${version}`)];
}

/** True if the first version is before the second; both `a.b.c`. */
function older(version: string, than: string): boolean {
  const a = version.split('.').map(Number);
  const b = than.split('.').map(Number);
  for (let i = 0; i < 3; i++) if (a[i] !== b[i]) return (a[i] ?? 0) < (b[i] ?? 0);
  return false;
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch {
    return [];
  }
}
