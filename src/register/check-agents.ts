import { join } from 'node:path';
import { codexHome, hooksAreOff, trustFor, untrusted } from '../agents/codex/register.ts';
import { switchedOff } from '../agents/gemini-cli/register.ts';
import type { Installed } from '../agents/installed.ts';
import { parseJsonText } from '../agents/json-text.ts';
import { plainOf, type RegisterPlace, type Registrar } from '../agents/registrar.ts';
import { launcherIn } from '../agents/shell-hooks.ts';
import { messageOf } from '../base/errors.ts';
import { agentsFound, registrars } from './agents.ts';
import { checkClaudeCode } from './check-claude-code.ts';
import { isExecutable } from './check-installation.ts';
import { readIfThere, realFile } from './files.ts';
import { bad, type Check, ok, warn } from './health.ts';

/** Whether the agents that are used here, or that gov was registered in, would call gov. Claude Code if there is none. */
export function checkAgents(place: RegisterPlace, installed: readonly Installed[]): readonly Check[] {
  const used = new Set([...agentsFound(place).map(({ agent }) => agent), ...installed.map(({ agent }) => agent)]);
  const others = registrars.filter(({ agent }) => agent !== 'claude-code' && used.has(agent));
  const claude = used.has('claude-code') || others.length === 0 ? checkClaudeCode(place, installed) : [];
  return [...claude, ...others.flatMap((registrar) => checkOther(registrar, place, installed))];
}

interface Settings {
  readonly file: string;
  readonly settings: unknown;
}

function checkOther(registrar: Registrar, place: RegisterPlace, installed: readonly Installed[]): readonly Check[] {
  const mine = installed.filter(({ agent }) => agent === registrar.agent).map(({ file }) => file);
  const own = registrar.scopes.map((scope) => realFile(registrar.file(scope, place)));
  const checks: Check[] = [];
  const read: Settings[] = [];
  for (const file of new Set([...mine, ...own])) {
    try {
      const text = readIfThere(file);
      if (text !== null) read.push({ file, settings: plainOf(parseJsonText(text, file)) });
      else if (mine.includes(file)) checks.push(bad('registered', `${file} is gone, and gov's hooks with it`, AGAIN));
    } catch (error) {
      checks.push(bad('settings', messageOf(error), 'repair it by hand'));
    }
  }
  const carrying = read.filter(({ file, settings }) => mine.includes(file) || registrar.starts(settings).length > 0);
  for (const { file, settings } of carrying) checks.push(registered(registrar, file, settings));
  if (checks.length === 0)
    checks.push(
      warn(
        'registered',
        `${registrar.title} is used here, and gov is not registered in it`,
        `run \`gov init --agent ${registrar.agent}\``,
      ),
    );
  if (registrar.agent === 'gemini-cli') checks.push(...geminiOff(read));
  if (registrar.agent === 'codex') checks.push(...codexTrust(carrying, place));
  return checks;
}

const AGAIN = 'run `gov init` again';

function registered(registrar: Registrar, file: string, settings: unknown): Check {
  const fault = registrar.fault(settings);
  if (fault !== null) return bad('registered', `${file}: ${fault}`, AGAIN);
  for (const { args } of registrar.starts(settings)) {
    const launcher = launcherIn({ command: args[1] }, registrar.agent);
    if (launcher !== null && !isExecutable(launcher))
      return bad('path-moved', `${file} starts ${launcher}, which is missing or not executable`, AGAIN);
  }
  return ok('registered', `${registrar.title}, in ${file}`);
}

/** A project's file switches off hooks of every other file too. */
function geminiOff(read: readonly Settings[]): readonly Check[] {
  return read.flatMap(({ file, settings }) => {
    const why = switchedOff(settings);
    return why === null ? [] : [bad('switched-off', `${file}: ${why}: hooks do not run`, 'take that out of the file')];
  });
}

function codexTrust(carrying: readonly Settings[], place: RegisterPlace): readonly Check[] {
  const config = join(codexHome(place), 'config.toml');
  let toml: string;
  try {
    toml = readIfThere(config) ?? '';
  } catch (error) {
    return [bad('trust', messageOf(error), 'make it readable')];
  }
  if (hooksAreOff(toml)) return [bad('switched-off', `${config} switches hooks off`, 'take `hooks = false` out of it')];
  return carrying.map(({ file, settings }) => {
    const missing = untrusted(trustFor(settings, file), toml).map(({ event }) => event);
    if (missing.length === 0) return ok('trust', `Codex trusts gov's hooks in ${file}`);
    return bad(
      'trust',
      `Codex skips gov's hooks in ${file}, for nobody trusted them: ${missing.join(', ')}`,
      'start `codex`, type /hooks and trust them',
    );
  });
}
