import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Env } from '../agents/agent.ts';
import { registrar as claudeCode } from '../agents/claude-code/register.ts';
import { registrar as codex } from '../agents/codex/register.ts';
import { registrar as gemini } from '../agents/gemini-cli/register.ts';
import type { RegisterPlace, Registrar } from '../agents/registrar.ts';

/** Agents in which gov can register itself. */
export const registrars: readonly Registrar[] = [claudeCode, codex, gemini];

export function registrarNamed(agent: string): Registrar | null {
  return registrars.find((item) => item.agent === agent) ?? null;
}

/** The agents that are used here: their program is in PATH, or they have a directory in this home. */
export function agentsFound(place: RegisterPlace): readonly Registrar[] {
  return registrars.filter(
    (item) => item.programs.some((name) => programInPath(name, place.env) !== null) || existsSync(item.home(place)),
  );
}

/** The first executable of that name in PATH, or null. */
export function programInPath(name: string, env: Env): string | null {
  for (const dir of (env['PATH'] ?? '').split(delimiter)) {
    if (!dir.startsWith('/')) continue;
    const file = join(dir, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not here.
    }
  }
  return null;
}
